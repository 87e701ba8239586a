package dev.berth.testkit.contract;

import dev.berth.api.Limit;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Plays one history to a scheduler and to the reference model and requires the same answers of
 * both. At the first difference it throws a {@link RuleBroken} with the history so far. Not
 * thread-safe.
 */
public final class DifferentialRun {

  private final EventTarget subject;
  private final ReferenceScheduler reference;
  private final BiPredicate<Plan, Plan> agree;
  private final History history;
  private final HistoryPlayer replay;
  private final Transcript transcript;
  private int events;
  private boolean diverged;

  /**
   * Prepares a run.
   *
   * @param subject a scheduler of an empty cluster
   * @param watchdog longest time between two passes, as configured in the subject
   * @param agree whether a plan of the reference and one of the subject agree
   */
  public DifferentialRun(
      EventTarget subject,
      History history,
      ReferencePolicy policy,
      Optional<Duration> watchdog,
      BiPredicate<Plan, Plan> agree) {
    this.subject = subject;
    this.history = history;
    this.agree = agree;
    this.reference =
        new ReferenceScheduler(policy, history.serviceClasses(), history.seed(), watchdog);
    this.replay =
        new HistoryPlayer(history, reference.cluster(), subject.supportedFeatures(), this::happens);
    this.transcript = new Transcript(policy.toString(), history);
  }

  /** Plays the whole history. */
  public void play() {
    begin();
    history.steps().forEach(this::play);
    attempt(this::compareSnapshots);
  }

  /** Adds the hosts that are present from the beginning. */
  public void begin() {
    replay.begin();
  }

  /** Plays one more step. */
  public void play(Step step) {
    if (!diverged) {
      replay.play(step);
    }
  }

  /** Returns the number of events and passes so far. */
  public int events() {
    return events;
  }

  /** Returns the cluster of the reference model; read-only. */
  public ReferenceCluster cluster() {
    return reference.cluster();
  }

  /** Returns the cases that the reference model met. */
  public CaseCoverage coverage() {
    return reference.coverage();
  }

  private void happens(Call call) {
    if (diverged) {
      return;
    }
    events++;
    transcript.call(call);
    Optional<Record> expected = call.applyTo(reference);
    transcript.answer(expected);
    attempt(
        () -> {
          compare(call, expected, call.applyTo(subject));
          if (call.isPass() && !diverged) {
            compareSnapshots();
          }
        });
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuleBroken broken) {
      throw transcript.tell(broken);
    } catch (Throwable thrown) {
      RuleBroken known = RuleBroken.by(thrown);
      throw transcript.tell(new RuleBroken(Rule.P29, "it threw " + thrown, known));
    }
  }

  private void compare(Call call, Optional<Record> expected, Optional<Record> answer) {
    if (expected.equals(answer.map(DifferentialRun::withoutProofs))) {
      return;
    }
    if (expected.orElse(null) instanceof Plan one
        && answer.orElse(null) instanceof Plan other
        && agree.test(one, other)) {
      diverged = !one.actions().equals(other.actions());
      return;
    }
    throw Rule.P29.broken(
        "to \"%s\" the reference answers%n  %s%nbut the scheduler answers%n  %s",
        call.describe(), PlanDifferences.words(expected), PlanDifferences.words(answer));
  }

  private static Record withoutProofs(Record answer) {
    return answer instanceof Plan plan ? ReferenceScheduler.withoutProofs(plan) : answer;
  }

  private void compareLimits() {
    List<Limit> expected = cluster().limits().all();
    subject
        .limits()
        .filter(each -> !diverged && !each.equals(expected))
        .ifPresent(
            each -> {
              throw Rule.P29.broken(
                  "the reference has the limits%n  %s%nbut the scheduler has%n  %s",
                  expected, each);
            });
  }

  private void compareSnapshots() {
    compareLimits();
    Optional<List<InstanceSnapshot>> reported =
        diverged ? Optional.empty() : subject.snapshots(replay.now());
    if (reported.isPresent()) {
      List<InstanceSnapshot> expected = cluster().snapshots(replay.now());
      if (!reported.get().equals(expected)) {
        throw Rule.P29.broken(
            "the reference has the instances%n  %s%nbut the scheduler has%n  %s",
            expected, reported.get());
      }
    }
  }
}
