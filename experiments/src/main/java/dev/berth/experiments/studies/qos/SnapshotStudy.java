package dev.berth.experiments.studies.qos;

import dev.berth.api.Reason;
import dev.berth.core.explain.WhyPending;
import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
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

/**
 * Placement constraints and anti-affinity at scale: the production requests of the Google cluster
 * trace at three moments, on its 12,477 hosts, all at once.
 */
public final class SnapshotStudy extends AbstractStudy {

  private static final String FOLDER = "google2011-borgsim";
  private static final List<Integer> SNAPSHOTS = List.of(1, 5, 15);
  private static final String PACKER = "bin-packing";

  /** Requests that match no host, as an independent matcher found. */
  private static final int NO_MATCH = 191;

  /** Requests that the packing of the authors leaves without a host. */
  private static final int LEFT_BY_THE_AUTHORS = 238;

  /** Requests that an independent packer leaves if constraints are dropped. */
  private static final int LEFT_WITHOUT_CONSTRAINTS = 2;

  /** Creates the study. */
  public SnapshotStudy() {
    super(
        "borgsim-snapshots",
        "Google trace: production requests with constraints and anti-affinity on 12,477 hosts",
        new Input(FOLDER, "(a folder, from giovannifs/borg-simulator)"));
  }

  /** Why requests wait, counted. */
  private record Left(int noMatch, int antiAffinity, int capacity, int other) {

    private static final Left NONE = new Left(0, 0, 0, 0);

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
  public StudyResult run(Setting setting) {
    Path folder = Path.of(setting.input());
    String noMatch = "match no host";
    String left = "left without a host";
    String without = "without constraints";
    Table.Builder table =
        Table.builder(name() + "-left", "Requests left without a host")
            .column(Table.Column.ofText("snapshot"))
            .column(Table.Column.ofNumbers("requests"))
            .column(Table.Column.ofNumbers("theirs").withHeading(noMatch))
            .column(Table.Column.ofNumbers("ours").withHeading(noMatch))
            .column(Table.Column.ofNumbers("theirs").withHeading(left))
            .column(Table.Column.ofNumbers("ours").withHeading(left))
            .column(Table.Column.ofNumbers("apart").withHeading(left))
            .column(Table.Column.ofNumbers("full").withHeading(left))
            .column(Table.Column.ofNumbers("theirs").withHeading(without))
            .column(Table.Column.ofNumbers("ours").withHeading(without));
    List<Claim> claims = new ArrayList<>();
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
      Left mine = place(setting, requests, hosts);
      Left unconstrained = place(setting, unconstrained(requests), hosts);
      table.row(
          Table.Cell.of(Integer.toString(snapshot)),
          Table.Cell.count(requests.size()),
          Table.Cell.count(NO_MATCH),
          Table.Cell.count(mine.noMatch()),
          Table.Cell.count(LEFT_BY_THE_AUTHORS),
          Table.Cell.count(mine.all()),
          Table.Cell.count(mine.antiAffinity()),
          Table.Cell.count(mine.capacity() + mine.other()),
          Table.Cell.count(LEFT_WITHOUT_CONSTRAINTS),
          Table.Cell.count(unconstrained.all()));
      claims.addAll(claims(snapshot, mine, unconstrained));
      String label = "snapshot " + snapshot;
      snapshots.add(label);
      theirs.put(label, BarChart.Bar.of(LEFT_BY_THE_AUTHORS));
      ours.put(label, BarChart.Bar.of(mine.all()));
    }
    return new StudyResult(
        List.of(
            table.build(),
            Text.ofLines(
                List.of(
                    "Placed by %s. apart: every matching host runs an instance of the same job. full: some matching host"
                        .formatted(PACKER),
                    "runs none, but lacks room.")),
            BarChart.of(
                name() + "-chart",
                "Requests left without a host",
                "Of about 60,000 requests. 191 of them match no host.",
                "snapshot",
                Axis.of("requests"),
                snapshots,
                List.of(new Series<>("theirs", theirs), new Series<>("ours", ours)))),
        claims,
        List.of());
  }

  private static List<Claim> claims(int snapshot, Left ours, Left unconstrained) {
    return List.of(
        Claim.of(
            "no-match-" + snapshot,
            "snapshot %s: as many requests match no host".formatted(snapshot),
            Integer.toString(NO_MATCH),
            Integer.toString(ours.noMatch()),
            ours.noMatch() == NO_MATCH),
        Claim.of(
            "left-" + snapshot,
            "snapshot %s: no more requests are left without a host".formatted(snapshot),
            Integer.toString(LEFT_BY_THE_AUTHORS),
            Integer.toString(ours.all()),
            ours.all() <= LEFT_BY_THE_AUTHORS),
        Claim.of(
            "unconstrained-" + snapshot,
            "snapshot %s: no more requests are left if constraints are dropped".formatted(snapshot),
            Integer.toString(LEFT_WITHOUT_CONSTRAINTS),
            Integer.toString(unconstrained.all()),
            unconstrained.all() <= LEFT_WITHOUT_CONSTRAINTS));
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
    return PolicySpec.of(PACKER)
        .resolve(setting.registry())
        .choice()
        .simulate(
            scheduler ->
                Simulation.builder()
                    .scheduler(scheduler)
                    .workload(requests)
                    .infrastructure(hosts)
                    .seed(setting.seed()),
            SnapshotStudy::leftAtOnce);
  }

  /** Returns the requests that wait after the passes at time 0. */
  private static Left leftAtOnce(Simulation simulation) {
    simulation.runUntil(Duration.ZERO);
    Left left = Left.NONE;
    for (var each : simulation.scheduler().instances()) {
      if (each.host().isEmpty()) {
        left = left.and(simulation.scheduler().explain().whyPending(each.id(), 0));
      }
    }
    return left;
  }
}
