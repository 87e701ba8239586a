/**
 * The state of a scheduler as plain data: numbers, text, lists and maps, in records.
 *
 * <p>{@link dev.berth.core.Scheduler#snapshot} takes a {@link
 * dev.berth.core.snapshot.SchedulerSnapshot}, and {@link dev.berth.core.Scheduler.Builder#restore}
 * makes a scheduler of it. The module {@code berth-json} writes and reads it.
 *
 * <p>Amounts of resources are in units, by the names of the dimensions; the snapshot lists the
 * scales once. Times are in nanoseconds since the epoch of the embedder, durations in nanoseconds.
 * The records check nothing, since they may come from a damaged file; {@code restore} checks them.
 */
@NullMarked
@Experimental
package dev.berth.core.snapshot;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
