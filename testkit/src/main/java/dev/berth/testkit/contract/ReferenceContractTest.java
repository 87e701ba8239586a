package dev.berth.testkit.contract;

import dev.berth.api.plan.Plan;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;

/**
 * Tests a scheduler that claims to decide as a policy of the reference model. It plays generated
 * histories to both and requires the same plans. To use it, extend it and adapt the scheduler in
 * {@link #start}.
 *
 * <p>{@link dev.berth.core.decision.SeededTieBreaker} breaks ties. If the scheduler breaks them
 * otherwise, override {@link #agree}.
 */
public abstract class ReferenceContractTest extends ContractTest {

  /** For subclasses. */
  protected ReferenceContractTest() {}

  /** Starts a scheduler of an empty cluster that decides as a reference policy. */
  protected abstract EventTarget start(ReferencePolicy policy, Setting setting);

  /** Returns the reference policies to compare with; default: the two of the paper. */
  @Provide
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Arbitraries.of(QosDriven.PAPER, PriorityBased.PAPER);
  }

  /**
   * Returns the watchdog of the scheduler, which appears in the triggers of plans; default none.
   */
  protected Optional<Duration> watchdog() {
    return Optional.empty();
  }

  /**
   * Returns whether two plans agree; default: whether they are equal. If plans with different
   * actions agree, the test stops playing this history, because the clusters differ from then on.
   */
  protected boolean agree(Plan reference, Plan subject) {
    return reference.equals(subject);
  }

  /** Receives the cases that the reference model met in one history; default: does nothing. */
  protected void recordCoverage(CaseCoverage coverage) {}

  @RuleProperty(value = Rule.P29, violations = RuleProperty.Frequency.RARE)
  void required_P29_matchesReferenceModel(
      @ForAll("histories") History history, @ForAll("policies") ReferencePolicy policy) {
    DifferentialRun run =
        new DifferentialRun(
            start(policy, Setting.of(history)), history, policy, watchdog(), this::agree);
    run.play();
    recordCoverage(run.coverage());
  }
}
