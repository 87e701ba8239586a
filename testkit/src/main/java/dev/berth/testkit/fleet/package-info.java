/** A contract test for fleets, for projects that depend on {@code berth-runtime}. */
@NullMarked
package dev.berth.testkit.fleet;

import org.jspecify.annotations.NullMarked;
