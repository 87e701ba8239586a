/** Clusters to measure on, described as data, and played through a scheduler. */
@NullMarked
package dev.berth.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
