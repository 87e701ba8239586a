package dev.berth.cli.output;

import dev.berth.simulator.RunResult;

/**
 * What a run at scale came to.
 *
 * @param result its totals
 * @param events what happened in it, passes included
 * @param load what was asked for and waited, over time
 * @param cost what it took; the only part that differs from run to run
 */
public record ScaleOutcome(RunResult result, long events, ScaleLoad load, RunCost cost) {}
