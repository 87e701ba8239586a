package dev.berth.cli;

/** What the exit code of {@code berth} tells a script. */
final class ExitCode {

  /** Done. */
  static final int DONE = 0;

  /** The input was good, but a run failed or its outcome could not be written. */
  static final int FAILED = 1;

  /** The input was bad: nothing was run. */
  static final int BAD_INPUT = 2;

  private ExitCode() {}
}
