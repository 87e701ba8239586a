/**
 * Plans, actions, explanations, decisions, reports, figures, requests and hosts as JSON, and the
 * formats in which snapshots and values are stored.
 *
 * <p>{@link BerthJson} and {@link BerthModule} write JSON for people and other programs; nothing
 * reads it back. {@link SnapshotFormat} and {@link ValueFormat} read what they wrote. The rest of
 * this page is about the former.
 *
 * <p><b>Units.</b> Times and durations are in seconds, in members whose names end in {@code
 * Seconds}. They are decimal numbers, exact to the nanosecond. Amounts of resources are in wholes
 * of their dimension, such as cores and gigabytes, as decimal numbers.
 *
 * <p><b>Names</b> are stable. Later versions may add members. A member without a value is absent; a
 * list or map may be empty. A {@code text} is for people and may change. States and kinds are in
 * lower case, with hyphens.
 */
@Experimental
@NullMarked
package dev.berth.json;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
