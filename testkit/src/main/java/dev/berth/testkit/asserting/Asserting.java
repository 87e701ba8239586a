package dev.berth.testkit.asserting;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.testkit.rule.RuleBroken;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Puts misuse detectors around any policy.
 *
 * <ul>
 *   <li>P07: a view is used after its pass, or on another thread.
 *   <li>P23: a part of a pipeline gives two answers to the same question, or an answer that is not
 *       a number; or it uses a view after the call or on another thread.
 *   <li>P24: a queue or victim key changes while the instance stays in its state.
 *   <li>P25: a verdict closes a class although a later instance of it may be preempted; or another
 *       statement that lets the engine skip questions is false.
 * </ul>
 *
 * <p>A violation is thrown at once, as {@link RuleBroken}, and also recorded, since the policy may
 * catch it. The engine still learns which questions it may skip, except with {@link #askingAll}.
 * Without violations and shuffling, the plans are the same as without the detectors.
 *
 * <p>Each scheduler needs its own. The thread that drives the scheduler uses it; only {@link
 * #violations} may be called from other threads.
 */
public final class Asserting {

  private final MisuseDetector detector;
  private boolean taken;

  /**
   * Creates detectors.
   *
   * @param shuffleSeed if present, collections of unspecified order are shuffled each time they are
   *     returned; runs with the same seed shuffle alike
   */
  public Asserting(OptionalLong shuffleSeed) {
    this(new MisuseDetector(shuffleSeed, false));
  }

  private Asserting(MisuseDetector detector) {
    this.detector = detector;
  }

  /**
   * Creates detectors that shuffle nothing and hide from the engine that a rule is monotone. The
   * engine then judges every pair, which shows whether the rule really is monotone. Plans are the
   * same, but {@link dev.berth.api.Reason.GroupIncomplete} is never exact if the rule is asked.
   */
  public static Asserting askingAll() {
    return new Asserting(new MisuseDetector(OptionalLong.empty(), true));
  }

  /**
   * Wraps a function that creates a policy, for {@code Scheduler.builder().policy(id, ...)}. The
   * result creates one policy; a second call throws {@link IllegalStateException}.
   */
  public Function<PolicyContext, Policy> wrap(Function<PolicyContext, Policy> maker) {
    return context -> {
      if (taken) {
        throw new IllegalStateException(
            "an Asserting is for one scheduler, this is another. Make one for each.");
      }
      taken = true;
      return AssertingPolicy.of(detector, maker.apply(new AssertingContext(detector, context)));
    };
  }

  /** Returns a policy that differs from another in its passes only; nothing is checked. */
  public static Policy withPasses(Policy policy, Consumer<SchedulingPass> passes) {
    return new AssertingPolicy(policy, passes);
  }

  /** Returns a copy of the first violations, oldest first; at most 100. */
  public List<RuleBroken> violations() {
    return detector.violations();
  }

  /**
   * Returns the number of questions in the latest pass: one for each call on the pass, a host, an
   * instance or a part of a pipeline, and one for each host or instance in a returned collection.
   * Questions that only detect misuse do not count, nor do parts that the policy left to the
   * engine.
   */
  public long questions() {
    return detector.questions();
  }

  /**
   * Checks that keys are constant (P24). Each pass does so when it begins and ends; call this after
   * the last pass. Must not be called within a pass.
   *
   * @throws RuleBroken if a key has changed
   */
  public void checkKeys() {
    detector.checkKeys();
  }
}
