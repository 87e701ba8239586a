package dev.berth.cli;

/**
 * What the commands may know of the process they run in.
 *
 * @param debug whether unexpected failures show where they happened ({@code BERTH_DEBUG=1})
 * @param interactive whether a person watches, on a terminal
 */
record Surroundings(boolean debug, boolean interactive) {

  /** Looks at the process we are in. */
  static Surroundings ofProcess() {
    return new Surroundings("1".equals(System.getenv("BERTH_DEBUG")), Terminal.isWatched());
  }
}
