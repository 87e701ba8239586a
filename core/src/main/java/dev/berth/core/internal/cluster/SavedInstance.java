package dev.berth.core.internal.cluster;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import org.jspecify.annotations.Nullable;

/** The state of an instance before a transition, to undo it and to know which state it leaves. */
public final class SavedInstance {

  // The record itself writes and reads these
  long admittedAt;
  InstanceState state = InstanceState.PENDING;
  long stateSince;
  @Nullable HostRecord host;
  long[] held = InstanceRecord.NOTHING;
  long[] granted = InstanceRecord.NOTHING;
  @Nullable Resources grantedResources;
  @Nullable Usage usage;
  @Nullable Usage previousUsage;
  long served;
  long earned;
  int preemptions;
  int placements;
  int migrations;
  int attempt;
  int earlierAttempt;
  int forgiven;
  long placementNumber;
  long restartOverhead;
  boolean placedAfterPreemption;
  boolean lastStopWasPreemption;
  long queueKey;
  long victimKey;
  int queueTier;
  long tierUntil;
  long queuedAfterPass;
  boolean heldBack;
  long actedInPass;

  /** Saves the state of an instance. */
  public SavedInstance note(InstanceRecord instance) {
    instance.saveTo(this);
    return this;
  }

  public InstanceState state() {
    return state;
  }

  public long stateSince() {
    return stateSince;
  }

  public long served() {
    return served;
  }

  public @Nullable HostRecord host() {
    return host;
  }

  public long[] held() {
    return held;
  }

  public @Nullable Usage usage() {
    return usage;
  }

  public @Nullable Usage previousUsage() {
    return previousUsage;
  }

  public boolean heldBack() {
    return heldBack;
  }
}
