package dev.berth.experiments.studies.qos;

import dev.berth.api.Reason;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.explain.WhyPending;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.study.ExperimentRun;
import dev.berth.experiments.study.Study;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Series;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Workload;
import dev.berth.traces.Readers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Placement constraints and anti-affinity at scale: the production requests of the Google cluster
 * trace at three moments, on its 12,477 hosts, all at once.
 */
public final class SnapshotStudy implements Study {

  private static final String FOLDER = "google2011-borgsim";
  private static final List<Integer> SNAPSHOTS = List.of(1, 5, 15);
  private static final String PACKER = "bin-packing";

  /** Requests that no host matches, by an independent matcher; what the authors left; without. */
  private static final int NO_MATCH = 191;

  private static final int LEFT_BY_THE_AUTHORS = 238;
  private static final int LEFT_WITHOUT_CONSTRAINTS = 2;

  @Override
  public String name() {
    return "borgsim-snapshots";
  }

  @Override
  public String title() {
    return "Google cluster trace: production requests with constraints and anti-affinity on 12,477 hosts";
  }

  @Override
  public Optional<Input> input() {
    return Optional.of(new Input(FOLDER, "(a folder, from giovannifs/borg-simulator)"));
  }

  /** Why those who are left wait. */
  private record Left(int noMatch, int antiAffinity, int capacity, int other) {

    private static final Left NOBODY = new Left(0, 0, 0, 0);

    int all() {
      return noMatch + antiAffinity + capacity + other;
    }

    Left and(WhyPending why) {
      boolean matched = false;
      boolean full = false;
      boolean apart = false;
      for (WhyPending.Obstacle each : why.obstacles()) {
        boolean unmet = each.example() instanceof Reason.ConstraintNotMet;
        matched |= !unmet;
        apart |= each.example() instanceof Reason.AntiAffinity;
        full |=
            each.example() instanceof Reason.ShortOfCapacity
                || each.example() instanceof Reason.LargerThanHost;
      }
      if (why.roomyHosts() > 0) {
        return new Left(noMatch, antiAffinity, capacity, other + 1);
      }
      if (!matched) {
        return new Left(noMatch + 1, antiAffinity, capacity, other);
      }
      return full
          ? new Left(noMatch, antiAffinity, capacity + 1, other)
          : apart
              ? new Left(noMatch, antiAffinity + 1, capacity, other)
              : new Left(noMatch, antiAffinity, capacity, other + 1);
    }
  }

  @Override
  public Report run(Setting setting) {
    Path folder = Path.of(setting.input());
    FigureTable table = new FigureTable(2, 2, 2, 2, 2, 2, 2, 2, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("", 1),
            new TextTable.Heading("match no host", 2),
            new TextTable.Heading("left without a host", 4),
            new TextTable.Heading("without constraints", 2)));
    table.columns(
        List.of(
            "snapshot",
            "requests",
            "theirs",
            "ours",
            "theirs",
            "ours",
            "apart",
            "full",
            "theirs",
            "ours"));
    Map<String, BarChart.Bar> theirs = new LinkedHashMap<>();
    Map<String, BarChart.Bar> ours = new LinkedHashMap<>();
    List<String> snapshots = new ArrayList<>();
    Infrastructure hosts =
        Readers.infrastructure(location(folder.resolve("machines-12477-attributes.txt")));
    for (int snapshot : SNAPSHOTS) {
      Workload requests =
          Readers.workload(
              location(folder.resolve("prod-tasks-time-%s.csv".formatted(snapshot))),
              ServiceClasses.goldSilverBronze(Duration.ZERO));
      Left left = place(setting, requests, hosts);
      Left unconstrained = place(setting, unconstrained(requests), hosts);
      table.row(
          List.of(
              FigureTable.words(Integer.toString(snapshot)),
              FigureTable.number((double) requests.size().orElseThrow(), 0),
              FigureTable.number(NO_MATCH, 0),
              FigureTable.number(left.noMatch(), 0),
              FigureTable.number(LEFT_BY_THE_AUTHORS, 0),
              FigureTable.number(left.all(), 0),
              FigureTable.number(left.antiAffinity(), 0),
              FigureTable.number(left.capacity() + left.other(), 0),
              FigureTable.number(LEFT_WITHOUT_CONSTRAINTS, 0),
              FigureTable.number(unconstrained.all(), 0)));
      String label = "snapshot " + snapshot;
      snapshots.add(label);
      theirs.put(label, BarChart.Bar.of(LEFT_BY_THE_AUTHORS));
      ours.put(label, BarChart.Bar.of(left.all()));
    }
    List<String> lines = new ArrayList<>();
    lines.add(title());
    lines.add("");
    lines.addAll(table.lines());
    lines.add("");
    lines.add(
        "Placed by %s. apart: on every host that matches is one of the same job; full: some"
            .formatted(PACKER));
    lines.add("host that matches has none, but no room.");
    return new Report(
        lines,
        List.of(
            table.block(name() + "-left", "Requests left without a host", "snapshot"),
            BarChart.of(
                name() + "-chart",
                "Requests left without a host",
                "Of some 60,000 requests; 191 of them match no host at all.",
                "snapshot",
                Axis.of("requests"),
                snapshots,
                List.of(new Series<>("theirs", theirs), new Series<>("ours", ours)))),
        List.of());
  }

  /** Returns a file as it is, or compressed. */
  private static String location(Path file) {
    Path compressed = file.resolveSibling(file.getFileName() + ".gz");
    return (Files.exists(file) ? file : compressed).toString();
  }

  static Workload unconstrained(Workload original) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = original.open()) {
      source.forEachRemaining(
          each -> arrivals.add(each.withRequest(each.request().unconstrained())));
    }
    return Workload.of(original.name(), original.serviceClasses(), arrivals);
  }

  private static Left place(Setting setting, Workload requests, Infrastructure hosts) {
    PolicyRegistry registry = setting.registry();
    Simulation.Builder ready =
        Simulation.builder().workload(requests).infrastructure(hosts).seed(setting.seed());
    try (Simulation simulation = new ExperimentRun.Entry(PACKER).start(registry, ready)) {
      simulation.runUntil(Duration.ZERO);
      Left left = Left.NOBODY;
      for (var each : simulation.scheduler().instances()) {
        if (each.host().isEmpty()) {
          left = left.and(simulation.scheduler().explain().whyPending(each.id(), 0));
        }
      }
      return left;
    }
  }
}
