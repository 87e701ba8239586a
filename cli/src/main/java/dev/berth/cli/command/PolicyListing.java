package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.core.config.ConfigBinder;
import java.util.Optional;

/**
 * The entry of an available policy in a list.
 *
 * @param id of the policy
 * @param summary its summary, one line; if it cannot be created, the reason
 * @param defaults its default configuration; empty if it cannot be created
 */
record PolicyListing(String id, String summary, Optional<ObjectNode> defaults) {

  /**
   * Creates the entry of a factory. A factory that throws gets an entry too.
   *
   * @param id id under which the factory is registered
   */
  static PolicyListing of(String id, PolicyFactory<?> factory) {
    try {
      ObjectNode defaults = ConfigBinder.toJson(factory.defaults());
      return new PolicyListing(id, factory.summary(), Optional.of(defaults));
    } catch (RuntimeException | LinkageError broken) {
      String why = "cannot be created: " + ErrorReport.describe(broken);
      return new PolicyListing(id, why, Optional.empty());
    }
  }
}
