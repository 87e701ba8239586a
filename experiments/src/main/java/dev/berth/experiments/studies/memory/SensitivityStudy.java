package dev.berth.experiments.studies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.experiments.study.ExperimentRun.Entry;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Text;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Scenario;
import java.util.ArrayList;
import java.util.List;

/** MEMiC and the others on memory profiles at random. */
public final class SensitivityStudy implements Study {

  private static final int SETS = 20;
  private static final double CLOSE = 0.01; // totals that near count as equal
  private static final long SECOND = 1_000_000_000L;

  private static final List<Entry> BASELINES =
      List.of(
          new Entry("round-robin"),
          new Entry("first-fit"),
          new Entry("best-fit"),
          new Entry("worst-fit"),
          new Entry("worst-fit, maximum", "worst-fit", "{\"reservation\":\"maximum\"}"),
          new Entry("worst-fit, average", "worst-fit", "{\"reservation\":\"average\"}"));

  private static final Entry PATIENT =
      new Entry("memic, patience 0.5", "memic", "{\"patience\":0.5}");

  @Override
  public String name() {
    return "memic-sensitivity";
  }

  @Override
  public String title() {
    return "MEMiC on 20 sets of memory profiles at random: where it is best, where not, and why";
  }

  @Override
  public Report run(Setting setting) {
    FigureTable table = new FigureTable(3, 3, 3, 2, 3, 3);
    List<Point> impatient = new ArrayList<>();
    List<Point> withPatience = new ArrayList<>();
    table.columns(
        List.of(
            "set",
            "need at most / memory",
            "memic s",
            "best other s",
            "which",
            "memic's total",
            "with patience 0.5"));
    CsvText series = new CsvText(name(), "set", "need_by_capacity", "policy", "total_s", "run_s");
    int best = 0;
    int equal = 0;
    int lostWhereShort = 0;
    int lostElsewhere = 0;
    for (int i = 0; i < SETS; i++) {
      long seed = setting.seed() + i;
      Scenario scenario = MemoryScenarios.random(seed);
      double load = peakLoad(scenario);
      double ours = total(new Entry("memic"), scenario, seed, load, setting, series);
      double patient = total(PATIENT, scenario, seed, load, setting, series);
      double least = Double.POSITIVE_INFINITY;
      String whose = "";
      for (Entry each : BASELINES) {
        double theirs = total(each, scenario, seed, load, setting, series);
        if (theirs < least) {
          least = theirs;
          whose = each.label();
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
          List.of(
              FigureTable.words(Long.toString(seed)),
              FigureTable.number(load, 2),
              FigureTable.number(ours, 0),
              FigureTable.number(least, 0),
              FigureTable.words(whose),
              FigureTable.figure(
                  "%s (%s %%)".formatted(verdict, Numbers.share(100 * (ratio - 1), 1)), ratio),
              FigureTable.number(patient, 0)));
    }
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add("");
    lines.addAll(table.lines());
    lines.add("");
    List<String> verdict = new ArrayList<>();
    verdict.add(
        "memic's total is best in %s of %s sets, equal within 1 %% in %s, worse in %s: in %s of them the"
            .formatted(best, SETS, equal, lostWhereShort + lostElsewhere, lostWhereShort));
    verdict.add(
        "jobs, all at once at their own pace, would need more memory than there is, in %s not."
            .formatted(lostElsewhere));
    if (lostWhereShort + lostElsewhere > 0) {
      verdict.add(
          "Where it loses, it lets jobs wait rather than lack memory, and others get away with letting them");
      verdict.add(
          "lack a little for a while; with patience it does so too, and pays for it elsewhere.");
    }
    verdict.add(
        "The best other is the best of six, known only afterwards. Where all fit anyhow, all are equal.");
    lines.addAll(verdict);
    return new Report(
        lines,
        List.of(
            Text.of(String.join(" ", verdict)),
            table.block(name() + "-sets", "Total times by set of profiles, ours", "set"),
            new ScatterChart(
                name() + "-ratios",
                "MEMiC's total time by that of the best other",
                "Each set of profiles: below 1 MEMiC is faster than the best of the six others. Right of 1 not "
                    + "all jobs would find the memory they need if all ran at once.",
                Axis.of("need at most / memory"),
                Axis.of("memic / best other"),
                List.of(
                    new ScatterChart.Cloud("memic", impatient),
                    new ScatterChart.Cloud(PATIENT.label(), withPatience)),
                List.of(Reference.horizontal("alike", 1), Reference.vertical("all there is", 1)))),
        List.of(series));
  }

  private static double total(
      Entry entry, Scenario scenario, long seed, double load, Setting setting, CsvText series) {
    ExperimentRun run = ExperimentRun.of(entry, scenario, seed, setting.registry());
    series.row(seed, load, entry.label(), run.total(), run.run());
    return run.total();
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
