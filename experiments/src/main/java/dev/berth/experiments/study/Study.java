package dev.berth.experiments.study;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.ExperimentRunner;
import java.util.Optional;

/**
 * A published study that can be reproduced: policies on workloads, the figures of their runs, and
 * the claims of the publication about them.
 *
 * <p>A {@link StudyProvider} adds studies to the {@link StudyRegistry}. Studies are immutable and
 * may run several times.
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
   * Runs the study.
   *
   * @throws dev.berth.traces.InputException if the input cannot be used
   * @throws dev.berth.core.error.UnknownPolicyException if a policy of the study is not installed
   * @throws dev.berth.core.error.PolicyFailedException if a policy fails
   * @throws dev.berth.experiments.ExperimentFailedException if a run fails otherwise
   */
  StudyResult run(Setting setting);

  /**
   * A file or folder that Berth does not distribute.
   *
   * @param name its file name; with or without {@code .gz} is the same
   * @param origin where it is from; may be empty
   */
  record Input(String name, String origin) {

    @Override
    public String toString() {
      return origin.isEmpty() ? name : name + " " + origin;
    }
  }

  /**
   * What a run of a study depends on.
   *
   * @param registry looks up policies
   * @param input path of the input; empty if the study needs none
   * @param seed of the first run; further runs count on from it
   * @param listener receives the progress of studies that consist of an experiment
   */
  record Setting(
      PolicyRegistry registry, String input, long seed, ExperimentRunner.Listener listener) {

    /** Creates a setting without a listener. */
    public Setting(PolicyRegistry registry, String input, long seed) {
      this(registry, input, seed, ExperimentRunner.Listener.NOBODY);
    }
  }
}
