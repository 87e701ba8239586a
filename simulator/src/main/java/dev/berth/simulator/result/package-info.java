/**
 * The result of a simulation: what happened to each request and service class, and what it cost.
 */
@NullMarked
package dev.berth.simulator.result;

import org.jspecify.annotations.NullMarked;
