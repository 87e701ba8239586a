package dev.berth.simulator;

import java.time.Duration;

/**
 * A workload with what it is meant to run on, and for how long.
 *
 * @param workload the requests
 * @param infrastructure the hosts
 * @param until where the simulation ends
 * @param overheads what preparing a host costs
 */
public record Scenario(
    Workload workload, Infrastructure infrastructure, Duration until, Overheads overheads) {}
