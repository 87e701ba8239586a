package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.testkit.rule.Rule;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asks a score twice. */
class AssertingScore implements AllocationScore {

  private static final String PART = "AllocationScore.score";

  private final MisuseDetector detector;
  private final AllocationScore score;
  private final boolean resourcesOnly;

  private AssertingScore(MisuseDetector detector, AllocationScore score, boolean resourcesOnly) {
    this.detector = detector;
    this.score = score;
    this.resourcesOnly = resourcesOnly;
  }

  /** Wraps a score; the wrapper is a {@link ResourceScore} if the score is. */
  static AllocationScore around(MisuseDetector detector, AllocationScore score) {
    return score instanceof ResourceScore byResources
        ? new OfResources(detector, byResources)
        : new AssertingScore(detector, score, false);
  }

  @Override
  public double score(Fit fit) {
    return number(PART, () -> describe(fit), call -> score.score(show(call, fit)));
  }

  final Fit show(Scope call, Fit fit) {
    return ProxyView.fit(call, fit, resourcesOnly);
  }

  private static String describe(Fit fit) {
    return "%s on %s".formatted(fit.instance().id(), fit.host().id());
  }

  /** Returns the range between two fits. */
  private static String describe(Fit least, Fit most) {
    return IntStream.range(0, least.dimensions())
        .mapToObj(d -> "%s to %s of %s".formatted(least.used(d), most.used(d), least.capacity(d)))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  final double number(String part, Supplier<String> about, Function<Scope, Double> question) {
    double value = detector.ask(part, about, question);
    if (Double.isNaN(value)) {
      throw detector.broken(Rule.P23.broken("%s of %s is not a number", part, about.get()));
    }
    return value;
  }

  /** Shows a resource score nothing but resources, and compares its bounds with its scores. */
  private static final class OfResources extends AssertingScore implements ResourceScore {

    private static final String BOUND = "ResourceScore.upperBound";

    private final MisuseDetector detector;
    private final ResourceScore score;

    OfResources(MisuseDetector detector, ResourceScore score) {
      super(detector, score, true);
      this.detector = detector;
      this.score = score;
    }

    @Override
    public double score(Fit fit) {
      double value = super.score(fit);
      detector.quietly(() -> requireWithin(bound(fit, fit), fit, fit, value));
      return value;
    }

    /** Checks both ends, too: they may be hosts, so the bound must hold for them. */
    @Override
    public double upperBound(Fit least, Fit most) {
      double bound = bound(least, most);
      detector.quietly(() -> requireWithin(bound, least, most, scoreOfEnd(least)));
      detector.quietly(() -> requireWithin(bound, least, most, scoreOfEnd(most)));
      return bound;
    }

    private double bound(Fit least, Fit most) {
      return number(
          BOUND,
          () -> describe(least, most),
          call -> score.upperBound(show(call, least), show(call, most)));
    }

    private double scoreOfEnd(Fit end) {
      return number(PART, () -> describe(end, end), call -> score.score(show(call, end)));
    }

    private double requireWithin(double bound, Fit least, Fit most, double value) {
      if (value > bound) {
        throw detector.broken(
            Rule.P25.broken(
                "%s of %s is %s, but a host there scores %s",
                BOUND, describe(least, most), bound, value));
      }
      return value;
    }
  }
}
