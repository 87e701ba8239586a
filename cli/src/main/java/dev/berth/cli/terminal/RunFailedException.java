package dev.berth.cli.terminal;

/**
 * The input was good, but the command cannot be carried out. Ends it with {@link ExitCode#FAILED}.
 */
public class RunFailedException extends RuntimeException {

  public RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
