/**
 * Answers to <em>why pending</em>, <em>why preempted</em> and <em>why here</em>, as data and in
 * words.
 */
@NullMarked
package dev.berth.core.explain;

import org.jspecify.annotations.NullMarked;
