package dev.berth.experiments;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Providers;

/** The factory of a policy throws, although the configuration is valid. */
public final class PolicyUnusableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param policy its id
   * @param factory creates the policy; the message names its jar, unless that is Berth's
   * @param cause what the factory throws
   */
  public PolicyUnusableException(String policy, PolicyFactory<?> factory, Throwable cause) {
    super(
        "policy %s%s cannot be created: %s"
            .formatted(policy, Providers.jar(factory), describe(cause)),
        cause);
  }

  private static String describe(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }
}
