/** What a scheduler decided and why: the decision log, and the seeded hashes that break ties. */
@NullMarked
package dev.berth.core.decision;

import org.jspecify.annotations.NullMarked;
