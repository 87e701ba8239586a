package dev.berth.testkit.contract.selftest;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import dev.berth.api.Attempt;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Observation;
import dev.berth.api.ObservedHost;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Plan;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.core.error.StaleReportException;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.Fates;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.rule.Rule;
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
                public void started(Attempt attempt, long at, long now) {
                  if (cluster.canStart(attempt)) {
                    super.started(attempt, at, now);
                  }
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
                public void failed(Attempt attempt, long at, long now) {
                  boolean isOnHost =
                      cluster.instance(attempt.instance()).orElseThrow().state().isOnHost();
                  if (!cluster.canFail(attempt) && isOnHost) {
                    super.failed(attempt.instance(), now);
                  }
                  super.failed(attempt, at, now);
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
                public InstanceReport completed(Attempt attempt, long at, long now) {
                  if (cluster.instance(attempt.instance()).orElseThrow().state()
                      == InstanceState.STARTING) {
                    throw new StaleReportException("not yet ready.");
                  }
                  return super.completed(attempt, at, now);
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
                public Rejection rejected(ActionId action, String why, long now) {
                  if (!cluster.isOpen(action)
                      || !(cluster.action(action).orElseThrow() instanceof Action.Place place)) {
                    return super.rejected(action, why, now);
                  }
                  super.failed(place.instance(), now);
                  return BrokenFleetReports.undoing(action, place, why);
                }
              });
    }
  }

  private static Rejection undoing(ActionId id, Action action, String why) {
    return new Rejection(id, why, List.of(new Rejection.Undone(id, action)));
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
                public Rejection rejected(ActionId action, String why, long now) {
                  Action rejected = cluster.action(action).orElse(null);
                  Rejection undone = super.rejected(action, why, now);
                  return rejected instanceof Action.Preempt
                      ? BrokenFleetReports.undoing(action, rejected, why)
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
                public Rejection rejected(ActionId action, String why, long now) {
                  if (cluster.isOpen(action)) {
                    return super.rejected(action, why, now);
                  }
                  cluster.undo(List.of(action));
                  return new Rejection(action, why, List.of());
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
                public Reconciliation reconcile(Observation observed, Fates fates, long now) {
                  return super.reconcile(seen.apply(cluster, observed), fates, now);
                }
              });
    }

    @Override
    protected Arbitrary<History> histories() {
      return HistoryArbitraries.unreliable(STEPS);
    }
  }
}
