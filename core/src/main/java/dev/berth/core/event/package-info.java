/** The events of a scheduler, as immutable values. */
@NullMarked
package dev.berth.core.event;

import org.jspecify.annotations.NullMarked;
