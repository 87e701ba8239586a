package dev.berth.testkit.contract.selftest;

import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.rule.Rule;
import java.util.EnumSet;
import java.util.Set;

/** Schedulers that start members of groups one by one. */
final class BrokenGroups {

  private BrokenGroups() {}

  // ---- P51

  private static class KnowsGroups extends FirstFitScheduler {
    KnowsGroups(Setting setting) {
      super(setting);
    }

    @Override
    public Set<Feature> supportedFeatures() {
      Set<Feature> all = EnumSet.copyOf(super.supportedFeatures());
      all.add(Feature.GROUPS);
      return all;
    }
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
}
