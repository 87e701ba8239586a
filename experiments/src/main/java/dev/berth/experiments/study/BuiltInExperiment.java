package dev.berth.experiments.study;

import dev.berth.core.error.ConfigException;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.CellStore;
import dev.berth.experiments.Experiment;
import dev.berth.experiments.ExperimentFailedException;
import dev.berth.experiments.ExperimentLoader;
import dev.berth.experiments.ExperimentRunner;
import dev.berth.experiments.ExperimentSpec;
import dev.berth.experiments.RunOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** An experiment whose file is a resource, as a study runs it. */
public final class BuiltInExperiment {

  private BuiltInExperiment() {}

  /** Reads an experiment from a resource beside a class. */
  public static ExperimentSpec spec(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path.");
      }
      return ExperimentSpec.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (ConfigException impossible) {
      throw new IllegalStateException(name + " is not valid", impossible);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Loads an experiment, whose paths are relative to the input of the study.
   *
   * @throws ConfigException if it depends on something that is missing
   */
  public static Experiment load(ExperimentSpec spec, Study.Setting setting) {
    return ExperimentLoader.load(spec, Path.of(setting.input()), setting.registry());
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
      if (each.outcome() instanceof RunOutcome.Failed failed) {
        throw new ExperimentFailedException(failed.why(), failed.failure());
      }
    }
    return results;
  }
}
