package dev.berth.experiments.study;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.store.CellStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A published study that can be reproduced: policies on workloads, the figures of their runs, and
 * the claims of the publication about them.
 *
 * <p>Studies are immutable and may run several times.
 */
public interface Study {

  /** Returns the name of the study: small letters, digits and '-'. */
  String name();

  /** Returns the title of the study, one line. */
  String title();

  /** Returns the file or folder that the study reads; empty if it needs none. */
  default Optional<Input> input() {
    return Optional.empty();
  }

  /**
   * Returns the notes on the study. By default they are the resource {@code notes/<name>.md} beside
   * the class of the study.
   *
   * @throws IllegalStateException if the resource is missing
   */
  default StudyNotes notes() {
    return StudyNotes.read(getClass(), "notes/" + name() + ".md");
  }

  /**
   * Returns how long the study takes on two cores of a server, roughly; empty if that was not
   * measured.
   */
  default Optional<Duration> duration() {
    return StudyDurations.of(name());
  }

  /** Returns whether the study runs on {@linkplain Hosts other hosts}; by default it does not. */
  default boolean takesHosts() {
    return false;
  }

  /**
   * Runs the study.
   *
   * @throws dev.berth.traces.input.InputException if the input cannot be used
   * @throws dev.berth.core.error.UnknownPolicyException if a policy of the study is not installed
   * @throws dev.berth.core.error.PolicyFailedException if a policy fails
   * @throws dev.berth.experiments.run.ExperimentFailedException if a run fails otherwise
   */
  StudyResult run(Setting setting);

  /**
   * A file or folder that Berth does not distribute.
   *
   * @param name its file name; with or without {@code .gz} is the same
   * @param origin where it is from; may be empty
   * @param preferred file name of an input that the study prefers; empty: none
   */
  record Input(String name, String origin, String preferred) {

    /** Creates an input without a preferred one. */
    public Input(String name, String origin) {
      this(name, origin, "");
    }

    @Override
    public String toString() {
      return (origin.isEmpty() ? name : name + " " + origin)
          + (preferred.isEmpty() ? "" : ", or " + preferred);
    }
  }

  /**
   * The hosts that a study runs on instead of its own.
   *
   * @param files hosts, each as {@code [format:]file} with an absolute path; empty: those of the
   *     study
   * @param scales shares of the hosts' capacity, as in an experiment; empty: those of the study, or
   *     1 for files
   */
  record Hosts(List<String> files, List<Double> scales) {

    /** The hosts of the study. */
    public static final Hosts PUBLISHED = new Hosts(List.of(), List.of());

    /** Copies the lists. */
    public Hosts {
      files = List.copyOf(files);
      scales = List.copyOf(scales);
    }

    /** Returns whether these are the hosts of the study at its own scales. */
    public boolean arePublished() {
      return files.isEmpty() && scales.isEmpty();
    }
  }

  /** Receives how far a study is that consists of single runs. */
  @FunctionalInterface
  interface Steps {

    /** Ignores all progress. */
    Steps NONE = (run, done, all) -> {};

    /**
     * A run begins.
     *
     * @param run names it
     * @param done number of runs before it
     * @param all number of runs of this part of the study
     */
    void reached(String run, int done, int all);
  }

  /**
   * What a run of a study depends on, and what observes it.
   *
   * @param registry looks up policies
   * @param input path of the input; empty if the study needs none
   * @param seed of the first run; further runs count on from it
   * @param hosts the hosts of studies that {@linkplain Study#takesHosts take} them
   * @param listener receives the progress of studies that consist of an experiment
   * @param steps receives the progress of the other studies
   * @param cells stores the runs of studies that consist of an experiment; empty: they are not kept
   */
  record Setting(
      PolicyRegistry registry,
      String input,
      long seed,
      Hosts hosts,
      ExperimentRunner.Listener listener,
      Steps steps,
      Optional<CellStore> cells) {

    /** Creates a setting for the hosts of the study that nothing observes. */
    public Setting(PolicyRegistry registry, String input, long seed) {
      this(
          registry,
          input,
          seed,
          Hosts.PUBLISHED,
          ExperimentRunner.Listener.NONE,
          Steps.NONE,
          Optional.empty());
    }
  }
}
