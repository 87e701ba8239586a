/**
 * Memory-aware scheduling: MEMiC, the elasticity controller MEC, which works with any policy, and
 * the policies that MEMiC was compared with.
 *
 * <p>Source: <em>Memory Elasticity Management in Clouds</em>, doctoral thesis (in Portuguese).
 * Section, equation and algorithm numbers refer to it.
 */
@NullMarked
package dev.berth.policies.memory;

import org.jspecify.annotations.NullMarked;
