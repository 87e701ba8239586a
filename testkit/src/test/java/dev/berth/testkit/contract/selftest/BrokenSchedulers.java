package dev.berth.testkit.contract.selftest;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.Capabilities;
import dev.berth.testkit.contract.Capability;
import dev.berth.testkit.contract.SchedulerContractTest;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Schedulers that break rules which the engine enforces for every policy. */
final class BrokenSchedulers {

  private BrokenSchedulers() {}

  /** The contract test of a scheduler with one defect. */
  abstract static class Subject extends SchedulerContractTest {

    private final Function<Setting, EventTarget> starts;

    Subject(Function<Setting, EventTarget> starts) {
      this.starts = starts;
    }

    @Override
    protected final EventTarget start(Setting setting) {
      return starts.apply(setting);
    }
  }

  /** The contract test of a scheduler that uses a capability without declaring it. */
  abstract static class Undeclared extends Subject {

    private final Capability undeclared;

    Undeclared(Capability undeclared, Function<Setting, EventTarget> starts) {
      super(starts);
      this.undeclared = undeclared;
    }

    @Override
    protected Capabilities capabilities() {
      return Capabilities.all().without(undeclared);
    }
  }

  /** Breaks no rule, since its tests cannot run. */
  static class CannotBeStarted extends Subject {
    CannotBeStarted() {
      super(
          setting -> {
            throw new IllegalStateException("out of order");
          });
    }
  }

  // ---- P03

  @Breaks(value = Rule.P03, says = "h\\d holds \\w+ \\d+ of \\d+", events = 6)
  static class Overcommits extends Subject {
    Overcommits() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean fits(
                    ReferenceInstance instance, HostSpec host, List<ReferenceInstance> residents) {
                  return true;
                }
              });
    }
  }

  @Breaks(value = Rule.P03, says = "h\\d holds \\w+ \\d+ of \\d+", events = 6)
  static class ChecksCpuOnly extends Subject {
    ChecksCpuOnly() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean fits(
                    ReferenceInstance instance, HostSpec host, List<ReferenceInstance> residents) {
                  Dimension cpu = Dimension.CPU;
                  long free = host.capacity().amount(cpu) - ReferenceCluster.held(residents, cpu);
                  return instance.request().demand().amount(cpu) <= free;
                }
              });
    }
  }

  // ---- P04

  @Breaks(value = Rule.P04, says = "r\\d+ is placed on elsewhere, which does not exist", events = 6)
  static class PlacesOnUnknownHost extends Subject {
    PlacesOnUnknownHost() {
      super(
          setting ->
              placing(
                  setting, place -> new Action.Place(place.instance(), "elsewhere", List.of())));
    }
  }

  @Breaks(value = Rule.P04, says = "no instance absent: Place.*", events = 6)
  static class PlacesUnknownInstance extends Subject {
    PlacesUnknownInstance() {
      super(
          setting ->
              placing(setting, place -> new Action.Place("absent", place.host(), List.of())));
    }
  }

  @Breaks(value = Rule.P04, says = "r\\d+ leaves h\\d, but it is r\\d+ PENDING", events = 6)
  static class PreemptsPending extends Subject {
    PreemptsPending() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  List<Action> more = new ArrayList<>();
                  for (Action each : actions) {
                    cluster.instances(InstanceState.PENDING).stream()
                        .findFirst()
                        .ifPresent(
                            victim ->
                                more.add(
                                    new Action.Preempt(
                                        victim.id(),
                                        ((Action.OnHost) each).host(),
                                        ((Action.OnHost) each).instance())));
                    more.add(each);
                  }
                  return more;
                }
              });
    }
  }

  @Breaks(value = Rule.P04, says = "it defers absent, which does not exist", events = 6)
  static class DefersUnknownInstance extends Subject {
    DefersUnknownInstance() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                public Plan schedule(long now) {
                  Plan plan = super.schedule(now);
                  return new Plan(
                      plan.pass(),
                      now,
                      plan.triggers(),
                      plan.actions(),
                      Map.of("absent", WellBehavedParts.NO_ROOM),
                      List.of());
                }
              });
    }
  }

  // ---- P15

  @Breaks(
      value = Rule.P15,
      says =
          "the scheduler reports \\[.*\\], but the instances that are not done are \\[.*r\\d+.*\\]",
      events = 6)
  static class ForgetsFailed extends Subject {
    ForgetsFailed() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  return super.apply(
                      event instanceof Event.FailedNow failed
                          ? new Event.Cancelled(failed.instance())
                          : event,
                      now);
                }
              });
    }
  }

  @Breaks(value = Rule.P15, says = "r\\d+ cannot be cancelled: it is lost", events = 6)
  static class ForgetsFailedWithoutSnapshots extends Subject {
    ForgetsFailedWithoutSnapshots() {
      super(
          setting ->
              new WithoutSnapshots(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  return super.apply(
                      event instanceof Event.FailedNow failed
                          ? new Event.Cancelled(failed.instance())
                          : event,
                      now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P15,
      says = "r\\d+ is placed on h\\d, but it is r\\d+ STARTING on h\\d",
      events = 6)
  static class PlacesStartingAgain extends Subject {
    PlacesStartingAgain() {
      super(
          setting ->
              new WithoutSnapshots(setting) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  List<String> placed =
                      actions.stream().map(each -> ((Action.OnInstance) each).instance()).toList();
                  List<Action> more = new ArrayList<>(actions);
                  cluster.instances(InstanceState.STARTING).stream()
                      .filter(each -> !placed.contains(each.id()))
                      .forEach(
                          each ->
                              more.add(
                                  new Action.Place(
                                      each.id(), each.hostId().orElseThrow(), List.of())));
                  return more;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P15,
      says = "of r\\d+ the scheduler reports host elsewhere, but the events imply h\\d",
      events = 6)
  static class ReportsTheWrongHost extends Subject {
    ReportsTheWrongHost() {
      super(
          setting ->
              reporting(
                  setting,
                  each ->
                      new InstanceSnapshot(
                          each.id(),
                          each.state(),
                          each.stateSince(),
                          each.host().map(host -> "elsewhere"),
                          each.serviceTime(),
                          each.waitingTime(),
                          each.preemptions(),
                          each.placements(),
                          each.restartOverhead(),
                          Optional.empty(),
                          0)));
    }
  }

  // ---- P16

  @Breaks(value = Rule.P16, says = "r\\d+ leaves, but the plan ends", events = 6)
  static class PreemptsWithoutPlacement extends Subject {
    PreemptsWithoutPlacement() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  return actions.isEmpty()
                      ? cluster.instances(InstanceState.STARTING).stream()
                          .<Action>map(
                              each ->
                                  new Action.Preempt(
                                      each.id(), each.hostId().orElseThrow(), each.id()))
                          .toList()
                      : actions;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P16,
      says = "r\\d+ leaves h\\d for absent, but next r\\d+ is placed on h\\d",
      events = 7)
  static class PreemptsForUnknownInstance extends Subject {
    PreemptsForUnknownInstance() {
      super(
          setting ->
              new Preempting(setting) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  return preempts(
                      actions, each -> new Action.Preempt(each.instance(), each.host(), "absent"));
                }
              });
    }
  }

  @Breaks(
      value = Rule.P16,
      says = "r\\d+ is placed for victims \\[\\], but the victims are \\[r\\d+\\]",
      events = 7)
  static class PlacesWithoutNamingVictims extends Subject {
    PlacesWithoutNamingVictims() {
      super(
          setting ->
              new Preempting(setting) {
                @Override
                List<Action> tamper(List<Action> actions) {
                  return places(
                      actions, each -> new Action.Place(each.instance(), each.host(), List.of()));
                }
              });
    }
  }

  // ---- P17

  @Breaks(value = Rule.P17, says = "r\\d+ is on h\\d \\{.*\\}, but demands .+", events = 6)
  static class IgnoresConstraints extends Subject {
    IgnoresConstraints() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean constraintsHold(ReferenceInstance instance, HostSpec host) {
                  return true;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P17,
      says = "r\\d+ and r\\d+ of one job share h\\d, but one has anti-affinity",
      events = 6)
  static class IgnoresAntiAffinity extends Subject {
    IgnoresAntiAffinity() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
                  return true;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P04,
      says = "a pass at \\S+ ns after pass 0 gives the plan of pass 1 at \\S+ ns",
      events = 6)
  static class ReportsTheWrongTime extends Subject {
    ReportsTheWrongTime() {
      super(
          setting ->
              new ForwardingTarget(new FirstFitScheduler(setting)) {
                @Override
                public Plan schedule(long now) {
                  Plan plan = super.schedule(now);
                  return new Plan(plan.pass(), now + 1, plan.triggers(), plan.actions());
                }
              });
    }
  }

  // ---- P19

  @Breaks(
      value = Rule.P19,
      says = "r\\d+ is the subject of two actions in a pass, the second is (Place|Preempt)\\[.*\\]",
      events = 6)
  static class PreemptsJustPlaced extends Subject {
    PreemptsJustPlaced() {
      super(Preempting::new);
    }
  }

  // ---- P28

  @Breaks(
      value = Rule.P28,
      says = "of r\\d+ the scheduler reports serviceTime .+, but the events imply .+",
      events = 6)
  static class CountsStartingTimeAsService extends Subject {
    CountsStartingTimeAsService() {
      super(
          setting ->
              reporting(
                  setting,
                  each ->
                      each.state() != InstanceState.STARTING
                          ? each
                          : new InstanceSnapshot(
                              each.id(),
                              each.state(),
                              each.stateSince(),
                              each.host(),
                              each.serviceTime() + each.waitingTime(),
                              0,
                              each.preemptions(),
                              each.placements(),
                              each.restartOverhead(),
                              Optional.empty(),
                              0)));
    }
  }

  @Breaks(
      value = Rule.P28,
      says = "of r\\d+ the scheduler reports .+, but the events imply .+",
      events = 6)
  static class ReportsNoWaitingTime extends Subject {
    ReportsNoWaitingTime() {
      super(
          setting ->
              new WithoutSnapshots(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  Object answer = super.apply(event, now);
                  return event instanceof Event.Cancelled && answer instanceof InstanceReport sli
                      ? new InstanceReport(
                          sli.id(),
                          sli.serviceClass(),
                          sli.admittedAt(),
                          sli.endedAt(),
                          sli.serviceTime() + sli.waitingTime(),
                          0,
                          sli.preemptions(),
                          sli.placements(),
                          sli.restartOverhead())
                      : answer;
                }
              });
    }
  }

  // ---- Shared parts

  /** Provides no snapshots. */
  private static class WithoutSnapshots extends FirstFitScheduler {

    WithoutSnapshots(Setting setting) {
      super(setting);
    }

    @Override
    public Optional<List<InstanceSnapshot>> snapshots(long now) {
      return Optional.empty();
    }
  }

  /** Preempts the latest instance of a host without room, even one placed in the same pass. */
  static class Preempting extends FirstFitScheduler {

    Preempting(Setting setting) {
      super(setting);
    }

    @Override
    void decide(ReferenceInstance instance, long now, List<Action> actions) {
      int before = actions.size();
      super.decide(instance, now, actions);
      if (actions.size() > before) {
        return;
      }
      for (HostSpec host : cluster.hosts()) {
        List<ReferenceInstance> rest = new ArrayList<>(cluster.residents(host));
        if (!rest.isEmpty()) {
          ReferenceInstance victim = rest.remove(rest.size() - 1);
          if (admits(host, instance, rest)) {
            place(instance, host, List.of(victim), now, actions);
            return;
          }
        }
      }
    }
  }

  private static EventTarget placing(
      Setting setting, Function<Action.Place, Action.Place> tampered) {
    return new FirstFitScheduler(setting) {
      @Override
      List<Action> tamper(List<Action> actions) {
        return places(actions, tampered);
      }
    };
  }

  private static List<Action> places(
      List<Action> actions, Function<Action.Place, Action.Place> tampered) {
    return actions.stream()
        .map(each -> each instanceof Action.Place place ? tampered.apply(place) : each)
        .toList();
  }

  private static List<Action> preempts(
      List<Action> actions, Function<Action.Preempt, Action.Preempt> tampered) {
    return actions.stream()
        .map(each -> each instanceof Action.Preempt preempt ? tampered.apply(preempt) : each)
        .toList();
  }

  private static EventTarget reporting(
      Setting setting, Function<InstanceSnapshot, InstanceSnapshot> reported) {
    return new FirstFitScheduler(setting) {
      @Override
      public Optional<List<InstanceSnapshot>> snapshots(long now) {
        return super.snapshots(now).map(all -> all.stream().map(reported).toList());
      }
    };
  }

  // ---- P56

  @Breaks(
      value = Rule.P56,
      says = "r\\d+ is placed on \\S+, but must wait for \\[r\\d+\\]",
      events = 4)
  static class WaitsForNone extends Subject {
    WaitsForNone() {
      super(
          setting ->
              new FirstFitScheduler(setting) {
                @Override
                public Set<Feature> supportedFeatures() {
                  Set<Feature> all = EnumSet.copyOf(super.supportedFeatures());
                  all.add(Feature.DEPENDENCIES);
                  return all;
                }

                @Override
                boolean isRunnable(ReferenceInstance instance) {
                  return true;
                }
              });
    }
  }
}
