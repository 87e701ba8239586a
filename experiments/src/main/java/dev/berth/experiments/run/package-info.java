/**
 * Experiments that are ready: policies on many workloads and infrastructures, with the same
 * measurements.
 *
 * <p>An {@link dev.berth.experiments.run.Experiment} consists of cells, each one run of one policy
 * under {@linkplain dev.berth.experiments.run.RunSettings settings} of its own. {@link
 * dev.berth.experiments.run.ExperimentRunner} runs them, several at a time if requested, and stores
 * each when it ends, so an interrupted experiment can resume. A cell is stored under a digest of
 * everything it depends on. Results of other inputs, configurations or versions are therefore never
 * reused.
 */
@NullMarked
package dev.berth.experiments.run;

import org.jspecify.annotations.NullMarked;
