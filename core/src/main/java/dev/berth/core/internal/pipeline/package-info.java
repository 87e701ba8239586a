/**
 * A policy assembled from parts: its queue, its decisions in a pass, and their diagnosis. Internal.
 *
 * <p>The pipeline keeps its queue and its victims in order by following the transitions of the
 * cluster state. It asks {@link dev.berth.core.internal.search.Feasibility} for the best host of
 * each instance and acts through {@link dev.berth.core.internal.pass.Pass}.
 */
@NullMarked
package dev.berth.core.internal.pipeline;

import org.jspecify.annotations.NullMarked;
