package dev.berth.testkit.contract.selftest;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
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
import java.util.function.Function;
import java.util.stream.IntStream;

/** Schedulers that do wrongly what is about pools and bags, or do not say that they do it. */
final class BrokenScaling {

  private BrokenScaling() {}

  /** The contract test of one of them. */
  abstract static class Subject extends BrokenSchedulers.Subject {
    Subject(Function<Setting, EventTarget> starts) {
      super(starts);
    }
  }

  // ---- P36

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: \\[\\] start, .+ of \\d",
      events = 2)
  static class AsksForMoreThanIsOffered extends Subject {
    AsksForMoreThanIsOffered() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferencePool each : small.cluster.pools()) {
                      if (each.size() == 0) {
                        small.asks(each, each.spec().limit() + 1, actions);
                      }
                    }
                  }));
    }
  }

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: .+ stop, of \\d",
      events = 3)
  static class ForgetsThoseThatStop extends Subject {
    ForgetsThoseThatStop() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferencePool each : small.cluster.pools()) {
                      each.starting().forEach(host -> small.givesBack(host, actions));
                      if (each.starting().size() + each.up().size() < each.spec().limit()) {
                        small.asks(each, 1, actions);
                      }
                    }
                  }));
    }
  }

  @Breaks(
      value = Rule.P36,
      says = "provision .+ from p\\d, but there is pool p\\d: .+ of \\d",
      events = 3)
  static class HoldsOnToTheFirstOffer extends Subject {
    HoldsOnToTheFirstOffer() {
      super(
          setting ->
              new Scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferencePool each : small.cluster.pools()) {
                      if (each.size() < small.firstLimits.get(each.name())) {
                        small.asks(each, 1, actions);
                      }
                    }
                  }));
    }
  }

  // ---- P37

  @Breaks(value = Rule.P37, says = "release h\\d to p1, but it is of no pool", events = 2)
  static class ReleasesWhatIsOfNoPool extends Subject {
    ReleasesWhatIsOfNoPool() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) ->
                      small
                          .cluster
                          .hosts()
                          .forEach(each -> actions.add(new Action.Release(each.id(), "p1")))));
    }
  }

  @Breaks(
      value = Rule.P37,
      says = "release (p\\d-\\d+) to p\\d, but there is \\[r\\d+ STARTING on \\1\\]",
      events = 5)
  static class ReleasesTheBusy extends Subject {
    ReleasesTheBusy() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferencePool each : small.cluster.pools()) {
                      for (String host : each.up()) {
                        HostSpec up = small.cluster.host(host).orElseThrow();
                        if (!small.cluster.residents(up).isEmpty()) {
                          actions.add(new Action.Release(host, each.name()));
                        }
                      }
                    }
                    small.asksWhereItMay(actions);
                  }));
    }
  }

  // ---- P38

  @Breaks(
      value = Rule.P38,
      says = "(p\\d-\\d+) was released, but then: release \\1 to p\\d",
      events = 4)
  static class ReleasesTwice extends Subject {
    ReleasesTwice() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferencePool each : small.cluster.pools()) {
                      each.stopping()
                          .forEach(host -> actions.add(new Action.Release(host, each.name())));
                      each.starting().forEach(host -> small.givesBack(host, actions));
                    }
                    small.asksWhereItMay(actions);
                  }));
    }
  }

  @Breaks(value = Rule.P38, says = "r\\d+ is placed on p\\d-\\d+, which is not up", events = 4)
  static class PlacesOnWhatIsNotUp extends Subject {
    PlacesOnWhatIsNotUp() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    small.placesOn(small.cluster.starting(), actions);
                    small.asksWhereItMay(actions);
                  }));
    }
  }

  @Breaks(value = Rule.P38, says = "r\\d+ is placed on p\\d-\\d+, which was released", events = 6)
  static class PlacesOnWhatItGaveBack extends Subject {
    PlacesOnWhatItGaveBack() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    small.placesOn(small.cluster.stopping(), actions);
                    small.cluster.starting().forEach(host -> small.givesBack(host, actions));
                    small.asksWhereItMay(actions);
                  }));
    }
  }

  // ---- P39

  @Breaks(
      value = Rule.P39,
      says = "the time to live of bag b\\d+ is over, but it continues",
      events = 2)
  static class GivesBagsAllTheTimeTheyTake extends Subject {
    GivesBagsAllTheTimeTheyTake() {
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
  static class ReportsNothing extends Subject {
    ReportsNothing() {
      super(setting -> reporting(setting, (reports, before) -> List.of()));
    }
  }

  @Breaks(
      value = Rule.P39,
      says = "the scheduler reports bags \\[b\\d+\\], but the bags that ended are \\[\\]",
      events = 7)
  static class ReportsTwice extends Subject {
    ReportsTwice() {
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
  static class CountsAllAsCompleted extends Subject {
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
  static class ForgetsWhoIsLeft extends Subject {
    ForgetsWhoIsLeft() {
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
  static class AssignsWhatIsAtAnEnd extends Subject {
    AssignsWhatIsAtAnEnd() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) ->
                      small.bagsEver.stream()
                          .filter(each -> small.cluster.bag(each).isEmpty())
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
  static class PlacesWhomItCancelled extends Subject {
    PlacesWhomItCancelled() {
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

  @Breaks(value = Rule.P40, says = ELSEWHERE, events = 4)
  static class PlacesTheAssignedAnywhere extends Subject {
    PlacesTheAssignedAnywhere() {
      super(
          setting ->
              new Scaling(setting, BrokenScaling::assignAll) {
                @Override
                boolean ofItsCluster(ReferenceInstance instance, HostSpec host) {
                  return true;
                }
              });
    }
  }

  @Breaks(value = Rule.P40, says = ELSEWHERE, events = 7)
  static class MigratesTheAssignedAnywhere extends Subject {
    MigratesTheAssignedAnywhere() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) -> {
                    for (ReferenceInstance each : small.cluster.instances(InstanceState.RUNNING)) {
                      String from = each.hostId().orElseThrow();
                      small.cluster.hosts().stream()
                          .filter(to -> !to.id().equals(from))
                          .filter(to -> small.cluster.bagOf(each).isPresent())
                          .findFirst()
                          .ifPresent(
                              to ->
                                  actions.add(
                                      new Action.Migrate(
                                          each.id(), from, to.id(), each.granted())));
                    }
                    assignAll(small, now, actions);
                  }));
    }
  }

  // ---- Older rules

  @Breaks(value = Rule.P04, says = "provision x from nowhere, but no such pool exists", events = 1)
  static class AsksNobody extends Subject {
    AsksNobody() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) ->
                      actions.add(
                          new Action.Provision(
                              "nowhere", List.of("x"), Optional.empty(), OptionalLong.empty()))));
    }
  }

  @Breaks(value = Rule.P04, says = "no bag b0: assign bag b0 to cluster c", events = 1)
  static class AssignsNothing extends Subject {
    AssignsNothing() {
      super(
          setting ->
              scaling(
                  setting,
                  (small, now, actions) ->
                      actions.add(new Action.Assign("b0", "c", OptionalLong.empty()))));
    }
  }

  @Breaks(
      value = Rule.P19,
      says = "r\\d+ is the subject of two actions in a pass, the second is Cancel\\[.*\\]",
      events = 3)
  static class CancelsWhomItHasJustPlaced extends Subject {
    CancelsWhomItHasJustPlaced() {
      super(setting -> scaling(setting, BrokenScaling::cancelAll));
    }
  }

  // ---- P26

  @Breaks(
      value = Rule.P26,
      says = "provision p\\d-1 from p\\d, but SCALES is not declared",
      events = 2)
  static class ScalesUndeclared extends Subject {
    ScalesUndeclared() {
      super(setting -> scaling(setting, (small, now, actions) -> small.asksWhereItMay(actions)));
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.SCALES);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "assign bag b\\d+ to cluster c, but ASSIGNS is not declared",
      events = 2)
  static class AssignsUndeclared extends Subject {
    AssignsUndeclared() {
      super(setting -> scaling(setting, BrokenScaling::assignAll));
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.ASSIGNS);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "cancel bag b\\d+, 1 left of it: .+, but ASSIGNS is not declared",
      events = 2)
  static class CancelsUndeclared extends Subject {
    CancelsUndeclared() {
      super(setting -> scaling(setting, BrokenScaling::cancelAll));
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.ADJUSTS);
    }
  }

  // ---- What they are made of

  /** Does something about pools and bags, and tells it; or tells it only. */
  private interface Doing {
    void with(Scaling small, long now, List<Action> actions);
  }

  /** After placing, does something about pools and bags. */
  private static class Scaling extends FirstFitScheduler {

    final Map<String, Integer> firstLimits = new HashMap<>(); // of pools, by name
    final Set<String> bagsEver = new LinkedHashSet<>();
    private final Doing doing;
    private int asked;

    Scaling(Setting setting, Doing doing) {
      super(setting);
      this.doing = doing;
    }

    @Override
    public void offerPool(PoolSpec pool, long now) {
      super.offerPool(pool, now);
      firstLimits.putIfAbsent(pool.name(), pool.limit());
    }

    @Override
    public void submit(BagSpec bag, long now) {
      super.submit(bag, now);
      bagsEver.add(bag.id());
    }

    @Override
    void adjust(long now, List<Action> actions) {
      doing.with(this, now, actions);
    }

    final void asks(ReferencePool pool, int count, List<Action> actions) {
      List<String> ids =
          IntStream.range(0, count).mapToObj(i -> pool.name() + "-" + ++asked).toList();
      cluster.provision(pool.name(), ids, Optional.empty());
      actions.add(new Action.Provision(pool.name(), ids, Optional.empty(), OptionalLong.empty()));
    }

    /** Asks each pool that has room for a host, unless one is on the way. */
    final void asksWhereItMay(List<Action> actions) {
      for (ReferencePool each : cluster.pools()) {
        if (each.starting().isEmpty() && each.size() < each.spec().limit()) {
          asks(each, 1, actions);
        }
      }
    }

    final void givesBack(String host, List<Action> actions) {
      String pool = cluster.poolOf(host).orElseThrow().name();
      cluster.release(host);
      actions.add(new Action.Release(host, pool));
    }

    /** Says that whoever waits is placed on the first of some hosts. */
    final void placesOn(List<String> hosts, List<Action> actions) {
      if (!hosts.isEmpty()) {
        cluster
            .instances(InstanceState.PENDING)
            .forEach(each -> actions.add(new Action.Place(each.id(), hosts.get(0), List.of())));
      }
    }
  }

  private static EventTarget scaling(Setting setting, Doing doing) {
    return new Scaling(setting, doing);
  }

  private static void assignAll(Scaling small, long now, List<Action> actions) {
    for (ReferenceBag each : small.cluster.bags()) {
      if (each.cluster().isEmpty()) {
        small.cluster.assign(each.id(), "c", OptionalLong.empty(), now);
        actions.add(new Action.Assign(each.id(), "c", each.expiresAt()));
      }
    }
  }

  private static void cancelAll(Scaling small, long now, List<Action> actions) {
    small
        .cluster
        .bags()
        .forEach(each -> actions.add(small.cancel(each, WellBehavedParts.NO_PLACE, now)));
  }

  /** What is told of the bags that came to an end now, and did before. */
  private interface Telling {
    List<BagReport> of(List<BagReport> reports, List<BagReport> before);
  }

  private static EventTarget reporting(Setting setting, Telling telling) {
    return new FirstFitScheduler(setting) {
      private List<BagReport> before = List.of();

      @Override
      List<BagReport> report(long now) {
        List<BagReport> reports = super.report(now);
        List<BagReport> told = telling.of(reports, before);
        before = reports;
        return told;
      }
    };
  }
}
