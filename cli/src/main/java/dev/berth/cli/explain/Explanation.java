package dev.berth.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.explain.Explainer;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import java.time.Duration;
import java.util.Optional;

/**
 * The reasons for the state of an instance at a time, under a policy.
 *
 * @param policy id of the policy
 * @param config its effective configuration
 * @param at the time
 * @param accounting its state and service so far
 * @param whyPending why it waits; empty if it does not
 * @param whyHere why it is on its host; empty if it has none
 * @param whyPreempted why it was last preempted; empty if never, or if the log no longer has it
 * @param whyMigrated why it was migrated to its host; empty if it was placed there
 * @param whyAdjusted the last other action on it; empty if none, or if the log no longer has it
 * @param whyProtected the disruption budget that keeps it up; empty if it may be taken down
 */
public record Explanation(
    String policy,
    JsonNode config,
    Duration at,
    InstanceAccount accounting,
    Optional<WhyPending> whyPending,
    Optional<WhyHere> whyHere,
    Optional<WhyPreempted> whyPreempted,
    Optional<ActionRecord> whyMigrated,
    Optional<ActionRecord> whyAdjusted,
    Optional<Reason> whyProtected) {

  /**
   * Explains the state of an instance that has not ended.
   *
   * @param at the time, which is that of the scheduler less {@code begin}
   * @param live the instance
   * @param explainer explains the decisions about it
   * @param begin the time of the scheduler from which times are counted, in nanoseconds
   */
  public static Explanation ofLive(
      String policy, JsonNode config, Duration at, Instance live, Explainer explainer, long begin) {
    String id = live.id();
    long now = begin + at.toNanos();
    TimeShift times = new TimeShift(begin);
    return new Explanation(
        policy,
        config,
        at,
        InstanceAccount.of(live, now, begin),
        live.state() == InstanceState.PENDING
            ? Optional.of(times.of(explainer.whyPending(id, now)))
            : Optional.empty(),
        explainer.whyHere(id).map(times::of),
        explainer.whyPreempted(id).map(times::of),
        explainer.whyMigrated(id).map(times::of),
        explainer.whyAdjusted(id).map(times::of),
        explainer.whyProtected(id));
  }

  /** Explains an instance that has ended, of which only the accounting is known. */
  public static Explanation ofDone(
      String policy, JsonNode config, Duration at, InstanceAccount accounting) {
    return new Explanation(
        policy,
        config,
        at,
        accounting,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
