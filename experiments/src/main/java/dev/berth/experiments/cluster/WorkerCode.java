package dev.berth.experiments.cluster;

import dev.berth.api.policy.PolicyProvider;
import dev.berth.traces.spi.FormatProvider;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** Finds the jars and folders that a worker needs: what loading and running a cell can call. */
final class WorkerCode {

  /**
   * One class of each jar: Berth's modules, and their libraries. In one large jar all have the same
   * place; a library that is missing here will not be needed.
   */
  static final List<String> CLASSES =
      List.of(
          "dev.berth.api.Instance",
          "dev.berth.core.Scheduler",
          "dev.berth.timeline.RunTimeline",
          "dev.berth.simulator.Simulation",
          "dev.berth.traces.Readers",
          "dev.berth.report.Document",
          "dev.berth.json.BerthModule",
          "dev.berth.runtime.SchedulerLoop",
          "com.fasterxml.jackson.annotation.JsonCreator",
          "com.fasterxml.jackson.core.JsonFactory",
          "com.fasterxml.jackson.databind.JsonNode",
          "com.fasterxml.jackson.dataformat.cbor.CBORFactory",
          "com.fasterxml.jackson.dataformat.csv.CsvFactory",
          "com.fasterxml.jackson.datatype.jdk8.Jdk8Module",
          "com.google.common.base.Strings",
          "com.google.common.util.concurrent.internal.InternalFutureFailureAccess",
          "com.github.luben.zstd.Zstd",
          "org.HdrHistogram.Histogram",
          "org.apache.commons.codec.Decoder",
          "org.apache.commons.compress.MemoryLimitException",
          "org.apache.commons.io.IOUtils",
          "org.apache.commons.lang3.StringUtils",
          "org.apache.commons.numbers.core.Precision",
          "org.apache.commons.numbers.arrays.Selection",
          "org.apache.commons.numbers.combinatorics.Factorial",
          "org.apache.commons.numbers.fraction.ContinuedFraction",
          "org.apache.commons.numbers.gamma.Gamma",
          "org.apache.commons.numbers.rootfinder.BrentSolver",
          "org.apache.commons.rng.UniformRandomProvider",
          "org.apache.commons.rng.sampling.PermutationSampler",
          "org.apache.commons.statistics.descriptive.Mean",
          "org.apache.commons.statistics.distribution.TDistribution",
          "org.hipparchus.clustering.Cluster",
          "org.hipparchus.stat.StatUtils",
          "org.hipparchus.util.FastMath",
          "org.slf4j.Logger",
          "org.tukaani.xz.XZInputStream");

  private WorkerCode() {}

  /** Returns the places, without those of plugins. */
  static List<Path> locations() {
    Set<Path> places = new LinkedHashSet<>();
    add(WorkerCode.class, places);
    ClassLoader ours = WorkerCode.class.getClassLoader();
    ServiceLoader.load(PolicyProvider.class, ours).stream()
        .forEach(each -> add(each.type(), places));
    ServiceLoader.load(FormatProvider.class, ours).stream()
        .forEach(each -> add(each.type(), places));
    for (String each : CLASSES) {
      try {
        add(Class.forName(each, false, ours), places);
      } catch (ClassNotFoundException missing) {
        // A worker that needed it would name it.
      }
    }
    return List.copyOf(places);
  }

  private static void add(Class<?> type, Set<Path> places) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return;
    }
    try {
      places.add(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
