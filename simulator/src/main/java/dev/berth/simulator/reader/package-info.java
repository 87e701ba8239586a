/**
 * Reads workloads, infrastructures and host events from files; {@link
 * dev.berth.simulator.reader.Readers} is where to start, {@link dev.berth.simulator.reader.Writers}
 * the way back.
 *
 * <p>Formats are plugins: {@link dev.berth.simulator.reader.WorkloadFormat}, {@link
 * dev.berth.simulator.reader.InfrastructureFormat} and {@link
 * dev.berth.simulator.reader.HostEventsFormat}, with {@link dev.berth.simulator.reader.Input},
 * {@link dev.berth.simulator.reader.Lines}, {@link dev.berth.simulator.reader.CsvTable} and {@link
 * dev.berth.simulator.reader.Field} to write them with.
 *
 * <p>Words of foreign formats (task, machine) occur in their readers and nowhere else.
 */
@NullMarked
package dev.berth.simulator.reader;

import org.jspecify.annotations.NullMarked;
