/**
 * How long things take in a simulation: the speed of instances, and the overheads of decisions and
 * placements.
 */
@NullMarked
package dev.berth.simulator.execution;

import org.jspecify.annotations.NullMarked;
