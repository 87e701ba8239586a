/**
 * Experiments: policies on many workloads and infrastructures, with the same measurements.
 *
 * <p>An {@link dev.berth.experiments.ExperimentSpec} specifies an experiment in JSON. An {@link
 * dev.berth.experiments.Experiment} consists of cells, each one run of one policy under {@linkplain
 * dev.berth.experiments.RunSettings settings} of its own. {@link
 * dev.berth.experiments.ExperimentRunner} runs them, several at a time if requested, and stores
 * each in a {@link dev.berth.experiments.CellStore} when it ends, so an interrupted experiment can
 * resume. A cell is stored under a digest of everything it depends on. Results of other inputs,
 * configurations or versions are therefore never reused.
 */
@NullMarked
package dev.berth.experiments;

import org.jspecify.annotations.NullMarked;
