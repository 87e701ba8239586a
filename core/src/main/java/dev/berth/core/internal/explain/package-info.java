/** Explanations, derived from the state of the engine. Internal. */
@NullMarked
package dev.berth.core.internal.explain;

import org.jspecify.annotations.NullMarked;
