package dev.berth.cli;

import dev.berth.core.PolicyRegistry;
import java.util.List;

/** A published experiment that can be made again. */
interface Reproduction {

  /** Returns what users call it. */
  String name();

  /** Returns in one line what it is. */
  String title();

  /** Returns whether it needs a log of a real machine, and which; empty if it needs none. */
  default String log() {
    return "";
  }

  /**
   * What an experiment may depend on.
   *
   * @param registry where policies are looked up
   * @param log path of the log, or empty if none was given
   * @param seed of all that is left to chance
   */
  record Setting(PolicyRegistry registry, String log, long seed) {}

  /**
   * What came of it.
   *
   * @param lines for people: published against ours, and what to make of it
   * @param series the figures behind, as files
   */
  record Report(List<String> lines, List<CsvText> series) {

    /** Copies the lists. */
    public Report {
      lines = List.copyOf(lines);
      series = List.copyOf(series);
    }
  }

  /**
   * Makes it.
   *
   * @throws BadInputException if the log cannot be used
   * @throws RunFailedException if a policy fails
   */
  Report run(Setting setting);
}
