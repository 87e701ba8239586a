package dev.berth.core.internal.state;

import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of bags and groups. An event that is refused or fails changes nothing, and none
 * applies to a part of a bag or group.
 */
public final class BatchEvents {

  private final ClusterState state;
  private final Transitions transitions;
  private final Admissions admissions;
  private final InstanceEvents instances;

  BatchEvents(
      ClusterState state,
      Transitions transitions,
      Admissions admissions,
      InstanceEvents instances) {
    this.state = state;
    this.transitions = transitions;
    this.admissions = admissions;
    this.instances = instances;
  }

  /**
   * Submits a bag of tasks, as a whole or not at all; its instances are pending.
   *
   * @param log receives how to undo it
   */
  public Bag submit(BagSpec spec, long time, UndoLog log) {
    if (state.bags.containsKey(spec.id())) {
      throw Code.ID_IN_USE.refusal(
          "bag %s is submitted, but a bag of that id has not ended.", spec.id());
    }
    BagRecord bag = new BagRecord(spec, time, state.admissions());
    state.beginChange();
    admitAll(spec.requests(), bag, null, bag::joins, time, log);
    log.add(() -> state.leave(bag));
    state.enter(bag);
    state.endChange();
    return bag;
  }

  /**
   * Submits a group, as a whole or not at all; its instances are pending.
   *
   * @param log receives how to undo it
   */
  public List<? extends Instance> submit(GroupSpec spec, long time, UndoLog log) {
    if (state.groups.containsKey(spec.id())) {
      throw Code.ID_IN_USE.refusal(
          "group %s is submitted, but a group of that id has not ended.", spec.id());
    }
    GroupRecord group =
        new GroupRecord(
            spec.id(), spec.members().size(), spec.minCount(), spec.onLoss(), state.admissions());
    state.beginChange();
    admitAll(spec.members(), null, group, group::joins, time, log);
    log.add(() -> state.leave(group));
    state.enter(group);
    state.endChange();
    return group.members();
  }

  /** Admits all members of a bag or group, or ends the change that submits it. */
  private void admitAll(
      List<Request> requests,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      Consumer<InstanceRecord> joins,
      long time,
      UndoLog log) {
    int mark = log.size();
    long before = state.now();
    long admitted = state.admissions();
    int dimensions = state.table().dimensions();
    log.add(
        () -> {
          for (Request each : requests) {
            InstanceRecord member = state.instanceRecord(each.id());
            if (member != null && member.bag == bag && member.group == group) {
              admissions.withdraw(member);
            }
          }
          state.table().forgetDimensionsFrom(dimensions);
          state.setAdmissions(admitted);
          state.setNow(before);
        });
    try {
      for (Request each : requests) {
        joins.accept(admissions.admit(each, bag, group, null, time));
      }
    } catch (Throwable failure) {
      log.undoTo(mark);
      state.revertChange();
      throw failure;
    }
  }

  /** Cancels a group. Returns its instances with their final accounting. */
  public List<Instance> cancelGroup(String id, long time) {
    GroupRecord group = state.groups.get(id);
    if (group == null) {
      throw Code.UNKNOWN_GROUP.refusal(
          "group %s is cancelled, but there is no such group, or it has ended.", id);
    }
    state.requireNotPast(time, "group ", id, " is cancelled");
    List<Instance> ended = new ArrayList<>();
    state.beginChange();
    for (InstanceRecord each : group.members()) {
      ended.add(instances.end(each, time, time, true, OptionalLong.empty()));
    }
    state.endChange();
    return ended;
  }

  /**
   * Cancels a bag at the wish of its user. Returns its outcome, which the next plan repeats.
   *
   * @param why the reason that reports state
   */
  public BagReport cancelBag(String id, Reason why, long time) {
    BagRecord bag = state.bags.get(id);
    if (bag == null) {
      throw Code.UNKNOWN_BAG.refusal(
          "bag %s is cancelled, but there is no such bag, or it has ended.", id);
    }
    state.requireNotPast(time, "bag ", id, " is cancelled");
    state.beginChange();
    state.setNow(time);
    transitions.cancel(bag);
    BagReport report = transitions.report(bag, why);
    transitions.forgetCancelled(bag, report);
    for (InstanceRecord each : bag.members()) {
      state.openActions().end(each);
      transitions.forget(each);
    }
    state.endChange();
    return report;
  }
}
