/** Arbitraries for jqwik properties; each can be used alone. */
@NullMarked
package dev.berth.testkit.generators;

import org.jspecify.annotations.NullMarked;
