package dev.berth.core.engine;

import dev.berth.api.InstanceState;
import org.jspecify.annotations.Nullable;

/** What an instance was before a transition: to take it back, and to know what it leaves. */
final class Former {

  InstanceState state = InstanceState.PENDING;
  long stateSince;
  @Nullable HostRecord host;
  private long served;
  private long earned;
  private int preemptions;
  private int placements;
  private long restartOverhead;
  private boolean placedAfterPreemption;
  private boolean lastStopWasPreemption;

  /** Notes what an instance is. */
  Former note(InstanceRecord instance) {
    state = instance.state;
    stateSince = instance.stateSince;
    host = instance.host;
    served = instance.served;
    earned = instance.earned;
    preemptions = instance.preemptions;
    placements = instance.placements;
    restartOverhead = instance.restartOverhead;
    placedAfterPreemption = instance.placedAfterPreemption;
    lastStopWasPreemption = instance.lastStopWasPreemption;
    return this;
  }

  /** Makes an instance what was noted. */
  void restore(InstanceRecord instance) {
    instance.state = state;
    instance.stateSince = stateSince;
    instance.host = host;
    instance.served = served;
    instance.earned = earned;
    instance.preemptions = preemptions;
    instance.placements = placements;
    instance.restartOverhead = restartOverhead;
    instance.placedAfterPreemption = placedAfterPreemption;
    instance.lastStopWasPreemption = lastStopWasPreemption;
  }
}
