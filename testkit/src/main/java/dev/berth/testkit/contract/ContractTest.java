package dev.berth.testkit.contract;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.rule.Rule;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** What the contract tests have in common. */
abstract class ContractTest {

  private static final int STEPS = 75;
  private static final int TRIES = 500;

  /**
   * Returns how many histories each rule is tested with, unless {@code -Dberth.tries=} says
   * otherwise; default 500.
   */
  protected int tries() {
    return TRIES;
  }

  /** Returns the histories it is tested with; default {@link HistoryArbitraries#ofUpTo} 75 steps. */
  @Provide
  protected Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS);
  }

  /** Returns why a rule does not apply, or empty if it does. */
  Optional<String> skipReason(Rule rule) {
    return Optional.empty();
  }
}
