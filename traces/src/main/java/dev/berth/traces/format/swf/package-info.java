/** The Standard Workload Format of the Parallel Workloads Archive. */
@NullMarked
package dev.berth.traces.format.swf;

import org.jspecify.annotations.NullMarked;
