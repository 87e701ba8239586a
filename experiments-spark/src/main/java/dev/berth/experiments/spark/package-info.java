/**
 * Experiments on Apache Spark: the cluster of {@code berth experiment --spark}, and {@link
 * dev.berth.experiments.spark.SparkCluster} for programs with a context of their own.
 */
@NullMarked
package dev.berth.experiments.spark;

import org.jspecify.annotations.NullMarked;
