package dev.berth.simulator;

import java.time.Duration;

/**
 * A workload with what it is meant to run on, and for how long.
 *
 * @param workload the requests
 * @param infrastructure the hosts
 * @param until where the simulation ends
 * @param overheads what preparing a host costs
 * @param migrationCost what migrating an instance costs
 * @param resumeCost what resuming a suspended instance costs
 */
public record Scenario(
    Workload workload,
    Infrastructure infrastructure,
    Duration until,
    Overheads overheads,
    TransferCost migrationCost,
    TransferCost resumeCost) {

  /** One in which moving memory takes no time. */
  public Scenario(
      Workload workload, Infrastructure infrastructure, Duration until, Overheads overheads) {
    this(workload, infrastructure, until, overheads, TransferCost.NONE, TransferCost.NONE);
  }
}
