/**
 * Takes snapshots of the state of a scheduler, computes its digest, and restores it. Internal.
 *
 * <p>{@link dev.berth.core.internal.snapshot.SnapshotWriter} makes plain data of the records of the
 * state, and {@link dev.berth.core.internal.snapshot.SnapshotReader} records of plain data. A field
 * that decides later plans or reports must be in both; a test lists those that are not.
 */
@NullMarked
package dev.berth.core.internal.snapshot;

import org.jspecify.annotations.NullMarked;
