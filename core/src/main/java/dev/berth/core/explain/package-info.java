/**
 * Answers to <em>why pending</em>, <em>why preempted</em> and <em>why here</em>, as data and in
 * words.
 */
@Experimental
@NullMarked
package dev.berth.core.explain;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
