package dev.berth.experiments.studies.qos;

import dev.berth.experiments.bound.ScarcityBestFit;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.GoogleLikeSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many requests of generated snapshots {@code bin-packing} leaves without a host, beside the
 * least possible number, which is known by construction.
 */
public final class GeneratedSnapshotStudy extends AbstractStudy {

  private static final String PACKER = "bin-packing";
  private static final String REFERENCE = "plain best fit";
  private static final long LONGER_THAN_THE_STUDY = 1;

  private static final List<Setup> SETUPS =
      List.of(
          new Setup(1_000, 0.75, 10),
          new Setup(1_000, 0.85, 10),
          new Setup(1_000, 0.92, 10),
          new Setup(12_477, 0.75, 1));

  /** Creates the study. */
  public GeneratedSnapshotStudy() {
    super(
        "generated-snapshots",
        "Requests without a host on generated snapshots, beyond the least possible");
  }

  private record Setup(int hosts, double load, int snapshots) {}

  /**
   * Requests of the snapshots of a setup, snapshot by snapshot.
   *
   * @param requests number of all
   * @param least number of those that no packing can place
   * @param ours number that we leave beyond those
   * @param theirs number that a plain best fit leaves beyond those
   */
  private record Left(
      Setup setup,
      List<Integer> requests,
      List<Integer> least,
      List<Integer> ours,
      List<Integer> theirs) {

    static int sum(List<Integer> numbers) {
      return numbers.stream().mapToInt(Integer::intValue).sum();
    }
  }

  private static final Columns<Left> COLUMNS =
      new Columns<Left>()
          .cells("hosts", each -> Table.Cell.count(each.setup().hosts()))
          .cells("load", each -> Table.Cell.number(each.setup().load(), 2))
          .cells("snapshots", each -> Table.Cell.count(each.setup().snapshots()))
          .cells("requests", each -> Table.Cell.count(Left.sum(each.requests())))
          .cells("least", each -> Table.Cell.count(Left.sum(each.least())))
          .cells(PACKER, "beyond", each -> Table.Cell.count(Left.sum(each.ours())))
          .cells(PACKER, "worst", each -> Table.Cell.count(Collections.max(each.ours())))
          .cells(
              PACKER, "at least", each -> Table.Cell.count(Collections.frequency(each.ours(), 0)))
          .cells(REFERENCE, "beyond", each -> Table.Cell.count(Left.sum(each.theirs())))
          .cells(REFERENCE, "worst", each -> Table.Cell.count(Collections.max(each.theirs())))
          .cells(
              REFERENCE,
              "at least",
              each -> Table.Cell.count(Collections.frequency(each.theirs(), 0)));

  @Override
  public StudyResult run(Setting setting) {
    List<Left> rows = SETUPS.stream().map(each -> left(each, setting)).toList();
    return new StudyResult(
        List.of(
            COLUMNS.table(
                name() + "-left", "Requests left without a host, beyond the least possible", rows),
            Text.ofLines(
                "All numbers are sums over the snapshots, but worst is of one snapshot. least: requests that no packing",
                "can place. beyond: requests left beyond those. at least: snapshots in which only those are left.")),
        rows.stream().map(GeneratedSnapshotStudy::claim).toList(),
        List.of());
  }

  private static Left left(Setup setup, Setting setting) {
    Left left =
        new Left(setup, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < setup.snapshots(); i++) {
      GoogleLikeSnapshot snapshot =
          GoogleLikeSnapshot.of(
              setup.hosts(), setup.load(), ServiceClasses.GOLD, setting.seed() + i);
      left.requests().add(snapshot.requests().size());
      left.least().add(snapshot.unplaceable());
      left.ours().add(left(setting, snapshot) - snapshot.unplaceable());
      left.theirs()
          .add(
              ScarcityBestFit.unplaced(snapshot.hosts().hosts(), snapshot.requests())
                  - snapshot.unplaceable());
    }
    return left;
  }

  private static Claim claim(Left left) {
    int least = Left.sum(left.least());
    int ours = Left.sum(left.ours());
    int theirs = Left.sum(left.theirs());
    return Claim.of(
        "no-more-%s-%s".formatted(left.setup().hosts(), Math.round(100 * left.setup().load())),
        "%s hosts, load %s: bin-packing leaves no more requests than a plain best fit (our claim)"
            .formatted(left.setup().hosts(), left.setup().load()),
        Integer.toString(least + theirs),
        Integer.toString(least + ours),
        ours <= theirs);
  }

  /** Returns how many requests wait after one pass. */
  private static int left(Setting setting, GoogleLikeSnapshot snapshot) {
    List<Arrival> arrivals =
        snapshot.requests().stream()
            .map(each -> new Arrival(0, each, LONGER_THAN_THE_STUDY, ActualBehaviour.asSaid(each)))
            .toList();
    Workload requests =
        Workload.of("snapshot", ServiceClasses.goldSilverBronze(Duration.ZERO), arrivals);
    return AtOnce.place(PACKER, requests, snapshot.hosts(), setting, (scheduler, each) -> each)
        .size();
  }
}
