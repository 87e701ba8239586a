package dev.berth.api;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A live, read-only view of a host that is part of the cluster.
 *
 * <p>During a scheduling pass it reflects the actions recorded so far. Valid until the host is
 * removed. Only the thread that drives the scheduler may use it.
 */
public interface Host {

  /** The number of applications whose {@linkplain #history histories} a host keeps at most. */
  int MAX_HISTORIES = 1024;

  /** Returns the id that the embedder chose. */
  String id();

  /** Returns the resources that instances may use, including those that foreign load holds. */
  Resources capacity();

  /**
   * Returns the resources that neither an instance nor foreign load holds. Zero in dimensions of
   * which the host holds more than its {@linkplain #capacity capacity}.
   */
  Resources free();

  /**
   * Returns the resources that others hold here, by the latest report; nothing if there was none.
   * Preemption does not free them.
   */
  default Resources foreign() {
    return Resources.none();
  }

  /** Returns the free amount in a dimension, in its units. Costs O(1) in hosts and instances. */
  long free(Dimension dimension);

  /** Returns all attributes, in ascending order of name; possibly empty. */
  Map<String, String> attributes();

  /** Returns the value of an attribute, or empty if the host lacks it. */
  default Optional<String> attribute(String name) {
    return Optional.ofNullable(attributes().get(name));
  }

  /**
   * Returns the instances on this host: starting, running, paused or suspended. The order is
   * unspecified but the same on every machine. The collection is a copy that cannot be modified;
   * later events and actions do not change it.
   */
  Collection<Instance> instances();

  /** Returns the state of the host. */
  default HostState state() {
    return HostState.UP;
  }

  /**
   * Returns why the host takes no instances now, or empty if it does. On a closed host nothing is
   * placed or resumed, and nothing migrates to it. Its instances stay until they end or something
   * moves them. Cost O(1).
   */
  default Optional<Reason> closed() {
    return Optional.empty();
  }

  /** Returns the pool it was provisioned from, or empty if no plan requested it. */
  default Optional<String> pool() {
    return Optional.empty();
  }

  /** Returns the cluster it was provisioned for, or empty. */
  default Optional<String> cluster() {
    return Optional.empty();
  }

  /** Returns until when it is needed, or empty if no time was given. */
  default OptionalLong expiresAt() {
    return OptionalLong.empty();
  }

  /** Returns whether its instances {@linkplain HostSpec#timeShared share} its CPU. */
  default boolean timeShared() {
    return false;
  }

  /** Returns the marks by which it repels instances; possibly empty. */
  default List<Taint> taints() {
    return List.of();
  }

  /** Returns the latest load report since the host joined, or empty. */
  default Optional<HostLoad> load() {
    return Optional.empty();
  }

  /**
   * Returns the times at which instances stopped running here for any reason, ascending. The list
   * covers the last {@link HostLoad#WINDOW} up to the latest of these times. A {@linkplain #load
   * load report} may still count these instances.
   */
  default List<Long> recentCompletions() {
    return List.of();
  }

  /**
   * Returns the history of an application on this host since the host joined, or empty. A host
   * keeps those of the {@value #MAX_HISTORIES} applications that completed on it most recently; the
   * history of another one starts anew.
   */
  default Optional<ApplicationHistory> history(String application) {
    return Optional.empty();
  }

  /**
   * Returns a version number that changes whenever this view, or the view of an instance here,
   * changes other than by the passing of time. No two hosts of a scheduler ever share a number.
   * Policies can cache what they compute about a host until its version changes. Costs O(1).
   */
  long version();
}
