/**
 * What the evaluation of QoS-driven scheduling measures (sections 4.3.1 and 5), taken while a
 * {@link dev.berth.simulator.Simulation} runs: {@link dev.berth.simulator.metrics.MetricsCollector}
 * watches it and yields {@link dev.berth.simulator.metrics.RunMetrics}. What became of each request
 * goes to a file, {@link dev.berth.simulator.metrics.AvailabilityFile}, so that memory does not
 * grow with the number of requests.
 */
@NullMarked
package dev.berth.simulator.metrics;

import org.jspecify.annotations.NullMarked;
