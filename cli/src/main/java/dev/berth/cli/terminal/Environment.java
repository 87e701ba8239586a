package dev.berth.cli.terminal;

/**
 * What the commands may know of the process they run in.
 *
 * @param debug whether unexpected failures show where they happened ({@code BERTH_DEBUG=1})
 * @param interactive whether a person watches, on a terminal
 */
public record Environment(boolean debug, boolean interactive) {

  /** Looks at the process we are in. */
  public static Environment ofProcess() {
    return new Environment("1".equals(System.getenv("BERTH_DEBUG")), Terminal.isWatched());
  }
}
