/**
 * Baselines that belong to no publication: {@code never-preempt}, {@code bin-packing} and {@code
 * queue-depth}. Comparing a policy with them shows what preemption, tight packing or run-time
 * estimates are worth.
 */
@NullMarked
package dev.berth.policies.baselines;

import org.jspecify.annotations.NullMarked;
