/** Journals: append-only logs of the events of a scheduler, with snapshots. */
@NullMarked
package dev.berth.runtime.journal;

import org.jspecify.annotations.NullMarked;
