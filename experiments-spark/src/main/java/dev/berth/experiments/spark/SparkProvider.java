package dev.berth.experiments.spark;

import dev.berth.experiments.cluster.Cluster;
import dev.berth.experiments.cluster.ClusterProvider;
import dev.berth.experiments.run.ExperimentFailedException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Connects to Spark masters. Each cluster has a context for the time of its run. */
public final class SparkProvider implements ClusterProvider {

  private static final String NAME = "spark.app.name";

  @Override
  public String kind() {
    return "spark";
  }

  /**
   * Returns a cluster.
   *
   * @param address of its master, as Spark writes it
   * @param settings of Spark. Those of the process apply, too; without either, there is no web
   *     server, results have no limit of size, and few tasks that ended are remembered.
   */
  @Override
  public Cluster connect(String address, Map<String, String> settings) {
    return (work, results) -> {
      SparkConf conf =
          new SparkConf()
              .setMaster(address)
              .setIfMissing(NAME, "berth experiment " + work.name())
              .setIfMissing("spark.ui.enabled", "false")
              .setIfMissing("spark.ui.retainedTasks", "1000") // kept even without it
              .setIfMissing("spark.driver.maxResultSize", "0");
      settings.forEach(conf::set);
      try (JavaSparkContext context = start(conf)) {
        new SparkCluster(context).run(work, results);
      }
    };
  }

  private static JavaSparkContext start(SparkConf conf) {
    try {
      return new JavaSparkContext(conf);
    } catch (Exception impossible) { // also checked ones, which Scala does not declare
      throw new ExperimentFailedException(
          "Spark cannot start: " + SparkCluster.firstLine(impossible), impossible);
    }
  }
}
