package dev.berth.testkit.contract;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.rule.Rule;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** What all contract tests have in common. */
abstract class ContractTest {

  private static final int STEPS = 75;
  private static final int TRIES = 500;

  /**
   * Returns the number of histories for a rule whose violations are very rare; default 500. Half of
   * them test a rule whose violations are rare, a fifth any other rule. {@code -Dberth.effort=}
   * multiplies these numbers; {@code -Dberth.tries=} replaces them.
   */
  protected int tries() {
    return TRIES;
  }

  /** Returns the histories of the test; default {@link HistoryArbitraries#ofUpTo} 75 steps. */
  @Provide
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS);
  }

  /**
   * Returns the histories of P48; default {@link HistoryArbitraries#withPlacement} 75 steps, since
   * the others have no taints and no rules about other instances.
   */
  @Provide
  protected Arbitrary<History> placements() {
    return HistoryArbitraries.withPlacement(STEPS);
  }

  /** Returns the histories of P49; default {@link HistoryArbitraries#withLimits} 75 steps. */
  @Provide
  protected Arbitrary<History> limits() {
    return HistoryArbitraries.withLimits(STEPS);
  }

  /** Returns the histories of P56; default {@link HistoryArbitraries#withDependencies} 75 steps. */
  @Provide
  protected Arbitrary<History> dependencies() {
    return HistoryArbitraries.withDependencies(STEPS);
  }

  /** Returns the promise that a rule is; empty if it binds everybody. */
  Optional<Capability> promise(Rule rule) {
    return Optional.empty();
  }

  /** Returns why a rule does not apply; empty if it does. */
  Optional<String> skipReason(Rule rule) {
    return Optional.empty();
  }
}
