/** The seed of generated tests. */
@NullMarked
package dev.berth.test;

import org.jspecify.annotations.NullMarked;
