package dev.berth.cli.reproduce;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.experiments.store.CellStore;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored results of studies, in the folder of {@code --resume}; none without the option. */
record StudyResults(Optional<StudyStore> store) implements AutoCloseable {

  /**
   * Opens the folder.
   *
   * @param folder null: nothing is stored
   * @throws BadInputException if it cannot be used
   */
  static StudyResults open(@Nullable Path folder) {
    if (folder == null) {
      return new StudyResults(Optional.empty());
    }
    try {
      return new StudyResults(Optional.of(StudyStore.open(folder)));
    } catch (IOException impossible) {
      throw new BadInputException(
          "--resume \"%s\" cannot store results: %s."
              .formatted(folder, ErrorReport.reason(impossible)),
          impossible);
    }
  }

  /** Returns the store for the runs of a study; empty: they are not kept. */
  Optional<CellStore> cells() {
    return store.map(StudyStore::cells);
  }

  /** Returns a stored result. */
  Optional<StudyResult> find(Study study, Study.Setting setting) {
    try {
      return store.isEmpty() ? Optional.empty() : store.get().find(study, setting);
    } catch (IOException failure) {
      throw unusable(failure);
    }
  }

  /** Stores a result. */
  void keep(Study study, Study.Setting setting, StudyResult result) {
    try {
      if (store.isPresent()) {
        store.get().keep(study, setting, result);
      }
    } catch (IOException failure) {
      throw unusable(failure);
    }
  }

  @Override
  public void close() {
    try {
      if (store.isPresent()) {
        store.get().close();
      }
    } catch (IOException failure) {
      throw unusable(failure);
    }
  }

  private static RunFailedException unusable(IOException failure) {
    return new RunFailedException(
        "results of studies cannot be stored: %s. The same command then resumes where it stopped."
            .formatted(ErrorReport.reason(failure)),
        failure);
  }
}
