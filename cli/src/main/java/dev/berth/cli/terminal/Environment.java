package dev.berth.cli.terminal;

/**
 * The process that commands run in.
 *
 * @param debug whether unexpected failures print a stack trace ({@code BERTH_DEBUG=1})
 * @param interactive whether standard error is a terminal
 */
public record Environment(boolean debug, boolean interactive) {

  /** Returns the environment of this process. */
  public static Environment ofProcess() {
    return new Environment("1".equals(System.getenv("BERTH_DEBUG")), Terminal.isWatched());
  }
}
