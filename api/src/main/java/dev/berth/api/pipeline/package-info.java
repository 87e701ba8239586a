/**
 * The parts of a pipeline: queue order, victim order, preemption rule and cost, allocation score,
 * and their settings. A part is pure, cheap, and called by the thread that drives the scheduler.
 *
 * <p>A part that implements one of the optional sub-interfaces lets the engine skip work. This
 * never changes a plan.
 */
@NullMarked
package dev.berth.api.pipeline;

import org.jspecify.annotations.NullMarked;
