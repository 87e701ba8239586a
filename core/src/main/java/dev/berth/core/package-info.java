/**
 * The engine. Embedders use {@link dev.berth.core.Scheduler}.
 *
 * <p>Nothing here accepts or returns {@code null} unless its documentation says so. The engine has
 * no threads, no I/O, no clock and no mutable static state.
 */
@NullMarked
package dev.berth.core;

import org.jspecify.annotations.NullMarked;
