package dev.berth.cli.trace;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.output.OutputFile;
import dev.berth.cli.output.OutputFiles;
import dev.berth.report.TimelineChart;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --trace}: the file for a viewer of traces. */
public final class TraceTarget {

  private static final String OPTION = "--trace";

  @Option(
      names = OPTION,
      paramLabel = "FILE",
      description =
          "Also writes what ran where and when to FILE, for Perfetto (ui.perfetto.dev): a process for each"
              + " policy, with a track for each lane of a host. If its name ends in .json, in the format of"
              + " Chrome, for small runs: viewers read at most 256 MB. If it ends in .parquet, a row for each request;"
              + " if in .csv, with the columns of Batsim and Evalys.")
  private @Nullable Path target;

  private @Nullable OutputFile file;

  /**
   * Checks, before the run, that the file can be written.
   *
   * @throws BadInputException if it cannot
   */
  public void check() {
    if (target != null) {
      file = OutputFile.at(target, OPTION);
    }
  }

  /** Returns whether the runs must record their timelines. */
  public boolean isWanted() {
    return target != null;
  }

  /**
   * Adds the file, if it was requested.
   *
   * @param files receives it
   * @throws RunFailedException if it cannot be written
   */
  public void addTo(OutputFiles files, List<TimelineChart.Run> runs) {
    if (file != null) {
      String name = String.valueOf(file.path().getFileName()).toLowerCase(Locale.ROOT);
      if (name.endsWith(".csv")) {
        files.add(file, out -> BatsimJobs.write(runs, out));
      } else if (name.endsWith(".parquet")) {
        files.add(file, out -> ParquetRequests.write(runs, out));
      } else if (name.endsWith(".json")) {
        files.add(file, out -> RunTrace.writeChrome(runs, out));
      } else {
        files.add(file, out -> RunTrace.writePerfetto(runs, out));
      }
    }
  }
}
