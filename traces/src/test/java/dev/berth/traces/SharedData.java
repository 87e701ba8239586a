package dev.berth.traces;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Public traces in a folder beside the project, which is not part of it. */
public final class SharedData {

  private SharedData() {}

  /** Returns a file or folder of the traces; skips the test, with a message, where it is absent. */
  public static Path require(String relative) {
    Path root = Path.of("").toAbsolutePath();
    while (root.getParent() != null && !Files.isDirectory(root.resolve(".mvn"))) {
      root = root.getParent();
    }
    Path data = root.resolve("../shared/data").resolve(relative).normalize();
    assumeTrue(
        Files.exists(data),
        () -> "SKIPPED: there is no ../shared/data/" + relative + " beside the project");
    return data;
  }
}
