package dev.berth.experiments.run;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Providers;
import dev.berth.core.error.PolicyFailedException;

/**
 * The factory of a policy throws, although the configuration is valid, or the policy of a plugin
 * throws in a pass.
 */
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

  /**
   * Creates an exception.
   *
   * @param policy its id
   * @param factory has created the policy; the message names its jar
   * @param failure of a pass
   */
  PolicyUnusableException(String policy, PolicyFactory<?> factory, PolicyFailedException failure) {
    super(withJar("policy " + policy, Providers.jar(factory), failure), failure);
  }

  private static String withJar(String policy, String jar, PolicyFailedException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.startsWith(policy + " ")
        ? policy + jar + message.substring(policy.length())
        : message + jar;
  }

  private static String describe(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }
}
