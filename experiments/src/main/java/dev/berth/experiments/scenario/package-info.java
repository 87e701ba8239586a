/** Ready-made workloads and infrastructures of the published studies. */
@NullMarked
package dev.berth.experiments.scenario;

import org.jspecify.annotations.NullMarked;
