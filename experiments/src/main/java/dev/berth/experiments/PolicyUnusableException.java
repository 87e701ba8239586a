package dev.berth.experiments;

/** The factory of a policy throws, although the configuration is valid. */
public final class PolicyUnusableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param policy its id
   * @param cause the exception of the factory
   */
  public PolicyUnusableException(String policy, Throwable cause) {
    super("policy %s cannot be created: %s".formatted(policy, describe(cause)), cause);
  }

  private static String describe(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }
}
