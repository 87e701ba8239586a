package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.experiments.page.JobTable;
import dev.berth.experiments.page.ResultTable;
import dev.berth.experiments.run.CellResult;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --jobs}: the file for the requests of all runs. */
public final class JobsTarget {

  private static final String OPTION = "--jobs";

  @Option(
      names = OPTION,
      paramLabel = "FILE",
      description =
          "Also writes a row for each request of each run to FILE: its times, last host, preemptions, "
              + "service and waiting. Its name ends in .parquet, or in .csv or .jsonl, with .gz appended to "
              + "compress it.")
  private @Nullable Path target;

  private @Nullable FormattedFile file;

  /**
   * Checks, before the run, that the file can be written.
   *
   * @throws BadInputException if its format is unknown, or it cannot be written
   */
  public void check() {
    if (target != null) {
      file = new FormattedFile(target, OPTION, formats(), "");
    }
  }

  private static List<String> formats() {
    return Stream.concat(
            Arrays.stream(JobTable.Format.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT)),
            Stream.of(FormattedFile.PARQUET))
        .toList();
  }

  /** Returns whether the runs must record their jobs. */
  public boolean isWanted() {
    return target != null;
  }

  /**
   * Adds the jobs, if they were requested. They are written row by row.
   *
   * @param files receives them
   * @param results runs with jobs
   * @param withCases whether the rows name the case
   * @throws RunFailedException if they cannot be written
   */
  public void addTo(OutputFiles files, List<CellResult> results, boolean withCases) {
    if (file != null) {
      if (file.format().equals(FormattedFile.PARQUET)) {
        file.addTo(files, out -> ParquetFile.write(ResultTable.jobs(results), out));
        return;
      }
      JobTable.Format format = JobTable.Format.valueOf(file.format().toUpperCase(Locale.ROOT));
      file.addTextTo(files, out -> JobTable.write(results, format, withCases, out));
    }
  }
}
