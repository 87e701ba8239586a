/** The decisions of a scheduler and their reasons, and the seeded hashes that break ties. */
@NullMarked
package dev.berth.core.decision;

import org.jspecify.annotations.NullMarked;
