package dev.berth.testkit.contract.selftest;

import static dev.berth.testkit.contract.selftest.AdjustingScheduler.adjusting;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.pause;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.resize;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.suspend;
import static dev.berth.testkit.contract.selftest.AdjustingScheduler.with;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;

/** Schedulers that place with, resize to or report a wrong grant. */
final class BrokenGrants {

  private BrokenGrants() {}

  // ---- P30

  @Breaks(value = Rule.P30, says = "r\\d+ is granted \\w+ \\S+, but \\S+ is guaranteed", events = 6)
  static class GrantsHalfTheDemand extends BrokenSchedulers.Subject {
    GrantsHalfTheDemand() {
      super(setting -> new GrantingScheduler(setting, (request, cpu) -> half(request.demand())));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu 0, but \\S+ is guaranteed", events = 6)
  static class MoldsToZeroCpu extends BrokenSchedulers.Subject {
    MoldsToZeroCpu() {
      super(
          setting ->
              new GrantingScheduler(
                  setting,
                  (request, cpu) ->
                      request.moldability().isEmpty()
                          ? request.demand()
                          : with(request.demand(), Dimension.CPU, 0)));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu 0, but \\S+ is guaranteed", events = 6)
  static class ResizesRunningToZeroCpu extends BrokenSchedulers.Subject {
    ResizesRunningToZeroCpu() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.RUNNING
                          ? resize(scheduler, each, with(each.granted(), Dimension.CPU, 0))
                          : Optional.empty()));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu \\S+ on h\\d, which has \\S+", events = 7)
  static class ResizesPausedBeyondHostCapacity extends BrokenSchedulers.Subject {
    ResizesPausedBeyondHostCapacity() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.PAUSED
                          ? resize(
                              scheduler, each, with(each.granted(), Dimension.CPU, Long.MAX_VALUE))
                          : pause(scheduler, each, now)));
    }
  }

  // ---- P33

  @Breaks(
      value = Rule.P33,
      says = "r\\d+ is granted \\w+ \\S+, but \\S+ is the minimum without oversubscription",
      events = 6)
  static class GrantsGuaranteedOnly extends BrokenSchedulers.Subject {
    GrantsGuaranteedOnly() {
      super(setting -> new GrantingScheduler(setting, (request, cpu) -> request.guaranteed()));
    }
  }

  @Breaks(
      value = Rule.P33,
      says = "r\\d+ is granted cpu \\S+, but \\S+ is the minimum without oversubscription",
      events = 6)
  static class MoldsRunning extends BrokenSchedulers.Subject {
    MoldsRunning() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.RUNNING
                              && each.request().moldability().isPresent()
                          ? resize(
                              scheduler,
                              each,
                              with(
                                  each.granted(),
                                  Dimension.CPU,
                                  each.granted().amount(Dimension.CPU) / 2))
                          : Optional.empty()));
    }
  }

  // ---- P03, P28, P35

  @Breaks(value = Rule.P03, says = "h\\d holds \\w+ \\d+ of \\d+", events = 9)
  static class ResizesBeyondHostCapacity extends BrokenSchedulers.Subject {
    ResizesBeyondHostCapacity() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) -> {
                    HostSpec host = scheduler.cluster.host(each.hostId().orElse("")).orElse(null);
                    return each.state() == InstanceState.RUNNING
                            && host != null
                            && !each.granted().equals(host.capacity())
                        ? resize(scheduler, each, host.capacity())
                        : Optional.empty();
                  }));
    }
  }

  @Breaks(
      value = Rule.P28,
      says = "of r\\d+ the scheduler reports granted none, but the events imply .+",
      events = 6)
  static class ReportsNoGrant extends BrokenSchedulers.Subject {
    ReportsNoGrant() {
      super(
          setting ->
              new GrantingScheduler(
                  setting,
                  (request, cpu) ->
                      request.moldability().isPresent()
                          ? with(request.demand(), Dimension.CPU, cpu / 2)
                          : request.demand()) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return super.snapshots(now)
                      .map(
                          all ->
                              all.stream()
                                  .map(
                                      each ->
                                          new InstanceSnapshot(
                                              each.id(),
                                              each.state(),
                                              each.stateSince(),
                                              each.host(),
                                              each.serviceTime(),
                                              each.waitingTime(),
                                              each.preemptions(),
                                              each.placements(),
                                              each.restartOverhead(),
                                              Optional.empty(),
                                              0))
                                  .toList());
                }
              });
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "resize r\\d+ on h\\d to .+, but r\\d+ is r\\d+ SUSPENDED on h\\d",
      events = 7)
  static class ResizesSuspended extends BrokenSchedulers.Subject {
    ResizesSuspended() {
      super(
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.SUSPENDED
                          ? Optional.of(
                              new Action.Resize(
                                  each.id(), each.hostId().orElseThrow(), each.granted()))
                          : suspend(scheduler, each, now)));
    }
  }

  // ---- P26

  @Breaks(
      value = Rule.P26,
      says = "resize r\\d+ on h\\d to .+, but RESIZES is not declared",
      events = 6)
  static class ResizesUndeclared extends BrokenSchedulers.Undeclared {
    ResizesUndeclared() {
      super(
          Capability.RESIZES,
          setting ->
              adjusting(
                  setting,
                  (scheduler, each, now) ->
                      each.state() == InstanceState.RUNNING
                          ? resize(scheduler, each, each.granted())
                          : Optional.empty()));
    }
  }

  @Breaks(value = Rule.P26, says = "r\\d+ is placed with .+, but MOLDS is not declared", events = 6)
  static class MoldsUndeclared extends BrokenSchedulers.Undeclared {
    MoldsUndeclared() {
      super(
          Capability.MOLDS,
          setting ->
              new GrantingScheduler(
                  setting,
                  (request, cpu) ->
                      request.moldability().isPresent()
                          ? with(request.demand(), Dimension.CPU, cpu / 2)
                          : request.demand()));
    }
  }

  // ---- Shared parts

  /** The grant of a request that demands some CPU. */
  private interface GrantRule {
    Resources to(Request request, long cpu);
  }

  /** Places with a grant that may differ from the demand. */
  private static class GrantingScheduler extends FirstFitScheduler {

    private final GrantRule rule;

    GrantingScheduler(Setting setting, GrantRule rule) {
      super(setting);
      this.rule = rule;
    }

    @Override
    void decide(ReferenceInstance instance, long now, List<Action> actions) {
      Request request = instance.request();
      Resources grant = rule.to(request, request.demand().amount(Dimension.CPU));
      cluster.hosts().stream()
          .filter(host -> admits(host, instance, cluster.residents(host)))
          .findFirst()
          .ifPresent(
              host -> {
                LedgerCalls.place(cluster, instance.id(), host.id(), grant, passes(), now);
                actions.add(
                    new Action.Place(
                        instance.id(),
                        host.id(),
                        List.of(),
                        Optional.of(grant).filter(it -> !it.equals(request.demand()))));
              });
    }
  }

  private static Resources half(Resources resources) {
    Resources.Builder half = Resources.builder();
    resources.dimensions().forEach(each -> half.put(each, resources.amount(each) / 2));
    return half.build();
  }
}
