package dev.berth.testkit.contract;

import dev.berth.api.ServiceClass;
import dev.berth.testkit.history.History;
import java.util.List;

/**
 * What a scheduler is started with.
 *
 * @param serviceClasses that requests may name; at least one
 * @param seed of whatever it leaves to chance
 */
public record Setting(List<ServiceClass> serviceClasses, long seed) {

  /** Copies the list. */
  public Setting {
    serviceClasses = List.copyOf(serviceClasses);
  }

  /** Returns the setting of a history. */
  public static Setting of(History history) {
    return new Setting(history.serviceClasses(), history.seed());
  }
}
