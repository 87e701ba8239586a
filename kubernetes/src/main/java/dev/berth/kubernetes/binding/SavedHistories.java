package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import java.util.List;
import java.util.Optional;

/**
 * The histories of instances that wait for their next pod, as a ConfigMap holds them. Immutable.
 *
 * @param histories oldest first
 */
public record SavedHistories(List<Kept> histories) {

  /** Copies the list. */
  public SavedHistories {
    histories = List.copyOf(histories);
  }

  /**
   * A history that waits for a pod.
   *
   * @param instance the instance that had it
   * @param owner UID of the owner
   * @param position the place in the owner; empty if its pods are alike
   * @param serviceClass the service class of the request
   * @param demand the demand of the request, as text
   * @param history the history
   * @param until when it is dropped, in nanoseconds
   */
  public record Kept(
      String instance,
      String owner,
      Optional<String> position,
      String serviceClass,
      String demand,
      History history,
      long until) {}
}
