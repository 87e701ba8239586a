package dev.berth.experiments.studies.qos;

import dev.berth.api.Reason;
import dev.berth.core.explain.WhyPending;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.run.Unconstrained;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Placement constraints and anti-affinity at scale: the production requests of the Google cluster
 * trace at three moments, on its 12,477 hosts, all at once.
 */
public final class SnapshotStudy extends AbstractStudy {

  private static final String FOLDER = "google2011-borgsim";
  private static final List<Integer> SNAPSHOTS = List.of(1, 5, 15);
  private static final String PACKER = "bin-packing";
  private static final String LEFT = "left without a host";

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

  /** Why a request waits. */
  private enum Why {
    NO_MATCH,
    ANTI_AFFINITY,
    CAPACITY,
    OTHER;

    static Why of(WhyPending why) {
      boolean matched = false;
      boolean full = false;
      boolean apart = false;
      for (WhyPending.Obstacle each : why.obstacles()) {
        matched |= !(each.example() instanceof Reason.ConstraintNotMet);
        apart |= each.example() instanceof Reason.AntiAffinity;
        full |=
            each.example() instanceof Reason.ShortOfCapacity
                || each.example() instanceof Reason.LargerThanHost;
      }
      if (why.roomyHosts() > 0) {
        return OTHER;
      }
      return !matched ? NO_MATCH : full ? CAPACITY : apart ? ANTI_AFFINITY : OTHER;
    }
  }

  /**
   * A snapshot and why its requests wait.
   *
   * @param requests number of all requests
   * @param unconstrained if constraints are dropped
   */
  private record Placed(
      int number, OptionalLong requests, List<Why> waiting, List<Why> unconstrained) {

    int count(Why why) {
      return Collections.frequency(waiting, why);
    }

    String label() {
      return "snapshot " + number;
    }
  }

  private static final Columns<Placed> COLUMNS =
      new Columns<Placed>()
          .text("snapshot", each -> Integer.toString(each.number()))
          .cells("requests", each -> Table.Cell.count(each.requests()))
          .cells("match no host", "theirs", each -> Table.Cell.count(NO_MATCH))
          .cells("match no host", "ours", each -> Table.Cell.count(each.count(Why.NO_MATCH)))
          .cells(LEFT, "theirs", each -> Table.Cell.count(LEFT_BY_THE_AUTHORS))
          .cells(LEFT, "ours", each -> Table.Cell.count(each.waiting().size()))
          .cells(LEFT, "apart", each -> Table.Cell.count(each.count(Why.ANTI_AFFINITY)))
          .cells(
              LEFT,
              "full",
              each -> Table.Cell.count(each.count(Why.CAPACITY) + each.count(Why.OTHER)))
          .cells(
              "without constraints", "theirs", each -> Table.Cell.count(LEFT_WITHOUT_CONSTRAINTS))
          .cells(
              "without constraints", "ours", each -> Table.Cell.count(each.unconstrained().size()));

  @Override
  public StudyResult run(Setting setting) {
    Path folder = Path.of(setting.input());
    Infrastructure hosts =
        Readers.infrastructure(location(folder.resolve("machines-12477-attributes.txt")));
    List<Placed> snapshots = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    Map<String, BarChart.Bar> theirs = new LinkedHashMap<>();
    Map<String, BarChart.Bar> ours = new LinkedHashMap<>();
    for (int number : SNAPSHOTS) {
      Workload requests =
          Readers.workload(
              location(folder.resolve("prod-tasks-time-%s.csv".formatted(number))),
              ServiceClasses.goldSilverBronze(Duration.ZERO));
      Placed placed =
          new Placed(
              number,
              requests.size(),
              place(setting, requests, hosts),
              place(setting, new Unconstrained(requests), hosts));
      snapshots.add(placed);
      claims.addAll(claims(placed));
      theirs.put(placed.label(), BarChart.Bar.of(LEFT_BY_THE_AUTHORS));
      ours.put(placed.label(), BarChart.Bar.of(placed.waiting().size()));
    }
    return new StudyResult(
        List.of(
            COLUMNS.table(name() + "-left", "Requests left without a host", snapshots),
            Text.ofLines(
                "Placed by %s. apart: every matching host runs an instance of the same job. full: some matching host"
                    .formatted(PACKER),
                "runs none, but lacks room."),
            BarChart.of(
                name() + "-chart",
                "Requests left without a host",
                "Of about 60,000 requests. 191 of them match no host.",
                "snapshot",
                Axis.of("requests"),
                snapshots.stream().map(Placed::label).toList(),
                List.of(new Series<>("theirs", theirs), new Series<>("ours", ours)))),
        claims,
        List.of());
  }

  private static List<Claim> claims(Placed placed) {
    return List.of(
        claim(
            "no-match",
            placed,
            "as many requests match no host",
            NO_MATCH,
            placed.count(Why.NO_MATCH),
            true),
        claim(
            "left",
            placed,
            "no more requests are left without a host",
            LEFT_BY_THE_AUTHORS,
            placed.waiting().size(),
            false),
        claim(
            "unconstrained",
            placed,
            "no more requests are left if constraints are dropped",
            LEFT_WITHOUT_CONSTRAINTS,
            placed.unconstrained().size(),
            false));
  }

  private static Claim claim(
      String id, Placed placed, String words, int theirs, int ours, boolean exactly) {
    return Claim.of(
        "%s-%s".formatted(id, placed.number()),
        "%s: %s".formatted(placed.label(), words),
        Integer.toString(theirs),
        Integer.toString(ours),
        exactly ? ours == theirs : ours <= theirs);
  }

  /** Returns a file as it is, or compressed. */
  private static String location(Path file) {
    Path compressed = file.resolveSibling(file.getFileName() + ".gz");
    return (Files.exists(file) ? file : compressed).toString();
  }

  /** Returns why the requests wait that wait after the passes at time 0. */
  private static List<Why> place(Setting setting, Workload requests, Infrastructure hosts) {
    return AtOnce.place(
        PACKER,
        requests,
        hosts,
        setting,
        (scheduler, waiting) -> Why.of(scheduler.explain().whyPending(waiting.id(), 0)));
  }
}
