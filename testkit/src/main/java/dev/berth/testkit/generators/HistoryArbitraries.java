package dev.berth.testkit.generators;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.generators.ClusterArbitraries.ClassShape;
import dev.berth.testkit.generators.ClusterArbitraries.HostShape;
import dev.berth.testkit.generators.ClusterArbitraries.Importance;
import dev.berth.testkit.generators.ClusterArbitraries.PoolShape;
import dev.berth.testkit.history.Drift;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.history.Step.ReportAttempt.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of histories. They use few distinct times, so that ties are frequent. */
public final class HistoryArbitraries {

  private static final List<Long> EPOCHS =
      List.of(
          0L,
          Duration.ofHours(-1).toNanos(),
          Duration.ofDays(365 * 56).plusNanos(1).toNanos(),
          4_611_686_011_509_858_879L - Duration.ofSeconds(30).toNanos());

  private static final List<Duration> PREPARATIONS =
      List.of(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(3));

  private static final List<Duration> PAUSES =
      List.of(
          Duration.ZERO,
          Duration.ofNanos(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10));

  /** Times up to and beyond the watchdogs of the policies of the paper. */
  private static final List<Duration> WAITS =
      List.of(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(10));

  private static final List<Duration> JUMPS =
      List.of(
          Duration.ofHours(1),
          Duration.ofDays(1),
          Duration.ofDays(30),
          Duration.ofDays(365),
          Duration.ofDays(3_650),
          Duration.ofDays(36_500));

  /** Times to live of bags; mostly none. */
  private static final List<Duration> TIMES_TO_LIVE =
      List.of(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          Duration.ofNanos(1));

  /** How long drains last. */
  private static final List<Duration> DRAINS =
      List.of(Duration.ofSeconds(10), Duration.ZERO, Duration.ofNanos(1), Duration.ofMinutes(10));

  /** How late a report is. */
  private static final List<Duration> DELAYS =
      List.of(Duration.ZERO, Duration.ofSeconds(2), Duration.ofNanos(1), Duration.ofMinutes(1));

  private static final List<Duration> CPU_TIMES =
      List.of(Duration.ZERO, Duration.ofSeconds(10), Duration.ofNanos(1), Duration.ofDays(36_500));

  private static final List<Duration> ALL_LENGTHS =
      Stream.of(PREPARATIONS, PAUSES, WAITS, JUMPS)
          .flatMap(List::stream)
          .distinct()
          .sorted()
          .toList();

  private HistoryArbitraries() {}

  /**
   * Returns histories of up to so many steps, in proportions that keep a cluster of the generated
   * size busy: requests that arrive alone, several at one instant, or the same one several times;
   * instances that become ready, report usage, complete, fail or are cancelled; hosts that leave,
   * and return unchanged or as other machines, some of them time-shared; hosts that change, have
   * foreign load, are cordoned or drained; disruption budgets of jobs; reports about attempts that
   * are late or come again; actions that are rejected; now and then a fleet that reports what it
   * has; bags of tasks, with or without a time to live; pools whose hosts start as offered, as
   * other machines, or not at all; passes after events and after mere waiting; waits from a
   * nanosecond to a century, as far as the {@linkplain History#horizon horizon} allows.
   *
   * <p>Shrinks to few steps, one service class of objective 1, few small hosts, no pools, one
   * dimension, small requests, an epoch and a seed of 0.
   *
   * @param steps not negative
   */
  public static Arbitrary<History> ofUpTo(int steps) {
    return Shrinker.shrinking(drafts(runs(), steps), Draft::simpler).map(Draft::history);
  }

  /** Returns the same histories, but with many hosts that change, are cordoned or drained. */
  public static Arbitrary<History> withHostChanges(int steps) {
    return Shrinker.shrinking(drafts(runsWithHostChanges(), steps), Draft::simpler)
        .map(Draft::history);
  }

  /**
   * Returns the same histories, but of a fleet that misbehaves often: reports are lost, doubled,
   * late and out of order, starts fail, actions are rejected, and what the fleet reports to have
   * differs from what a scheduler believes.
   */
  public static Arbitrary<History> unreliable(int steps) {
    return Shrinker.shrinking(drafts(runsOfUnreliableFleets(), steps), Draft::simpler)
        .map(Draft::history);
  }

  /**
   * Returns histories with hosts in places and with taints, and with requests that have
   * tolerations, rules about other instances, and preferences. Hosts change, and with them their
   * places and taints.
   */
  public static Arbitrary<History> withPlacement(int steps) {
    return Shrinker.shrinking(
            drafts(runsWithPlacement(), steps, ClusterArbitraries.placedHostShapes()),
            Draft::simpler)
        .map(Draft::history);
  }

  /**
   * Returns histories as {@link #withPlacement} does, but with counted limits, which most requests
   * use, and which are set to other amounts often.
   */
  public static Arbitrary<History> withLimits(int steps) {
    return Shrinker.shrinking(
            drafts(runsWithLimits(), steps, ClusterArbitraries.placedHostShapes()), Draft::simpler)
        .map(Draft::history);
  }

  /**
   * Returns the same histories, but most requests belong to one of a few jobs, whose disruption
   * budgets are set, changed and removed while instances fail and hosts are drained.
   */
  public static Arbitrary<History> withBudgets(int steps) {
    return Shrinker.shrinking(drafts(runsWithBudgets(), steps), Draft::simpler).map(Draft::history);
  }

  /**
   * Returns the same histories, but with many groups, of members that are alike or not, and with
   * members that fail, complete, are cancelled, or lose their hosts.
   */
  public static Arbitrary<History> withGroups(int steps) {
    return Shrinker.shrinking(drafts(runsWithGroups(), steps), Draft::simpler).map(Draft::history);
  }

  /**
   * Returns histories as {@link #withLimits} does, but also with disruption budgets of the jobs,
   * and with groups whose members have rules, preferences and limits.
   */
  public static Arbitrary<History> withMixedPlacement(int steps) {
    return Shrinker.shrinking(
            drafts(runsWithMixedPlacement(), steps, ClusterArbitraries.placedHostShapes()),
            Draft::simpler)
        .map(Draft::history);
  }

  private static Arbitrary<Draft> drafts(List<ElementRun<Step>> runs, int steps) {
    return drafts(runs, steps, ClusterArbitraries.anyHostShapes());
  }

  private static Arbitrary<Draft> drafts(
      List<ElementRun<Step>> runs, int steps, Arbitrary<List<HostShape>> hosts) {
    return Combinators.combine(
            ElementRun.lists(runs, IntStream.rangeClosed(0, steps).toArray()),
            hosts,
            Arbitraries.frequency(Tuple.of(10, 0), Tuple.of(2, 1), Tuple.of(1, 2), Tuple.of(1, 8)),
            ClusterArbitraries.classShapes(),
            ClusterArbitraries.scales(),
            epochs(),
            Arbitraries.of(0, 1, 2, 3),
            ClusterArbitraries.poolShapes())
        .as(Draft::new);
  }

  /**
   * The parts of a history.
   *
   * @param absent how many of the hosts, the last ones, are absent at the beginning
   */
  private record Draft(
      List<Step> steps,
      List<HostShape> hosts,
      int absent,
      List<ClassShape> classes,
      Scale scale,
      long epoch,
      int seed,
      List<PoolShape> pools) {

    History history() {
      return new History(
          seed,
          epoch,
          ClusterArbitraries.serviceClasses(classes, Importance.ANY),
          scale,
          ClusterArbitraries.hosts(scale, hosts),
          Math.max(0, hosts.size() - absent),
          ClusterArbitraries.pools(scale, pools),
          steps);
    }

    Stream<Draft> simpler() {
      return Stream.of(
              Shrinker.fewer(steps, 0).map(this::with),
              Shrinker.fewer(pools, 0).map(this::offering),
              ClusterArbitraries.simplerHosts(hosts, 0)
                  .map(it -> new Draft(steps, it, absent, classes, scale, epoch, seed, pools)),
              Shrinker.below(absent)
                  .map(it -> new Draft(steps, hosts, it, classes, scale, epoch, seed, pools)),
              IntStream.range(0, classes.size() > 1 ? classes.size() : 0)
                  .mapToObj(this::withoutClass),
              ClusterArbitraries.simpler(scale)
                  .map(it -> new Draft(steps, hosts, absent, classes, it, epoch, seed, pools)),
              Shrinker.before(epoch, EPOCHS)
                  .map(it -> new Draft(steps, hosts, absent, classes, scale, it, seed, pools)),
              Shrinker.below(seed)
                  .map(it -> new Draft(steps, hosts, absent, classes, scale, epoch, it, pools)),
              Shrinker.each(classes, ClassShape::simpler)
                  .map(it -> new Draft(steps, hosts, absent, it, scale, epoch, seed, pools)),
              Shrinker.each(steps, HistoryArbitraries::simpler).map(this::with),
              Shrinker.each(pools, PoolShape::simpler).map(this::offering),
              withoutRoom(),
              later(),
              withoutTheEldest(),
              Shrinker.withoutTwo(this, hosts.size() + steps.size(), Draft::without))
          .flatMap(each -> each);
    }

    private Draft with(List<Step> others) {
      return new Draft(others, hosts, absent, classes, scale, epoch, seed, pools);
    }

    private Draft offering(List<PoolShape> others) {
      return new Draft(steps, hosts, absent, classes, scale, epoch, seed, others);
    }

    /** Numbers the hosts first, then the steps. */
    private Draft without(int part) {
      return part < hosts.size()
          ? new Draft(
              steps, Shrinker.without(hosts, part), absent, classes, scale, epoch, seed, pools)
          : with(Shrinker.without(steps, part - hosts.size()));
    }

    /** Submits a request later: simpler only because earlier steps may then become irrelevant. */
    private Stream<Draft> later() {
      int size = steps.size() > Shrinker.FEW ? 0 : steps.size();
      return IntStream.range(0, size)
          .filter(from -> steps.get(from) instanceof Step.Submit)
          .boxed()
          .flatMap(
              from ->
                  IntStream.range(from + 1, size)
                      .filter(to -> !(steps.get(to) instanceof Step.Submit))
                      .mapToObj(to -> with(moved(from, to))));
    }

    /** Removes a request; later steps keep their subjects. */
    private Stream<Draft> withoutTheEldest() {
      return IntStream.range(0, steps.size())
          .filter(at -> steps.get(at) instanceof Step.Submit)
          .limit(1)
          .mapToObj(
              at ->
                  with(
                      Shrinker.without(steps, at).stream()
                          .map(HistoryArbitraries::ofTheNext)
                          .toList()));
    }

    private List<Step> moved(int from, int to) {
      List<Step> others = new ArrayList<>(steps);
      others.add(to, others.remove(from));
      return others;
    }

    /** Removes a request together with the capacity that it takes on one of the hosts. */
    private Stream<Draft> withoutRoom() {
      return IntStream.range(0, steps.size())
          .filter(at -> steps.get(at) instanceof Step.Submit)
          .boxed()
          .flatMap(
              at ->
                  Shrinker.each(
                          hosts,
                          host -> host.without(((Step.Submit) steps.get(at)).shape().demand()))
                      .map(
                          it ->
                              new Draft(
                                  Shrinker.without(steps, at),
                                  it,
                                  absent,
                                  classes,
                                  scale,
                                  epoch,
                                  seed,
                                  pools)));
    }

    /** Moves the requests of a class to the first class and removes the class. */
    private Draft withoutClass(int left) {
      List<Step> others = new ArrayList<>();
      for (Step each : steps) {
        if (each instanceof Step.Submit submit) {
          others.add(new Step.Submit(withoutClass(left, submit.shape())));
        } else if (each instanceof Step.SubmitBag bag) {
          List<RequestShape> shapes =
              bag.shapes().stream().map(shape -> withoutClass(left, shape)).toList();
          others.add(new Step.SubmitBag(shapes, bag.timeToLive()));
        } else if (each instanceof Step.SubmitGroup group) {
          List<RequestShape> shapes =
              group.shapes().stream().map(shape -> withoutClass(left, shape)).toList();
          others.add(new Step.SubmitGroup(shapes, group.spare(), group.releases()));
        } else {
          others.add(each);
        }
      }
      return new Draft(
          others, hosts, absent, Shrinker.without(classes, left), scale, epoch, seed, pools);
    }

    private RequestShape withoutClass(int left, RequestShape shape) {
      int was = shape.serviceClass() % classes.size();
      return RequestArbitraries.in(was > left ? was - 1 : was == left ? 0 : was, shape);
    }
  }

  /**
   * Returns single steps, in the same proportions. Shrinks to steps of the same kind with the first
   * possible subject.
   */
  public static Arbitrary<Step> steps() {
    return steps(runs());
  }

  /** Returns single steps, in the proportions of {@link #unreliable}. Shrinks alike. */
  public static Arbitrary<Step> unreliableSteps() {
    return steps(runsOfUnreliableFleets());
  }

  /** Returns single steps, in the proportions of {@link #withPlacement}. Shrinks alike. */
  public static Arbitrary<Step> placedSteps() {
    return steps(runsWithPlacement());
  }

  private static Arbitrary<Step> steps(List<ElementRun<Step>> runs) {
    return Shrinker.shrinking(
        Arbitraries.frequencyOf(
            runs.stream()
                .flatMap(run -> run.parts().stream().map(part -> Tuple.of(run.weight(), part)))
                .toList()),
        HistoryArbitraries::simpler);
  }

  private static Stream<Step> simpler(Step step) {
    if (step instanceof Step.Submit submit) {
      return RequestArbitraries.simpler(submit.shape()).map(Step.Submit::new);
    } else if (step instanceof Step.StartAll) {
      return Stream.of(new Step.Start(0));
    } else if (step instanceof Step.Start ready) {
      return Shrinker.below(ready.pick()).map(Step.Start::new);
    } else if (step instanceof Step.Complete complete) {
      return Stream.concat(
          Shrinker.below(complete.pick()).map(it -> new Step.Complete(it, complete.cpuTime())),
          simplerTimes(complete.cpuTime(), CPU_TIMES)
              .map(it -> new Step.Complete(complete.pick(), it)));
    } else if (step instanceof Step.SubmitBag bag) {
      return Stream.of(
              bag.shapes().stream().limit(1).map(Step.Submit::new),
              Shrinker.fewer(bag.shapes(), 1).map(it -> new Step.SubmitBag(it, bag.timeToLive())),
              simplerTimes(bag.timeToLive(), TIMES_TO_LIVE)
                  .map(it -> new Step.SubmitBag(bag.shapes(), it)),
              Shrinker.each(bag.shapes(), RequestArbitraries::simpler)
                  .map(it -> new Step.SubmitBag(it, bag.timeToLive())))
          .flatMap(each -> each);
    } else if (step instanceof Step.SubmitGroup group) {
      return simpler(group);
    } else if (step instanceof Step.Fail fail) {
      return Shrinker.below(fail.pick()).map(Step.Fail::new);
    } else if (step instanceof Step.ReportUsage use) {
      return Stream.of(
              Shrinker.below(use.pick())
                  .map(it -> new Step.ReportUsage(it, use.eighths(), use.shortfall())),
              Shrinker.below(use.eighths())
                  .map(it -> new Step.ReportUsage(use.pick(), it, use.shortfall())),
              Shrinker.each(use.shortfall(), Shrinker::below)
                  .map(it -> new Step.ReportUsage(use.pick(), use.eighths(), it)))
          .flatMap(each -> each);
    } else if (step instanceof Step.Cancel cancel) {
      return Shrinker.below(cancel.pick()).map(Step.Cancel::new);
    } else if (step instanceof Step.Return back) {
      return Stream.concat(
          Stream.of(new Step.Cancel(back.pick())),
          Shrinker.below(back.pick()).map(it -> new Step.Return(it, back.preempted())));
    } else if (step instanceof Step.RemoveHost leave) {
      return Shrinker.below(leave.pick()).map(Step.RemoveHost::new);
    } else if (step instanceof Step.AddHost join) {
      return Shrinker.below(join.pick()).map(Step.AddHost::new);
    } else if (step instanceof Step.AddOtherHost join) {
      return Stream.concat(
          Stream.of(new Step.AddHost(join.pick())),
          Shrinker.below(join.like()).map(it -> new Step.AddOtherHost(join.pick(), it)));
    } else if (step instanceof Step.DrainHost drain) {
      return simpler(drain);
    } else if (step instanceof Step.ReportForeignLoad load) {
      return Stream.concat(
          Shrinker.below(load.pick()).map(it -> new Step.ReportForeignLoad(it, load.amounts())),
          Shrinker.each(load.amounts(), Shrinker::below)
              .map(it -> new Step.ReportForeignLoad(load.pick(), it)));
    } else if (step instanceof Step.ReportAttempt report) {
      return simpler(report);
    } else if (step instanceof Step.RejectAction rejection) {
      return Shrinker.below(rejection.pick()).map(Step.RejectAction::new);
    } else if (step instanceof Step.Reconcile reconcile) {
      return simpler(reconcile);
    } else if (step instanceof Step.SetLimit limit) {
      return Stream.concat(
          Shrinker.below(limit.number()).map(it -> new Step.SetLimit(it, limit.amount())),
          Shrinker.below(limit.amount()).map(it -> new Step.SetLimit(limit.number(), it)));
    } else if (step instanceof Step.Elapse pause) {
      return Shrinker.before(pause.length(), ALL_LENGTHS).map(Step.Elapse::new);
    }
    return simplerOfPools(step);
  }

  private static Stream<Step> simpler(Step.SubmitGroup group) {
    List<RequestShape> shapes = group.shapes();
    return Stream.of(
            shapes.stream().limit(1).map(Step.Submit::new),
            Shrinker.fewer(shapes, 1)
                .map(it -> new Step.SubmitGroup(it, group.spare(), group.releases())),
            Shrinker.below(group.spare())
                .map(it -> new Step.SubmitGroup(shapes, it, group.releases())),
            Stream.of(false)
                .filter(it -> group.releases())
                .map(it -> new Step.SubmitGroup(shapes, group.spare(), it)),
            Shrinker.each(shapes, RequestArbitraries::simpler)
                .map(it -> new Step.SubmitGroup(it, group.spare(), group.releases())))
        .flatMap(each -> each);
  }

  private static Stream<Step> simpler(Step.ReportAttempt report) {
    Report what = report.what();
    return Stream.of(
            Shrinker.below(report.pick())
                .map(it -> new Step.ReportAttempt(what, it, report.back(), report.ago())),
            Shrinker.below(report.back())
                .map(it -> new Step.ReportAttempt(what, report.pick(), it, report.ago())),
            Shrinker.before(report.ago(), DELAYS)
                .map(it -> new Step.ReportAttempt(what, report.pick(), report.back(), it)))
        .flatMap(each -> each);
  }

  private static Stream<Step> simpler(Step.Reconcile reconcile) {
    return Stream.of(
            Shrinker.fewer(reconcile.drifts(), 0)
                .map(it -> new Step.Reconcile(it, reconcile.unknown())),
            Shrinker.each(reconcile.drifts(), HistoryArbitraries::simpler)
                .map(it -> new Step.Reconcile(it, reconcile.unknown())),
            RequestArbitraries.simpler(reconcile.unknown())
                .map(it -> new Step.Reconcile(reconcile.drifts(), it)))
        .flatMap(each -> each);
  }

  private static Stream<Drift> simpler(Drift drift) {
    return Stream.of(
            Shrinker.below(drift.pick())
                .map(it -> new Drift(drift.kind(), it, drift.other(), drift.ago())),
            Shrinker.below(drift.other())
                .map(it -> new Drift(drift.kind(), drift.pick(), it, drift.ago())),
            Shrinker.before(drift.ago(), DELAYS)
                .map(it -> new Drift(drift.kind(), drift.pick(), drift.other(), it)))
        .flatMap(each -> each);
  }

  private static Stream<Step> simpler(Step.DrainHost drain) {
    Drain how = drain.how();
    List<Drain> simpler = new ArrayList<>();
    if (how.deadline().isPresent()) {
      simpler.add(
          new Drain(
              OptionalLong.empty(), how.order(), how.mode(), how.atDeadline(), how.restarted()));
      Shrinker.before(Duration.ofNanos(how.deadline().getAsLong()), DRAINS)
          .forEach(it -> simpler.add(how.until(it.toNanos())));
    }
    if (how.order() != Drain.Order.LEAST_IMPORTANT_FIRST) {
      simpler.add(how.inOrder(Drain.Order.LEAST_IMPORTANT_FIRST));
    }
    if (how.atDeadline() != Drain.AtDeadline.EVICT) {
      simpler.add(how.atDeadline(Drain.AtDeadline.EVICT));
    }
    return Stream.of(
            Stream.of(new Step.Cordon(drain.pick())),
            Shrinker.below(drain.pick()).map(it -> new Step.DrainHost(it, how, drain.restarted())),
            Shrinker.below(drain.restarted()).map(it -> new Step.DrainHost(drain.pick(), how, it)),
            simpler.stream().map(it -> new Step.DrainHost(drain.pick(), it, drain.restarted())))
        .flatMap(each -> each);
  }

  /** Returns the step with the previous subject, if there is one. */
  private static Step ofTheNext(Step step) {
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

  private static Stream<Step> simplerOfPools(Step step) {
    if (step instanceof Step.SetBudget set) {
      int members = set.budget().members();
      return Stream.concat(
          IntStream.range(1, set.job()).mapToObj(it -> new Step.SetBudget(it, set.budget())),
          Stream.concat(
                  Shrinker.below(members).map(DisruptionBudget::maxDown),
                  set.budget().limit() == DisruptionBudget.Limit.MIN_UP
                      ? Stream.of(DisruptionBudget.maxDown(members))
                      : Stream.empty())
              .map(it -> new Step.SetBudget(set.job(), it)));
    } else if (step instanceof Step.RemoveBudget remove) {
      return Shrinker.below(remove.pick()).map(Step.RemoveBudget::new);
    } else if (step instanceof Step.Cordon it) {
      return Shrinker.below(it.pick()).map(Step.Cordon::new);
    } else if (step instanceof Step.Uncordon it) {
      return Shrinker.below(it.pick()).map(Step.Uncordon::new);
    } else if (step instanceof Step.ChangeHost change) {
      return Stream.concat(
          Shrinker.below(change.pick()).map(it -> new Step.ChangeHost(it, change.like())),
          Shrinker.below(change.like()).map(it -> new Step.ChangeHost(change.pick(), it)));
    } else if (step instanceof Step.AllHostsUp) {
      return Stream.of(new Step.HostUp(0));
    } else if (step instanceof Step.CancelBag takeBack) {
      return Shrinker.below(takeBack.pick()).map(Step.CancelBag::new);
    } else if (step instanceof Step.CancelGroup takeBack) {
      return Shrinker.below(takeBack.pick()).map(Step.CancelGroup::new);
    } else if (step instanceof Step.OfferPool offer) {
      return Stream.concat(
          Shrinker.below(offer.pick()).map(it -> new Step.OfferPool(it, offer.limit())),
          Shrinker.below(offer.limit()).map(it -> new Step.OfferPool(offer.pick(), it)));
    } else if (step instanceof Step.HostUp up) {
      return Shrinker.below(up.pick()).map(Step.HostUp::new);
    } else if (step instanceof Step.OtherHostUp up) {
      return Stream.concat(
          Stream.of(new Step.HostUp(up.pick())),
          Shrinker.below(up.like()).map(it -> new Step.OtherHostUp(up.pick(), it)));
    } else if (step instanceof Step.HostStartFails away) {
      return Shrinker.below(away.pick()).map(Step.HostStartFails::new);
    } else if (step instanceof Step.HostGone vanish) {
      return Shrinker.below(vanish.pick()).map(Step.HostGone::new);
    } else if (step instanceof Step.ReportLoad load) {
      return Stream.concat(
          Shrinker.below(load.pick()).map(it -> new Step.ReportLoad(it, load.quarters())),
          Shrinker.below(load.quarters()).map(it -> new Step.ReportLoad(load.pick(), it)));
    }
    return Stream.empty();
  }

  private static Stream<Optional<Duration>> simplerTimes(
      Optional<Duration> value, List<Duration> usual) {
    return value.isEmpty()
        ? Stream.empty()
        : Stream.concat(
            Stream.of(Optional.empty()), Shrinker.before(value.get(), usual).map(Optional::of));
  }

  /**
   * Returns times at which histories begin: zero, negative times, the nanoseconds of present-day
   * clocks, and any other. Some are shortly before the {@linkplain dev.berth.api.Slo#lifeSpan life
   * span} of an objective of one third less the time itself overflows a {@code long}. Shrinks to
   * zero.
   */
  public static Arbitrary<Long> epochs() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.of(EPOCHS)),
        Tuple.of(1, Arbitraries.longs().between(-(1L << 61), 1L << 61)));
  }

  private static List<ElementRun<Step>> runs() {
    return runs(RequestArbitraries.unshrunk());
  }

  private static List<ElementRun<Step>> runs(Arbitrary<RequestShape> requests) {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> submit = requests.map(Step.Submit::new);
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> pause = pauses(PAUSES);
    Arbitrary<Step> wait = pauses(WAITS);
    Arbitrary<Step> jump = pauses(JUMPS);
    Arbitrary<Step> use =
        Combinators.combine(pick, Amounts.upTo(RequestOptions.EIGHTHS), shortfalls())
            .as(Step.ReportUsage::new);
    Arbitrary<Step> leave = pick.map(Step.RemoveHost::new);
    Arbitrary<Step> join = pick.map(Step.AddHost::new);
    Arbitrary<Step> complete =
        Combinators.combine(pick, optional(3, CPU_TIMES)).as(Step.Complete::new);
    Arbitrary<Step> bag =
        Combinators.combine(
                ElementRun.lists(List.of(ElementRun.of(1, requests)), 1, 1, 2, 2, 3),
                optional(2, TIMES_TO_LIVE))
            .as(Step.SubmitBag::new);
    Arbitrary<Step> allUp = Arbitraries.just(new Step.AllHostsUp());
    Arbitrary<Step> comeUpAs = Combinators.combine(pick, pick).as(Step.OtherHostUp::new);
    Arbitrary<Step> offer = Combinators.combine(pick, Amounts.upTo(4)).as(Step.OfferPool::new);
    Arbitrary<Step> load = Combinators.combine(pick, Amounts.upTo(20)).as(Step.ReportLoad::new);
    Arbitrary<Step> joinAs = Combinators.combine(pick, pick).as(Step.AddOtherHost::new);
    Arbitrary<Step> cordon = pick.map(Step.Cordon::new);
    Arbitrary<Step> uncordon = pick.map(Step.Uncordon::new);
    Arbitrary<Step> change = Combinators.combine(pick, pick).as(Step.ChangeHost::new);
    Arbitrary<Step> foreign =
        Combinators.combine(pick, shortfalls()).as(Step.ReportForeignLoad::new);
    Arbitrary<Step> drain = drains(pick);
    return List.of(
        ElementRun.of(6, pass),
        ElementRun.of(7, submit),
        ElementRun.of(7, submit, submit),
        ElementRun.of(7, submit, submit, submit),
        ElementRun.ofTwins(3, submit),
        ElementRun.of(22, preparation, allReady, pause, pass),
        ElementRun.of(2, wait, pass, wait, pass),
        ElementRun.of(4, pause),
        ElementRun.of(1, jump),
        ElementRun.of(5, pick.map(Step.Start::new)),
        ElementRun.of(5, complete),
        ElementRun.of(3, bag),
        ElementRun.of(1, bag, pass, wait, pass),
        ElementRun.of(1, bag, pass, allReady, pause, complete, complete, complete, pass),
        ElementRun.of(1, pick.map(Step.CancelBag::new)),
        ElementRun.of(2, groups()),
        ElementRun.of(2, groups(), pass, preparation, allReady, pause, pass),
        ElementRun.of(1, pick.map(Step.CancelGroup::new)),
        ElementRun.of(1, load),
        ElementRun.of(1, offer),
        ElementRun.of(2, pass, preparation, allUp, pass),
        ElementRun.of(1, pick.map(Step.HostUp::new)),
        ElementRun.of(1, comeUpAs),
        ElementRun.of(1, pick.map(Step.HostStartFails::new)),
        ElementRun.of(1, pick.map(Step.HostGone::new)),
        ElementRun.of(4, use),
        ElementRun.of(3, use, pass),
        ElementRun.of(2, pick.map(Step.Fail::new)),
        ElementRun.of(2, pick.map(Step.Cancel::new)),
        ElementRun.of(1, cordon, pass, uncordon),
        ElementRun.of(1, change),
        ElementRun.of(1, foreign),
        ElementRun.of(1, drain, pass, wait, pass, uncordon),
        ElementRun.of(2, attemptReports(pick)),
        ElementRun.of(1, pick.map(Step.Fail::new), pass, attemptReports(pick)),
        ElementRun.of(1, pass, pick.map(Step.RejectAction::new)),
        ElementRun.of(1, pass, pick.map(Step.RejectAction::new), pass),
        ElementRun.of(1, reconciliations(pick)),
        ElementRun.of(2, budgets()),
        ElementRun.of(1, pick.map(Step.RemoveBudget::new)),
        ElementRun.of(2, join),
        ElementRun.of(1, leave),
        ElementRun.of(1, leave, pause, join),
        ElementRun.of(1, leave, pause, joinAs));
  }

  /** Returns what the usual histories have, and more changes of hosts. */
  private static List<ElementRun<Step>> runsWithHostChanges() {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> wait = pauses(WAITS);
    Arbitrary<Step> cordon = pick.map(Step.Cordon::new);
    Arbitrary<Step> uncordon = pick.map(Step.Uncordon::new);
    Arbitrary<Step> change = Combinators.combine(pick, pick).as(Step.ChangeHost::new);
    Arbitrary<Step> foreign =
        Combinators.combine(pick, shortfalls()).as(Step.ReportForeignLoad::new);
    Arbitrary<Step> drain = drains(pick);
    List<ElementRun<Step>> runs = new ArrayList<>(runs());
    runs.addAll(
        List.of(
            ElementRun.of(4, cordon),
            ElementRun.of(20, uncordon),
            ElementRun.of(6, change),
            ElementRun.of(3, change, pass, change, pass),
            ElementRun.of(6, foreign),
            ElementRun.of(6, drain),
            ElementRun.of(10, pass, preparation, allReady, drain, pass),
            ElementRun.of(6, drain, pass, wait, pass, preparation, allReady, uncordon, pass)));
    return runs;
  }

  /**
   * Returns what the usual histories have, but with requests that depend on each other and on
   * taints, and more changes of hosts and drains.
   */
  private static List<ElementRun<Step>> runsWithPlacement() {
    return runsWithPlacement(RequestArbitraries.placed());
  }

  /** Returns the same with requests that use counted limits, and with changes of these. */
  private static List<ElementRun<Step>> runsWithLimits() {
    Arbitrary<Step> submit = RequestArbitraries.limited().map(Step.Submit::new);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> limit =
        Combinators.combine(
                Amounts.upTo(RequestOptions.LIMITS.size() - 1),
                Arbitraries.of(0, 1, 1, 2, 2, 2, 3, 3, 4, 6))
            .as(Step.SetLimit::new);
    List<ElementRun<Step>> runs = new ArrayList<>(runsWithPlacement(RequestArbitraries.limited()));
    runs.addAll(
        List.of(
            ElementRun.of(14, limit, limit, limit),
            ElementRun.of(10, submit, submit, limit, pass, preparation, allReady, submit, pass),
            ElementRun.of(8, limit, pass)));
    return runs;
  }

  private static List<ElementRun<Step>> runsWithPlacement(Arbitrary<RequestShape> requests) {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> submit = requests.map(Step.Submit::new);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> change = Combinators.combine(pick, pick).as(Step.ChangeHost::new);
    Arbitrary<Step> drain = drains(pick);
    Arbitrary<Step> uncordon = pick.map(Step.Uncordon::new);
    Arbitrary<Step> cancel = pick.map(Step.Cancel::new);
    List<ElementRun<Step>> runs = new ArrayList<>(runs(requests));
    runs.addAll(
        List.of(
            ElementRun.of(8, submit, submit, pass, preparation, allReady, submit, pass),
            ElementRun.of(4, cancel, cancel, pass),
            ElementRun.of(14, change, pass),
            ElementRun.of(3, preparation, allReady, drain, pass, uncordon)));
    return runs;
  }

  /** Returns what the usual histories have, and more members of jobs with disruption budgets. */
  private static List<ElementRun<Step>> runsWithBudgets() {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> pause = pauses(PAUSES);
    Arbitrary<Step> submit = RequestArbitraries.ofJobs().map(Step.Submit::new);
    Arbitrary<Step> fail = pick.map(Step.Fail::new);
    Arbitrary<Step> drain = drains(pick);
    Arbitrary<Step> uncordon = pick.map(Step.Uncordon::new);
    Arbitrary<Step> budget = budgets();
    List<ElementRun<Step>> runs = new ArrayList<>(runs());
    runs.addAll(
        List.of(
            ElementRun.of(20, submit, submit),
            ElementRun.of(20, submit, submit, submit),
            ElementRun.ofTwins(10, submit),
            ElementRun.of(25, preparation, allReady, pause, pass),
            ElementRun.of(12, budget),
            ElementRun.of(4, budget, pass),
            ElementRun.of(4, pick.map(Step.RemoveBudget::new)),
            ElementRun.of(4, fail, pass),
            ElementRun.of(4, pass, pick.map(Step.RejectAction::new), pass),
            ElementRun.of(8, drain, pass, preparation, allReady, pass, uncordon)));
    return runs;
  }

  /** Budgets of the jobs of generated requests; most leave little. */
  private static Arbitrary<Step> budgets() {
    return Combinators.combine(
            Arbitraries.of(1, 2, 3),
            Arbitraries.frequency(
                Tuple.of(3, DisruptionBudget.Limit.MAX_DOWN),
                Tuple.of(2, DisruptionBudget.Limit.MIN_UP)),
            Arbitraries.frequency(
                Tuple.of(3, 0), Tuple.of(4, 1), Tuple.of(3, 2), Tuple.of(2, 3), Tuple.of(1, 5)))
        .as((job, limit, members) -> new Step.SetBudget(job, new DisruptionBudget(limit, members)));
  }

  /** Returns what the usual histories have, and more reports about attempts and rejections. */
  private static List<ElementRun<Step>> runsOfUnreliableFleets() {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> fail = pick.map(Step.Fail::new);
    Arbitrary<Step> report = attemptReports(pick);
    Arbitrary<Step> reject = pick.map(Step.RejectAction::new);
    List<ElementRun<Step>> runs = new ArrayList<>(runs());
    runs.addAll(
        List.of(
            ElementRun.of(12, report),
            ElementRun.of(8, report, report),
            ElementRun.ofTwins(6, report),
            ElementRun.of(6, fail, pass, report),
            ElementRun.of(8, preparation, report, pass, report),
            ElementRun.of(10, reject),
            ElementRun.of(14, pass, reject, pass),
            ElementRun.of(8, pass, preparation, pass, reject, reject, pass),
            ElementRun.of(6, preparation, allReady, pass, reject, report, pass),
            ElementRun.of(3, returns(pick)),
            ElementRun.of(4, pass, preparation, allReady, returns(pick), pass),
            ElementRun.of(6, reconciliations(pick)),
            ElementRun.of(6, pass, reconciliations(pick), pass),
            ElementRun.of(4, pass, preparation, reconciliations(pick), reject, pass)));
    return runs;
  }

  private static Arbitrary<Step> returns(Arbitrary<Integer> pick) {
    return Combinators.combine(pick, Arbitraries.of(true, false)).as(Step.Return::new);
  }

  /** Returns what the usual histories have, and more groups and losses. */
  private static List<ElementRun<Step>> runsWithGroups() {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> pause = pauses(PAUSES);
    Arbitrary<Step> fail = pick.map(Step.Fail::new);
    Arbitrary<Step> complete =
        Combinators.combine(pick, optional(3, CPU_TIMES)).as(Step.Complete::new);
    Arbitrary<Step> leave = pick.map(Step.RemoveHost::new);
    Arbitrary<Step> join = pick.map(Step.AddHost::new);
    List<ElementRun<Step>> runs = new ArrayList<>(runs());
    runs.addAll(
        List.of(
            ElementRun.of(20, groups()),
            ElementRun.of(20, groups(), pass, preparation, allReady, pause, pass),
            ElementRun.of(10, groups(), groups(), pass),
            ElementRun.of(10, fail, pass, preparation, allReady, pass),
            ElementRun.of(8, leave, pass, join, pass, pass),
            ElementRun.of(4, drains(pick), pass, pass, preparation, allReady, pass),
            ElementRun.of(4, complete, pass),
            ElementRun.of(3, pick.map(Step.Cancel::new), pass),
            ElementRun.of(4, pass, pick.map(Step.RejectAction::new), pass, pass),
            ElementRun.of(2, reconciliations(pick), pass, pass),
            ElementRun.of(2, pick.map(Step.CancelGroup::new), pass)));
    return runs;
  }

  /** Returns what histories with limits have, and disruption budgets and groups. */
  private static List<ElementRun<Step>> runsWithMixedPlacement() {
    Arbitrary<Integer> pick = Amounts.upTo(15);
    Arbitrary<Step> pass = Arbitraries.just(new Step.Pass());
    Arbitrary<Step> allReady = Arbitraries.just(new Step.StartAll());
    Arbitrary<Step> preparation = pauses(PREPARATIONS);
    Arbitrary<Step> submit = RequestArbitraries.limited().map(Step.Submit::new);
    Arbitrary<Step> group =
        Arbitraries.oneOf(
            groups(RequestArbitraries.placed()), groups(RequestArbitraries.limited()));
    Arbitrary<Step> budget = budgets();
    Arbitrary<Step> fail = pick.map(Step.Fail::new);
    List<ElementRun<Step>> runs = new ArrayList<>(runsWithLimits());
    runs.addAll(
        List.of(
            ElementRun.of(12, group, pass),
            ElementRun.of(12, group, pass, preparation, allReady, pass),
            ElementRun.of(12, submit, submit, pass, preparation, allReady),
            ElementRun.of(10, preparation, allReady, pauses(PAUSES), pass),
            ElementRun.of(10, budget),
            ElementRun.of(3, pick.map(Step.RemoveBudget::new)),
            ElementRun.of(6, fail, pass, preparation, allReady, pass),
            ElementRun.of(4, pick.map(Step.RemoveHost::new), pass, pick.map(Step.AddHost::new)),
            ElementRun.of(4, pass, pick.map(Step.RejectAction::new), pass),
            ElementRun.of(2, pick.map(Step.CancelGroup::new), pass)));
    return runs;
  }

  private static Arbitrary<Step> groups() {
    return groups(RequestArbitraries.unshrunk());
  }

  /** Returns groups of one to four members, more often alike than not. */
  private static Arbitrary<Step> groups(Arbitrary<RequestShape> requests) {
    Arbitrary<List<RequestShape>> alike =
        Combinators.combine(requests, Arbitraries.of(2, 2, 3, 4))
            .as((shape, members) -> Collections.nCopies(members, shape));
    Arbitrary<List<RequestShape>> unlike =
        ElementRun.lists(List.of(ElementRun.of(1, requests)), 1, 2, 2, 3, 4);
    return Combinators.combine(
            Arbitraries.frequencyOf(Tuple.of(3, alike), Tuple.of(2, unlike)),
            Arbitraries.frequency(Tuple.of(3, 0), Tuple.of(2, 1), Tuple.of(1, 2)),
            Arbitraries.of(false, true))
        .as(Step.SubmitGroup::new);
  }

  private static Arbitrary<Step> attemptReports(Arbitrary<Integer> pick) {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(3, Report.STARTED),
                Tuple.of(1, Report.FAILED),
                Tuple.of(1, Report.COMPLETED)),
            pick,
            Arbitraries.frequency(Tuple.of(3, 0), Tuple.of(1, 1), Tuple.of(1, 2)),
            Arbitraries.of(DELAYS))
        .as(Step.ReportAttempt::new);
  }

  private static Arbitrary<Step> reconciliations(Arbitrary<Integer> pick) {
    Arbitrary<Drift> drift =
        Combinators.combine(Arbitraries.of(Drift.Kind.class), pick, pick, Arbitraries.of(DELAYS))
            .as(Drift::new);
    return Combinators.combine(
            ElementRun.lists(List.of(ElementRun.of(1, drift)), 0, 1, 1, 2, 3, 4),
            RequestArbitraries.unshrunk())
        .as(Step.Reconcile::new);
  }

  private static Arbitrary<Step> drains(Arbitrary<Integer> pick) {
    return Combinators.combine(
            pick,
            Arbitraries.of(Drain.Mode.class),
            Arbitraries.of(Drain.Order.class),
            Arbitraries.frequency(
                Tuple.of(3, Drain.AtDeadline.EVICT), Tuple.of(1, Drain.AtDeadline.STAY)),
            optional(1, DRAINS),
            Amounts.upTo(3))
        .as(
            (host, mode, order, end, deadline, restarted) ->
                new Step.DrainHost(
                    host,
                    new Drain(
                        deadline.isPresent()
                            ? OptionalLong.of(deadline.get().toNanos())
                            : OptionalLong.empty(),
                        order,
                        mode,
                        end,
                        Set.of()),
                    restarted));
  }

  private static Arbitrary<List<Integer>> shortfalls() {
    return Amounts.of(
        Arbitraries.of(Form.ZERO, Form.ALIKE, Form.ANY), Arbitraries.of(1, 2), Amounts.upTo(2));
  }

  /** An empty value this many times as often as another one. */
  private static Arbitrary<Optional<Duration>> optional(int often, List<Duration> lengths) {
    return Arbitraries.frequencyOf(
        Tuple.of(often, Arbitraries.just(Optional.empty())),
        Tuple.of(1, Arbitraries.of(lengths).map(Optional::of)));
  }

  private static Arbitrary<Step> pauses(List<Duration> lengths) {
    return Arbitraries.of(lengths).map(Step.Elapse::new);
  }
}
