/**
 * The fleet of a simulation: its hosts, their events, the provider of its pools, and its faults.
 */
@NullMarked
package dev.berth.simulator.fleet;

import org.jspecify.annotations.NullMarked;
