package dev.berth.testkit.contract.selftest;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Schedulers that do wrongly what is neither placing nor preempting, or do not say that they do it.
 */
final class BrokenAdjustments {

  private BrokenAdjustments() {}

  /** The contract test of one of them. */
  abstract static class Subject extends BrokenSchedulers.Subject {
    Subject(Function<Setting, EventTarget> starts) {
      super(starts);
    }
  }

  // ---- P30

  @Breaks(value = Rule.P30, says = "r\\d+ is granted \\w+ \\S+, but \\S+ is guaranteed", events = 6)
  static class GrantsHalf extends Subject {
    GrantsHalf() {
      super(setting -> new Granting(setting, (request, cpu) -> half(request.demand())));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu 0, but \\S+ is guaranteed", events = 6)
  static class MoldsToNothing extends Subject {
    MoldsToNothing() {
      super(
          setting ->
              new Granting(
                  setting,
                  (request, cpu) ->
                      request.moldability().isEmpty()
                          ? request.demand()
                          : with(request.demand(), Dimension.CPU, 0)));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu 0, but \\S+ is guaranteed", events = 6)
  static class TakesTheCpuOfTheRunning extends Subject {
    TakesTheCpuOfTheRunning() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.RUNNING
                          ? resize(small, each, with(each.granted(), Dimension.CPU, 0))
                          : Optional.empty()));
    }
  }

  @Breaks(value = Rule.P30, says = "r\\d+ is granted cpu \\S+ on h\\d, which has \\S+", events = 7)
  static class PromisesThePausedMoreThanThereIs extends Subject {
    PromisesThePausedMoreThanThereIs() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.PAUSED
                          ? resize(small, each, with(each.granted(), Dimension.CPU, Long.MAX_VALUE))
                          : pause(small, each, now)));
    }
  }

  // ---- P31

  @Breaks(
      value = Rule.P31,
      says =
          "of r\\d+ the scheduler reports serviceTime \\d+, but the events imply \\d+; waitingTime .+",
      events = 8)
  static class ServesWhoIsPaused extends Subject {
    ServesWhoIsPaused() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::pause) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return told(super.snapshots(now), InstanceState.PAUSED, now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says =
          "of r\\d+ the scheduler reports serviceTime \\d+, but the events imply \\d+; waitingTime .+",
      events = 8)
  static class ServesWhoIsSuspended extends Subject {
    ServesWhoIsSuspended() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::suspend) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return told(super.snapshots(now), InstanceState.SUSPENDED, now);
                }
              });
    }
  }

  private static Optional<List<InstanceSnapshot>> told(
      Optional<List<InstanceSnapshot>> snapshots, InstanceState state, long now) {
    return snapshots.map(
        all ->
            all.stream()
                .map(
                    each ->
                        each.state() != state
                            ? each
                            : new InstanceSnapshot(
                                each.id(),
                                each.state(),
                                each.stateSince(),
                                each.host(),
                                each.serviceTime() + (now - each.stateSince()),
                                each.waitingTime() - (now - each.stateSince()),
                                each.preemptions(),
                                each.placements(),
                                each.restartOverhead(),
                                each.granted(),
                                each.migrations()))
                .toList());
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is PAUSED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class KeepsTheCpuOfThePaused extends Subject {
    KeepsTheCpuOfThePaused() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::pause) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> taken(free, hostId, InstanceState.PAUSED, Dimension.CPU));
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is PAUSED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class TakesAllFromThePaused extends Subject {
    TakesAllFromThePaused() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::pause) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> given(free, hostId, InstanceState.PAUSED, Dimension.MEMORY));
                }
              });
    }
  }

  @Breaks(
      value = Rule.P31,
      says = "while r\\d+ is SUSPENDED, the scheduler reports .+ free on h\\d, but .+ is free",
      events = 6)
  static class KeepsTheMemoryOfTheSuspended extends Subject {
    KeepsTheMemoryOfTheSuspended() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::suspend) {
                @Override
                public Optional<Resources> free(String hostId) {
                  return super.free(hostId)
                      .map(free -> taken(free, hostId, InstanceState.SUSPENDED, Dimension.MEMORY));
                }
              });
    }
  }

  // ---- P32

  @Breaks(
      value = Rule.P32,
      says = "r\\d+ moves from h\\d to (h\\d), but it is r\\d+ RUNNING on \\1",
      events = 6)
  static class MigratesToWhereItIs extends Subject {
    MigratesToWhereItIs() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) -> {
                    if (each.state() != InstanceState.RUNNING) {
                      return Optional.empty();
                    }
                    String host = each.hostId().orElseThrow();
                    small.cluster.migrate(each.id(), host, each.granted(), small.passes(), now);
                    return Optional.of(new Action.Migrate(each.id(), host, host, each.granted()));
                  }));
    }
  }

  @Breaks(
      value = Rule.P32,
      says = "r\\d+ moves from elsewhere to h\\d, but it is r\\d+ RUNNING on h\\d",
      events = 7)
  static class MigratesFromElsewhere extends Subject {
    MigratesFromElsewhere() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      migrate(small, each, now)
                          .map(
                              move ->
                                  new Action.Migrate(
                                      each.id(), "elsewhere", move.host(), move.grant()))));
    }
  }

  @Breaks(
      value = Rule.P32,
      says =
          "of r\\d+ the scheduler reports serviceTime 0, but the events imply \\d+; waitingTime .+",
      events = 9)
  static class BeginsAnewWhereItMigrates extends Subject {
    BeginsAnewWhereItMigrates() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::migrate) {
                @Override
                public Optional<List<InstanceSnapshot>> snapshots(long now) {
                  return super.snapshots(now)
                      .map(all -> all.stream().map(BeginsAnewWhereItMigrates::anew).toList());
                }
              });
    }

    private static InstanceSnapshot anew(InstanceSnapshot each) {
      return each.migrations() == 0
          ? each
          : new InstanceSnapshot(
              each.id(),
              each.state(),
              each.stateSince(),
              each.host(),
              0,
              each.serviceTime() + each.waitingTime(),
              each.preemptions(),
              each.placements(),
              each.restartOverhead(),
              each.granted(),
              each.migrations());
    }
  }

  // ---- P33

  @Breaks(
      value = Rule.P33,
      says = "r\\d+ is granted \\w+ \\S+, but \\S+ is the minimum without oversubscription",
      events = 6)
  static class GrantsWhatIsPinnedAlone extends Subject {
    GrantsWhatIsPinnedAlone() {
      super(setting -> new Granting(setting, (request, cpu) -> request.guaranteed()));
    }
  }

  @Breaks(
      value = Rule.P33,
      says = "r\\d+ is granted cpu \\S+, but \\S+ is the minimum without oversubscription",
      events = 6)
  static class MoldsTheRunning extends Subject {
    MoldsTheRunning() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.RUNNING
                              && each.request().moldability().isPresent()
                          ? resize(
                              small,
                              each,
                              with(
                                  each.granted(),
                                  Dimension.CPU,
                                  each.granted().amount(Dimension.CPU) / 2))
                          : Optional.empty()));
    }
  }

  // ---- P34

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ is rejected, but it is r\\d+ PENDING, placed 1 times",
      events = 7)
  static class RefusesWhoHasFailed extends Subject {
    RefusesWhoHasFailed() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.PENDING && each.placements() > 0
                          ? refuse(small, each, now)
                          : Optional.empty()));
    }
  }

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ is rejected, but it is r\\d+ RUNNING on h\\d, placed 1 times",
      events = 6)
  static class RefusesWhoRuns extends Subject {
    RefusesWhoRuns() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.RUNNING
                          ? refuse(small, each, now)
                          : Optional.empty()));
    }
  }

  @Breaks(
      value = Rule.P34,
      says = "r\\d+ was rejected, but then: place r\\d+ on h\\d.*",
      events = 7)
  static class ChangesItsMind extends Subject {
    ChangesItsMind() {
      super(
          setting ->
              new Adjusting(setting, (small, each, now) -> Optional.empty()) {
                private final Set<String> seen = new HashSet<>();

                @Override
                void decide(ReferenceInstance instance, long now, List<Action> actions) {
                  if (seen.add(instance.id())) {
                    actions.add(new Action.Reject(instance.id(), WellBehavedParts.NO_PLACE));
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
  static class KnowsWhomItRefused extends Subject {
    KnowsWhomItRefused() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.PENDING && each.placements() == 0
                          ? Optional.of(new Action.Reject(each.id(), WellBehavedParts.NO_PLACE))
                          : Optional.empty()));
    }
  }

  // ---- P35

  @Breaks(
      value = Rule.P35,
      says = "pause r\\d+ on h\\d, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class PausesWhoStarts extends Subject {
    PausesWhoStarts() {
      super(setting -> adjusting(setting, telling(InstanceState.STARTING, Action.Pause::new)));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "suspend r\\d+ on h\\d, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class SuspendsWhoStarts extends Subject {
    SuspendsWhoStarts() {
      super(setting -> adjusting(setting, telling(InstanceState.STARTING, Action.Suspend::new)));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "resume r\\d+ on h\\d with .+, but r\\d+ is r\\d+ RUNNING on h\\d",
      events = 6)
  static class ResumesWhoRuns extends Subject {
    ResumesWhoRuns() {
      super(
          setting ->
              adjusting(
                  setting,
                  telling(
                      InstanceState.RUNNING,
                      (id, host) -> new Action.Resume(id, host, Resources.none()))));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "resize r\\d+ on h\\d to .+, but r\\d+ is r\\d+ SUSPENDED on h\\d",
      events = 7)
  static class ResizesWhoIsSuspended extends Subject {
    ResizesWhoIsSuspended() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) ->
                      each.state() == InstanceState.SUSPENDED
                          ? Optional.of(
                              new Action.Resize(
                                  each.id(), each.hostId().orElseThrow(), each.granted()))
                          : suspend(small, each, now)));
    }
  }

  @Breaks(
      value = Rule.P35,
      says = "migrate r\\d+ from h\\d to h\\d with .+, but r\\d+ is r\\d+ STARTING on h\\d",
      events = 6)
  static class MigratesWhoStarts extends Subject {
    MigratesWhoStarts() {
      super(
          setting ->
              adjusting(
                  setting,
                  telling(
                      InstanceState.STARTING,
                      (id, host) -> new Action.Migrate(id, host, host, Resources.none()))));
    }
  }

  // ---- Older rules

  @Breaks(value = Rule.P03, says = "h\\d holds \\w+ \\d+ of \\d+", events = 9)
  static class GrowsBeyondTheHost extends Subject {
    GrowsBeyondTheHost() {
      super(
          setting ->
              adjusting(
                  setting,
                  (small, each, now) -> {
                    HostSpec host = small.cluster.host(each.hostId().orElse("")).orElse(null);
                    return each.state() == InstanceState.RUNNING
                            && host != null
                            && !each.granted().equals(host.capacity())
                        ? resize(small, each, host.capacity())
                        : Optional.empty();
                  }));
    }
  }

  @Breaks(
      value = Rule.P04,
      says = "pause r\\d+ on elsewhere, but r\\d+ is r\\d+ RUNNING on h\\d",
      events = 6)
  static class PausesElsewhere extends Subject {
    PausesElsewhere() {
      super(
          setting ->
              adjusting(
                  setting,
                  telling(InstanceState.RUNNING, (id, host) -> new Action.Pause(id, "elsewhere"))));
    }
  }

  @Breaks(value = Rule.P04, says = "r\\d+ moves to elsewhere, which does not exist", events = 6)
  static class MigratesToNowhere extends Subject {
    MigratesToNowhere() {
      super(
          setting ->
              adjusting(
                  setting,
                  telling(
                      InstanceState.RUNNING,
                      (id, host) -> new Action.Migrate(id, host, "elsewhere", Resources.none()))));
    }
  }

  @Breaks(
      value = Rule.P16,
      says = "r\\d+ leaves, but the next action is: pause r\\d+ on h\\d",
      events = 6)
  static class PreemptsWhomItPauses extends Subject {
    PreemptsWhomItPauses() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::pause) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  List<Action> more = new ArrayList<>();
                  for (Action each : actions) {
                    if (each instanceof Action.Pause pause) {
                      more.add(
                          new Action.Preempt(pause.instance(), pause.host(), pause.instance()));
                    }
                    more.add(each);
                  }
                  return more;
                }
              });
    }
  }

  @Breaks(value = Rule.P17, says = "r\\d+ is on h\\d \\{.*\\}, but demands .+", events = 7)
  static class MigratesWhereItMayNotBe extends Subject {
    MigratesWhereItMayNotBe() {
      super(
          setting ->
              new Adjusting(setting, BrokenAdjustments::migrate) {
                @Override
                boolean constraintsHold(ReferenceInstance instance, HostSpec host) {
                  return instance.state() == InstanceState.RUNNING
                      || super.constraintsHold(instance, host);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P19,
      says = "r\\d+ is the subject of two actions in a pass, the second is Suspend\\[.*\\]",
      events = 6)
  static class PausesAndSuspends extends Subject {
    PausesAndSuspends() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                void adjust(long now, List<Action> actions) {
                  for (ReferenceInstance each : cluster.instances(InstanceState.RUNNING)) {
                    pause(this, each, now).ifPresent(actions::add);
                    suspend(this, each, now).ifPresent(actions::add);
                  }
                }
              });
    }
  }

  @Breaks(
      value = Rule.P28,
      says = "of r\\d+ the scheduler reports granted none, but the events imply .+",
      events = 6)
  static class ForgetsWhatItGranted extends Subject {
    ForgetsWhatItGranted() {
      super(
          setting ->
              new Granting(
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
                                              each.restartOverhead()))
                                  .toList());
                }
              });
    }
  }

  // ---- P26

  /** Declares all but one. */
  abstract static class Undeclared extends Subject {

    private final Capability undeclared;

    Undeclared(Capability undeclared, Doing doing) {
      super(setting -> adjusting(setting, doing));
      this.undeclared = undeclared;
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(undeclared);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "resize r\\d+ on h\\d to .+, but RESIZES is not declared",
      events = 6)
  static class ResizesUndeclared extends Undeclared {
    ResizesUndeclared() {
      super(
          Capability.RESIZES,
          (small, each, now) ->
              each.state() == InstanceState.RUNNING
                  ? resize(small, each, each.granted())
                  : Optional.empty());
    }
  }

  @Breaks(value = Rule.P26, says = "pause r\\d+ on h\\d, but SUSPENDS is not declared", events = 6)
  static class PausesUndeclared extends Undeclared {
    PausesUndeclared() {
      super(Capability.SUSPENDS, BrokenAdjustments::pause);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "suspend r\\d+ on h\\d, but SUSPENDS is not declared",
      events = 6)
  static class SuspendsUndeclared extends Undeclared {
    SuspendsUndeclared() {
      super(Capability.ADJUSTS, BrokenAdjustments::suspend);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "migrate r\\d+ from h\\d to h\\d with .+, but MIGRATES is not declared",
      events = 7)
  static class MigratesUndeclared extends Undeclared {
    MigratesUndeclared() {
      super(Capability.MIGRATES, BrokenAdjustments::migrate);
    }
  }

  @Breaks(
      value = Rule.P26,
      says = "reject r\\d+: no host has a place for it, but REJECTS is not declared",
      events = 6)
  static class RefusesUndeclared extends Undeclared {
    RefusesUndeclared() {
      super(
          Capability.REJECTS,
          (small, each, now) ->
              each.state() == InstanceState.PENDING && each.placements() == 0
                  ? refuse(small, each, now)
                  : Optional.empty());
    }
  }

  @Breaks(value = Rule.P26, says = "r\\d+ is placed with .+, but MOLDS is not declared", events = 6)
  static class MoldsUndeclared extends Subject {
    MoldsUndeclared() {
      super(
          setting ->
              new Granting(
                  setting,
                  (request, cpu) ->
                      request.moldability().isPresent()
                          ? with(request.demand(), Dimension.CPU, cpu / 2)
                          : request.demand()));
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(Capability.MOLDS);
    }
  }

  // ---- What they are made of

  /** Does something to an instance in the books of a scheduler, or nothing, and tells it. */
  private interface Doing {
    Optional<? extends Action> with(FirstFitScheduler small, ReferenceInstance instance, long now);
  }

  /** After placing, does something to everybody whom it has not placed in this pass. */
  private static class Adjusting extends FirstFitScheduler {

    private final Doing doing;

    Adjusting(Setting setting, Doing doing) {
      super(setting);
      this.doing = doing;
    }

    @Override
    void adjust(long now, List<Action> actions) {
      Set<String> acted = new HashSet<>();
      actions.forEach(each -> acted.add(((Action.OnInstance) each).instance()));
      for (ReferenceInstance each : cluster.instances()) {
        if (!acted.contains(each.id())) {
          doing.with(this, each, now).ifPresent(actions::add);
        }
      }
    }

    /** Returns an amount less what those in a state are granted there of a dimension. */
    final Resources taken(Resources free, String hostId, InstanceState state, Dimension dimension) {
      return with(
          free, dimension, Math.max(0, free.amount(dimension) - granted(hostId, state, dimension)));
    }

    /** Returns an amount and what those in a state are granted there of a dimension. */
    final Resources given(Resources free, String hostId, InstanceState state, Dimension dimension) {
      return with(free, dimension, free.amount(dimension) + granted(hostId, state, dimension));
    }

    private long granted(String hostId, InstanceState state, Dimension dimension) {
      return cluster.instances(state).stream()
          .filter(each -> each.hostId().equals(Optional.of(hostId)))
          .mapToLong(each -> each.granted().amount(dimension))
          .sum();
    }
  }

  private static EventTarget adjusting(Setting setting, Doing doing) {
    return new Adjusting(setting, doing);
  }

  /** What is granted for a request, and for so much CPU that it demands. */
  private interface Granted {
    Resources to(Request request, long cpu);
  }

  /** Places with another grant than the demand. */
  private static class Granting extends FirstFitScheduler {

    private final Granted granted;

    Granting(Setting setting, Granted granted) {
      super(setting);
      this.granted = granted;
    }

    @Override
    void decide(ReferenceInstance instance, long now, List<Action> actions) {
      Request request = instance.request();
      Resources grant = granted.to(request, request.demand().amount(Dimension.CPU));
      cluster.hosts().stream()
          .filter(host -> admits(host, instance, cluster.residents(host)))
          .findFirst()
          .ifPresent(
              host -> {
                cluster.place(instance.id(), host.id(), grant, passes(), now);
                actions.add(
                    new Action.Place(
                        instance.id(),
                        host.id(),
                        List.of(),
                        Optional.of(grant).filter(it -> !it.equals(request.demand()))));
              });
    }
  }

  /** What somebody on a host is told to undergo, which does not happen. */
  private interface Told {
    Action of(String id, String hostId);
  }

  private static Doing telling(InstanceState state, Told told) {
    return (small, each, now) ->
        each.state() == state
            ? Optional.of(told.of(each.id(), each.hostId().orElseThrow()))
            : Optional.empty();
  }

  private static Optional<Action> resize(
      FirstFitScheduler small, ReferenceInstance instance, Resources grant) {
    small.cluster.resize(instance.id(), grant);
    return Optional.of(new Action.Resize(instance.id(), instance.hostId().orElseThrow(), grant));
  }

  private static Optional<Action> pause(
      FirstFitScheduler small, ReferenceInstance instance, long now) {
    if (instance.state() != InstanceState.RUNNING) {
      return Optional.empty();
    }
    small.cluster.pause(instance.id(), now);
    return Optional.of(new Action.Pause(instance.id(), instance.hostId().orElseThrow()));
  }

  private static Optional<Action> suspend(
      FirstFitScheduler small, ReferenceInstance instance, long now) {
    if (instance.state() != InstanceState.RUNNING && instance.state() != InstanceState.PAUSED) {
      return Optional.empty();
    }
    small.cluster.suspend(instance.id(), now);
    return Optional.of(new Action.Suspend(instance.id(), instance.hostId().orElseThrow()));
  }

  /** Moves somebody who runs to the first other host with room. */
  private static Optional<Action.Migrate> migrate(
      FirstFitScheduler small, ReferenceInstance instance, long now) {
    if (instance.state() != InstanceState.RUNNING) {
      return Optional.empty();
    }
    String from = instance.hostId().orElseThrow();
    Optional<HostSpec> to =
        small.cluster.hosts().stream()
            .filter(host -> !host.id().equals(from))
            .filter(host -> small.admits(host, instance, small.cluster.residents(host)))
            .findFirst();
    to.ifPresent(
        host ->
            small.cluster.migrate(
                instance.id(), host.id(), instance.granted(), small.passes(), now));
    return to.map(host -> new Action.Migrate(instance.id(), from, host.id(), instance.granted()));
  }

  private static Optional<Action> refuse(
      FirstFitScheduler small, ReferenceInstance instance, long now) {
    small.cluster.done(instance.id(), now);
    return Optional.of(new Action.Reject(instance.id(), WellBehavedParts.NO_PLACE));
  }

  private static Resources with(Resources resources, Dimension dimension, long amount) {
    Resources.Builder changed = Resources.builder();
    resources.dimensions().stream()
        .filter(each -> !each.equals(dimension))
        .forEach(each -> changed.put(each, resources.amount(each)));
    return changed.put(dimension, amount).build();
  }

  private static Resources half(Resources resources) {
    Resources.Builder half = Resources.builder();
    resources.dimensions().forEach(each -> half.put(each, resources.amount(each) / 2));
    return half.build();
  }
}
