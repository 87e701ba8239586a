package dev.berth.cli;

/**
 * The input was good, but the command cannot be carried out. Ends it with {@link ExitCode#FAILED}.
 */
class RunFailedException extends RuntimeException {

  RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
