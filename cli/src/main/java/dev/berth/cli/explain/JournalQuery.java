package dev.berth.cli.explain;

import dev.berth.api.Instance;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.Moment;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.event.Event;
import dev.berth.runtime.Replay;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A question about one instance at a time, answered by replaying a journal up to that time.
 *
 * @param journal name of the journal, for messages
 * @param instanceId the instance
 * @param at the time of the explanation; empty for the end of the journal
 */
record JournalQuery(String journal, String instanceId, Optional<Moment> at) {

  /**
   * Replays and answers.
   *
   * @throws BadInputException if the journal has no such instance, or ends before that time
   */
  Explanation answer(Replay replay) throws IOException {
    OptionalLong first = replay.begin();
    OptionalLong last = replay.end();
    BadInputException.unless(
        first.isPresent() && last.isPresent(), journal + " has no inputs and no passes.");
    long begin = first.getAsLong();
    Duration length = Duration.ofNanos(last.getAsLong() - begin);
    Duration time = at.isEmpty() ? length : time(at.get(), begin, length);
    long now = begin + time.toNanos();
    Followed followed = new Followed();
    Scheduler scheduler = replay.decisionLog(ExplainQuery.DECISIONS_KEPT).until(now, followed);
    String policy = scheduler.policyId();
    var config = TreeBinder.parse("policy " + policy, scheduler.policyConfig());
    Optional<Instance> live = scheduler.instance(instanceId);
    if (live.isPresent()) {
      return Explanation.ofLive(policy, config, time, live.get(), scheduler.explain(), begin);
    }
    Instance ended = followed.instance;
    if (ended == null) {
      MissingInstance missing = new MissingInstance(instanceId, time.toNanos(), journal);
      replay.run(new Admissions(missing, begin));
      throw missing.error();
    }
    return Explanation.ofDone(policy, config, time, InstanceAccount.of(ended, now, begin));
  }

  /** Returns how long after the beginning a time is, which must be within the journal. */
  private Duration time(Moment given, long begin, Duration length) {
    Duration time = given.after(begin);
    if (given.since().isPresent()) {
      BadInputException.unless(
          time.compareTo(length) <= 0,
          "--at was %s, must be at most %s, when the journal %s ends."
              .formatted(given, Durations.format(length), journal));
    } else {
      Instant first = Instant.EPOCH.plusNanos(begin);
      BadInputException.unless(
          !time.isNegative() && time.compareTo(length) <= 0,
          "--at was %s, must be from %s to %s, the times of the journal %s. Maybe its clock has another start; then give the time since its first input."
              .formatted(given, first, first.plus(length), journal));
    }
    return time;
  }

  /** Remembers the instance, which the scheduler forgets when it ends. */
  private final class Followed implements Replay.Listener {

    private @Nullable Scheduler scheduler;
    private @Nullable Instance instance;

    @Override
    public void begins(Scheduler replayed) {
      scheduler = replayed;
      look();
    }

    @Override
    public void applied(long now, Event<?> event, Object result) {
      look();
    }

    private void look() {
      if (scheduler != null) {
        scheduler.instance(instanceId).ifPresent(each -> instance = each);
      }
    }
  }

  /** Takes note of all instances in a journal, and when they were admitted. */
  private record Admissions(MissingInstance missing, long begin) implements Replay.Listener {

    @Override
    public void begins(Scheduler scheduler) {
      scheduler.instances().forEach(each -> missing.admitted(each.id(), 0));
    }

    @Override
    public void applied(long now, Event<?> event, Object result) {
      if (event instanceof Event.Submission submission) {
        submission.requests().forEach(each -> missing.admitted(each.id(), now - begin));
      } else if (result instanceof Reconciliation found) {
        for (Difference each : found.differences()) {
          if (each instanceof Difference.InstanceUnknown unknown && unknown.adopted()) {
            missing.admitted(unknown.instance(), now - begin);
          }
        }
      }
    }
  }
}
