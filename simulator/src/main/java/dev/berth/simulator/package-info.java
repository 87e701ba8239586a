/**
 * The simulator: an embedder of {@link dev.berth.core.Scheduler} with a virtual clock. It uses the
 * public API alone, so a policy cannot tell a simulation from real time.
 *
 * <p>{@link dev.berth.simulator.Simulation} runs a {@link dev.berth.simulator.Workload} on an
 * {@link dev.berth.simulator.Infrastructure} and returns a {@link dev.berth.simulator.RunResult}.
 * Module {@code traces} reads both from files; module {@code experiments} has ready-made ones.
 *
 * <p><b>Time</b> is counted from the start of the simulation, which is 0: as a {@code long} in
 * nanoseconds where it is counted, as a {@link java.time.Duration} at the edges.
 *
 * <p><b>Repeatability.</b> The same workload, infrastructure, settings and seed give the same
 * result, to the last bit, on every machine.
 */
@NullMarked
package dev.berth.simulator;

import org.jspecify.annotations.NullMarked;
