package dev.berth.testkit.contract.selftest;

import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.rule.Rule;
import java.util.EnumSet;
import java.util.Set;

/** Schedulers that start members of groups one by one, or preempt them so. */
final class BrokenGroups {

  private BrokenGroups() {}

  // ---- P51

  private static class KnowsGroups extends FirstFitScheduler {
    KnowsGroups(Setting setting) {
      super(setting);
    }

    @Override
    public Set<Feature> supportedFeatures() {
      return withGroups(super.supportedFeatures());
    }
  }

  private static Set<EventTarget.Feature> withGroups(Set<EventTarget.Feature> features) {
    Set<EventTarget.Feature> all = EnumSet.copyOf(features);
    all.add(EventTarget.Feature.GROUPS);
    return all;
  }

  @Breaks(
      value = Rule.P51,
      says =
          "group g\\d+ (starts with .+, but \\d+ members must start together|was broken and is to be released, but not all of .+ are evicted)",
      events = 6)
  static class StartsMembersAlone extends BrokenSchedulers.Subject {
    StartsMembersAlone() {
      super(KnowsGroups::new);
    }
  }

  // ---- P55

  @Breaks(
      value = Rule.P55,
      says = "r\\d+ is preempted, which leaves \\d+ of the \\d+ members of group g\\d+ on hosts",
      events = 7)
  static class PreemptsMembersAlone extends BrokenSchedulers.Subject {
    PreemptsMembersAlone() {
      super(
          setting ->
              new BrokenSchedulers.Preempting(setting) {
                @Override
                public Set<Feature> supportedFeatures() {
                  return withGroups(super.supportedFeatures());
                }
              });
    }
  }
}
