package dev.berth.simulator.internal;

import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.workload.Workload;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of one run, checked. Intervals are in nanoseconds.
 *
 * @param until the end of the simulation in nanoseconds, if one was set
 * @param usageReportInterval 0: instances never report their usage
 * @param loadReportInterval 0: hosts never report their load
 * @param minPassInterval the least time between two passes
 * @param decisionTimes how long the scheduler is busy with each placement
 * @param faults how unreliable the fleet is; empty: it is reliable
 */
public record SimulationSettings(
    Workload workload,
    Infrastructure infrastructure,
    OptionalLong until,
    Overheads overheads,
    ExecutionModel executionModel,
    TransferCost migrationCost,
    TransferCost resumeCost,
    long usageReportInterval,
    long loadReportInterval,
    Provider provider,
    long seed,
    long minPassInterval,
    DecisionTimes decisionTimes,
    HostSchedule hostSchedule,
    PenaltyTable penalties,
    Optional<FaultSettings> faults) {}
