package dev.berth.core.config;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import java.util.Objects;

/**
 * Binds configurations in JSON text, mainly of policies, to their records.
 *
 * <p>The user's text overrides the defaults: objects merge, other values replace. The binder
 * collects all unknown keys, wrong types and values out of range before it reports them.
 * Enumerations are written as their {@code toString()}, durations as in {@link Durations}.
 * Thread-safe.
 */
public final class ConfigBinder {

  private ConfigBinder() {}

  /** Returns a configuration as JSON in one line, with all its keys in the order of the record. */
  public static String toJson(Record config) {
    Objects.requireNonNull(config, "ConfigBinder.toJson: config was null, must not be null.");
    return TreeBinder.toJson(config).toString();
  }

  /**
   * Returns the configuration of a policy, with the user's values over the defaults.
   *
   * @param json the user's values, a JSON object
   * @throws ConfigException if the text is not JSON or the configuration is invalid; it lists all
   *     problems
   */
  public static <C extends Record> C bind(PolicyFactory<C> factory, String json) {
    Objects.requireNonNull(factory, "ConfigBinder.bind: factory was null, must not be null.");
    return bind(factory, factory.defaults(), json);
  }

  /**
   * Returns the configuration of a policy, with the user's values over given defaults instead of
   * the defaults of its factory.
   *
   * @param json the user's values, a JSON object
   * @throws ConfigException if the text is not JSON or the configuration is invalid; it lists all
   *     problems
   */
  public static <C extends Record> C bind(PolicyFactory<C> factory, C defaultValues, String json) {
    Objects.requireNonNull(factory, "ConfigBinder.bind: factory was null, must not be null.");
    Objects.requireNonNull(
        defaultValues, "ConfigBinder.bind: defaultValues was null, must not be null.");
    Objects.requireNonNull(json, "ConfigBinder.bind: json was null, must not be null.");
    return TreeBinder.bind(
        factory, defaultValues, TreeBinder.parse("policy " + factory.id(), json));
  }

  /**
   * Returns a configuration of any subject, with the user's values over the defaults.
   *
   * @param subject the configured thing, for messages: {@code "site berlin"}
   * @param type class of the configuration; a value without a default may have any JSON type
   * @param json the user's values, a JSON object
   * @throws ConfigException if the text is not JSON or the configuration is invalid; it lists all
   *     problems
   */
  public static <C extends Record> C bind(
      String subject, Class<C> type, C defaultValues, String json) {
    Objects.requireNonNull(subject, "ConfigBinder.bind: subject was null, must not be null.");
    Objects.requireNonNull(type, "ConfigBinder.bind: type was null, must not be null.");
    Objects.requireNonNull(
        defaultValues, "ConfigBinder.bind: defaultValues was null, must not be null.");
    Objects.requireNonNull(json, "ConfigBinder.bind: json was null, must not be null.");
    return TreeBinder.bind(subject, "config", type, defaultValues, TreeBinder.parse(subject, json));
  }
}
