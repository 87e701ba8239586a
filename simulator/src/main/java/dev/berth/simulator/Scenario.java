package dev.berth.simulator;

import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;

/**
 * A workload, the infrastructure to run it on, and the length of the run.
 *
 * @param workload the requests
 * @param infrastructure the hosts
 * @param until end of the simulation
 * @param overheads overheads of placements
 * @param migrationCost duration of migrations
 * @param resumeCost time that a suspended instance takes to resume
 */
public record Scenario(
    Workload workload,
    Infrastructure infrastructure,
    Duration until,
    Overheads overheads,
    TransferCost migrationCost,
    TransferCost resumeCost) {

  /** Creates a scenario in which moving memory takes no time. */
  public Scenario(
      Workload workload, Infrastructure infrastructure, Duration until, Overheads overheads) {
    this(workload, infrastructure, until, overheads, TransferCost.NONE, TransferCost.NONE);
  }
}
