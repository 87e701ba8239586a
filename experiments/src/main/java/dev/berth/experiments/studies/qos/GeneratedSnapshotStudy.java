package dev.berth.experiments.studies.qos;

import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.bound.ScarcityBestFit;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Workload;
import dev.berth.traces.prepare.GoogleLikeSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many requests of generated snapshots {@code bin-packing} leaves without a host, beside the
 * least possible number, which is known by construction.
 */
public final class GeneratedSnapshotStudy extends AbstractStudy {

  private static final String PACKER = "bin-packing";
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

  /** Requests left beyond the least possible, over several snapshots. */
  private static final class Excess {

    private int sum;
    private int worst;
    private int none;

    void add(int beyond) {
      sum += beyond;
      worst = Math.max(worst, beyond);
      none += beyond == 0 ? 1 : 0;
    }
  }

  @Override
  public StudyResult run(Setting setting) {
    String reference = "plain best fit";
    Table.Builder table =
        Table.builder(name() + "-left", "Requests left without a host, beyond the least possible")
            .column(Table.Column.ofNumbers("hosts"))
            .column(Table.Column.ofNumbers("load"))
            .column(Table.Column.ofNumbers("snapshots"))
            .column(Table.Column.ofNumbers("requests"))
            .column(Table.Column.ofNumbers("least"))
            .column(Table.Column.ofNumbers("beyond").withHeading(PACKER))
            .column(Table.Column.ofNumbers("worst").withHeading(PACKER))
            .column(Table.Column.ofNumbers("at least").withHeading(PACKER))
            .column(Table.Column.ofNumbers("beyond").withHeading(reference))
            .column(Table.Column.ofNumbers("worst").withHeading(reference))
            .column(Table.Column.ofNumbers("at least").withHeading(reference));
    List<Claim> claims = new ArrayList<>();
    for (Setup each : SETUPS) {
      Excess ours = new Excess();
      Excess theirs = new Excess();
      int requests = 0;
      int least = 0;
      for (int i = 0; i < each.snapshots; i++) {
        GoogleLikeSnapshot snapshot =
            GoogleLikeSnapshot.of(each.hosts, each.load, ServiceClasses.GOLD, setting.seed() + i);
        requests += snapshot.requests().size();
        least += snapshot.unplaceable();
        ours.add(left(setting, snapshot) - snapshot.unplaceable());
        theirs.add(
            ScarcityBestFit.unplaced(snapshot.hosts().hosts(), snapshot.requests())
                - snapshot.unplaceable());
      }
      table.row(
          Table.Cell.count(each.hosts),
          Table.Cell.number(each.load, 2),
          Table.Cell.count(each.snapshots),
          Table.Cell.count(requests),
          Table.Cell.count(least),
          Table.Cell.count(ours.sum),
          Table.Cell.count(ours.worst),
          Table.Cell.count(ours.none),
          Table.Cell.count(theirs.sum),
          Table.Cell.count(theirs.worst),
          Table.Cell.count(theirs.none));
      claims.add(
          Claim.of(
              "no-more-%s-%s".formatted(each.hosts, Math.round(100 * each.load)),
              "%s hosts, load %s: bin-packing leaves no more requests than a plain best fit (our claim)"
                  .formatted(each.hosts, each.load),
              Integer.toString(least + theirs.sum),
              Integer.toString(least + ours.sum),
              ours.sum <= theirs.sum));
    }
    return new StudyResult(
        List.of(
            table.build(),
            Text.ofLines(
                List.of(
                    "All numbers are sums over the snapshots, but worst is of one snapshot. least: requests that no packing",
                    "can place. beyond: requests left beyond those. at least: snapshots in which only those are left."))),
        claims,
        List.of());
  }

  /** Returns how many requests wait after one pass. */
  private static int left(Setting setting, GoogleLikeSnapshot snapshot) {
    List<Arrival> arrivals =
        snapshot.requests().stream()
            .map(each -> new Arrival(0, each, LONGER_THAN_THE_STUDY, ActualBehaviour.asSaid(each)))
            .toList();
    Workload requests =
        Workload.of("snapshot", ServiceClasses.goldSilverBronze(Duration.ZERO), arrivals);
    return PolicySpec.of(PACKER)
        .resolve(setting.registry())
        .choice()
        .simulate(
            scheduler ->
                Simulation.builder()
                    .scheduler(scheduler)
                    .workload(requests)
                    .infrastructure(snapshot.hosts())
                    .seed(setting.seed()),
            GeneratedSnapshotStudy::waiting);
  }

  private static int waiting(Simulation simulation) {
    simulation.runUntil(Duration.ZERO);
    return (int)
        simulation.scheduler().instances().stream().filter(each -> each.host().isEmpty()).count();
  }
}
