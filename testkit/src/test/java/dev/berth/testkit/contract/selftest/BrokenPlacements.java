package dev.berth.testkit.contract.selftest;

import dev.berth.api.HostSpec;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePlacement;
import dev.berth.testkit.reference.ReferencePlacement.Refusal;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Set;

/** Schedulers that do not know taints, or one of the rules about other instances. */
final class BrokenPlacements {

  private BrokenPlacements() {}

  /** Obeys all rules but some. */
  private abstract static class IgnoresRefusals extends BrokenSchedulers.Subject {
    IgnoresRefusals(Set<Refusal> ignored) {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean obeysRules(ReferenceInstance instance, HostSpec host) {
                  return new ReferencePlacement(cluster)
                      .refusal(instance, host, List.of())
                      .filter(each -> !ignored.contains(each))
                      .isEmpty();
                }
              });
    }
  }

  @Breaks(
      value = Rule.P48,
      says = "r\\d+ comes to h\\d, but does not tolerate a taint there",
      events = 5)
  static class IgnoresTaints extends IgnoresRefusals {
    IgnoresTaints() {
      super(Set.of(Refusal.TAINT));
    }
  }

  @Breaks(value = Rule.P48, says = "r\\d+ comes to h\\d, but is not near .+", events = 8)
  static class IgnoresNear extends IgnoresRefusals {
    IgnoresNear() {
      super(Set.of(Refusal.NEAR));
    }
  }

  @Breaks(value = Rule.P48, says = "r\\d+ comes to h\\d, but is not kept apart .+", events = 8)
  static class IgnoresApart extends IgnoresRefusals {
    IgnoresApart() {
      super(Set.of(Refusal.APART));
    }
  }

  @Breaks(
      value = Rule.P48,
      says = "r\\d+ comes to h\\d, but is in the place of an instance that keeps it away",
      events = 8)
  static class AppliesApartInOneDirection extends IgnoresRefusals {
    AppliesApartInOneDirection() {
      super(Set.of(Refusal.KEPT_AWAY));
    }
  }

  @Breaks(value = Rule.P48, says = "r\\d+ comes to h\\d, but makes the spread .+", events = 10)
  static class IgnoresSpread extends IgnoresRefusals {
    IgnoresSpread() {
      super(Set.of(Refusal.SPREAD));
    }
  }

  @Breaks(
      value = Rule.P48,
      says = "r\\d+ comes to h\\d, but the host is in no place .+",
      events = 5)
  static class TakesAnyHostAsAPlace extends IgnoresRefusals {
    TakesAnyHostAsAPlace() {
      super(Set.of(Refusal.NO_PLACE));
    }
  }
}
