package dev.berth.experiments.cluster;

import java.util.Map;

/** Connects to clusters of one kind. A {@link java.util.ServiceLoader} finds it. */
public interface ClusterProvider {

  /** Returns the kind of the clusters, in lower case: {@code "spark"}. */
  String kind();

  /**
   * Returns a cluster, to which it connects when there is something to run.
   *
   * @param address of the cluster
   * @param settings by name
   */
  Cluster connect(String address, Map<String, String> settings);
}
