package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.report.Document;
import dev.berth.report.render.HtmlRenderer;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --report}: the folder for a page with tables and charts. */
public final class ReportTarget {

  private static final String OPTION = "--report";
  private static final String PAGE = "index.html";

  @Option(
      names = OPTION,
      paramLabel = "DIR",
      description =
          "Also writes a page with tables and charts to DIR/index.html, and the data behind them beside "
              + "it. The page opens from disk, without a network. A missing DIR is created.")
  private @Nullable Path folder;

  /**
   * Checks, before the run, that the page can be written.
   *
   * @throws BadInputException if it cannot
   */
  public void check() {
    if (folder == null) {
      return;
    }
    create(folder, OPTION);
    OutputFile.at(folder.resolve(PAGE), OPTION);
  }

  /**
   * Creates a folder if there is none.
   *
   * @throws BadInputException if it cannot be created
   */
  static void create(Path folder, String option) {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException file) {
      throw new BadInputException(
          "%s \"%s\" is not a folder and cannot be created.".formatted(option, folder), file);
    } catch (IOException impossible) {
      throw new BadInputException(
          "%s \"%s\" is not a folder and cannot be created: %s."
              .formatted(option, folder, ErrorReport.reason(impossible)),
          impossible);
    }
  }

  /** Returns whether a page was requested. */
  public boolean isWanted() {
    return folder != null;
  }

  /**
   * Adds a file beside the page, if a page was requested.
   *
   * @param files receives it
   * @param name of the file
   * @throws RunFailedException if it cannot be written
   */
  public void addTo(OutputFiles files, String name, String content) {
    if (folder != null) {
      files.add(OutputFile.at(folder.resolve(name), OPTION), content);
    }
  }

  /**
   * Adds the page and its attachments, if a page was requested.
   *
   * @param files receives them
   * @throws RunFailedException if one cannot be written
   */
  public void addTo(OutputFiles files, Supplier<Document> maker) {
    if (folder == null) {
      return;
    }
    Document page = maker.get();
    page.attachments().forEach(each -> addTo(files, each.name(), each.content()));
    addTo(files, PAGE, new HtmlRenderer().render(page));
  }
}
