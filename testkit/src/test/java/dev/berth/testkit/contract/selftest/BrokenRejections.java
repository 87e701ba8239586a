package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.reject;

import dev.berth.api.InstanceState;
import dev.berth.api.plan.Action;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Schedulers that reject instances wrongly. */
final class BrokenRejections {

  private BrokenRejections() {}

  // ---- P34

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ is rejected, but it is r\\d+ PENDING, placed 1 times",
      events = 7)
  static class RejectsFailed extends BrokenSchedulers.Subject {
    RejectsFailed() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.PENDING && each.placements() > 0
                          ? reject(scheduler, each, now)
                          : Optional.empty()));
    }
  }

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ is rejected, but it is r\\d+ RUNNING on h\\d, placed 1 times",
      events = 6)
  static class RejectsRunning extends BrokenSchedulers.Subject {
    RejectsRunning() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.RUNNING
                          ? reject(scheduler, each, now)
                          : Optional.empty()));
    }
  }

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ was rejected, but then: place r\\d+ on h\\d.*",
      events = 7)
  static class PlacesRejected extends BrokenSchedulers.Subject {
    PlacesRejected() {
      super(
          setting ->
              new AdjustingScheduler(setting, (scheduler, each, now) -> Optional.empty()) {
                private final Set<String> seen = new HashSet<>();

                @Override
                void decide(ReferenceInstance instance, long now, List<Action> actions) {
                  if (seen.add(instance.id())) {
                    actions.add(new Action.Reject(instance.id(), WellBehavedParts.NO_ROOM));
                  } else {
                    super.decide(instance, now, actions);
                  }
                }

                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return Optional.empty();
                }
              });
    }
  }

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ was rejected, but the scheduler reports r\\d+",
      events = 6)
  static class ReportsRejected extends BrokenSchedulers.Subject {
    ReportsRejected() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.PENDING && each.placements() == 0
                          ? Optional.of(new Action.Reject(each.id(), WellBehavedParts.NO_ROOM))
                          : Optional.empty()));
    }
  }

  // ---- P26

  @Breaks(
      value = Rule.P26,
      says = "reject r\\d+: no host has room for it, but REJECTS is not declared",
      events = 6)
  static class RejectsUndeclared extends BrokenSchedulers.Undeclared {
    RejectsUndeclared() {
      super(
          Capability.REJECTS,
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.PENDING && each.placements() == 0
                          ? reject(scheduler, each, now)
                          : Optional.empty()));
    }
  }
}
