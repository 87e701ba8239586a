/**
 * Reads workloads, infrastructures and host events from files; {@link dev.berth.traces.Readers} is
 * where to start, {@link dev.berth.traces.Writers} the way back.
 *
 * <p>Formats are plugins: {@link dev.berth.traces.WorkloadFormat}, {@link
 * dev.berth.traces.InfrastructureFormat} and {@link dev.berth.traces.HostEventsFormat}, with {@link
 * dev.berth.traces.Input}, {@link dev.berth.traces.Lines}, {@link dev.berth.traces.CsvTable} and
 * {@link dev.berth.traces.Field} to write them with.
 *
 * <p>Words of foreign formats (task, machine) occur in their readers and nowhere else.
 */
@NullMarked
package dev.berth.traces;

import org.jspecify.annotations.NullMarked;
