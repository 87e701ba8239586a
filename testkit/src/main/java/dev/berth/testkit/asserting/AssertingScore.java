package dev.berth.testkit.asserting;

import dev.berth.api.AllocationScore;
import dev.berth.testkit.rule.Rule;
import java.util.function.Supplier;

/** A score that is asked twice. */
final class AssertingScore implements AllocationScore {

  private static final String PART = "AllocationScore.score";
  private static final String BOUND = "AllocationScore.atMost";

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

  @Override
  public boolean goesByAmounts() {
    return watch.ask(
        "AllocationScore.goesByAmounts", () -> "the score", call -> score.goesByAmounts());
  }

  @Override
  public double atMost(Fit least, Fit most) {
    Supplier<String> about = () -> AssertingFit.describe(least, most);
    double bound =
        watch.ask(
            BOUND,
            about,
            call -> score.atMost(new AssertingFit(call, least), new AssertingFit(call, most)));
    if (Double.isNaN(bound)) {
      throw watch.broken(Rule.P23, "%s of %s is not a number".formatted(BOUND, about.get()));
    }
    return bound;
  }
}
