package dev.berth.test;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * The headless Chromium that the environment variable {@value #VARIABLE} names. A browser that
 * merely happens to be there is not used: a build does the same on every machine.
 */
public final class Chromium {

  private static final String VARIABLE = "BERTH_CHROMIUM";

  private Chromium() {}

  /** The document of a page after its scripts ran, and the lines of its console. */
  public record Visit(String document, List<String> console) {}

  /** Returns whether a browser is named. */
  public static boolean isNamed() {
    return System.getenv(VARIABLE) != null;
  }

  /** Skips a test if no browser is named. */
  public static void require() {
    if (!isNamed()) {
      throw new TestAbortedException("SKIPPED: no Chromium is named in " + VARIABLE);
    }
  }

  /** Opens a file; see {@link #open(URI, Path, String...)}. */
  public static Visit open(Path file, Path scratch, String... options)
      throws IOException, InterruptedException {
    return open(file.toUri(), scratch, options);
  }

  /**
   * Opens a page and lets its clock advance, much faster than time does. Other machines than this
   * one cannot be reached.
   *
   * @param scratch a folder for files of the browser
   * @param options more options of the browser
   * @throws IOException also if the browser does not end
   */
  public static Visit open(URI page, Path scratch, String... options)
      throws IOException, InterruptedException {
    require();
    Path document = scratch.resolve("document");
    Path log = scratch.resolve("log");
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getenv(VARIABLE),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-extensions",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--enable-logging=stderr",
                "--v=0",
                "--user-data-dir=" + scratch.resolve("profile"),
                "--window-size=1400,1000",
                "--virtual-time-budget=20000"));
    command.addAll(List.of(options));
    command.addAll(List.of("--dump-dom", page.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(document.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      if (!process.waitFor(10, TimeUnit.MINUTES)) {
        throw new IOException("Chromium did not end with " + page);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    try (Stream<String> lines = Files.lines(log)) {
      return new Visit(
          Files.readString(document), lines.filter(line -> line.contains(":CONSOLE")).toList());
    }
  }
}
