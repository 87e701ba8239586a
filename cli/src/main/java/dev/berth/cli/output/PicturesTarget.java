package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.report.Chart;
import dev.berth.report.Document;
import dev.berth.report.Medium;
import dev.berth.report.render.SvgRenderer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --pictures}: the folder for pictures of a page. */
public final class PicturesTarget {

  private static final String OPTION = "--pictures";

  @Option(
      names = OPTION,
      paramLabel = "DIR",
      description =
          "Also writes the main pictures of the page as SVG files for papers into DIR. A missing DIR is"
              + " created.")
  private @Nullable Path folder;

  /**
   * Checks, before the run, that the folder can be written.
   *
   * @throws BadInputException if it cannot
   */
  public void check() {
    if (folder != null) {
      ReportTarget.create(folder, OPTION);
    }
  }

  /** Returns whether pictures were requested. */
  public boolean isWanted() {
    return folder != null;
  }

  /**
   * Adds the pictures of a page, if they were requested.
   *
   * @param files receives them
   * @throws RunFailedException if one cannot be written
   */
  public void addTo(OutputFiles files, Document page) {
    Path into = folder;
    if (into == null) {
      return;
    }
    for (Chart each : page.charts(Medium.HTML)) {
      SvgRenderer.render(each)
          .ifPresent(
              svg -> files.add(OutputFile.at(into.resolve(each.id() + ".svg"), OPTION), svg));
    }
  }
}
