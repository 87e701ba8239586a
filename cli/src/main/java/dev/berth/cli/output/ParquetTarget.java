package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.experiments.page.ResultTable;
import dev.berth.experiments.run.CellResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --parquet}: the folder for the results as tables of Apache Parquet. */
public final class ParquetTarget {

  private static final String OPTION = "--parquet";

  @Option(
      names = OPTION,
      paramLabel = "DIR",
      description =
          "Also writes DIR/runs.parquet with a row for each run, and DIR/classes.parquet with a row "
              + "for each run and class. A missing DIR is created.")
  private @Nullable Path folder;

  /** The files, once they are checked. */
  private record Files(OutputFile runs, OutputFile classes) {}

  private Optional<Files> checked = Optional.empty();

  /**
   * Checks, before the run, that the files can be written.
   *
   * @throws BadInputException if they cannot
   */
  public void check() {
    if (folder != null) {
      ReportTarget.create(folder, OPTION);
      checked =
          Optional.of(
              new Files(
                  OutputFile.at(folder.resolve("runs.parquet"), OPTION),
                  OutputFile.at(folder.resolve("classes.parquet"), OPTION)));
    }
  }

  /**
   * Adds the tables, if they were requested. They are written row by row.
   *
   * @param files receives them
   * @throws RunFailedException if they cannot be written
   */
  public void addTo(OutputFiles files, List<CellResult> results) {
    checked.ifPresent(
        its -> {
          files.add(its.runs(), out -> ParquetFile.write(ResultTable.runs(results), out));
          files.add(its.classes(), out -> ParquetFile.write(ResultTable.classes(results), out));
        });
  }
}
