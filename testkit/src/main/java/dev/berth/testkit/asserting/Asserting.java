package dev.berth.testkit.asserting;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.testkit.rule.RuleBroken;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Puts misuse detectors around a policy of anybody.
 *
 * <ul>
 *   <li>P07: a view is used when its pass is over, or on another thread.
 *   <li>P23: a part of a pipeline, asked twice in a row, gives two answers, or one that is not a
 *       number, or uses what it was shown when the call is over or on another thread.
 *   <li>P24: a key of queue or victims changes while the instance stays in its state.
 *   <li>P25: a verdict closes a class of which a later instance may be preempted after all; or
 *       something else that a part says so that it need not be asked does not hold.
 * </ul>
 *
 * <p>What is found is thrown where it happens, as {@link RuleBroken}, and remembered, since a
 * policy may catch what it causes. What parts say so that the engine need not ask is passed on, but
 * by one that {@linkplain #askingAll asks all}. Where nothing is found, plans are those of the
 * policy alone, as long as nothing is shuffled.
 *
 * <p>One for each scheduler. Used by the thread that drives the scheduler; only {@link #violations}
 * may be called by others too.
 */
public final class Asserting {

  private final MisuseDetector watch;
  private boolean taken;

  /**
   * Makes one.
   *
   * @param shuffleSeed if present, collections that promise no order come in another one each time
   *     they are asked for; the same in each run with the same seed
   */
  public Asserting(OptionalLong shuffleSeed) {
    this(new MisuseDetector(shuffleSeed, false));
  }

  private Asserting(MisuseDetector watch) {
    this.watch = watch;
  }

  /**
   * Makes one that shuffles nothing, and hides from the engine that a rule is monotone. The engine
   * then judges every pair, which shows whether the rule is.
   */
  public static Asserting askingAll() {
    return new Asserting(new MisuseDetector(OptionalLong.empty(), true));
  }

  /**
   * Wraps what makes a policy, for {@code Scheduler.builder().policy(id, ...)}. What it returns
   * makes one policy; asked for another, it throws {@link IllegalStateException}.
   */
  public Function<PolicyContext, Policy> wrap(Function<PolicyContext, Policy> maker) {
    return context -> {
      if (taken) {
        throw new IllegalStateException(
            "an Asserting is for one scheduler, this is another. Make one for each.");
      }
      taken = true;
      return new AssertingPolicy(watch, maker.apply(new AssertingContext(watch, context)));
    };
  }

  /** Returns what was found so far, oldest first; of very much, the beginning. A copy. */
  public List<RuleBroken> violations() {
    return watch.violations();
  }

  /**
   * Returns how much the latest pass asked, of the pass, of hosts and instances, and of the parts
   * of a pipeline: one for each call, and one for each host or instance in a collection that it
   * returned. What is asked only to detect misuse does not count, nor do parts that the policy left
   * to the engine.
   */
  public long questions() {
    return watch.questions();
  }

  /**
   * Checks that keys are constant (P24). Done at the beginning and the end of each pass without
   * being asked; for the time after the last one. Not to be called within a pass.
   *
   * @throws RuleBroken if one has changed
   */
  public void checkKeys() {
    watch.checkKeys();
  }
}
