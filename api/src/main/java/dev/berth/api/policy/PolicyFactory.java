package dev.berth.api.policy;

import java.time.Duration;
import java.util.Set;

/**
 * Creates the policies of one id. A jar offers its factories through a {@link PolicyProvider}.
 *
 * <p>A factory keeps no state and may be used by several threads. The engine never calls it during
 * a pass.
 *
 * @param <C> the configuration: a record that the engine binds from JSON, one key for each
 *     component. Its compact constructor rejects values out of range with an {@link
 *     IllegalArgumentException} whose message names the component and the rule. The record need not
 *     be public; in a named module, its package is open to {@code com.fasterxml.jackson.databind}
 */
public interface PolicyFactory<C extends Record> {

  /**
   * Returns the id by which users choose the policy: lower-case words joined by {@code -}, at most
   * 64 characters. Ids without a dot belong to Berth; every other id starts with a prefix of its
   * author: {@code "acme.best-fit"}.
   */
  String id();

  /** Returns a line that describes the policy, without its id and without a full stop. */
  String summary();

  /**
   * Returns the values that apply unless the user sets others. All of them are valid. The class of
   * this record is the type of the configuration.
   */
  C defaults();

  /**
   * Returns the defaults for an experiment in which starting an instance takes a known time on
   * average. Policies that expect such an overhead override this method; by default it returns
   * {@link #defaults()}. Values that the user sets replace those returned here.
   *
   * @param meanStartOverhead mean time from the placement of an instance until it is ready; not
   *     negative
   */
  default C defaults(Duration meanStartOverhead) {
    return defaults();
  }

  /**
   * Returns a configuration that differs from another one only in the longest time between two
   * passes. Policies whose configuration sets that time override this method; by default it returns
   * {@code config}. An experiment runs all its policies with the same watchdog and calls this
   * method, so that it reports the configurations in effect.
   *
   * @param config the configuration that the user chose
   * @param watchdog longest time between two passes; positive
   */
  default C withWatchdog(C config, Duration watchdog) {
    return config;
  }

  /**
   * Returns the request details that a policy with this configuration depends on; by default none.
   * The policy runs without them, but decides worse. Reports warn when requests lack one.
   *
   * @param config the effective configuration
   */
  default Set<RequestDetail> requiredDetails(C config) {
    return Set.of();
  }

  /**
   * Creates a policy for one scheduler.
   *
   * @param config the effective configuration
   * @param context the scheduler's classes and seed, and a builder of pipelines
   */
  Policy create(C config, PolicyContext context);
}
