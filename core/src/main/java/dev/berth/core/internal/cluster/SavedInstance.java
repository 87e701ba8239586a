package dev.berth.core.internal.cluster;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import org.jspecify.annotations.Nullable;

/** The state of an instance before a transition, to undo it and to know which state it leaves. */
public final class SavedInstance {

  public InstanceState state = InstanceState.PENDING;
  public long stateSince;
  public @Nullable HostRecord host;
  public long[] held = InstanceRecord.NOTHING;
  private long[] granted = InstanceRecord.NOTHING;
  private @Nullable Resources grantedResources;
  public @Nullable Usage usage;
  public @Nullable Usage previousUsage;
  private long served;
  private long earned;
  private int preemptions;
  private int placements;
  private int migrations;
  private int attempt;
  private int earlierAttempt;
  private long placementNumber;
  private long restartOverhead;
  private boolean placedAfterPreemption;
  private boolean lastStopWasPreemption;
  private long queueKey;
  private long victimKey;
  private long queuedAfterPass;
  public boolean heldBack;

  /** Saves the state of an instance. */
  public SavedInstance note(InstanceRecord instance) {
    state = instance.state;
    stateSince = instance.stateSince;
    host = instance.host;
    held = instance.held;
    granted = instance.granted;
    grantedResources = instance.grantedResources;
    usage = instance.usage;
    previousUsage = instance.previousUsage;
    served = instance.served;
    earned = instance.earned;
    preemptions = instance.preemptions;
    placements = instance.placements;
    migrations = instance.migrations;
    attempt = instance.attempt;
    earlierAttempt = instance.earlierAttempt;
    placementNumber = instance.placementNumber;
    restartOverhead = instance.restartOverhead;
    placedAfterPreemption = instance.placedAfterPreemption;
    lastStopWasPreemption = instance.lastStopWasPreemption;
    queueKey = instance.queueKey;
    victimKey = instance.victimKey;
    queuedAfterPass = instance.queuedAfterPass;
    heldBack = instance.heldBack;
    return this;
  }

  /** Restores the saved grant of an instance. */
  public void restoreGrant(InstanceRecord instance) {
    instance.granted = granted;
    instance.grantedResources = grantedResources;
  }

  /** Sets the saved keys. */
  public void keys(long ofQueue, long ofVictim) {
    queueKey = ofQueue;
    victimKey = ofVictim;
  }

  /** Restores the saved keys of an instance as its next ones. */
  public void restoreKeys(InstanceRecord instance) {
    instance.nextQueueKey = queueKey;
    instance.nextVictimKey = victimKey;
  }

  /** Restores the saved state of an instance, with its next keys. */
  public void restore(InstanceRecord instance) {
    instance.state = state;
    instance.stateSince = stateSince;
    instance.host = host;
    instance.held = held;
    instance.granted = granted;
    instance.grantedResources = grantedResources;
    instance.usage = usage;
    instance.previousUsage = previousUsage;
    instance.served = served;
    instance.earned = earned;
    instance.preemptions = preemptions;
    instance.placements = placements;
    instance.migrations = migrations;
    instance.attempt = attempt;
    instance.earlierAttempt = earlierAttempt;
    instance.placementNumber = placementNumber;
    instance.restartOverhead = restartOverhead;
    instance.placedAfterPreemption = placedAfterPreemption;
    instance.lastStopWasPreemption = lastStopWasPreemption;
    instance.nextQueueKey = queueKey;
    instance.nextVictimKey = victimKey;
    instance.queuedAfterPass = queuedAfterPass;
  }
}
