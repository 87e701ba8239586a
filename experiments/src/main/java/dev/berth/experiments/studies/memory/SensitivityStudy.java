package dev.berth.experiments.studies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.RunFigure;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** MEMiC and other policies on random memory profiles. */
public final class SensitivityStudy extends AbstractStudy {

  private static final int SETS = 20;
  private static final double CLOSE = 0.01; // totals that near count as equal
  private static final long SECOND = 1_000_000_000L;

  private static final List<PolicySpec> BASELINES =
      List.of(
          PolicySpec.of("round-robin"),
          PolicySpec.of("first-fit"),
          PolicySpec.of("best-fit"),
          PolicySpec.of("worst-fit"),
          PolicySpec.of("worst-fit, maximum", "worst-fit", "{\"reservation\":\"maximum\"}"),
          PolicySpec.of("worst-fit, average", "worst-fit", "{\"reservation\":\"average\"}"));

  private static final PolicySpec MEMIC = PolicySpec.of("memic");
  private static final PolicySpec PATIENT =
      PolicySpec.of("memic, patience 0.5", "memic", "{\"patience\":0.5}");

  private static final Columns<ProfileSet> COLUMNS =
      new Columns<ProfileSet>()
          .text("set", each -> Long.toString(each.seed()))
          .cells("peak need / memory", 3, each -> Table.Cell.number(each.load(), 2))
          .cells("memic s", 3, each -> Table.Cell.number(each.ours(), 0))
          .cells("best other s", 3, each -> Table.Cell.number(each.least(), 0))
          .cells("which", each -> Table.Cell.of(each.whose()))
          .cells("memic's total", 3, ProfileSet::compared)
          .cells("with patience 0.5", 3, each -> Table.Cell.number(each.patient(), 0));

  /**
   * Total times on one set of memory profiles.
   *
   * @param load the most memory that all jobs need at one time, by capacity
   * @param ours under memic
   * @param patient under memic with patience
   * @param least the least under another policy
   * @param whose that policy
   */
  private record ProfileSet(
      long seed, double load, double ours, double patient, double least, String whose) {

    double ratio() {
      return ours / least;
    }

    String verdict() {
      return ratio() < 1 - CLOSE ? "best" : ratio() > 1 + CLOSE ? "worse" : "equal";
    }

    Table.Cell compared() {
      return Table.Cell.of(
          "%s (%s %%)".formatted(verdict(), Numbers.fixed(100 * (ratio() - 1), 1)), ratio());
    }
  }

  /** Creates the study. */
  public SensitivityStudy() {
    super(
        "memic-sensitivity",
        "MEMiC on 20 random sets of memory profiles: where it is best, where not, and why");
  }

  @Override
  public StudyResult run(Setting setting) {
    List<PolicySpec> policies = new ArrayList<>(List.of(MEMIC, PATIENT));
    policies.addAll(BASELINES);
    StudyRuns runs = StudyRuns.of(policies, MemoryScenarios::random, SETS, setting);
    List<ProfileSet> sets = new ArrayList<>();
    CsvText series = new CsvText(name(), "set", "need_by_capacity", "policy", "total_s", "run_s");
    for (int i = 0; i < SETS; i++) {
      ProfileSet set = set(runs, setting.seed(), i);
      sets.add(set);
      for (String label : runs.labels()) {
        StudyRun run = runs.runs(label).get(i);
        series.row(set.seed(), set.load(), label, run.get(RunFigure.TOTAL), run.get(RunFigure.RUN));
      }
    }
    long best = count(sets, each -> each.verdict().equals("best"));
    long equal = count(sets, each -> each.verdict().equals("equal"));
    long lostWhereShort = count(sets, each -> each.verdict().equals("worse") && each.load() > 1);
    long lostElsewhere = count(sets, each -> each.verdict().equals("worse") && each.load() <= 1);
    List<String> verdict = new ArrayList<>();
    verdict.add(
        "memic's total time is best in %s of %s sets, equal within 1 %% in %s, and worse in %s."
            .formatted(best, SETS, equal, lostWhereShort + lostElsewhere));
    verdict.add(
        "In %s of the worse sets the jobs need more memory than exists if all run at once, in %s they do not."
            .formatted(lostWhereShort, lostElsewhere));
    if (lostWhereShort + lostElsewhere > 0) {
      verdict.add(
          "Where memic loses, it lets jobs wait rather than lack memory. The others let jobs lack a"
              + " little memory");
      verdict.add(
          "for a while, at little cost. With patience 0.5 memic does so too, and loses elsewhere.");
    }
    verdict.add(
        "The best other is the best of six, known only afterwards. Where memory suffices, all are"
            + " equal.");
    Claim claim =
        Claim.of(
            "best-or-equal",
            "memic's total time is within 1 % of the least on all random sets of profiles (our"
                + " claim and criterion)",
            "",
            "in %s of %s sets".formatted(best + equal, SETS),
            best + equal == SETS);
    return new StudyResult(
        List.of(
            COLUMNS.table(name() + "-sets", "Total times by set of profiles, ours", sets),
            Text.ofLines(verdict),
            new ScatterChart(
                name() + "-ratios",
                "MEMiC's total time by that of the best other",
                "One point for each set of profiles. Below 1 MEMiC is faster than the best of the"
                    + " six others. Right of 1 the jobs need more memory than exists if all run at"
                    + " once.",
                Axis.of("peak need / memory"),
                Axis.of("memic / best other"),
                List.of(
                    new ScatterChart.Cloud("memic", points(sets, ProfileSet::ours)),
                    new ScatterChart.Cloud(PATIENT.name(), points(sets, ProfileSet::patient))),
                List.of(Reference.horizontal("equal", 1), Reference.vertical("all memory", 1)))),
        List.of(claim),
        List.of(series));
  }

  private static long count(List<ProfileSet> sets, Predicate<ProfileSet> which) {
    return sets.stream().filter(which).count();
  }

  private static List<Point> points(List<ProfileSet> sets, ToDoubleFunction<ProfileSet> total) {
    return sets.stream()
        .map(each -> new Point(each.load(), total.applyAsDouble(each) / each.least()))
        .toList();
  }

  private static ProfileSet set(StudyRuns runs, long firstSeed, int i) {
    PolicySpec best =
        Collections.min(BASELINES, Comparator.comparingDouble(each -> total(runs, each, i)));
    return new ProfileSet(
        firstSeed + i,
        peakLoad(MemoryScenarios.random(firstSeed + i)),
        total(runs, MEMIC, i),
        total(runs, PATIENT, i),
        total(runs, best, i),
        best.name());
  }

  private static double total(StudyRuns runs, PolicySpec policy, int set) {
    return runs.runs(policy.name()).get(set).get(RunFigure.TOTAL);
  }

  /**
   * Returns the most memory that all jobs would need at one time, if all ran at once, by capacity.
   */
  private static double peakLoad(Scenario scenario) {
    List<Arrival> jobs = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      source.forEachRemaining(jobs::add);
    }
    long longest = jobs.stream().mapToLong(Arrival::serviceTime).max().orElse(0);
    long peak = 0;
    for (long time = 0; time < longest; time += SECOND) {
      long need = 0;
      for (Arrival each : jobs) {
        MemoryProfile profile = each.behaviour().memory().orElseThrow();
        need += time < each.serviceTime() ? profile.needAt(time) : 0;
      }
      peak = Math.max(peak, need);
    }
    long capacity =
        scenario.infrastructure().hosts().stream()
            .mapToLong(each -> each.capacity().amount(Dimension.MEMORY))
            .sum();
    return (double) peak / capacity;
  }
}
