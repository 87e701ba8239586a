package dev.berth.cli.bench;

import dev.berth.simulator.result.RunResult;

/**
 * The outcome of a run at scale.
 *
 * @param result its totals
 * @param events number of events, including passes
 * @param load demand and pending requests over time
 * @param cost its cost; the only part that differs from run to run
 */
public record ScaleOutcome(RunResult result, long events, ScaleLoad load, RunCost cost) {}
