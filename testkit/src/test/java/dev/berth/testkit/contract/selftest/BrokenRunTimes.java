package dev.berth.testkit.contract.selftest;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Schedulers that stop instances late or early. */
final class BrokenRunTimes {

  private BrokenRunTimes() {}

  // ---- P54

  private static class KnowsRunTimes extends FirstFitScheduler {
    KnowsRunTimes(Setting setting) {
      super(setting);
    }

    @Override
    public Set<Feature> supportedFeatures() {
      Set<Feature> all = EnumSet.copyOf(super.supportedFeatures());
      all.add(Feature.RUN_TIME_LIMITS);
      return all;
    }
  }

  @Breaks(
      value = Rule.P54,
      says = "r\\d+ RUNNING on h\\d+, with a service of \\d+ ns, of at most \\d+ ns after a pass",
      events = 5)
  static class StopsNothing extends BrokenSchedulers.Subject {
    StopsNothing() {
      super(KnowsRunTimes::new);
    }
  }

  @Breaks(
      value = Rule.P54,
      says = "stop r\\d+ on h\\d+: its longest run time of \\S+ is over, but r\\d+ RUNNING .*",
      events = 5)
  static class StopsAtOnce extends BrokenSchedulers.Subject {
    StopsAtOnce() {
      super(
          setting ->
              new KnowsRunTimes(setting) {
                private long stops;

                @Override
                List<Action> expire(long now) {
                  List<Action> actions = new ArrayList<>(super.expire(now));
                  for (ReferenceInstance each : cluster.instances(InstanceState.RUNNING)) {
                    each.request()
                        .maxRunTime()
                        .ifPresent(limit -> actions.add(stop(each, limit, now)));
                  }
                  return actions;
                }

                private Action stop(ReferenceInstance instance, long limit, long now) {
                  Action stop =
                      new Action.Stop(
                          instance.report(now),
                          instance.hostId().orElseThrow(),
                          new Reason.RanTooLong(limit));
                  cluster.execute(new ActionId(++stops, 0), stop, now);
                  return stop;
                }
              });
    }
  }
}
