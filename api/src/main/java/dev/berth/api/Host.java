package dev.berth.api;

import dev.berth.api.policy.SchedulingPass;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A live, read-only view of a host that is part of the cluster.
 *
 * <p>Within a {@linkplain SchedulingPass pass} it shows what the pass has left so far. Valid until
 * the host is removed; used only by the thread that drives the scheduler.
 */
public interface Host {

  /** Returns the id the embedder gave it. */
  String id();

  /** Returns what instances may use of it. */
  Resources capacity();

  /** Returns what no instance holds there. */
  Resources free();

  /**
   * Returns the amount of {@code dimension} that no instance holds; cost O(1) in hosts and
   * instances.
   */
  long free(Dimension dimension);

  /** Returns all attributes, in ascending order of name; possibly empty. */
  Map<String, String> attributes();

  /** Returns the value of an attribute, or empty where the host lacks it. */
  default Optional<String> attribute(String name) {
    return Optional.ofNullable(attributes().get(name));
  }

  /**
   * Returns the instances that are here: starting, running, paused or suspended. No order is
   * promised, but it is the same on every machine.
   */
  Collection<Instance> instances();

  /** Returns where it stands in its life. */
  default HostState state() {
    return HostState.UP;
  }

  /** Returns the name of the pool it was asked for from, or empty if it joined by itself. */
  default Optional<String> pool() {
    return Optional.empty();
  }

  /** Returns the cluster it was asked for, or empty. */
  default Optional<String> cluster() {
    return Optional.empty();
  }

  /** Returns until when it is wanted at least, or empty if that was not said. */
  default OptionalLong expiresAt() {
    return OptionalLong.empty();
  }

  /** Returns whether its CPU is {@linkplain HostSpec#timeShared shared} by whoever is there. */
  default boolean timeShared() {
    return false;
  }

  /** Returns the latest report of its load, or empty if there was none since it joined. */
  default Optional<HostLoad> load() {
    return Optional.empty();
  }

  /**
   * Returns when instances last ceased to run here, whatever became of them: those of the last
   * {@link HostLoad#WINDOW} before the latest of them, ascending. It is what a {@linkplain #load
   * load} may still count.
   */
  default List<Long> recentCompletions() {
    return List.of();
  }

  /** Returns what is known of an application from its runs here since the host joined, or empty. */
  default Optional<ApplicationHistory> history(String application) {
    return Optional.empty();
  }

  /**
   * Returns a number that is another one whenever anything has changed that this view shows, or
   * that the views of the instances here show, other than by the passing of time. No two hosts of a
   * scheduler ever have the same. For policies that keep what they computed of a host until it
   * changes. Cost O(1).
   */
  long version();
}
