/**
 * Internals of the engine: cluster state, the guarded pass, and the pipeline on its fast path. Not
 * an API.
 *
 * <p><b>How data flows.</b> {@link dev.berth.core.Scheduler} turns events into transitions of
 * {@link dev.berth.core.engine.ClusterState}, which owns all instances and hosts, their accounting,
 * and the capacity table. A policy acts through {@link dev.berth.core.engine.Pass}, which checks
 * each action and applies it to the same state with a journal to undo it. A {@link
 * dev.berth.core.engine.Pipeline} policy keeps its queue and victims ordered by listening to the
 * same transitions, and asks {@link dev.berth.core.engine.Feasibility} for the best host.
 */
@NullMarked
package dev.berth.core.engine;

import org.jspecify.annotations.NullMarked;
