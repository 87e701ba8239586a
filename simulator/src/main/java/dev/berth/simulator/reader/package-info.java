/**
 * Reads workloads, infrastructures and host events from files; {@link
 * dev.berth.simulator.reader.Readers} is where to start.
 *
 * <p>Words of foreign formats (task, machine) occur in their readers and nowhere else.
 */
@NullMarked
package dev.berth.simulator.reader;

import org.jspecify.annotations.NullMarked;
