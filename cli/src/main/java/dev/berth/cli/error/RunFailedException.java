package dev.berth.cli.error;

import org.jspecify.annotations.Nullable;

/** The input was valid, but the command failed. Ends it with {@link ExitCode#FAILED}. */
public class RunFailedException extends RuntimeException {

  public RunFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
