package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Opens pages in a headless Chromium: the one that the system property {@code berth.chromium} or
 * the variable {@code BERTH_CHROMIUM} names, otherwise the one on the path.
 */
public final class ReportBrowser {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Pattern CHART = Pattern.compile("data-drawn=\"([^\"]*)\"");

  private ReportBrowser() {}

  /**
   * Fails unless all charts of a page are drawn and its console is empty. Skips the test with a
   * message if no browser is found.
   */
  public static void requireAllDrawn(Path page, Path scratch)
      throws IOException, InterruptedException {
    Optional<Path> program = find();
    assumeTrue(
        program.isPresent(),
        "SKIPPED: no Chromium on the path; name one in -Dberth.chromium or BERTH_CHROMIUM");
    Path document = scratch.resolve("document");
    Path log = scratch.resolve("log");
    Process process =
        new ProcessBuilder(
                program.get().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-extensions",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--enable-logging=stderr",
                "--v=0",
                "--user-data-dir=" + scratch.resolve("profile"),
                "--window-size=1400,1000",
                "--virtual-time-budget=20000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("%s ended", program.get()).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
      assertThat(lines.filter(line -> line.contains(":CONSOLE"))).isEmpty();
    }
    List<String> drawn =
        CHART
            .matcher(Files.readString(document, StandardCharsets.UTF_8))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(drawn).isNotEmpty().containsOnly("true");
    long charts =
        Pattern.compile("class=\"chart\"").matcher(Files.readString(page)).results().count();
    assertThat(drawn).as("each chart of the page").hasSize((int) charts);
  }

  private static Optional<Path> find() {
    String named = System.getProperty("berth.chromium", System.getenv("BERTH_CHROMIUM"));
    Stream<Path> candidates =
        named != null
            ? Stream.of(Path.of(named))
            : Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
    return candidates.filter(Files::isExecutable).findFirst();
  }
}
