package dev.berth.cli.terminal;

/** What the exit code of {@code berth} tells a script. */
public final class ExitCode {

  /** Done. */
  public static final int DONE = 0;

  /** The input was good, but a run failed or its outcome could not be written. */
  public static final int FAILED = 1;

  /** The input was bad: nothing was run. */
  public static final int BAD_INPUT = 2;

  private ExitCode() {}
}
