package dev.berth.cli;

/** The code of a policy's factory fails, although nothing is wrong with what the user said. */
final class PolicyUnusableException extends RunFailedException {

  PolicyUnusableException(String policy, Throwable cause) {
    super("policy %s cannot be made: %s".formatted(policy, ErrorReport.describe(cause)), cause);
  }
}
