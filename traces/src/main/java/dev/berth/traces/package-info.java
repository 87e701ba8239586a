/**
 * Reads workloads, infrastructures and host events from files with {@link
 * dev.berth.traces.Readers}, and writes them with {@link dev.berth.traces.Writers}.
 *
 * <p>Formats are plugins. A {@link dev.berth.traces.spi.FormatProvider} supplies them as {@link
 * dev.berth.traces.spi.WorkloadFormat}, {@link dev.berth.traces.spi.InfrastructureFormat} and
 * {@link dev.berth.traces.spi.HostEventsFormat}. Their building blocks are {@link
 * dev.berth.traces.input.Input}, {@link dev.berth.traces.input.Lines}, {@link
 * dev.berth.traces.input.CsvTable} and {@link dev.berth.traces.input.Field}.
 *
 * <p>Each format of Berth has its own package below {@code dev.berth.traces.format}. The terms of a
 * foreign format, such as task or machine, occur only there.
 */
@NullMarked
package dev.berth.traces;

import org.jspecify.annotations.NullMarked;
