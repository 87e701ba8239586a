package dev.berth.api;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

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
}
