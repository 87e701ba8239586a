/**
 * Assertions about plans, instances and hosts, for AssertJ; begin with {@link
 * dev.berth.testkit.assertions.BerthAssertions}.
 */
@NullMarked
package dev.berth.testkit.assertions;

import org.jspecify.annotations.NullMarked;
