package dev.berth.experiments.study;

import dev.berth.experiments.ExperimentFailedException;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.ExperimentRunner;
import dev.berth.experiments.output.CsvText;
import dev.berth.traces.InputException;
import dev.berth.report.Block;
import java.util.List;
import java.util.Optional;

/**
 * A published experiment that can be made again.
 *
 * <p>To add one: a class, its line in {@code PublishedStudies}, and its notes in the resource {@code
 * notes/<name>.md} (see {@link StudyNotes}).
 */
public interface Study {

  /** Returns what users call it; small letters, digits and '-'. */
  String name();

  /** Returns in one line what it is. */
  String title();

  /** Returns what of the real world it needs to read; empty if nothing. */
  default Optional<Input> input() {
    return Optional.empty();
  }

  /**
   * A file or folder that is not ours to give.
   *
   * @param name of it; with or without {@code .gz} is the same
   * @param origin where it is from; may be empty
   */
  record Input(String name, String origin) {

    @Override
    public String toString() {
      return origin.isEmpty() ? name : name + " " + origin;
    }
  }

  /**
   * What an experiment may depend on.
   *
   * @param registry where policies are looked up
   * @param input path of its input, or empty if it needs none
   * @param seed of all that is left to chance
   * @param listener is told how those go on that are made of many runs
   */
  record Setting(
      PolicyRegistry registry, String input, long seed, ExperimentRunner.Listener listener) {

    /** Nobody listens. */
    public Setting(PolicyRegistry registry, String input, long seed) {
      this(registry, input, seed, ExperimentRunner.Listener.NOBODY);
    }
  }

  /**
   * What came of it.
   *
   * @param lines for people: published against ours, and what to make of it
   * @param blocks the same for a page: tables and charts, with ids that begin with the name
   * @param series the figures behind, as files
   */
  record Report(List<String> lines, List<Block> blocks, List<CsvText> series) {

    /** Copies the lists. */
    public Report {
      lines = List.copyOf(lines);
      blocks = List.copyOf(blocks);
      series = List.copyOf(series);
    }
  }

  /**
   * Makes it.
   *
   * @throws InputException if the input cannot be used
   * @throws ExperimentFailedException if a policy fails
   */
  Report run(Setting setting);
}
