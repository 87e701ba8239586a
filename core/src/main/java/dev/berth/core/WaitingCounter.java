package dev.berth.core;

import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pipeline.HostDiagnosis;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Counts the pending instances by what the latest pass left behind. */
final class WaitingCounter {

  private final ClusterState state;
  private final HostDiagnosis diagnosis;
  private final Plan plan;
  private final Set<String> departed; // since the plan; the plan means others of the same id
  private final OptionalLong passedAt;
  private final boolean isFull;

  private WaitingCounter(
      ClusterState state, PassRunner runner, OptionalLong passedAt, int maxPlacements) {
    this.state = state;
    this.diagnosis = new HostDiagnosis(state);
    this.plan = runner.lastPlan();
    this.departed = runner.departed();
    this.passedAt = passedAt;
    this.isFull =
        maxPlacements != Integer.MAX_VALUE
            && plan.actions().stream().filter(Action.Place.class::isInstance).count()
                >= maxPlacements;
  }

  static WaitingStats count(
      ClusterState state, PassRunner runner, PassTimer timer, int maxPlacements) {
    WaitingCounter counter = new WaitingCounter(state, runner, timer.lastPassAt(), maxPlacements);
    List<Map<String, Integer>> byRank = new ArrayList<>();
    Map<String, Map<String, Integer>> byClass = new LinkedHashMap<>();
    for (ServiceClass each : state.serviceClasses()) {
      Map<String, Integer> reasons = new TreeMap<>();
      byRank.add(reasons);
      byClass.put(each.name(), reasons);
    }
    long[] oldest = {Long.MAX_VALUE};
    state.forEachPending(
        each -> {
          byRank.get(each.classRecord.rank()).merge(counter.reason(each), 1, Integer::sum);
          if (each.waitsFor().isEmpty()) {
            oldest[0] = Math.min(oldest[0], each.stateSince());
          }
        });
    return new WaitingStats(
        byClass, oldest[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldest[0]));
  }

  private String reason(InstanceRecord instance) {
    Reason heldBack = state.whyHeldBack(instance);
    if (heldBack != null) {
      return heldBack.code();
    }
    boolean isNew =
        passedAt.isEmpty()
            || instance.stateSince() > passedAt.getAsLong()
            || departed.contains(instance.id());
    if (isNew) {
      return WaitingStats.UNDECIDED;
    }
    Reason deferral = plan.deferrals().get(instance.id());
    if (deferral == null && instance.bag != null) {
      deferral = plan.bagDeferrals().get(instance.bag.id());
    }
    if (deferral != null) {
      return deferral.code();
    }
    if (plan.blockedHead().isPresent()) {
      Reason.QueuedBehind behind = diagnosis.waitsFor(instance, true);
      if (behind != null && behind.head().equals(plan.blockedHead().get())) {
        return behind.code();
      }
    }
    return isFull ? "pass-full" : WaitingStats.NO_ROOM;
  }
}
