/** Journals: append-only logs of the inputs of a scheduler, with snapshots. */
@NullMarked
package dev.berth.runtime.journal;

import org.jspecify.annotations.NullMarked;
