package dev.berth.experiments.figures;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.Trials;
import dev.berth.experiments.figures.Summary.Group;
import dev.berth.experiments.figures.Summary.Row;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.ComparedPolicy.Role;
import dev.berth.experiments.run.Experiment;
import dev.berth.report.render.JsonText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The rows are made up, so that the expected words can be derived by hand. */
class VerdictTest {

  private static final Experiment STARTS_TAKE_TIME = experiment("2s");
  private static final Experiment STARTS_TAKE_NONE = experiment("0s");

  private static Experiment experiment(String overhead) {
    return Trials.load(
        Path.of("."),
        "{'workloads':['validation-1'],'policies':['priority'],'overheads':['%s']}"
            .formatted(overhead));
  }

  @Test
  void saysWhoServesWhichClassBetterAndAtWhichCost() {
    assertThat(
            lines(
                STARTS_TAKE_TIME,
                row(
                    "turns",
                    costs(10, 5611, 3.68, 1.94),
                    gold(1, 0.001),
                    silver(0.8, 0.0001),
                    bronze(0, 0.0278, 0)),
                row(
                    "strict",
                    costs(25, 35, 0, 19.37),
                    gold(1, 0.001),
                    silver(1, 0),
                    bronze(0.417, 0.2821, 21))))
        .containsExactly(
            "Objectives: Class gold (SLO 1) is out of reach under any policy: each start takes at"
                + " least 2s. Requests that come as near as possible count as met.",
            "Class gold shows no difference: 100 % meet the SLO under both; 0.0010 short on average"
                + " under both.",
            "Class silver is served better by strict: 100 % meet the SLO, 80 % under turns; 0 short"
                + " on average, 0.0001 under turns.",
            "Class bronze is nearer to its SLO under turns: 0.0278 short on average, 0.2821 under"
                + " strict, where 21 never ran. More of its requests meet the SLO under strict:"
                + " 41.7 %, 0 % under turns.",
            "Done: 25 of 100 requests under strict, 10 under turns.",
            "Cost: Penalty 1.94 core-hours under turns, 19.37 under strict; preemptions 35 under"
                + " strict, 5,611 under turns; lost work 0.00 h under strict, 3.68 under turns.");
  }

  @Test
  void objectiveOfOneIsInReachIfStartsTakeNoTime() {
    assertThat(lines(STARTS_TAKE_NONE, row("a", costs(0, 0, 0, 0), gold(0, 0.25))))
        .containsExactly(
            "Class gold: 0 % meet the SLO; 0.2500 short on average.",
            "Cost: Penalty 0.00 core-hours; preemptions 0; lost work 0.00 h.");
  }

  @Test
  void objectiveThatIsReachedOnceIsInReach() {
    ClassFigures reached = figures("gold", 1, one(0.5), one(0.5), one(0.5), one(0.25), one(0));
    assertThat(lines(STARTS_TAKE_TIME, row("a", costs(0, 0, 0, 0), reached)))
        .noneMatch(line -> line.contains("out of reach"));
  }

  @Test
  void objectiveThatNoRequestMeetsWithRoomForAllIsOutOfReach() {
    Row bound = row("infinite host", Role.UPPER_BOUND, costs(0, 0, 0, 0), silver(0, 0.1));
    assertThat(lines(STARTS_TAKE_NONE, row("a", costs(0, 0, 0, 0), silver(0, 0.2)), bound).get(0))
        .isEqualTo(
            "Objectives: Class silver (SLO 0.9) is out of reach under any policy: none of its requests"
                + " reaches it even with room for all. Requests that come as near as possible"
                + " count as met.");
    Row partly = row("infinite host", Role.UPPER_BOUND, costs(0, 0, 0, 0), silver(0.3, 0.1));
    assertThat(lines(STARTS_TAKE_NONE, row("a", costs(0, 0, 0, 0), silver(0, 0.2)), partly).get(0))
        .isEqualTo("Objectives: Even with room for all, 30 % of silver meet the SLO.");
  }

  @Test
  void boundsDoNotCompete() {
    List<String> lines =
        lines(
            STARTS_TAKE_NONE,
            row("a", costs(0, 1, 0, 1), silver(0.5, 0.2)),
            row("never-preempt", Role.LOWER_BOUND, costs(0, 0, 0, 0), silver(0.9, 0.1)),
            row("infinite host", Role.UPPER_BOUND, costs(0, 0, 0, 0), silver(1, 0)));
    assertThat(lines.get(0)).isEqualTo("Class silver: 50 % meet the SLO; 0.2000 short on average.");
  }

  @Test
  void manyPoliciesAreNamedByTheBestTiersAndTheWorst() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(row("p" + i, costs(0, i < 4 ? 7 : 10 * i, 0, 0), silver(1, 0)));
    }
    assertThat(lines(STARTS_TAKE_NONE, rows.toArray(Row[]::new)))
        .containsExactly(
            "Class silver shows no difference: 100 % meet the SLO under all 10.",
            "Cost: Penalty 0.00 core-hours under all 10; preemptions 7 under p0, p1 and 2 others,"
                + " 40 under p4, … 90 under p9; lost work 0.00 h under all 10.");
  }

  @Test
  void differenceWithinTheSpreadIsNone() {
    Row steady = row("steady", Role.POLICY, costs(0, 0, 0, 0), silver(sample(0.5, 0.5, 0.5)));
    Row lucky = row("lucky", Role.POLICY, costs(0, 0, 0, 0), silver(sample(0.4, 0.9, 0.5)));
    Row better = row("better", Role.POLICY, costs(0, 0, 0, 0), silver(sample(0.6, 0.6, 0.61)));
    assertThat(lines(STARTS_TAKE_NONE, steady, lucky).get(0))
        .isEqualTo(
            "Class silver shows no clear difference (60 %, 50 % meet the SLO; 0.4000, 0.5000 short"
                + " on average).");
    assertThat(lines(STARTS_TAKE_NONE, steady, better).get(0))
        .startsWith("Class silver is served better by better: 60.3 % meet the SLO, 50 % under");
  }

  /** A policy that failed somewhere has other cases than the others, so no pairs with them. */
  @Test
  void policyThatFailedIsNamedAndNotCalledBetter() {
    Row whole = row("whole", Role.POLICY, costs(0, 0, 0, 0), silver(sample(0.5, 0.5, 0.5)));
    Row partial = row("partial", Role.POLICY, costs(0, 0, 0, 0), silver(sample(0.9, 0.9)));
    Row broken = row("broken", Role.POLICY, costs(0, 0, 0, 0).stopped());
    List<String> lines = lines(STARTS_TAKE_NONE, whole, partial, broken);
    assertThat(lines.get(0)).isEqualTo("Failed: partial in 1 of 3 cases, broken in 3 of 3 cases.");
    assertThat(lines.get(1)).startsWith("Class silver shows no clear difference (");
  }

  @Test
  void saysThatThereIsNothingToCompare() {
    assertThat(lines(STARTS_TAKE_TIME, row("a", costs(0, 0, 0, 0).stopped())))
        .containsExactly("No policy finished a run, so there is nothing to compare.");
    assertThat(lines(STARTS_TAKE_TIME, row("a", costs(0, 0, 0, 0))))
        .containsExactly("No request was admitted before the end, so there is nothing to compare.");
    ClassFigures none = figures("gold", 1, one(0), one(0), one(1), one(3));
    assertThat(lines(STARTS_TAKE_TIME, row("a", costs(0, 0, 0, 0), none)))
        .containsExactly(
            "No request was in service before the end, so there is nothing to compare.");
  }

  @Test
  void percentagesAreRoundOnlyIfTheyAreExact() {
    assertThat(
            lines(
                    STARTS_TAKE_NONE,
                    row("a", costs(0, 0, 0, 0), silver(0.9999, 0.00001)),
                    row("b", costs(0, 0, 0, 0), silver(0.0001, 0.8)))
                .get(0))
        .contains(
            "more than 99.9 % meet the SLO, less than 0.1 % under b", "less than 0.0001 short");
  }

  @Test
  void dataHaveTheTiers() {
    ObjectNode json = JsonText.object();
    verdict(
            STARTS_TAKE_TIME,
            row("a", costs(1, 2, 3, 4), gold(0, 0.1)),
            row("b", costs(1, 1, 3, 4), gold(0, 0.2)))
        .putInto(json);
    assertThat(json.at("/text")).hasSize(4);
    assertThat(json.at("/outOfReach/0").textValue()).isEqualTo("gold");
    assertThat(json.at("/classes/0/shortfall").toString())
        .isEqualTo(
            "[{\"policies\":[\"a\"],\"means\":[0.1]},{\"policies\":[\"b\"],\"means\":[0.2]}]");
    assertThat(json.at("/preemptions/0/policies/0").textValue()).isEqualTo("b");
    assertThat(json.at("/completed").toString())
        .isEqualTo("[{\"policies\":[\"a\",\"b\"],\"means\":[1.0,1.0]}]");
  }

  /** Whatever the figures, each policy is in one tier, and tiers descend. */
  @Property(tries = 100)
  void tiersHaveEachPolicyOnceAndDescend(
      @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0, max = 1) Double> shares) {
    Row[] rows =
        IntStream.range(0, shares.size())
            .mapToObj(i -> row("p" + i, costs(0, 0, 0, 0), silver(shares.get(i), 0.1)))
            .toArray(Row[]::new);
    ObjectNode json = JsonText.object();
    Verdict verdict = verdict(STARTS_TAKE_NONE, rows);
    verdict.putInto(json);
    List<String> policies = new ArrayList<>();
    List<Double> means = new ArrayList<>();
    assertThat(json.at("/classes/0/met")).isEqualTo(json.at("/classes/0/fulfilment"));
    json.at("/classes/0/met")
        .forEach(
            tier -> {
              tier.get("policies").forEach(each -> policies.add(each.textValue()));
              tier.get("means").forEach(each -> means.add(each.doubleValue()));
            });
    assertThat(policies)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(rows).map(each -> each.policy().label()).toList());
    assertThat(means).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(verdict.lines()).hasSizeBetween(2, 3).noneMatch(line -> line.contains("NaN"));
  }

  /** The next question is about the requests that were served worst. */
  @Test
  void worstServedAreThoseFarthestFromTheirObjective() {
    Row turns = row("turns", costs(0, 0, 0, 0), gold(0, 0.001), bronze(0, 0.0278, 0));
    Row strict = row("strict", costs(0, 0, 0, 0), gold(0, 0.001), bronze(0.4, 0.2821, 21));
    Row bound = row("never-preempt", Role.LOWER_BOUND, costs(0, 0, 0, 0), gold(0, 0.9));
    assertThat(verdict(STARTS_TAKE_TIME, turns, strict, bound).worstServed())
        .contains(new Verdict.Served("strict", "bronze"));
    assertThat(verdict(STARTS_TAKE_TIME, row("a", costs(0, 0, 0, 0).stopped())).worstServed())
        .isEmpty();
    Row low = row("low", costs(0, 0, 0, 0), figures("silver", 0.5, one(1), one(0.6)));
    Row high = row("high", costs(0, 0, 0, 0), figures("silver", 0.5, one(1), one(0.9)));
    assertThat(verdict(STARTS_TAKE_TIME, high, low).worstServed())
        .as("all meet the SLO")
        .contains(new Verdict.Served("low", "silver"));
  }

  @Test
  void saysThatMostRequestsOutlastTheRun() {
    Row policy = row("a", costs(10, 0, 0, 0), silver(1, 0));
    String outlasted =
        "Length: Even with room for all, 60 of 100 requests are not done by 1h, when the run ends."
            + " Set a later end (until) to compare whole lives.";
    assertThat(
            lines(
                STARTS_TAKE_NONE,
                policy,
                row("infinite host", Role.UPPER_BOUND, costs(40, 0, 0, 0), silver(1, 0))))
        .contains(outlasted);
    assertThat(
            lines(
                STARTS_TAKE_NONE,
                policy,
                row("infinite host", Role.UPPER_BOUND, costs(50, 0, 0, 0), silver(1, 0))))
        .noneMatch(line -> line.startsWith("Length: "));
  }

  // ---- The bound

  /** The reference of the experiment is priority. */
  @Test
  void saysHowFarPoliciesGoFromTheReferenceToTheBound() {
    Verdict verdict =
        bounded(
            bound(1, 0.75, 0.1),
            row("priority", costs(0, 0, 0, 21), silver(0, 0.5)),
            row("half", costs(0, 0, 0, 11), silver(0, 0.3)),
            row("worse", costs(0, 0, 0, 31), silver(0, 0.5001)),
            row("far worse", costs(0, 0, 0, 1021), silver(0, 0.9)),
            row("there", costs(0, 0, 0, 1), silver(0, 0.05)));

    assertThat(verdict.lines())
        .contains(
            "Bound: Of the way from priority (penalty 21.00 core-hours) to the bound (1.00): half"
                + " 50 %, worse -50 %, far worse less than -1000 %, there 100 %.",
            "Bound of silver: At best 75 % meet the SLO. Of the way from priority (0.5000 short)"
                + " to the bound (0.1000): half 50 %, worse 0 %, far worse -100 %, there 112.5 %.");
    ObjectNode node = JsonText.object();
    verdict.putInto(node);
    JsonNode bound = node.get("bound");
    assertThat(bound.get("penaltyCoreHours").doubleValue()).isEqualTo(1);
    assertThat(bound.get("way").toString())
        .isEqualTo(
            "{'from':'priority','start':21.0,'shares':{'half':0.5,'worse':-0.5,'far worse':-50.0,"
                    .replace('\'', '"')
                + "\"there\":1.0}}");
    assertThat(bound.at("/classes/0/fulfilment").doubleValue()).isEqualTo(0.25);
    assertThat(bound.at("/classes/0/met").doubleValue()).isEqualTo(0.75);
    assertThat(bound.at("/classes/0/shortfall").doubleValue()).isEqualTo(0.1);
    assertThat(bound.at("/classes/0/way/shares/half").doubleValue()).isEqualTo(0.5);
  }

  @Test
  void saysWhatAClairvoyantScheduleReaches() {
    Summary.Bound bound = bound(1, 0.75, 0.1);
    Verdict verdict =
        bounded(
            new Summary.Bound(
                bound.obstacle(),
                bound.penalty(),
                bound.classes(),
                Set.of(),
                Optional.of(
                    new Summary.Reached(
                        one(6), row("x", costs(0, 0, 0, 6), silver(0.5, 0.2)).classes()))),
            row("priority", costs(0, 0, 0, 21), silver(0, 0.5)),
            row("half", costs(0, 0, 0, 11), silver(0, 0.3)));

    assertThat(verdict.lines())
        .contains(
            "Bound: Of the way from priority (penalty 21.00 core-hours) to the bound (1.00): half"
                + " 50 %; a clairvoyant schedule 75 %.",
            "Bound of silver: At best 75 % meet the SLO, 50 % in a clairvoyant schedule. Of the way"
                + " from priority (0.5000 short) to the bound (0.1000): half 50 %; a clairvoyant"
                + " schedule 75 %.");
    ObjectNode node = JsonText.object();
    verdict.putInto(node);
    assertThat(node.at("/bound/clairvoyant").toString())
        .isEqualTo(
            ("{'penaltyCoreHours':6.0,'classes':"
                    + "[{'name':'silver','fulfilment':0.5,'met':0.5,'shortfall':0.2}]}")
                .replace('\'', '"'));
  }

  @Test
  void wayBeginsAtTheWorstPolicyWithoutTheReference() {
    assertThat(
            bounded(
                    bound(0, 1, 0),
                    row("a", costs(0, 0, 0, 5), silver(0, 0.2)),
                    row("b", costs(0, 0, 0, 10), silver(0, 0.1)),
                    row("infinite host", Role.UPPER_BOUND, costs(0, 0, 0, 20), silver(1, 0.4)))
                .lines())
        .contains(
            "Bound: Of the way from b (penalty 10.00 core-hours) to the bound (0.00): a 50 %.",
            "Bound of silver: At best 100 % meet the SLO. Of the way from a (0.2000 short) to the"
                + " bound (0): b 50 %.");
  }

  @Test
  void saysNothingIfTheReferenceIsAtTheBound() {
    assertThat(
            bounded(
                    bound(1, 1, 0.1),
                    row("priority", costs(0, 0, 0, 1), silver(0, 0.1)),
                    row("other", costs(0, 0, 0, 2), silver(0, 0.2)))
                .lines())
        .noneMatch(line -> line.startsWith("Bound"));
  }

  /** Their penalties are smaller because of requests that no longer count. */
  @Test
  void policyThatRejectsOrFailsGoesNoWay() {
    Summary.Bound bound = bound(1, 1, 0.1);
    assertThat(
            bounded(
                    new Summary.Bound(
                        bound.obstacle(),
                        bound.penalty(),
                        bound.classes(),
                        Set.of("rejects"),
                        Optional.empty()),
                    row("priority", costs(0, 0, 0, 21), silver(0, 0.5)),
                    row("rejects", costs(0, 0, 0, 0), silver(0, 0)),
                    row("fails", costs(0, 0, 0, 0).stopped()))
                .lines())
        .contains("Bound: No policy has a penalty below 1.00 core-hours.")
        .noneMatch(line -> line.startsWith("Bound of silver"));
  }

  @Test
  void saysWhyThereIsNoBound() {
    assertThat(
            bounded(
                    new Summary.Bound(
                        Optional.of("hosts can be provisioned"),
                        Sample.of(List.of()),
                        List.of(),
                        Set.of(),
                        Optional.empty()),
                    row("priority", costs(0, 0, 0, 21), silver(0, 0.5)))
                .lines())
        .contains("Bound: none, because hosts can be provisioned.");
  }

  private static Summary.Bound bound(double penalty, double met, double shortfall) {
    return new Summary.Bound(
        Optional.empty(),
        one(penalty),
        List.of(
            new ClassFigures(
                "silver",
                Map.of(
                    ClassFigures.SHORTFALL,
                    one(shortfall),
                    ClassFigures.FULFILMENT,
                    one(0.25),
                    ClassFigures.MET,
                    one(met)))),
        Set.of(),
        Optional.empty());
  }

  private static Verdict bounded(Summary.Bound bound, Row... rows) {
    List<Row> all =
        Arrays.stream(rows)
            .map(each -> withFailed(each, 1 - each.get(Totals.REQUESTS).size()))
            .toList();
    return new Verdict(
        STARTS_TAKE_TIME,
        new Group(
            STARTS_TAKE_TIME.cases().get(0),
            1,
            List.of("silver"),
            all,
            Map.of(),
            Optional.of(bound)));
  }

  // ---- Made-up rows

  private static List<String> lines(Experiment experiment, Row... rows) {
    return verdict(experiment, rows).lines();
  }

  private static Verdict verdict(Experiment experiment, Row... rows) {
    List<String> names =
        Arrays.stream(rows)
            .flatMap(each -> each.classes().stream())
            .map(ClassFigures::name)
            .distinct()
            .toList();
    int cases = Arrays.stream(rows).mapToInt(VerdictTest::cases).max().orElseThrow();
    List<Row> all =
        Arrays.stream(rows)
            .map(each -> withFailed(each, cases - each.get(Totals.REQUESTS).size()))
            .toList();
    return new Verdict(
        experiment,
        new Group(experiment.cases().get(0), cases, names, all, Map.of(), Optional.empty()));
  }

  private static int cases(Row row) {
    return Math.max(1, row.get(Totals.REQUESTS).size());
  }

  private static Row withFailed(Row row, int failed) {
    return new Row(row.policy(), failed, row.classes(), row.totals(), row.used(), row.active());
  }

  private record Costs(
      double completed, double preemptions, double lostWork, double penalty, boolean finished) {

    Costs stopped() {
      return new Costs(completed, preemptions, lostWork, penalty, false);
    }
  }

  private static Costs costs(double completed, double preemptions, double lost, double penalty) {
    return new Costs(completed, preemptions, lost, penalty, true);
  }

  private static Row row(String label, Costs costs, ClassFigures... classes) {
    return row(label, Role.POLICY, costs, classes);
  }

  private static Row row(String label, Role role, Costs costs, ClassFigures... classes) {
    int cases =
        costs.finished()
            ? Arrays.stream(classes)
                .mapToInt(each -> each.get(ClassFigures.MEAN).size())
                .max()
                .orElse(1)
            : 0;
    return new Row(
        new ComparedPolicy(label, role, STARTS_TAKE_TIME.policies().get(0).choice()),
        0,
        List.of(classes),
        Map.of(
            Totals.REQUESTS,
            constant(100, cases),
            Totals.COMPLETED,
            constant(costs.completed(), cases),
            Totals.PENALTY,
            constant(costs.penalty(), cases),
            Totals.PREEMPTIONS,
            constant(costs.preemptions(), cases),
            Totals.WAITING,
            constant(1, cases),
            Totals.PENDING,
            constant(1, cases),
            Totals.RESTARTS,
            constant(costs.lostWork(), cases),
            Totals.LOST_WORK,
            constant(costs.lostWork(), cases)),
        Map.of(),
        Map.of());
  }

  /** No request reaches the objective of 1. */
  private static ClassFigures gold(double met, double shortfall) {
    return figures("gold", 1, one(0), one(met), one(0.5), one(shortfall), one(0));
  }

  private static ClassFigures silver(double met, double shortfall) {
    return figures("silver", 0.9, one(met), one(0.5), one(shortfall), one(0));
  }

  private static ClassFigures silver(Sample met) {
    Sample shortfall = constant(1, met.size()).minus(met);
    return figures("silver", 0.9, met, met, shortfall, constant(0, met.size()));
  }

  private static ClassFigures bronze(double met, double shortfall, double neverRan) {
    return figures("bronze", 0.5, one(met), one(0.5), one(shortfall), one(neverRan));
  }

  private static ClassFigures figures(String name, double slo, Sample met, Sample availability) {
    return figures(name, slo, met, availability, constant(0, met.size()), constant(0, met.size()));
  }

  private static ClassFigures figures(
      String name, double slo, Sample met, Sample mean, Sample shortfall, Sample neverRan) {
    return figures(name, slo, met, met, mean, shortfall, neverRan);
  }

  private static ClassFigures figures(
      String name,
      double slo,
      Sample fulfilment,
      Sample met,
      Sample mean,
      Sample shortfall,
      Sample neverRan) {
    return new ClassFigures(
        name,
        Map.of(
            ClassFigures.SLO,
            one(slo),
            ClassFigures.FULFILMENT,
            fulfilment,
            ClassFigures.MET,
            met,
            ClassFigures.MEAN,
            mean,
            ClassFigures.MIN,
            mean,
            ClassFigures.MEAN_DEFICIT,
            shortfall,
            ClassFigures.SHORTFALL,
            shortfall,
            ClassFigures.NEVER_RAN,
            neverRan));
  }

  private static Sample one(double value) {
    return sample(value);
  }

  private static Sample sample(double... values) {
    return Sample.of(DoubleStream.of(values).boxed().toList());
  }

  private static Sample constant(double value, int size) {
    return Sample.of(IntStream.range(0, size).mapToObj(i -> value).toList());
  }
}
