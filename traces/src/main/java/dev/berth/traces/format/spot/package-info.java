/** Alibaba's trace of 2026 of a GPU cluster with spot jobs. */
@NullMarked
package dev.berth.traces.format.spot;

import org.jspecify.annotations.NullMarked;
