/**
 * Building blocks that several formats share: rows, field expressions, dimensions, field output.
 */
@NullMarked
package dev.berth.traces.internal;

import org.jspecify.annotations.NullMarked;
