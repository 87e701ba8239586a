package dev.berth.core;

import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.internal.snapshot.Reasons;
import dev.berth.core.internal.snapshot.SnapshotReader;
import dev.berth.core.internal.snapshot.SnapshotRestore;
import dev.berth.core.internal.snapshot.SnapshotWriter;
import dev.berth.core.internal.snapshot.StateDigest;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.snapshot.LatestPlan;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.core.snapshot.SchedulerSnapshot.Progress;
import dev.berth.core.snapshot.SchedulerSnapshot.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Takes the snapshots and the digests of a scheduler, and restores it. */
final class Snapshots {

  private final ClusterState state;
  private final Policy policy;
  private final Settings settings;
  private final PassTimer timer;
  private final PassRunner runner;
  private @Nullable SnapshotWriter writer; // null: neither snapshot nor digest was asked for
  private @Nullable StateDigest digest;

  Snapshots(
      ClusterState state, Policy policy, Settings settings, PassTimer timer, PassRunner runner) {
    this.state = state;
    this.policy = policy;
    this.settings = settings;
    this.timer = timer;
    this.runner = runner;
  }

  SchedulerSnapshot snapshot() {
    SnapshotWriter present = writer();
    return new SchedulerSnapshot(
        SchedulerSnapshot.FORMAT,
        settings,
        progress(),
        present.dimensions(),
        present.pools(),
        present.hosts(),
        present.bags(),
        present.instances(),
        present.endedBags(),
        latestPlan(runner.deferrals()),
        memory().save(),
        present.limits(),
        present.budgets(),
        present.groups(),
        present.completions(),
        present.ended());
  }

  /** Returns whether the policy says what it keeps. */
  boolean canBeSaved() {
    return policy.memory().isPresent();
  }

  /** Returns the memory of the policy, which must say what it keeps. */
  PolicyMemory memory() {
    return policy
        .memory()
        .orElseThrow(
            () ->
                new SnapshotException(
                    "policy %s does not say what it keeps from pass to pass. Maybe it keeps nothing, and its memory() should return PolicyMemory.none()"
                        .formatted(settings.policy()),
                    null));
  }

  private SnapshotWriter writer() {
    SnapshotWriter present = writer;
    if (present == null) {
      present = new SnapshotWriter(state);
      writer = present;
    }
    return present;
  }

  private Progress progress() {
    boolean begun = state.now() != Long.MIN_VALUE;
    return new Progress(
        begun ? OptionalLong.of(state.now()) : OptionalLong.empty(),
        begun ? OptionalLong.of(state.latest()) : OptionalLong.empty(),
        state.joins(),
        state.admissions(),
        Optional.ofNullable(state.latestPlacement()),
        timer.passes(),
        timer.lastPassAt(),
        timer.wakeAt(),
        timer.due().stream().map(Enum::name).toList());
  }

  private LatestPlan latestPlan(Map<String, ReasonData> deferrals) {
    Map<String, ReasonData> bagDeferrals = new TreeMap<>();
    runner.lastPlan().bagDeferrals().forEach((id, why) -> bagDeferrals.put(id, Reasons.write(why)));
    return new LatestPlan(
        deferrals,
        runner.policyErrors(),
        bagDeferrals,
        runner.lastPlan().blockedHead(),
        writer().queueHead(),
        writer().queuePass());
  }

  long digest() {
    SnapshotWriter present = writer();
    StateDigest records = digest;
    if (records == null) {
      records = new StateDigest(state, present);
      digest = records;
    }
    return SchedulerSnapshot.digest(
        SchedulerSnapshot.FORMAT,
        settings,
        progress(),
        present.dimensions(),
        present.endedBags(),
        latestPlan(Map.of()),
        policy.memory().map(PolicyMemory::save).orElse(Map.of()),
        records.sum()
            + runner.deferralSum()
            + SchedulerSnapshot.digestOfLimits(present.limits())
            + SchedulerSnapshot.digestOfCompletions(present.completions()));
  }

  /** Restores what a checked snapshot contains. */
  void restore(Restoration from, Transitions transitions) {
    SchedulerSnapshot snapshot = from.snapshot();
    SnapshotReader reader = from.reader();
    try {
      PolicyMemory memory = memory();
      if (!from.takesOver() || from.hasPolicy(settings)) {
        memory.restore(snapshot.policyMemory());
      }
    } catch (RuntimeException refused) {
      if (refused instanceof SnapshotException unsaid) {
        throw unsaid;
      }
      throw new SnapshotException(
          "policy %s refuses its memory: %s".formatted(settings.policy(), refused.getMessage()),
          refused);
    }
    new SnapshotRestore(reader, state, transitions, from.takesOver()).restore();
    timer.restore(
        snapshot.progress().passes(),
        snapshot.progress().lastPassAt().orElse(Long.MIN_VALUE),
        reader.wakeAt().orElse(Long.MAX_VALUE),
        reader.triggers());
    if (from.takesOver()) {
      timer.trigger(Trigger.EMBEDDER);
    } else {
      runner.restore(reader.latestPlan());
    }
  }
}
