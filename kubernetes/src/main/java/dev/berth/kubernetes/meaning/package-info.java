/**
 * What pods, nodes and disruption budgets of Kubernetes mean to a scheduler. Pure functions without
 * network, clock or state.
 *
 * <p>What has no equivalent is refused, with the place in the specification and the reason. What is
 * only a wish is left out, and reported as left out.
 */
@NullMarked
package dev.berth.kubernetes.meaning;

import org.jspecify.annotations.NullMarked;
