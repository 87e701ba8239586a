package dev.berth.testkit.asserting;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.testkit.rule.Rule;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A fit that is valid during one call. */
final class AssertingFit extends View implements AllocationScore.Fit {

  private final AllocationScore.Fit raw;
  private final boolean amountsOnly;

  /**
   * Wraps a fit.
   *
   * @param amountsOnly whether the score declares that it reads resources only
   */
  AssertingFit(Scope scope, AllocationScore.Fit raw, boolean amountsOnly) {
    super(scope);
    this.raw = raw;
    this.amountsOnly = amountsOnly;
  }

  /** Returns what a fit is about, for messages. */
  static String describe(AllocationScore.Fit raw) {
    return "%s on %s".formatted(raw.instance().id(), raw.host().id());
  }

  /** Returns the range between two fits, for messages. */
  static String describe(AllocationScore.Fit least, AllocationScore.Fit most) {
    return IntStream.range(0, least.dimensions())
        .mapToObj(d -> "%s to %s of %s".formatted(least.used(d), most.used(d), least.capacity(d)))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  @Override
  String label() {
    return "the fit";
  }

  private void askBesidesAmounts(String call) {
    ask(call);
    if (amountsOnly) {
      throw scope()
          .broken(
              Rule.P25,
              "a ResourceScore must ask for resources only, but it asks %s of %s"
                  .formatted(call, label()));
    }
  }

  @Override
  public long now() {
    askBesidesAmounts("now()");
    return raw.now();
  }

  @Override
  public int dimensions() {
    ask("dimensions()");
    return raw.dimensions();
  }

  @Override
  public long capacity(int dimension) {
    ask("capacity()");
    return raw.capacity(dimension);
  }

  @Override
  public long used(int dimension) {
    ask("used()");
    return raw.used(dimension);
  }

  @Override
  public Dimension dimension(int number) {
    ask("dimension()");
    return raw.dimension(number);
  }

  @Override
  public Host host() {
    askBesidesAmounts("host()");
    return scope().host(raw.host());
  }

  @Override
  public Instance instance() {
    askBesidesAmounts("instance()");
    return scope().instance(raw.instance());
  }

  @Override
  public String toString() {
    return raw.toString();
  }
}
