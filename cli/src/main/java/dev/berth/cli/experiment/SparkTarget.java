package dev.berth.cli.experiment;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.terminal.Version;
import dev.berth.experiments.cluster.Cluster;
import dev.berth.experiments.cluster.ClusterProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options {@code --spark} and {@code --conf}: the cluster that runs the experiment. */
final class SparkTarget {

  private static final String KIND = "spark";

  @Option(
      names = "--spark",
      paramLabel = "MASTER",
      description =
          "Runs on Apache Spark: spark://HOST:PORT, yarn, k8s://URL or local[N]. Results are the "
              + "same bytes, and stored here as usual.")
  private @Nullable String master;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      arity = "1",
      description = "A setting of Spark, as for spark-submit; can be given several times.")
  private List<String> settings = new ArrayList<>();

  /**
   * Checks, before anything is read, that the options fit together and that there is a Spark.
   *
   * @param parallel the number of runs at a time, if given
   */
  void check(@Nullable Integer parallel) {
    BadInputException.unless(
        master != null || settings.isEmpty(),
        "--conf is a setting of Spark, must be with --spark MASTER.");
    for (String each : settings) {
      BadInputException.unless(
          each.indexOf('=') > 0,
          "--conf was \"%s\", must be KEY=VALUE, such as spark.executor.memory=2g."
              .formatted(each));
    }
    BadInputException.unless(
        master == null || parallel == null,
        "--parallel was %s, must not be given with --spark, whose cluster decides it."
            .formatted(parallel));
    BadInputException.unless(
        master == null || provider().isPresent(),
        ("--spark needs berth-experiments-spark, which is not on the class path. Maybe add "
                + "dev.berth:berth-experiments-spark:%1$s, or the jars of a Spark and "
                + "berth-experiments-spark-%1$s-all.jar.")
            .formatted(Version.number()));
  }

  /** Returns the cluster; empty if the experiment runs in this process. */
  Optional<Cluster> cluster() {
    String address = master;
    return address == null
        ? Optional.empty()
        : provider().map(each -> each.connect(address, byName()));
  }

  private Map<String, String> byName() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String each : settings) {
      int equals = each.indexOf('=');
      values.put(each.substring(0, equals), each.substring(equals + 1));
    }
    return values;
  }

  private static Optional<ClusterProvider> provider() {
    return ServiceLoader.load(ClusterProvider.class, SparkTarget.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.kind().equals(KIND))
        .findFirst();
  }
}
