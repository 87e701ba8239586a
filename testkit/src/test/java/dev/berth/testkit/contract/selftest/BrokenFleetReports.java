package dev.berth.testkit.contract.selftest;

import dev.berth.api.InstanceState;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.rule.Rule;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitrary;

/** Schedulers that take the reports of a fleet that misbehaves wrongly. */
final class BrokenFleetReports {

  private static final int STEPS = 60;

  private BrokenFleetReports() {}

  /** The reference model of the priority policy; subjects override how it takes single reports. */
  private static class PriorityScheduler extends ForwardingTarget {

    final ReferenceCluster cluster;

    PriorityScheduler(Setting setting) {
      this(
          new ReferenceScheduler(
              PriorityBased.PAPER, setting.serviceClasses(), setting.seed(), Optional.empty()));
    }

    private PriorityScheduler(ReferenceScheduler model) {
      super(model);
      this.cluster = model.cluster();
    }

    @Override
    public Set<Feature> supportedFeatures() {
      return EnumSet.complementOf(EnumSet.of(Feature.RUN_TIME_LIMITS)); // which take more events
    }

    @Override
    public Object apply(Event<?> event, long now) {
      return event instanceof Event.ActionRejected rejected
          ? rejected(rejected, now)
          : super.apply(event, now);
    }

    Object rejected(Event.ActionRejected event, long now) {
      return super.apply(event, now);
    }
  }

  // ---- P44

  @Breaks(
      value = Rule.P44,
      says = "attempt \\d+ of r\\d+ is ready, which is stale, but the scheduler does not refuse it",
      events = 6)
  static class DropsStaleReportsSilently extends BrokenSchedulers.Subject {
    DropsStaleReportsSilently() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  return event instanceof Event.Started report
                          && !cluster.canStart(report.attempt())
                      ? Accepted.ACCEPTED
                      : super.apply(event, now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P44,
      says = "attempt \\d+ of r\\d+ failed, which is refused as stale, has an effect",
      events = 12)
  static class FailsTheLaterAttempt extends BrokenSchedulers.Subject {

    @Override
    protected Arbitrary<History> histories() {
      return HistoryArbitraries.unreliable(STEPS);
    }

    FailsTheLaterAttempt() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  if (event instanceof Event.Failed report
                      && !cluster.canFail(report.attempt())
                      && cluster.instance(report.instance()).orElseThrow().state().isOnHost()) {
                    super.apply(new Event.FailedNow(report.instance()), now);
                  }
                  return super.apply(event, now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P44,
      says = "attempt \\d+ of r\\d+ completed, but the scheduler refuses that: not yet ready.",
      events = 6)
  static class RefusesCompletionsBeforeTheStart extends BrokenSchedulers.Subject {
    RefusesCompletionsBeforeTheStart() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  if (event instanceof Event.Completed report
                      && cluster.instance(report.instance()).orElseThrow().state()
                          == InstanceState.STARTING) {
                    throw new StaleReportException(report.instance(), "not yet ready.");
                  }
                  return super.apply(event, now);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P44,
      says = "place (r\\d+) .* begins attempt 1 of \\1, must begin attempt \\d+",
      events = 8)
  static class NumbersEveryAttemptOne extends BrokenSchedulers.Subject {
    NumbersEveryAttemptOne() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                public Plan schedule(long now) {
                  Plan plan = super.schedule(now);
                  return new Plan(
                      plan.pass(),
                      now,
                      plan.triggers(),
                      plan.actions().stream().map(BrokenFleetReports::inTheFirstAttempt).toList(),
                      plan.deferrals(),
                      plan.policyErrors(),
                      plan.bagDeferrals(),
                      plan.endedBags());
                }
              });
    }
  }

  private static Action inTheFirstAttempt(Action action) {
    return action instanceof Action.Place it
        ? new Action.Place(it.instance(), it.host(), it.victims(), it.grant(), 1)
        : action;
  }

  // ---- P45

  @Breaks(
      value = Rule.P45,
      says =
          "(action \\d+ of pass \\d+) undoes \\[\\1], but then of r\\d+ it reports .*"
              + "placements 1, but the events imply 0.*",
      events = 6)
  static class TakesRejectionsForFailures extends BrokenSchedulers.Subject {
    TakesRejectionsForFailures() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                Object rejected(Event.ActionRejected event, long now) {
                  ActionId action = event.action();
                  if (!cluster.isOpen(action)
                      || !(cluster.action(action).orElseThrow() instanceof Action.Place place)) {
                    return super.rejected(event, now);
                  }
                  apply(new Event.FailedNow(place.instance()), now);
                  return BrokenFleetReports.undoing(action, place, event.why());
                }
              });
    }
  }

  private static Rejection undoing(ActionId id, Action action, String why) {
    return new Rejection(id, why, List.of(new Rejection.Undone(id, action)), false);
  }

  @Breaks(
      value = Rule.P45,
      says = "(action \\d+ of pass \\d+) undoes \\[\\1], but (not \\[action .*]|then of r\\d+ .*)",
      events = 14)
  static class DoesNotSayWhatDependsOnAPreemption extends BrokenSchedulers.Subject {

    @Override
    protected Arbitrary<History> histories() {
      return HistoryArbitraries.unreliable(STEPS);
    }

    DoesNotSayWhatDependsOnAPreemption() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                Object rejected(Event.ActionRejected event, long now) {
                  Action rejected = cluster.action(event.action()).orElse(null);
                  Object undone = super.rejected(event, now);
                  return rejected instanceof Action.Preempt
                      ? BrokenFleetReports.undoing(event.action(), rejected, event.why())
                      : undone;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P45,
      says = "action \\d+ of pass \\d+ is rejected, which is stale, but the scheduler does not .*",
      events = 6)
  static class UndoesWhatWasConfirmed extends BrokenSchedulers.Subject {
    UndoesWhatWasConfirmed() {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                Object rejected(Event.ActionRejected event, long now) {
                  ActionId action = event.action();
                  if (cluster.isOpen(action)) {
                    return super.rejected(event, now);
                  }
                  cluster.undo(List.of(action));
                  return new Rejection(action, event.why(), List.of(), false);
                }
              });
    }
  }

  // ---- P47

  @Breaks(
      value = Rule.P47,
      says =
          "the fleet differs in \\[(HostGone h\\d+, )*InstanceGone (r\\d+)( ended)?.*\\], but the scheduler reports \\[.*",
      events = 8)
  static class KeepsWhatIsGone extends BrokenReconciliations {
    KeepsWhatIsGone() {
      super(
          (cluster, observed) -> {
            Set<String> kept = new HashSet<>(observed.underWay());
            cluster.instances().forEach(each -> kept.add(each.id()));
            observed.instances().forEach(each -> kept.remove(each.id()));
            return new Observation(observed.hosts(), observed.instances(), kept);
          });
    }
  }

  @Breaks(
      value = Rule.P47,
      says = "the fleet differs in \\[HostChanged h\\d+.*\\], but the scheduler reports \\[.*",
      events = 4)
  static class IgnoresChangedHosts extends BrokenReconciliations {
    IgnoresChangedHosts() {
      super(
          (cluster, observed) ->
              new Observation(
                  observed.hosts().stream()
                      .map(
                          each ->
                              new ObservedHost(
                                  cluster.host(each.spec().id()).orElse(each.spec()),
                                  each.foreign()))
                      .toList(),
                  observed.instances(),
                  observed.underWay()));
    }
  }

  @Breaks(value = Rule.P47, says = "after a reconciliation of r\\d+ it reports .*", events = 8)
  static class CountsFromTheObservation extends BrokenReconciliations {
    CountsFromTheObservation() {
      super(
          (cluster, observed) ->
              new Observation(
                  observed.hosts(),
                  observed.instances().stream().map(BrokenFleetReports::withoutTime).toList(),
                  observed.underWay()));
    }
  }

  private static ObservedInstance withoutTime(ObservedInstance seen) {
    return new ObservedInstance(
        seen.id(), seen.host(), seen.state(), seen.attempt(), OptionalLong.empty(), seen.holds());
  }

  /** Schedulers that reconcile with something else than what was observed. */
  private static class BrokenReconciliations extends BrokenSchedulers.Subject {

    BrokenReconciliations(BiFunction<ReferenceCluster, Observation, Observation> seen) {
      super(
          setting ->
              new PriorityScheduler(setting) {
                @Override
                public Object apply(Event<?> event, long now) {
                  return super.apply(
                      event instanceof Event.Reconciled fleet
                          ? new Event.Reconciled(
                              seen.apply(cluster, fleet.observed()),
                              fleet.adoptions(),
                              fleet.ended())
                          : event,
                      now);
                }
              });
    }

    @Override
    protected Arbitrary<History> histories() {
      return HistoryArbitraries.unreliable(STEPS);
    }
  }
}
