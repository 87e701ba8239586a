/**
 * The engine: {@link dev.berth.core.Scheduler} is what an embedder talks to.
 *
 * <p>Nothing here accepts or returns {@code null} unless it says so. No threads, no I/O, no clock,
 * no mutable static state.
 */
@NullMarked
package dev.berth.core;

import org.jspecify.annotations.NullMarked;
