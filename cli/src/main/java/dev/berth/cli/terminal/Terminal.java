package dev.berth.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether what we print is seen by a person as we print it. */
final class Terminal {

  private static final Path STDERR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /**
   * Returns whether standard output and standard error are terminals that understand a carriage
   * return.
   */
  @SuppressWarnings("SystemConsoleNull") // isTerminal looks closer, where that is needed
  static boolean isWatched() {
    Console console = System.console();
    return console != null
        && isTerminal(console)
        && stderrIsTerminal()
        && !"dumb".equals(System.getenv("TERM"));
  }

  /** From JDK 22 on there may be a console without a terminal, and a method that tells. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJdk) {
      return true;
    }
  }

  /**
   * Java tells nothing of standard error; where the system does not either, it is taken to be like
   * standard output.
   */
  private static boolean stderrIsTerminal() {
    if (!Files.isSymbolicLink(STDERR)) {
      return true;
    }
    try {
      return Files.readSymbolicLink(STDERR).startsWith("/dev");
    } catch (IOException unreadable) {
      return false;
    }
  }
}
