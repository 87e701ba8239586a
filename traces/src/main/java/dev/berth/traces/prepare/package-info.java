/**
 * Prepares experiments: describes workloads, draws samples of them by their users, sizes
 * infrastructures for them, and generates workloads and hosts that are like those of the Google
 * cluster trace of 2011 (QoS-driven scheduling in the cloud, sections 4.2 and 4.3).
 *
 * <p>Everything that is drawn depends on its seed and its input alone.
 */
@NullMarked
package dev.berth.traces.prepare;

import org.jspecify.annotations.NullMarked;
