/**
 * The state of a cluster: hosts, instances and their accounting, pools and bags of tasks. Internal.
 *
 * <p>{@link dev.berth.core.internal.state.ClusterState} owns all of it and makes every transition.
 * A {@link dev.berth.core.internal.state.TransitionListener} follows the transitions. The records
 * refer to each other, as an instance refers to its host and a host to its residents.
 */
@NullMarked
package dev.berth.core.internal.state;

import org.jspecify.annotations.NullMarked;
