/**
 * Experiments: policies on workloads and infrastructures, many times over, measured alike.
 *
 * <p>An {@link dev.berth.experiments.ExperimentSpec} says in JSON what is to be run. {@link
 * dev.berth.experiments.Experiment} is what that comes to: cells, each one run of one policy under
 * {@linkplain dev.berth.experiments.RunSettings settings} of its own. {@link
 * dev.berth.experiments.ExperimentRunner} runs them, several at a time if wanted, and keeps each in
 * a {@link dev.berth.experiments.CellStore} as it ends, so that an interrupted experiment can go
 * on. A cell is found again by a digest of all it depends on; so what was left by other inputs,
 * another configuration or another version is never taken for it.
 */
@NullMarked
package dev.berth.experiments;

import org.jspecify.annotations.NullMarked;
