package dev.berth.testkit.contract.selftest;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Schedulers that handle pools or bags wrongly. */
final class BrokenScaling {

  private BrokenScaling() {}

  // ---- P36

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: \\[\\] start, .+ of \\d",
      events = 2)
  static class ProvisionsBeyondTheLimit extends BrokenSchedulers.Subject {
    ProvisionsBeyondTheLimit() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferencePool each : scheduler.cluster.pools()) {
                      if (each.size() == 0) {
                        scheduler.provision(each, each.spec().limit() + 1, actions);
                      }
                    }
                  }));
    }
  }

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: .+ stop, of \\d",
      events = 3)
  static class IgnoresStoppingHosts extends BrokenSchedulers.Subject {
    IgnoresStoppingHosts() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferencePool each : scheduler.cluster.pools()) {
                      each.starting().forEach(host -> scheduler.release(host, actions));
                      if (each.starting().size() + each.up().size() < each.spec().limit()) {
                        scheduler.provision(each, 1, actions);
                      }
                    }
                  }));
    }
  }

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: .+ of \\d",
      events = 3)
  static class IgnoresLoweredLimits extends BrokenSchedulers.Subject {
    IgnoresLoweredLimits() {
      super(
          setting ->
              new ScalingScheduler(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferencePool each : scheduler.cluster.pools()) {
                      if (each.size() < scheduler.firstLimits.get(each.name())) {
                        scheduler.provision(each, 1, actions);
                      }
                    }
                  }));
    }
  }

  // ---- P37

  @Breaks(value = Rule.P37, says = "release h\\d to p1, but it is of no pool", events = 2)
  static class ReleasesAHostOfNoPool extends BrokenSchedulers.Subject {
    ReleasesAHostOfNoPool() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) ->
                      scheduler
                          .cluster
                          .hosts()
                          .forEach(each -> actions.add(new Action.Release(each.id(), "p1")))));
    }
  }

  @Breaks(
      value = Rule.P37,
      says = "release (p\\d-\\d+) to p\\d, but there is \\[r\\d+ STARTING on \\1\\]",
      events = 5)
  static class ReleasesOccupiedHosts extends BrokenSchedulers.Subject {
    ReleasesOccupiedHosts() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferencePool each : scheduler.cluster.pools()) {
                      for (String host : each.up()) {
                        HostSpec up = scheduler.cluster.host(host).orElseThrow();
                        if (!scheduler.cluster.residents(up).isEmpty()) {
                          actions.add(new Action.Release(host, each.name()));
                        }
                      }
                    }
                    scheduler.provisionIfPossible(actions);
                  }));
    }
  }

  // ---- P38

  @Breaks(
      value = Rule.P38,
      says = "(p\\d-\\d+) was released, but then: release \\1 to p\\d",
      events = 4)
  static class ReleasesTwice extends BrokenSchedulers.Subject {
    ReleasesTwice() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferencePool each : scheduler.cluster.pools()) {
                      each.stopping()
                          .forEach(host -> actions.add(new Action.Release(host, each.name())));
                      each.starting().forEach(host -> scheduler.release(host, actions));
                    }
                    scheduler.provisionIfPossible(actions);
                  }));
    }
  }

  @Breaks(value = Rule.P38, says = "r\\d+ is placed on p\\d-\\d+, which is not up", events = 4)
  static class PlacesOnStartingHosts extends BrokenSchedulers.Subject {
    PlacesOnStartingHosts() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    scheduler.claimPlacementsOn(scheduler.cluster.starting(), actions);
                    scheduler.provisionIfPossible(actions);
                  }));
    }
  }

  @Breaks(value = Rule.P38, says = "r\\d+ is placed on p\\d-\\d+, which was released", events = 6)
  static class PlacesOnReleasedHosts extends BrokenSchedulers.Subject {
    PlacesOnReleasedHosts() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    scheduler.claimPlacementsOn(scheduler.cluster.stopping(), actions);
                    scheduler.cluster.starting().forEach(host -> scheduler.release(host, actions));
                    scheduler.provisionIfPossible(actions);
                  }));
    }
  }

  // ---- P39

  @Breaks(
      value = Rule.P39,
      says = "the time to live of bag b\\d+ is over, but it continues",
      events = 2)
  static class NeverExpiresBags extends BrokenSchedulers.Subject {
    NeverExpiresBags() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                List<Action> expire(long now) {
                  return List.of();
                }
              });
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "the scheduler reports bags \\[\\], but the bags that ended are \\[b\\d+\\]",
      events = 6)
  static class ReportsNoBags extends BrokenSchedulers.Subject {
    ReportsNoBags() {
      super(setting -> reporting(setting, (reports, before) -> List.of()));
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "the scheduler reports bags \\[b\\d+\\], but the bags that ended are \\[\\]",
      events = 7)
  static class ReportsBagsTwice extends BrokenSchedulers.Subject {
    ReportsBagsTwice() {
      super(
          setting ->
              reporting(
                  setting,
                  (reports, before) -> {
                    List<BagReport> all = new ArrayList<>(before);
                    all.addAll(reports);
                    return all;
                  }));
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "of bag b\\d+ the scheduler reports completed \\d+, but the events imply \\d+",
      events = 3)
  static class CountsAllAsCompleted extends BrokenSchedulers.Subject {
    CountsAllAsCompleted() {
      super(
          setting ->
              reporting(
                  setting,
                  (reports, before) ->
                      reports.stream().map(CountsAllAsCompleted::complete).toList()));
    }

    private static BagReport complete(BagReport it) {
      return new BagReport(
          it.bag(),
          it.size(),
          it.size(),
          it.cancelled(),
          it.why(),
          it.submittedAt(),
          it.assignedAt(),
          it.endedAt(),
          it.cluster(),
          it.serviceTime());
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "bag b\\d+ is cancelled with \\[\\] left, but left are \\[r\\d+\\]",
      events = 2)
  static class CancelsBagsWithoutTheirMembers extends BrokenSchedulers.Subject {
    CancelsBagsWithoutTheirMembers() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                List<Action> expire(long now) {
                  return super.expire(now).stream()
                      .map(Action.Cancel.class::cast)
                      .<Action>map(each -> new Action.Cancel(each.bag(), List.of(), each.why()))
                      .toList();
                }
              });
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "bag b\\d+ has ended, but then: assign bag b\\d+ to cluster c",
      events = 6)
  static class AssignsEndedBags extends BrokenSchedulers.Subject {
    AssignsEndedBags() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) ->
                      scheduler.bagsEver.stream()
                          .filter(each -> scheduler.cluster.bag(each).isEmpty())
                          .forEach(
                              each ->
                                  actions.add(
                                      new Action.Assign(each, "c", OptionalLong.empty())))));
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "(r\\d+) was cancelled with its bag, but then: place \\1 on h1",
      events = 5)
  static class PlacesCancelled extends BrokenSchedulers.Subject {
    PlacesCancelled() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                private final Set<String> cancelled = new LinkedHashSet<>();

                @Override
                List<Action> expire(long now) {
                  List<Action> all = super.expire(now);
                  all.forEach(each -> cancelled.addAll(((Action.Cancel) each).instances()));
                  return all;
                }

                @Override
                List<Action> tamper(List<Action> actions) {
                  List<Action> more = new ArrayList<>(actions);
                  if (actions.isEmpty() && cluster.expiredBags(Long.MAX_VALUE).isEmpty()) {
                    cancelled.forEach(each -> more.add(new Action.Place(each, "h1", List.of())));
                  }
                  return more;
                }
              });
    }
  }

  // ---- P40

  private static final String ELSEWHERE =
      "r\\d+ goes to h\\d, which is of cluster none, but bag b\\d+ is assigned to cluster c";

  @Breaks(value = Rule.P40, says = ELSEWHERE, events = 7)
  static class PlacesOutsideTheCluster extends BrokenSchedulers.Subject {
    PlacesOutsideTheCluster() {
      super(
          setting ->
              new ScalingScheduler(setting, BrokenScaling::assignAll) {
                @Override
                boolean ofItsCluster(ReferenceInstance instance, HostSpec host) {
                  return true;
                }
              });
    }
  }

  @Breaks(value = Rule.P40, says = ELSEWHERE, events = 7)
  static class MigratesOutsideTheCluster extends BrokenSchedulers.Subject {
    MigratesOutsideTheCluster() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) -> {
                    for (ReferenceInstance each :
                        scheduler.cluster.instances(InstanceState.RUNNING)) {
                      String from = each.hostId().orElseThrow();
                      scheduler.cluster.hosts().stream()
                          .filter(to -> !to.id().equals(from))
                          .filter(to -> scheduler.cluster.bagOf(each).isPresent())
                          .findFirst()
                          .ifPresent(
                              to ->
                                  actions.add(
                                      new Action.Migrate(
                                          each.id(), from, to.id(), each.granted(), 1)));
                    }
                    assignAll(scheduler, now, actions);
                  }));
    }
  }

  // ---- Older rules

  @Breaks(value = Rule.P04, says = "provision x from nowhere, but no such pool exists", events = 1)
  static class ProvisionsFromUnknownPool extends BrokenSchedulers.Subject {
    ProvisionsFromUnknownPool() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) ->
                      actions.add(
                          new Action.Provision(
                              "nowhere", List.of("x"), Optional.empty(), OptionalLong.empty()))));
    }
  }

  @Breaks(value = Rule.P04, says = "no bag b0: assign bag b0 to cluster c", events = 1)
  static class AssignsUnknownBag extends BrokenSchedulers.Subject {
    AssignsUnknownBag() {
      super(
          setting ->
              scaling(
                  setting,
                  (scheduler, now, actions) ->
                      actions.add(new Action.Assign("b0", "c", OptionalLong.empty()))));
    }
  }

  @Breaks(
      value = Rule.P19,
      says = "r\\d+ is the subject of two actions in a pass, the second is Cancel\\[.*\\]",
      events = 3)
  static class CancelsJustPlaced extends BrokenSchedulers.Subject {
    CancelsJustPlaced() {
      super(setting -> scaling(setting, BrokenScaling::cancelAll));
    }
  }

  // ---- P26

  @Breaks(
      value = Rule.P26,
      says = "provision p\\d-1 from p\\d, but SCALES is not declared",
      events = 2)
  static class ScalesUndeclared extends BrokenSchedulers.Undeclared {
    ScalesUndeclared() {
      super(
          Capability.SCALES,
          setting ->
              scaling(
                  setting, (scheduler, now, actions) -> scheduler.provisionIfPossible(actions)));
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "assign bag b\\d+ to cluster c, but ASSIGNS is not declared",
      events = 2)
  static class AssignsUndeclared extends BrokenSchedulers.Undeclared {
    AssignsUndeclared() {
      super(Capability.ASSIGNS, setting -> scaling(setting, BrokenScaling::assignAll));
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "cancel bag b\\d+, 1 left of it: .+, but ASSIGNS is not declared",
      events = 2)
  static class CancelsUndeclared extends BrokenSchedulers.Undeclared {
    CancelsUndeclared() {
      super(Capability.ADJUSTS, setting -> scaling(setting, BrokenScaling::cancelAll));
    }
  }

  // ---- Shared parts

  /** Changes pools and bags and adds the actions; or only adds actions. */
  private interface ScalingStep {
    void take(ScalingScheduler scheduler, long now, List<Action> actions);
  }

  /** After placing, takes one step for pools and bags. */
  private static class ScalingScheduler extends FirstFitScheduler {

    final Map<String, Integer> firstLimits = new HashMap<>(); // of pools, by name
    final Set<String> bagsEver = new LinkedHashSet<>();
    private final ScalingStep step;
    private int provisioned;

    ScalingScheduler(Setting setting, ScalingStep step) {
      super(setting);
      this.step = step;
    }

    @Override
    public Object apply(Event<?> event, long now) {
      if (event instanceof Event.PoolOffered offered) {
        firstLimits.putIfAbsent(offered.pool().name(), offered.pool().limit());
      } else if (event instanceof Event.BagSubmitted submitted) {
        bagsEver.add(submitted.bag().id());
      }
      return super.apply(event, now);
    }

    @Override
    void adjust(long now, List<Action> actions) {
      step.take(this, now, actions);
    }

    final void provision(ReferencePool pool, int count, List<Action> actions) {
      List<String> ids =
          IntStream.range(0, count).mapToObj(i -> pool.name() + "-" + ++provisioned).toList();
      perform(
          new Action.Provision(pool.name(), ids, Optional.empty(), OptionalLong.empty()), actions);
    }

    /** Provisions a host from each pool that has room and no starting host. */
    final void provisionIfPossible(List<Action> actions) {
      for (ReferencePool each : cluster.pools()) {
        if (each.starting().isEmpty() && each.size() < each.spec().limit()) {
          provision(each, 1, actions);
        }
      }
    }

    final void release(String host, List<Action> actions) {
      String pool = cluster.poolOf(host).orElseThrow().name();
      perform(new Action.Release(host, pool), actions);
    }

    private void perform(Action action, List<Action> actions) {
      LedgerCalls.execute(cluster, action, passes(), 0);
      actions.add(action);
    }

    /** Reports placements of all pending instances on the first of some hosts; does not place. */
    final void claimPlacementsOn(List<String> hosts, List<Action> actions) {
      if (!hosts.isEmpty()) {
        cluster
            .instances(InstanceState.PENDING)
            .forEach(each -> actions.add(new Action.Place(each.id(), hosts.get(0), List.of())));
      }
    }
  }

  private static EventTarget scaling(Setting setting, ScalingStep step) {
    return new ScalingScheduler(setting, step);
  }

  private static void assignAll(ScalingScheduler scheduler, long now, List<Action> actions) {
    for (ReferenceBag each : scheduler.cluster.bags()) {
      if (each.cluster().isEmpty()) {
        Action assignment = new Action.Assign(each.id(), "c", OptionalLong.empty());
        LedgerCalls.execute(scheduler.cluster, assignment, scheduler.passes(), now);
        actions.add(new Action.Assign(each.id(), "c", each.expiresAt()));
      }
    }
  }

  private static void cancelAll(ScalingScheduler scheduler, long now, List<Action> actions) {
    scheduler
        .cluster
        .bags()
        .forEach(each -> actions.add(scheduler.cancel(each, WellBehavedParts.NO_ROOM, now)));
  }

  /** Returns the reports of a pass, from the bags that ended now and in the previous pass. */
  private interface BagReporting {
    List<BagReport> of(List<BagReport> reports, List<BagReport> before);
  }

  private static EventTarget reporting(Setting setting, BagReporting reporting) {
    return new FirstFitScheduler(setting) {
      private List<BagReport> before = List.of();

      @Override
      List<BagReport> report(long now) {
        List<BagReport> reports = super.report(now);
        List<BagReport> reported = reporting.of(reports, before);
        before = reports;
        return reported;
      }
    };
  }
}
