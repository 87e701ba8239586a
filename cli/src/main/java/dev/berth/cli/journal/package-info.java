/**
 * {@code berth journal}: describes, verifies, compacts, salvages and exports the journal of a
 * scheduler.
 */
@NullMarked
package dev.berth.cli.journal;

import org.jspecify.annotations.NullMarked;
