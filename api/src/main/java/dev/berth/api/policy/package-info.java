/**
 * The SPI of policies: {@link dev.berth.api.policy.Policy} and the {@link
 * dev.berth.api.policy.SchedulingPass} it acts on, the {@link dev.berth.api.policy.PolicyProvider}
 * and its factories, and the {@link dev.berth.api.policy.PipelineBuilder} that assembles a policy
 * from parts.
 *
 * <p>No method accepts or returns {@code null}. Unless stated otherwise, only the thread that
 * drives the scheduler may use these types.
 */
@NullMarked
package dev.berth.api.policy;

import org.jspecify.annotations.NullMarked;
