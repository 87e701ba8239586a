/** Workloads: the requests of a simulation over time, and how they really behave. */
@NullMarked
package dev.berth.simulator.workload;

import org.jspecify.annotations.NullMarked;
