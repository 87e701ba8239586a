/**
 * Prepares experiments: describes workloads, samples them by user, sizes infrastructures for them,
 * and generates workloads and hosts that resemble the Google cluster trace of 2011 (QoS-driven
 * scheduling in the cloud, sections 4.2 and 4.3).
 *
 * <p>Every random result depends only on its seed and its input.
 */
@NullMarked
package dev.berth.traces.prepare;

import org.jspecify.annotations.NullMarked;
