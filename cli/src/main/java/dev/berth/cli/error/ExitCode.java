package dev.berth.cli.error;

/** Exit codes of {@code berth}. */
public final class ExitCode {

  /** Done. */
  public static final int DONE = 0;

  /** A run failed, or its results could not be written. */
  public static final int FAILED = 1;

  /** The input was bad; nothing was run. */
  public static final int BAD_INPUT = 2;

  private ExitCode() {}
}
