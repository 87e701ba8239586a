/**
 * Experiments on the machines of a cluster.
 *
 * <ol>
 *   <li>{@link dev.berth.experiments.cluster.ClusterCells} gets the missing cells from {@link
 *       dev.berth.experiments.run.ExperimentRunner}, puts the largest first, and describes them as
 *       {@link dev.berth.experiments.cluster.ClusterWork}: their digests, the text of the
 *       experiment, its files, and the jars of Berth and of plugins.
 *   <li>A {@link dev.berth.experiments.cluster.Cluster}, such as Spark, brings the files and jars
 *       to its machines and distributes the digests. It understands neither cells nor results.
 *   <li>There, {@link dev.berth.experiments.cluster.CellWorker} loads the experiment in a class
 *       loader of its own, with the very jars of the local process. So the libraries of the cluster
 *       cannot be in the way, and the digests, which cover code and inputs, must agree.
 *   <li>It runs the cell of a digest in a temporary store, and returns the files of that store, or
 *       why the policy failed.
 *   <li>{@code ClusterCells} checks the files and stores them as those of a local run. Whatever
 *       reads the store cannot distinguish them.
 * </ol>
 */
@NullMarked
package dev.berth.experiments.cluster;

import org.jspecify.annotations.NullMarked;
