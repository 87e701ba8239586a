/**
 * The simulator: an embedder of {@link dev.berth.core.Scheduler} with a virtual clock. It uses only
 * the public API, so a policy cannot distinguish a simulation from real time.
 *
 * <p>{@link dev.berth.simulator.Simulation} runs a {@link dev.berth.simulator.workload.Workload} on
 * an {@link dev.berth.simulator.fleet.Infrastructure} and returns a {@link
 * dev.berth.simulator.result.RunResult}. Module {@code traces} reads both from files. Module {@code
 * experiments} provides built-in ones. A {@link dev.berth.simulator.SimulationListener} follows a
 * run.
 *
 * <p><b>Time</b> is counted from the start of the simulation, which is 0: a {@code long} in
 * nanoseconds in events and figures, a {@link java.time.Duration} in settings.
 *
 * <p><b>Repeatability.</b> The same workload, infrastructure, settings and seed give the same
 * result, to the last bit, on every machine.
 */
@NullMarked
package dev.berth.simulator;

import org.jspecify.annotations.NullMarked;
