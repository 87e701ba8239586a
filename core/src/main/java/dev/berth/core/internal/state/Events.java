package dev.berth.core.internal.state;

import dev.berth.core.internal.host.HostChanges;

/**
 * The events of a cluster, by what they are about; those of limits, pools and budgets are there.
 */
public record Events(
    ClusterState state,
    Transitions transitions,
    HostEvents hosts,
    HostChanges hostChanges,
    Admissions admissions,
    InstanceEvents instances,
    BatchEvents batches) {

  /** Returns the events of a cluster. */
  public static Events of(ClusterState state, Transitions transitions) {
    Admissions admissions = new Admissions(state, transitions);
    InstanceEvents instances = new InstanceEvents(state, transitions);
    return new Events(
        state,
        transitions,
        new HostEvents(state, transitions),
        new HostChanges(state),
        admissions,
        instances,
        new BatchEvents(state, transitions, admissions, instances));
  }
}
