package dev.berth.testkit.asserting;

import dev.berth.api.AllocationScore;
import dev.berth.testkit.rule.Rule;

/** A score that is asked twice. */
final class AssertingScore implements AllocationScore {

  private static final String PART = "AllocationScore.score";

  private final Watch watch;
  private final AllocationScore score;

  AssertingScore(Watch watch, AllocationScore score) {
    this.watch = watch;
    this.score = score;
  }

  @Override
  public double score(Fit fit) {
    double value =
        watch.ask(
            PART,
            () -> AssertingFit.describe(fit),
            call -> score.score(new AssertingFit(call, fit)));
    if (Double.isNaN(value)) {
      throw watch.broken(
          Rule.P23, "%s of %s is not a number".formatted(PART, AssertingFit.describe(fit)));
    }
    return value;
  }
}
