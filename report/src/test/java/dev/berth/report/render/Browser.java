package dev.berth.report.render;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium: the one named by the system property {@code berth.chromium} or the
 * environment variable {@code BERTH_CHROMIUM}, otherwise the one on the path.
 */
record Browser(Path program) {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  /** The document of a page and the output of the console. */
  record Visit(String document, List<String> console) {}

  static Optional<Browser> find() {
    String configured = System.getProperty("berth.chromium", System.getenv("BERTH_CHROMIUM"));
    Stream<Path> candidates =
        configured != null
            ? Stream.of(Path.of(configured))
            : Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
    return candidates.filter(Files::isExecutable).findFirst().map(Browser::new);
  }

  /** Opens a file and advances its virtual time by five seconds, which takes much less. */
  Visit open(Path file, boolean dark, Path scratch) throws IOException, InterruptedException {
    Path document = scratch.resolve("document");
    Path log = scratch.resolve("log");
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(
        List.of(
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
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
            "--virtual-time-budget=5000",
            "--dump-dom",
            file.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      if (!process.waitFor(10, TimeUnit.MINUTES)) {
        throw new IOException("%s did not end with %s.".formatted(program, file));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    List<String> console =
        Files.readString(log, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.contains(":CONSOLE"))
            .toList();
    return new Visit(Files.readString(document, StandardCharsets.UTF_8), console);
  }
}
