package dev.berth.api.policy;

import java.util.Set;

/**
 * Makes policies of one kind; found by {@link java.util.ServiceLoader}, so a jar that offers
 * policies lists its factories in {@code META-INF/services/dev.berth.api.policy.PolicyFactory}.
 *
 * <p>A factory has a public constructor without parameters, keeps no state, and may be used by
 * several threads.
 *
 * @param <C> the configuration, a record whose compact constructor refuses values out of range with
 *     an {@link IllegalArgumentException} that names component, value and rule
 */
public interface PolicyFactory<C extends Record> {

  /**
   * Returns the id by which users choose the policy: lower-case words joined by {@code -}, at most
   * 64 characters. Ids without a dot belong to Berth; others put a name of their own in front:
   * {@code "acme.best-fit"}.
   */
  String id();

  /** Returns in one line what the policy does. */
  String summary();

  /** Returns the type of the configuration. */
  Class<C> configType();

  /** Returns the configuration that applies where the user says nothing. */
  C defaults();

  /**
   * Returns what requests should tell for a policy with this configuration to do better than
   * without; default nothing. It runs in any case, so this is for those who wonder at its results.
   *
   * @param config the effective configuration
   */
  default Set<RequestDetail> requiredDetails(C config) {
    return Set.of();
  }

  /**
   * Makes a policy for one scheduler.
   *
   * @param config the effective configuration
   * @param context what the scheduler offers to its policy
   */
  Policy create(C config, PolicyContext context);
}
