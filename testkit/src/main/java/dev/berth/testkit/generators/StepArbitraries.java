package dev.berth.testkit.generators;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.history.Drift;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.history.Step.ReportAttempt.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of the steps of histories: one by one, and the runs of each kind of history. */
final class StepArbitraries {

  private static final List<Duration> PREPARATIONS = Amounts.lengths("0s 2s 3s");

  private static final List<Duration> PAUSES = Amounts.lengths("0s 1ns 1s 10s 30s 60s 10m");

  /** Times up to and beyond the watchdogs of the policies of the paper. */
  private static final List<Duration> WAITS = Amounts.lengths("10s 30s 10m");

  private static final List<Duration> JUMPS = Amounts.lengths("1h 1d 30d 365d 3650d 36500d");

  /** Times to live of bags; mostly none. */
  static final List<Duration> TIMES_TO_LIVE = Amounts.lengths("30s 10s 10m 1ns");

  /** How long drains last. */
  static final List<Duration> DRAINS = Amounts.lengths("10s 0s 1ns 10m");

  /** How late a report is. */
  static final List<Duration> DELAYS = Amounts.lengths("0s 2s 1ns 1m");

  static final List<Duration> CPU_TIMES = Amounts.lengths("0s 10s 1ns 36500d");

  static final List<Duration> ALL_LENGTHS =
      Stream.of(PREPARATIONS, PAUSES, WAITS, JUMPS)
          .flatMap(List::stream)
          .distinct()
          .sorted()
          .toList();

  /** How long jobs run; those of the second application lose their progress. */
  private static final List<Duration> JOBS = Amounts.lengths("10m 60s 10s");

  private static final Arbitrary<Integer> PICK = Amounts.upTo(15);
  private static final Arbitrary<Step> PASS = Arbitraries.just(new Step.Pass());
  private static final Arbitrary<Step> ALL_READY = Arbitraries.just(new Step.StartAll());
  private static final Arbitrary<Step> PREPARATION = pauses(PREPARATIONS);
  private static final Arbitrary<Step> PAUSE = pauses(PAUSES);
  private static final Arbitrary<Step> WAIT = pauses(WAITS);
  private static final Arbitrary<Step> COMPLETE = two(optional(3, CPU_TIMES), Step.Complete::new);
  private static final Arbitrary<Step> FAIL = PICK.map(Step.Fail::new);
  private static final Arbitrary<Step> CANCEL = PICK.map(Step.Cancel::new);
  private static final Arbitrary<Step> RETURN = two(Arbitraries.of(true, false), Step.Return::new);
  private static final Arbitrary<Step> REJECT = PICK.map(Step.RejectAction::new);
  private static final Arbitrary<Step> LEAVE = PICK.map(Step.RemoveHost::new);
  private static final Arbitrary<Step> JOIN = PICK.map(Step.AddHost::new);
  private static final Arbitrary<Step> CHANGE = two(PICK, Step.ChangeHost::new);
  private static final Arbitrary<Step> FOREIGN = two(shortfalls(), Step.ReportForeignLoad::new);
  private static final Arbitrary<Step> CORDON = PICK.map(Step.Cordon::new);
  private static final Arbitrary<Step> UNCORDON = PICK.map(Step.Uncordon::new);
  private static final Arbitrary<Step> DRAIN = drains();
  private static final Arbitrary<Step> BUDGET = budgets();
  private static final Arbitrary<Step> REMOVE_BUDGET = PICK.map(Step.RemoveBudget::new);
  private static final Arbitrary<Step> GROUP = groups(RequestArbitraries.unshrunk());
  private static final Arbitrary<Step> CANCEL_GROUP = PICK.map(Step.CancelGroup::new);
  private static final Arbitrary<Step> REPORT = attemptReports();
  private static final Arbitrary<Step> RECONCILE = reconciliations();

  private StepArbitraries() {}

  // ---- The runs of each kind of history

  static List<ElementRun<Step>> usual() {
    return usual(RequestArbitraries.unshrunk());
  }

  private static List<ElementRun<Step>> usual(Arbitrary<RequestShape> requests) {
    Arbitrary<Step> submit = requests.map(Step.Submit::new);
    Arbitrary<Step> use =
        Combinators.combine(PICK, Amounts.upTo(RequestOptions.EIGHTHS), shortfalls())
            .as(Step.ReportUsage::new);
    Arbitrary<Step> bag =
        Combinators.combine(ElementRun.lists(requests, 1, 1, 2, 2, 3), optional(2, TIMES_TO_LIVE))
            .as(Step.SubmitBag::new);
    return List.of(
        ElementRun.of(6, PASS),
        ElementRun.of(7, submit),
        ElementRun.of(7, submit, submit),
        ElementRun.of(7, submit, submit, submit),
        ElementRun.ofTwins(3, submit),
        ElementRun.of(22, PREPARATION, ALL_READY, PAUSE, PASS),
        ElementRun.of(2, WAIT, PASS, WAIT, PASS),
        ElementRun.of(4, PAUSE),
        ElementRun.of(1, pauses(JUMPS)),
        ElementRun.of(5, PICK.map(Step.Start::new)),
        ElementRun.of(5, COMPLETE),
        ElementRun.of(3, bag),
        ElementRun.of(1, bag, PASS, WAIT, PASS),
        ElementRun.of(1, bag, PASS, ALL_READY, PAUSE, COMPLETE, COMPLETE, COMPLETE, PASS),
        ElementRun.of(1, PICK.map(Step.CancelBag::new)),
        ElementRun.of(2, GROUP),
        ElementRun.of(2, GROUP, PASS, PREPARATION, ALL_READY, PAUSE, PASS),
        ElementRun.of(1, CANCEL_GROUP),
        ElementRun.of(1, two(Amounts.upTo(20), Step.ReportLoad::new)),
        ElementRun.of(1, two(Amounts.upTo(4), Step.OfferPool::new)),
        ElementRun.of(2, PASS, PREPARATION, Arbitraries.just(new Step.AllHostsUp()), PASS),
        ElementRun.of(1, PICK.map(Step.HostUp::new)),
        ElementRun.of(1, two(PICK, Step.OtherHostUp::new)),
        ElementRun.of(1, PICK.map(Step.HostStartFails::new)),
        ElementRun.of(1, PICK.map(Step.HostGone::new)),
        ElementRun.of(4, use),
        ElementRun.of(3, use, PASS),
        ElementRun.of(2, FAIL),
        ElementRun.of(2, CANCEL),
        ElementRun.of(1, CORDON, PASS, UNCORDON),
        ElementRun.of(1, CHANGE),
        ElementRun.of(1, FOREIGN),
        ElementRun.of(1, DRAIN, PASS, WAIT, PASS, UNCORDON),
        ElementRun.of(2, REPORT),
        ElementRun.of(1, FAIL, PASS, REPORT),
        ElementRun.of(1, PASS, REJECT),
        ElementRun.of(1, PASS, REJECT, PASS),
        ElementRun.of(1, RECONCILE),
        ElementRun.of(2, BUDGET),
        ElementRun.of(1, REMOVE_BUDGET),
        ElementRun.of(2, JOIN),
        ElementRun.of(1, LEAVE),
        ElementRun.of(1, LEAVE, PAUSE, JOIN),
        ElementRun.of(1, LEAVE, PAUSE, two(PICK, Step.AddOtherHost::new)));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is not kept
  private static List<ElementRun<Step>> and(
      List<ElementRun<Step>> usual, ElementRun<Step>... more) {
    List<ElementRun<Step>> all = new ArrayList<>(usual);
    all.addAll(List.of(more));
    return all;
  }

  /** Returns what the usual histories have, and more changes of hosts. */
  static List<ElementRun<Step>> withHostChanges() {
    return and(
        usual(),
        ElementRun.of(4, CORDON),
        ElementRun.of(20, UNCORDON),
        ElementRun.of(6, CHANGE),
        ElementRun.of(3, CHANGE, PASS, CHANGE, PASS),
        ElementRun.of(6, FOREIGN),
        ElementRun.of(6, DRAIN),
        ElementRun.of(10, PASS, PREPARATION, ALL_READY, DRAIN, PASS),
        ElementRun.of(6, DRAIN, PASS, WAIT, PASS, PREPARATION, ALL_READY, UNCORDON, PASS));
  }

  /**
   * Returns what the usual histories have, but with requests that depend on each other and on
   * taints, and more changes of hosts and drains.
   */
  static List<ElementRun<Step>> withPlacement() {
    return withPlacement(RequestArbitraries.placed());
  }

  private static List<ElementRun<Step>> withPlacement(Arbitrary<RequestShape> requests) {
    Arbitrary<Step> submit = requests.map(Step.Submit::new);
    return and(
        usual(requests),
        ElementRun.of(14, submit, submit, PASS, PREPARATION, ALL_READY, submit, PASS),
        ElementRun.of(4, CANCEL, CANCEL, PASS),
        ElementRun.of(14, CHANGE, PASS),
        ElementRun.of(5, PREPARATION, ALL_READY, CHANGE, RECONCILE, PASS),
        ElementRun.of(3, PREPARATION, ALL_READY, DRAIN, PASS, UNCORDON));
  }

  /** Returns the same with requests that use counted limits, and with changes of these. */
  static List<ElementRun<Step>> withLimits() {
    Arbitrary<Step> submit = RequestArbitraries.limited().map(Step.Submit::new);
    Arbitrary<Step> limit =
        Combinators.combine(
                Amounts.upTo(RequestOptions.LIMITS.size() - 1),
                Arbitraries.of(0, 1, 1, 2, 2, 2, 3, 3, 4, 6))
            .as(Step.SetLimit::new);
    return and(
        withPlacement(RequestArbitraries.limited()),
        ElementRun.of(14, limit, limit, limit),
        ElementRun.of(10, submit, submit, limit, PASS, PREPARATION, ALL_READY, submit, PASS),
        ElementRun.of(12, PASS, PREPARATION, ALL_READY, limit, limit, DRAIN, PASS, UNCORDON),
        ElementRun.of(8, limit, PASS));
  }

  /** Returns what the usual histories have, and more members of jobs with disruption budgets. */
  static List<ElementRun<Step>> withBudgets() {
    Arbitrary<Step> submit = RequestArbitraries.ofJobs().map(Step.Submit::new);
    return and(
        usual(),
        ElementRun.of(20, submit, submit),
        ElementRun.of(20, submit, submit, submit),
        ElementRun.ofTwins(10, submit),
        ElementRun.of(25, PREPARATION, ALL_READY, PAUSE, PASS),
        ElementRun.of(12, BUDGET),
        ElementRun.of(4, BUDGET, PASS),
        ElementRun.of(4, REMOVE_BUDGET),
        ElementRun.of(4, FAIL, PASS),
        ElementRun.of(4, PASS, REJECT, PASS),
        ElementRun.of(8, DRAIN, PASS, PREPARATION, ALL_READY, PASS, UNCORDON));
  }

  /** Returns what the usual histories have, and more reports about attempts and rejections. */
  static List<ElementRun<Step>> ofUnreliableFleets() {
    return and(
        usual(),
        ElementRun.of(12, REPORT),
        ElementRun.of(8, REPORT, REPORT),
        ElementRun.ofTwins(6, REPORT),
        ElementRun.of(6, FAIL, PASS, REPORT),
        ElementRun.of(8, PREPARATION, REPORT, PASS, REPORT),
        ElementRun.of(10, REJECT),
        ElementRun.of(14, PASS, REJECT, PASS),
        ElementRun.of(8, PASS, PREPARATION, PASS, REJECT, REJECT, PASS),
        ElementRun.of(6, PREPARATION, ALL_READY, PASS, REJECT, REPORT, PASS),
        ElementRun.of(3, RETURN),
        ElementRun.of(4, PASS, PREPARATION, ALL_READY, RETURN, PASS),
        ElementRun.of(6, RECONCILE),
        ElementRun.of(6, PASS, RECONCILE, PASS),
        ElementRun.of(4, PASS, PREPARATION, RECONCILE, REJECT, PASS));
  }

  /** Returns what the usual histories have, and more groups and losses. */
  static List<ElementRun<Step>> withGroups() {
    return and(
        usual(),
        ElementRun.of(20, GROUP),
        ElementRun.of(20, GROUP, PASS, PREPARATION, ALL_READY, PAUSE, PASS),
        ElementRun.of(10, GROUP, GROUP, PASS),
        ElementRun.of(10, FAIL, PASS, PREPARATION, ALL_READY, PASS),
        ElementRun.of(8, LEAVE, PASS, JOIN, PASS, PASS),
        ElementRun.of(4, DRAIN, PASS, PASS, PREPARATION, ALL_READY, PASS),
        ElementRun.of(4, COMPLETE, PASS),
        ElementRun.of(3, CANCEL, PASS),
        ElementRun.of(4, PASS, REJECT, PASS, PASS),
        ElementRun.of(2, RECONCILE, PASS, PASS),
        ElementRun.of(2, CANCEL_GROUP, PASS));
  }

  /** Returns what the usual histories have, but with requests that are to start after others. */
  static List<ElementRun<Step>> withDependencies() {
    Arbitrary<RequestShape> dependent = RequestArbitraries.dependent();
    Arbitrary<Step> submit = dependent.map(Step.Submit::new);
    return and(
        usual(dependent),
        ElementRun.of(25, submit, submit, PASS, PREPARATION, ALL_READY, PAUSE, COMPLETE, PASS),
        ElementRun.of(15, ALL_READY, COMPLETE, COMPLETE, PASS),
        ElementRun.of(10, groups(dependent), PASS, PREPARATION, ALL_READY, PAUSE, COMPLETE, PASS),
        ElementRun.of(4, CANCEL, PASS),
        ElementRun.of(4, RETURN, PASS),
        ElementRun.of(4, PASS, REJECT, PASS),
        ElementRun.of(4, PASS, PREPARATION, ALL_READY, REPORT, PASS),
        ElementRun.of(4, RECONCILE, PASS));
  }

  /** Returns what histories with limits have, and disruption budgets and groups. */
  static List<ElementRun<Step>> withMixedPlacement() {
    Arbitrary<Step> submit = RequestArbitraries.limited().map(Step.Submit::new);
    Arbitrary<Step> group =
        Arbitraries.oneOf(
            groups(RequestArbitraries.placed()), groups(RequestArbitraries.limited()));
    return and(
        withLimits(),
        ElementRun.of(12, group, PASS),
        ElementRun.of(12, group, PASS, PREPARATION, ALL_READY, PASS),
        ElementRun.of(12, submit, submit, PASS, PREPARATION, ALL_READY),
        ElementRun.of(10, PREPARATION, ALL_READY, PAUSE, PASS),
        ElementRun.of(10, BUDGET),
        ElementRun.of(3, REMOVE_BUDGET),
        ElementRun.of(6, FAIL, PASS, PREPARATION, ALL_READY, PASS),
        ElementRun.of(4, LEAVE, PASS, JOIN),
        ElementRun.of(4, PASS, REJECT, PASS),
        ElementRun.of(2, CANCEL_GROUP, PASS));
  }

  /** Returns jobs of three lengths; most requests estimate it, or name the same application. */
  static List<ElementRun<Step>> jobs() {
    List<ElementRun<Step>> all = new ArrayList<>();
    for (int application = 1; application <= JOBS.size(); application++) {
      Duration length = JOBS.get(application - 1);
      Arbitrary<Step> submit = RequestArbitraries.jobs(length, application).map(Step.Submit::new);
      Arbitrary<Step> run = Arbitraries.just(new Step.Elapse(length));
      all.add(ElementRun.of(1, submit, PASS, ALL_READY, run, COMPLETE, PASS));
      all.add(
          ElementRun.of(
              2, submit, submit, submit, PASS, ALL_READY, run, COMPLETE, COMPLETE, COMPLETE, PASS));
    }
    return all;
  }

  /** Returns what the usual histories have, and more jobs that compete and complete. */
  static List<ElementRun<Step>> withJobs() {
    List<ElementRun<Step>> all = new ArrayList<>(usual());
    for (int application = 1; application <= JOBS.size(); application++) {
      Arbitrary<Step> submit =
          RequestArbitraries.jobs(JOBS.get(application - 1), application).map(Step.Submit::new);
      all.add(ElementRun.of(8, submit, submit, submit, PASS));
      all.add(ElementRun.of(8, submit, submit, PASS, ALL_READY, PAUSE, PASS));
      all.add(ElementRun.of(8, PASS, ALL_READY, WAIT, submit, submit(), submit(), PASS));
    }
    all.add(ElementRun.of(15, ALL_READY, PAUSE, COMPLETE, COMPLETE, PASS));
    return all;
  }

  private static Arbitrary<Step> submit() {
    return RequestArbitraries.unshrunk().map(Step.Submit::new);
  }

  // ---- Steps

  /** Returns steps of a picked subject and another part. */
  private static <T> Arbitrary<Step> two(
      Arbitrary<T> other, BiFunction<Integer, T, ? extends Step> step) {
    return Combinators.combine(PICK, other).as(step::apply);
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

  /** Returns groups of one to four members, more often alike than not. */
  private static Arbitrary<Step> groups(Arbitrary<RequestShape> requests) {
    Arbitrary<List<RequestShape>> alike =
        Combinators.combine(requests, Arbitraries.of(2, 2, 3, 4))
            .as((shape, members) -> Collections.nCopies(members, shape));
    Arbitrary<List<RequestShape>> unlike = ElementRun.lists(requests, 1, 2, 2, 3, 4);
    return Combinators.combine(
            Arbitraries.frequencyOf(Tuple.of(3, alike), Tuple.of(2, unlike)),
            Arbitraries.frequency(Tuple.of(3, 0), Tuple.of(2, 1), Tuple.of(1, 2)),
            Arbitraries.of(false, true))
        .as(Step.SubmitGroup::new);
  }

  private static Arbitrary<Step> attemptReports() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(3, Report.STARTED),
                Tuple.of(1, Report.FAILED),
                Tuple.of(1, Report.COMPLETED)),
            PICK,
            Arbitraries.frequency(Tuple.of(3, 0), Tuple.of(1, 1), Tuple.of(1, 2)),
            Arbitraries.of(DELAYS))
        .as(Step.ReportAttempt::new);
  }

  private static Arbitrary<Step> reconciliations() {
    Arbitrary<Drift> drift =
        Combinators.combine(Arbitraries.of(Drift.Kind.class), PICK, PICK, Arbitraries.of(DELAYS))
            .as(Drift::new);
    return Combinators.combine(
            ElementRun.lists(drift, 0, 1, 1, 2, 3, 4), RequestArbitraries.unshrunk())
        .as(Step.Reconcile::new);
  }

  private static Arbitrary<Step> drains() {
    return Combinators.combine(
            PICK,
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
                        deadline.stream().mapToLong(Duration::toNanos).findFirst(),
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
