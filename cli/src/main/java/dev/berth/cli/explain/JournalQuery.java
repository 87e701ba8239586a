package dev.berth.cli.explain;

import dev.berth.api.Instance;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.cli.error.BadInputException;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.event.Event;
import dev.berth.runtime.Replay;
import dev.berth.runtime.entry.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A question about one instance at a time, answered by replaying a journal up to that time.
 *
 * @param journal name of the journal, for messages
 * @param instanceId the instance
 * @param at the time of the explanation, since the beginning of the journal
 */
record JournalQuery(String journal, String instanceId, Duration at) {

  /**
   * Replays and answers.
   *
   * @throws BadInputException if the journal has no such instance, or ends before that time
   */
  Explanation answer(Replay replay) throws IOException {
    long begin = beginning(replay);
    long now = begin + at.toNanos();
    Settings settings = replay.settings();
    Followed followed = new Followed();
    Scheduler scheduler = replay.decisionLog(ExplainQuery.DECISIONS_KEPT).until(now, followed);
    var config = TreeBinder.parse("policy " + settings.policy(), settings.policyConfig());
    Optional<Instance> live = scheduler.instance(instanceId);
    if (live.isPresent()) {
      return Explanation.ofLive(
          settings.policy(), config, at, live.get(), scheduler.explain(), begin);
    }
    Instance ended = followed.instance;
    if (ended == null) {
      throw notThere(replay, begin);
    }
    return Explanation.ofDone(settings.policy(), config, at, InstanceAccount.of(ended, now, begin));
  }

  /** Returns the time at which the journal begins. */
  private long beginning(Replay replay) throws IOException {
    OptionalLong begin = replay.begin();
    OptionalLong end = replay.end();
    BadInputException.unless(
        begin.isPresent() && end.isPresent(), journal + " has no inputs and no passes.");
    Duration length = Duration.ofNanos(end.getAsLong() - begin.getAsLong());
    BadInputException.unless(
        at.compareTo(length) <= 0,
        "--at was %s, must be at most %s, when the journal %s ends."
            .formatted(Durations.format(at), Durations.format(length), journal));
    return begin.getAsLong();
  }

  private BadInputException notThere(Replay replay, long begin) throws IOException {
    MissingInstance missing = new MissingInstance(instanceId, at.toNanos(), journal);
    replay.run(new Admissions(missing, begin));
    return missing.error();
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
