/**
 * A loop that owns a scheduler: it takes events from all threads, runs the passes, has a fleet
 * carry the plans out, and keeps a journal from which it recovers.
 */
@Experimental
@NullMarked
package dev.berth.runtime;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
