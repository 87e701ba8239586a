package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

/** Creates named pipes without a writer. Opening such a pipe for reading never returns. */
public final class Fifo {

  private Fifo() {}

  /** Returns whether the system can create them. */
  public static boolean available() throws InterruptedException {
    try {
      new ProcessBuilder("mkfifo", "--version").start().waitFor();
      return true;
    } catch (IOException missing) {
      return false;
    }
  }

  public static Path create(Path path) throws IOException, InterruptedException {
    int exitCode = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start().waitFor();
    assertThat(exitCode).as("mkfifo %s", path).isZero();
    return path;
  }
}
