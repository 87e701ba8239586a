package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.core.config.ConfigBinder;
import java.util.Optional;

/**
 * What is to be said of a policy that one may choose.
 *
 * @param id of the policy
 * @param summary what it does, in a line; of one that cannot be made, why not
 * @param defaults its default configuration; empty if it cannot be made
 */
record PolicyListing(String id, String summary, Optional<ObjectNode> defaults) {

  /**
   * Asks a factory. One whose code fails is listed all the same.
   *
   * @param id under which it was found
   */
  static PolicyListing of(String id, PolicyFactory<?> factory) {
    try {
      ObjectNode defaults = ConfigBinder.toJson(factory.defaults());
      return new PolicyListing(id, factory.summary(), Optional.of(defaults));
    } catch (RuntimeException | LinkageError broken) {
      String why = "cannot be made: " + ErrorReport.describe(broken);
      return new PolicyListing(id, why, Optional.empty());
    }
  }
}
