package dev.berth.experiments;

/** The code of a policy's factory fails, although nothing is wrong with its configuration. */
public final class PolicyUnusableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Tells which.
   *
   * @param policy its id
   * @param cause what it threw
   */
  public PolicyUnusableException(String policy, Throwable cause) {
    super("policy %s cannot be made: %s".formatted(policy, describe(cause)), cause);
  }

  private static String describe(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }
}
