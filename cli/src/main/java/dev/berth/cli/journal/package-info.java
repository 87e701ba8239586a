/** {@code berth journal}: describes, verifies, compacts and exports the journal of a scheduler. */
@NullMarked
package dev.berth.cli.journal;

import org.jspecify.annotations.NullMarked;
