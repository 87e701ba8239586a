package dev.berth.testkit.generators;

import static dev.berth.testkit.generators.Shrinker.below;
import static dev.berth.testkit.generators.Shrinker.with;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Simpler steps to try instead of one that fails: those of a simpler kind first. */
final class StepShrinking {

  private StepShrinking() {}

  static Stream<Step> simpler(Step step) {
    if (step instanceof Step.Submit it) {
      return with(step, "shape", RequestArbitraries.simpler(it.shape()));
    } else if (step instanceof Step.StartAll) {
      return Stream.of(new Step.Start(0));
    } else if (step instanceof Step.Complete it) {
      return Shrinker.all(
          with(step, "pick", below(it.pick())),
          with(step, "cpuTime", Shrinker.simpler(it.cpuTime(), StepArbitraries.CPU_TIMES)));
    } else if (step instanceof Step.SubmitBag it) {
      return Shrinker.all(
          it.shapes().stream().limit(1).map(Step.Submit::new),
          with(step, "shapes", Shrinker.fewer(it.shapes(), 1)),
          with(
              step, "timeToLive", Shrinker.simpler(it.timeToLive(), StepArbitraries.TIMES_TO_LIVE)),
          with(step, "shapes", Shrinker.each(it.shapes(), RequestArbitraries::simpler)));
    } else if (step instanceof Step.SubmitGroup it) {
      return Shrinker.all(
          it.shapes().stream().limit(1).map(Step.Submit::new),
          with(step, "shapes", Shrinker.fewer(it.shapes(), 1)),
          with(step, "spare", below(it.spare())),
          with(step, "releases", Stream.of(false).filter(each -> it.releases())),
          with(step, "shapes", Shrinker.each(it.shapes(), RequestArbitraries::simpler)));
    } else if (step instanceof Step.Return it) {
      return Stream.concat(
          Stream.of(new Step.Cancel(it.pick())), with(step, "pick", below(it.pick())));
    } else if (step instanceof Step.AddOtherHost it) {
      return Stream.concat(
          Stream.of(new Step.AddHost(it.pick())), with(step, "like", below(it.like())));
    } else if (step instanceof Step.OtherHostUp it) {
      return Stream.concat(
          Stream.of(new Step.HostUp(it.pick())), with(step, "like", below(it.like())));
    } else if (step instanceof Step.AllHostsUp) {
      return Stream.of(new Step.HostUp(0));
    } else if (step instanceof Step.DrainHost it) {
      return Shrinker.all(
          Stream.of(new Step.Cordon(it.pick())),
          with(step, "pick", below(it.pick())),
          with(step, "restarted", below(it.restarted())),
          with(step, "how", simpler(it.how())));
    } else if (step instanceof Step.Reconcile it) {
      return Shrinker.all(
          with(step, "drifts", Shrinker.fewer(it.drifts(), 0)),
          with(step, "drifts", Shrinker.each(it.drifts(), StepShrinking::inEachPart)),
          with(step, "unknown", RequestArbitraries.simpler(it.unknown())));
    } else if (step instanceof Step.SetBudget it) {
      return Stream.concat(
          with(step, "job", IntStream.range(1, it.job()).boxed()),
          with(step, "budget", simpler(it.budget())));
    } else if (step instanceof Step.Elapse it) {
      return with(step, "length", Shrinker.before(it.length(), StepArbitraries.ALL_LENGTHS));
    }
    return inEachPart(step);
  }

  /** Returns the same with a smaller number or a simpler delay in one of its parts. */
  private static <T> Stream<T> inEachPart(T whole) {
    return Shrinker.inEachPart(whole, StepShrinking::simplerPart);
  }

  private static Stream<?> simplerPart(Object part) {
    if (part instanceof Integer number) {
      return below(number);
    } else if (part instanceof List<?> amounts) {
      return Shrinker.each(List.<Object>copyOf(amounts), StepShrinking::simplerPart);
    }
    return part instanceof Duration ago
        ? Shrinker.before(ago, StepArbitraries.DELAYS)
        : Stream.empty();
  }

  private static Stream<DisruptionBudget> simpler(DisruptionBudget budget) {
    return Stream.concat(
        below(budget.members()).map(DisruptionBudget::maxDown),
        Stream.of(DisruptionBudget.maxDown(budget.members()))
            .filter(each -> budget.limit() == DisruptionBudget.Limit.MIN_UP));
  }

  private static Stream<Drain> simpler(Drain how) {
    List<Drain> simpler = new ArrayList<>();
    if (how.deadline().isPresent()) {
      simpler.add(
          new Drain(
              OptionalLong.empty(), how.order(), how.mode(), how.atDeadline(), how.restarted()));
      Shrinker.before(Duration.ofNanos(how.deadline().getAsLong()), StepArbitraries.DRAINS)
          .forEach(it -> simpler.add(how.until(it.toNanos())));
    }
    if (how.order() != Drain.Order.LEAST_IMPORTANT_FIRST) {
      simpler.add(how.inOrder(Drain.Order.LEAST_IMPORTANT_FIRST));
    }
    if (how.atDeadline() != Drain.AtDeadline.EVICT) {
      simpler.add(how.atDeadline(Drain.AtDeadline.EVICT));
    }
    return simpler.stream();
  }

  /** Returns the step with the previous subject, if there is one. */
  static Step ofTheNext(Step step) {
    if (step instanceof Step.Start it) {
      return new Step.Start(Math.max(0, it.pick() - 1));
    } else if (step instanceof Step.Complete it) {
      return new Step.Complete(Math.max(0, it.pick() - 1), it.cpuTime());
    } else if (step instanceof Step.Fail it) {
      return new Step.Fail(Math.max(0, it.pick() - 1));
    } else if (step instanceof Step.Cancel it) {
      return new Step.Cancel(Math.max(0, it.pick() - 1));
    }
    return step;
  }
}
