/** The events of a scheduler as values, which a journal stores and replays. */
@NullMarked
package dev.berth.runtime.input;

import org.jspecify.annotations.NullMarked;
