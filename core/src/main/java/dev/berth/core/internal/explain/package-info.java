/** Explanations, worked out from the state of the engine. */
@NullMarked
package dev.berth.core.internal.explain;

import org.jspecify.annotations.NullMarked;
