package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.testkit.rule.Rule;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A score that is asked twice. If it {@linkplain AllocationScore#dependsOnResourcesOnly goes by
 * amounts}, it is shown nothing else, and its bounds are compared with what it scores.
 */
final class AssertingScore implements AllocationScore {

  private static final String PART = "AllocationScore.score";
  private static final String BOUND = "AllocationScore.upperBound";

  private final MisuseDetector watch;
  private final AllocationScore score;
  private final Declaration byAmounts;

  AssertingScore(MisuseDetector watch, AllocationScore score) {
    this.watch = watch;
    this.score = score;
    this.byAmounts =
        new Declaration(
            watch, "AllocationScore.dependsOnResourcesOnly", score::dependsOnResourcesOnly);
  }

  @Override
  public double score(Fit fit) {
    double value =
        number(PART, () -> AssertingFit.describe(fit), call -> score.score(show(call, fit)));
    if (byAmounts.isMade()) {
      watch.quietly(() -> requireWithin(bound(fit, fit), fit, fit, value));
    }
    return value;
  }

  @Override
  public boolean dependsOnResourcesOnly() {
    return byAmounts.isMade();
  }

  /** The ends may be hosts, so the bound holds for them. */
  @Override
  public double upperBound(Fit least, Fit most) {
    double bound = bound(least, most);
    if (byAmounts.isMade()) {
      watch.quietly(() -> requireWithin(bound, least, most, scoreOfEnd(least)));
      watch.quietly(() -> requireWithin(bound, least, most, scoreOfEnd(most)));
    }
    return bound;
  }

  private double bound(Fit least, Fit most) {
    return number(
        BOUND,
        () -> AssertingFit.describe(least, most),
        call -> score.upperBound(show(call, least), show(call, most)));
  }

  private double scoreOfEnd(Fit end) {
    return number(
        PART, () -> AssertingFit.describe(end, end), call -> score.score(show(call, end)));
  }

  private AssertingFit show(Scope call, Fit fit) {
    return new AssertingFit(call, fit, byAmounts.isMade());
  }

  private double number(String part, Supplier<String> about, Function<Scope, Double> question) {
    double value = watch.ask(part, about, question);
    if (Double.isNaN(value)) {
      throw watch.broken(Rule.P23, "%s of %s is not a number".formatted(part, about.get()));
    }
    return value;
  }

  private double requireWithin(double bound, Fit least, Fit most, double value) {
    if (value > bound) {
      throw watch.broken(
          Rule.P25,
          "%s of %s is %s, but a host there scores %s"
              .formatted(BOUND, AssertingFit.describe(least, most), bound, value));
    }
    return value;
  }
}
