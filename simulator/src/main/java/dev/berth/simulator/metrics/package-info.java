/**
 * The metrics of the evaluation of QoS-driven scheduling (sections 4.3.1 and 5).
 *
 * <p>A {@link dev.berth.simulator.metrics.MetricsCollector} samples a {@link
 * dev.berth.simulator.Simulation} and returns {@link dev.berth.simulator.metrics.RunMetrics}. An
 * {@link dev.berth.simulator.metrics.AvailabilityFile} stores the availability of each request, so
 * that memory use does not grow with the number of requests.
 */
@Experimental
@NullMarked
package dev.berth.simulator.metrics;

import dev.berth.api.Experimental;
import org.jspecify.annotations.NullMarked;
