package dev.berth.cli.policies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.ConfigKey;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.experiments.run.PolicyUnusableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The entry of an available policy in a list.
 *
 * @param id of the policy
 * @param summary its summary, one line; if it cannot be created, the reason
 * @param defaults its default configuration; empty if it cannot be created
 * @param keys the keys of its configuration; empty if it cannot be created
 */
record PolicyListing(
    String id, String summary, Optional<ObjectNode> defaults, List<ConfigKey> keys) {

  /**
   * Creates the entry of a factory. A factory that throws gets an entry too.
   *
   * @param id id under which the factory is registered
   */
  static PolicyListing of(String id, PolicyFactory<?> factory) {
    try {
      Record defaults = Objects.requireNonNull(factory.defaults(), "defaults() returned null");
      String summary = Objects.requireNonNull(factory.summary(), "summary() returned null");
      return new PolicyListing(
          id, summary, Optional.of(TreeBinder.toJson(defaults)), ConfigKey.of(defaults));
    } catch (OutOfMemoryError full) {
      throw full;
    } catch (Throwable broken) { // also errors, and exceptions that the method does not declare
      String why = new PolicyUnusableException(id, factory, broken).getMessage();
      return new PolicyListing(id, String.valueOf(why), Optional.empty(), List.of());
    }
  }
}
