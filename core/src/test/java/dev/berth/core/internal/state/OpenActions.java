package dev.berth.core.internal.state;

import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Actions of plans for tests of records: each is carried out in the cluster, and open. */
public final class OpenActions {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private OpenActions() {}

  /** Places an instance. */
  public static OpenAction place(
      ClusterState state, Transitions transitions, InstanceRecord instance, HostRecord host) {
    OpenAction entry = new OpenAction();
    entry.noteBefore(instance, transitions);
    transitions.place(instance, host, instance.wholeDemand);
    entry.decided(1, 0, new Action.Place(instance.id(), host.id(), List.of()));
    state.openActions().add(entry);
    return entry;
  }

  /** Rejects an instance. */
  public static OpenAction reject(
      ClusterState state, Transitions transitions, InstanceRecord instance) {
    OpenAction entry = new OpenAction();
    entry.noteBefore(instance, transitions);
    transitions.reject(instance);
    entry.decided(1, 0, new Action.Reject(instance.id(), WHY));
    state.openActions().add(entry);
    transitions.forgetEnded(instance);
    return entry;
  }

  /** Cancels a bag. */
  public static OpenAction cancel(ClusterState state, Transitions transitions, BagRecord bag) {
    List<String> ids = new ArrayList<>();
    List<Before> members = new ArrayList<>();
    for (InstanceRecord each : bag.members()) {
      Before before = new Before();
      before.noteBefore(each, transitions);
      members.add(before);
      ids.add(each.id());
    }
    transitions.cancel(bag);
    state.openActions().add(2, 0, new Action.Cancel(bag.id(), ids, WHY), bag, members);
    transitions.forgetCancelled(bag, transitions.report(bag, WHY));
    return Objects.requireNonNull(state.openActions().find(2, 0));
  }
}
