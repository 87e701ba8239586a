/** Bounds: what no policy can exceed, even with full knowledge of the future. */
@NullMarked
package dev.berth.experiments.bound;

import org.jspecify.annotations.NullMarked;
