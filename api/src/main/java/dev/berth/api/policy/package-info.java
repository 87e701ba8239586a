/**
 * What a policy author implements and what a policy is given: {@link dev.berth.api.policy.Policy},
 * the {@link dev.berth.api.policy.SchedulingPass} it acts on, the factories by which policies are
 * found, and the {@link dev.berth.api.policy.PipelineBuilder} that assembles a policy from parts.
 *
 * <p>Nothing here is null. Unless stated otherwise, types are used only by the thread that drives
 * the scheduler.
 */
@NullMarked
package dev.berth.api.policy;

import org.jspecify.annotations.NullMarked;
