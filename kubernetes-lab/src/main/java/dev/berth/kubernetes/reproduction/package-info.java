/**
 * The validation experiments of the paper on QoS-driven scheduling, on a real control plane and in
 * real time.
 *
 * <p>{@link dev.berth.kubernetes.reproduction.ReproduceCommand} runs them and prints their figures
 * beside the published ones.
 */
@NullMarked
package dev.berth.kubernetes.reproduction;

import org.jspecify.annotations.NullMarked;
