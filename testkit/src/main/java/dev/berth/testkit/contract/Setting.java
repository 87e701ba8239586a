package dev.berth.testkit.contract;

import dev.berth.api.ServiceClass;
import dev.berth.testkit.history.History;
import java.util.List;

/**
 * The parameters that a scheduler starts with.
 *
 * @param serviceClasses the classes that requests may name; at least one
 * @param seed seed of its random decisions
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
