package dev.berth.cli.output;

import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.cli.terminal.RunFailedException;
import dev.berth.report.Page;
import dev.berth.report.PageWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --report}: where a page with tables and charts goes. */
public final class ReportTarget {

  private static final String PAGE = "index.html";

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Writes a page with tables and charts to DIR/index.html, and what is behind them beside it, "
              + "too. The page opens from disk, without a network. DIR is made if it is missing.")
  private @Nullable Path folder;

  /**
   * Checks, before anything is run, that it can be written.
   *
   * @throws BadInputException if it cannot
   */
  public void check() {
    if (folder == null) {
      return;
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException impossible) {
      throw new BadInputException(
          "--report \"%s\" is no folder and cannot be made one.".formatted(folder), impossible);
    }
    OutputFile.at(folder.resolve(PAGE), "--report");
  }

  /**
   * Writes a file that belongs to the page beside it, if a page was asked for.
   *
   * @param name of the file
   * @throws RunFailedException if it cannot be written
   */
  public void keep(String name, String content) {
    if (folder == null) {
      return;
    }
    try {
      OutputFile.at(folder.resolve(name), "--report").write(content);
    } catch (IOException failure) {
      throw unwritable(folder, failure);
    }
  }

  /**
   * Writes page and files if it was asked for; what the page offers as files goes beside it.
   *
   * @throws RunFailedException if it cannot be written
   */
  public void write(Supplier<Page> maker) {
    if (folder == null) {
      return;
    }
    Page page = maker.get();
    try {
      page.downloads().forEach(each -> keep(each.name(), each.content()));
      OutputFile.at(folder.resolve(PAGE), "--report").write(PageWriter.toHtml(page));
    } catch (IOException failure) {
      throw unwritable(folder, failure);
    }
  }

  private static RunFailedException unwritable(Path folder, IOException failure) {
    return new RunFailedException(
        "--report \"%s\" cannot be written: %s".formatted(folder, ErrorReport.describe(failure)),
        failure);
  }
}
