package dev.berth.cli.terminal;

/** The input was valid, but the command failed. Ends it with {@link ExitCode#FAILED}. */
public class RunFailedException extends RuntimeException {

  public RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
