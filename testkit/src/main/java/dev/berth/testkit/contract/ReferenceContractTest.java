package dev.berth.testkit.contract;

import dev.berth.api.Plan;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.Tally;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;

/**
 * A scheduler that claims to decide as a policy of the reference model does is told of generated
 * histories and must give the same plans. Extend it and adapt the scheduler in {@link #start}.
 *
 * <p>Ties are broken by {@link dev.berth.core.decision.SeededTieBreaker}, as said there. For a
 * scheduler that breaks them otherwise see {@link #agree}.
 */
public abstract class ReferenceContractTest extends ContractTest {

  /** For subclasses. */
  protected ReferenceContractTest() {}

  /** Starts a scheduler of an empty cluster that is to decide as a reference policy does. */
  protected abstract EventTarget start(ReferencePolicy policy, Setting setting);

  /** Returns the reference policies to hold it against; default: the two as the paper has them. */
  @Provide
  protected Arbitrary<? extends ReferencePolicy> policies() {
    return Arbitraries.of(QosDriven.PAPER, PriorityBased.PAPER);
  }

  /** Returns the watchdog of the scheduler, which shows in the triggers of a plan; default none. */
  protected Optional<Duration> watchdog() {
    return Optional.empty();
  }

  /**
   * Returns whether two plans agree; default: whether they are equal. If they agree but differ in
   * their actions, the histories of the two part there, and the rest of this one is not played.
   */
  protected boolean agree(Plan reference, Plan subject) {
    return reference.equals(subject);
  }

  /** Takes note of what the reference came across in one history, to tell what the cases reach. */
  protected void cameAcross(Tally tally) {}

  @Checks(Rule.P29)
  void required_P29_plansAsTheReference(
      @ForAll("histories") History history, @ForAll("policies") ReferencePolicy policy) {
    DifferentialRun duel =
        new DifferentialRun(
            start(policy, Setting.of(history)), history, policy, watchdog(), this::agree);
    duel.play();
    cameAcross(duel.tally());
  }
}
