package dev.berth.experiments.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.cluster.Cluster;
import dev.berth.experiments.cluster.ClusterCells;
import dev.berth.experiments.cluster.ClusterWork;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentFailedException;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Runs cells in a Spark context, each as a task of one job, in the given order. */
public final class SparkCluster implements Cluster {

  /** The setting that leaves the inputs where they are: on each machine under the same path. */
  static final String INPUTS = "spark.berth.inputs";

  private final JavaSparkContext context;

  /** Creates a cluster in a context, which stays open. */
  public SparkCluster(JavaSparkContext context) {
    this.context = context;
  }

  /**
   * Runs the cells of an experiment that a store lacks, with the policies of the class path.
   *
   * @param context where they run; stays open
   * @param file the experiment, as for {@code berth experiment}
   * @param store keeps the results
   * @return one result for each cell, in order
   * @throws dev.berth.core.error.ConfigException if the experiment cannot run
   * @throws UncheckedIOException if the file cannot be read or the store cannot be written
   * @throws ExperimentFailedException if a cell cannot run on Spark
   */
  public static List<CellResult> run(JavaSparkContext context, Path file, CellStore store) {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    PolicyRegistry registry = PolicyRegistry.load();
    String name = file.toString();
    Experiment experiment =
        ExperimentLoader.load(ExperimentSpec.parse(name, text, folder, registry), folder, registry);
    ClusterCells cells = new ClusterCells(new SparkCluster(context), name, text, folder, List.of());
    return new ExperimentRunner(store, cells, ExperimentRunner.Listener.NONE, false)
        .run(experiment);
  }

  @Override
  public void run(ClusterWork work, Results results) {
    SparkContext spark = context.sc();
    List<String> keys = work.keys();
    Collector collector = new Collector(keys, results);
    SparkListener progress =
        new SparkListener() {
          @Override
          public void onTaskStart(SparkListenerTaskStart start) {
            results.starts(keys.get(start.taskInfo().index()));
          }
        };
    boolean copied = spark.conf().get(INPUTS, "copied").equals("copied");
    try (Shipment shipment = Shipment.of(work, copied)) {
      spark.addFile(shipment.bundle().toString());
      spark.addJar(shipment.jar().toString());
      spark.addSparkListener(progress);
      RDD<String> cells = context.parallelize(keys, keys.size()).rdd(); // one a partition
      spark.runJob(cells, shipment.task(), collector, ClassTag$.MODULE$.apply(byte[][].class));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (ExperimentFailedException ours) {
      throw ours;
    } catch (Exception failure) { // also checked ones, which Scala does not declare
      collector.rethrow();
      throw new ExperimentFailedException(
          spark.isStopped()
              ? "Spark ended the application; the logs of its master and workers have the cause."
              : "the runs on Spark failed: " + firstLine(failure),
          failure);
    } finally {
      spark.removeSparkListener(progress);
    }
  }

  /** Returns the first line, which names executor and cause. */
  static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  /** Receives the results of tasks, in the process that submitted them. */
  private static final class Collector extends AbstractFunction2<Object, byte[][], BoxedUnit> {

    private final List<String> keys;
    private final Results results;
    private volatile @Nullable RuntimeException failure;

    Collector(List<String> keys, Results results) {
      this.keys = keys;
      this.results = results;
    }

    @Override
    public BoxedUnit apply(Object task, byte[][] result) {
      try {
        List<byte[]> files = List.of(result).subList(1, result.length);
        results.ends(keys.get((Integer) task), files, new String(result[0], UTF_8));
      } catch (RuntimeException unstored) {
        failure = unstored;
        throw unstored;
      }
      return BoxedUnit.UNIT;
    }

    /** Throws what a result caused here, and Spark reports as its own failure. */
    void rethrow() {
      RuntimeException ours = failure;
      if (ours != null) {
        throw ours;
      }
    }
  }
}
