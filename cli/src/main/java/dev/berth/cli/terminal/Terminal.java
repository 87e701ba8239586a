package dev.berth.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects whether output goes to an interactive terminal. */
final class Terminal {

  private static final Path STDOUT = Path.of("/proc/self/fd/1");
  private static final Path STDERR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /**
   * Returns whether standard output and standard error are terminals that understand a carriage
   * return.
   */
  static boolean isWatched() {
    return hasConsole() && stderrIsTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /** Returns whether standard output goes to a terminal. */
  static boolean isOutput() {
    if (!Files.isSymbolicLink(STDOUT)) {
      return hasConsole();
    }
    try {
      Path target = Files.readSymbolicLink(STDOUT);
      return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
    } catch (IOException unreadable) {
      return false;
    }
  }

  @SuppressWarnings("SystemConsoleNull") // isTerminal checks further where needed
  private static boolean hasConsole() {
    Console console = System.console();
    return console != null && isTerminal(console);
  }

  /** Since JDK 22 a console may lack a terminal; {@code Console.isTerminal} reports that. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJdk) {
      return true;
    }
  }

  /**
   * Java does not report whether standard error is a terminal. Where the system does not either,
   * standard error is assumed to be like standard output.
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
