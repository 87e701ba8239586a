/** The events that a scheduler is told, as values. */
@NullMarked
package dev.berth.core.event;

import org.jspecify.annotations.NullMarked;
