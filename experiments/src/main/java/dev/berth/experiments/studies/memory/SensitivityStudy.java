package dev.berth.experiments.studies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.scenario.MemoryScenarios;
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
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Scenario;
import java.util.ArrayList;
import java.util.List;

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

  /** Creates the study. */
  public SensitivityStudy() {
    super(
        "memic-sensitivity",
        "MEMiC on 20 random sets of memory profiles: where it is best, where not, and why");
  }

  @Override
  public StudyResult run(Setting setting) {
    Table.Builder table =
        Table.builder(name() + "-sets", "Total times by set of profiles, ours")
            .column(Table.Column.ofText("set"))
            .column(Table.Column.ofNumbers("peak need / memory").withGap(3))
            .column(Table.Column.ofNumbers("memic s").withGap(3))
            .column(Table.Column.ofNumbers("best other s").withGap(3))
            .column(Table.Column.ofNumbers("which"))
            .column(Table.Column.ofNumbers("memic's total").withGap(3))
            .column(Table.Column.ofNumbers("with patience 0.5").withGap(3));
    List<PolicySpec> policies = new ArrayList<>(List.of(MEMIC, PATIENT));
    policies.addAll(BASELINES);
    StudyRuns runs = StudyRuns.of(policies, MemoryScenarios::random, SETS, setting);
    List<Point> impatient = new ArrayList<>();
    List<Point> withPatience = new ArrayList<>();
    CsvText series = new CsvText(name(), "set", "need_by_capacity", "policy", "total_s", "run_s");
    int best = 0;
    int equal = 0;
    int lostWhereShort = 0;
    int lostElsewhere = 0;
    for (int i = 0; i < SETS; i++) {
      long seed = setting.seed() + i;
      double load = peakLoad(MemoryScenarios.random(seed));
      for (String label : runs.labels()) {
        StudyRun run = runs.runs(label).get(i);
        series.row(seed, load, label, run.get(RunFigure.TOTAL), run.get(RunFigure.RUN));
      }
      double ours = total(runs, MEMIC, i);
      double patient = total(runs, PATIENT, i);
      double least = Double.POSITIVE_INFINITY;
      String whose = "";
      for (PolicySpec each : BASELINES) {
        double theirs = total(runs, each, i);
        if (theirs < least) {
          least = theirs;
          whose = each.name();
        }
      }
      double ratio = ours / least;
      String verdict = ratio < 1 - CLOSE ? "best" : ratio > 1 + CLOSE ? "worse" : "equal";
      best += verdict.equals("best") ? 1 : 0;
      equal += verdict.equals("equal") ? 1 : 0;
      lostWhereShort += verdict.equals("worse") && load > 1 ? 1 : 0;
      lostElsewhere += verdict.equals("worse") && load <= 1 ? 1 : 0;
      impatient.add(new Point(load, ratio));
      withPatience.add(new Point(load, patient / least));
      table.row(
          Table.Cell.of(Long.toString(seed)),
          Table.Cell.number(load, 2),
          Table.Cell.number(ours, 0),
          Table.Cell.number(least, 0),
          Table.Cell.of(whose),
          Table.Cell.of(
              "%s (%s %%)".formatted(verdict, Numbers.fixed(100 * (ratio - 1), 1)), ratio),
          Table.Cell.number(patient, 0));
    }
    List<String> verdict = new ArrayList<>();
    verdict.add(
        "memic's total time is best in %s of %s sets, equal within 1 %% in %s, and worse in %s."
            .formatted(best, SETS, equal, lostWhereShort + lostElsewhere));
    verdict.add(
        "In %s of the worse sets the jobs need more memory than exists if all run at once, in %s they do not."
            .formatted(lostWhereShort, lostElsewhere));
    if (lostWhereShort + lostElsewhere > 0) {
      verdict.add(
          "Where memic loses, it lets jobs wait rather than lack memory. The others let jobs lack a little memory");
      verdict.add(
          "for a while, at little cost. With patience 0.5 memic does so too, and loses elsewhere.");
    }
    verdict.add(
        "The best other is the best of six, known only afterwards. Where memory suffices, all are equal.");
    Claim claim =
        Claim.of(
            "best-or-equal",
            "memic's total time is within 1 % of the least on all random sets of profiles (our claim and criterion)",
            "",
            "in %s of %s sets".formatted(best + equal, SETS),
            best + equal == SETS);
    return new StudyResult(
        List.of(
            table.build(),
            Text.ofLines(verdict),
            new ScatterChart(
                name() + "-ratios",
                "MEMiC's total time by that of the best other",
                "One point for each set of profiles. Below 1 MEMiC is faster than the best of the six others. "
                    + "Right of 1 the jobs need more memory than exists if all run at once.",
                Axis.of("peak need / memory"),
                Axis.of("memic / best other"),
                List.of(
                    new ScatterChart.Cloud("memic", impatient),
                    new ScatterChart.Cloud(PATIENT.name(), withPatience)),
                List.of(Reference.horizontal("equal", 1), Reference.vertical("all memory", 1)))),
        List.of(claim),
        List.of(series));
  }

  private static double total(StudyRuns runs, PolicySpec policy, int set) {
    return runs.runs(policy.name()).get(set).get(RunFigure.TOTAL);
  }

  /**
   * Returns the most memory that all jobs would need at one time, if all ran at once, by capacity.
   */
  private static double peakLoad(Scenario scenario) {
    List<Arrival> jobs = new ArrayList<>();
    long longest = 0;
    try (ArrivalSource source = scenario.workload().open()) {
      while (source.hasNext()) {
        Arrival next = source.next();
        jobs.add(next);
        longest = Math.max(longest, next.serviceTime());
      }
    }
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
