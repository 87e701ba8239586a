/**
 * The state of a scheduler as a whole, its transitions, and the events that an embedder reports.
 * Internal.
 *
 * <p>{@code ClusterState} adds to the hosts and instances of a cluster what bags, groups, pools,
 * budgets and open actions keep. {@code Transitions} moves instances, and tells each of these.
 */
@NullMarked
package dev.berth.core.internal.state;

import org.jspecify.annotations.NullMarked;
