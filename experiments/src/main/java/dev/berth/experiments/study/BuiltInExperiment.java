package dev.berth.experiments.study;

import dev.berth.core.error.ConfigException;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentFailedException;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** An experiment whose file is a resource, as a study runs it. */
public final class BuiltInExperiment {

  private BuiltInExperiment() {}

  /** Reads an experiment from a resource beside a class. */
  public static ExperimentSpec spec(Class<?> beside, String name) {
    try {
      return ExperimentSpec.parse(name, Resource.text(beside, name));
    } catch (ConfigException impossible) {
      throw new IllegalStateException(name + " is not valid", impossible);
    }
  }

  /**
   * Loads an experiment, whose paths are relative to the input of the study.
   *
   * @throws ConfigException if the hosts of the setting do not suit it
   */
  public static Experiment load(ExperimentSpec spec, Study.Setting setting) {
    try {
      return ExperimentLoader.load(spec, Path.of(setting.input()), setting.registry());
    } catch (ConfigException impossible) {
      if (!setting.hosts().arePublished()) {
        throw impossible;
      }
      throw new IllegalStateException(
          "an experiment depends on something that is missing", impossible);
    }
  }

  /**
   * Runs an experiment and uses its results, which may be read from where they are kept. Keeps them
   * where the study keeps them, if it does.
   *
   * @throws ExperimentFailedException if a run fails
   */
  public static <T> T run(
      Experiment experiment, Study.Setting setting, Function<List<CellResult>, T> use) {
    if (setting.cells().isPresent()) {
      return use.apply(run(experiment, setting, setting.cells().get()));
    }
    try (CellStore store = CellStore.temporary()) {
      return use.apply(run(experiment, setting, store));
    } catch (IOException failure) {
      throw new ExperimentFailedException("results cannot be stored: " + failure, failure);
    }
  }

  private static List<CellResult> run(
      Experiment experiment, Study.Setting setting, CellStore store) {
    int parallel = Runtime.getRuntime().availableProcessors();
    List<CellResult> results =
        new ExperimentRunner(store, parallel, setting.listener()).run(experiment);
    for (CellResult each : results) {
      each.failed()
          .ifPresent(
              failed -> {
                throw new ExperimentFailedException(failed.why(), failed.failure());
              });
    }
    return results;
  }
}
