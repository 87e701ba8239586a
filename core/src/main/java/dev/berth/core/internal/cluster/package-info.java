/**
 * The hosts and instances of a cluster, their accounting, and what closes hosts. Internal.
 *
 * <p>The records refer to each other, as an instance refers to its host and a host to its
 * residents. A {@code TransitionListener} follows what happens to them.
 */
@NullMarked
package dev.berth.core.internal.cluster;

import org.jspecify.annotations.NullMarked;
