/**
 * What is between the fleet and its scheduler: nothing, or faults of reports, actions and hosts.
 */
@NullMarked
package dev.berth.simulator.internal.fleet;

import org.jspecify.annotations.NullMarked;
