package dev.berth.core.internal.pipeline;

import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.search.EquivalenceClass;
import dev.berth.core.internal.search.Feasibility;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Starts groups as a whole: places their members one after the other in queue order, and undoes
 * that if a group has too few members on hosts then.
 *
 * <p>For members that are alike this finds enough hosts whenever there are enough: each host takes
 * a number of them that does not depend on the others, and the search fails only if no host takes
 * another one.
 */
final class GroupStarts {

  private final Feasibility feasibility;
  private final Comparator<InstanceRecord> order;
  private final @Nullable Predicate<Instance> served; // null for all
  private long run; // counts the runs of the pipeline

  GroupStarts(
      Feasibility feasibility,
      Comparator<InstanceRecord> order,
      @Nullable Predicate<Instance> served) {
    this.feasibility = feasibility;
    this.order = order;
    this.served = served;
  }

  /** Places one instance if it can. */
  interface Placing {
    /** Returns whether the instance was placed. */
    boolean place(InstanceRecord instance);
  }

  /** Prepares for the decisions of one run. */
  void begin() {
    run++;
  }

  /** Returns whether an instance belongs to a group that starts as a whole in this pass. */
  static boolean startsAsWhole(InstanceRecord instance, Pass pass) {
    GroupRecord group = GroupRecord.of(instance);
    return group != null && group.startsIn(pass.number());
  }

  /** Returns whether an instance belongs to a group that has not started yet. */
  static boolean waits(InstanceRecord instance, Pass pass) {
    GroupRecord group = GroupRecord.of(instance);
    return group != null && startsAsWhole(instance, pass) && group.onHosts() < group.required();
  }

  /** Returns whether a group was not tried in this run, and notes that it now is. */
  private boolean isFirstTry(GroupRecord group) {
    boolean first = group.isFirstTryIn(run);
    return first;
  }

  /**
   * Starts the group of an instance, or changes nothing. Does nothing if that was tried in this
   * run.
   *
   * @param independent whether room and victims alone decide whether a member can be placed
   */
  void start(Pass pass, InstanceRecord instance, Placing placing, boolean independent) {
    GroupRecord group = GroupRecord.of(instance);
    if (group == null || !isFirstTry(group)) {
      return;
    }
    List<InstanceRecord> members = waiting(group, pass);
    if (members.isEmpty()) {
      return; // all were evicted in this pass, or are held back
    }
    boolean alike = independent && feasibility.sharesFailures() && areAlike(members, pass);
    int mark = pass.mark();
    for (InstanceRecord each : members) {
      pass.requireRunning();
      boolean isEnough = group.onHosts() >= group.required();
      if ((pass.actions().isFull() && isEnough) || (!placing.place(each) && alike)) {
        break;
      }
    }
    if (group.onHosts() >= group.required()) {
      return;
    }
    Reason why = new Reason.GroupIncomplete(group.id(), group.onHosts(), group.required(), alike);
    pass.undoTo(mark);
    for (InstanceRecord each : group.members()) {
      pass.actions().defer(each, why);
    }
  }

  /** Returns the members that can be placed now, in queue order. */
  private List<InstanceRecord> waiting(GroupRecord group, Pass pass) {
    List<InstanceRecord> members = new ArrayList<>();
    for (InstanceRecord each : group.members()) {
      if (each.isAmongPending()
          && !each.heldBack()
          && each.actedInPass() != pass.number()
          && (served == null || served.test(each))) {
        members.add(each);
      }
    }
    members.sort(order);
    return members;
  }

  /**
   * Returns whether members are alike, and how many of them a host takes does not depend on others.
   */
  private boolean areAlike(List<InstanceRecord> members, Pass pass) {
    if (feasibility.preempts() && (pass.hasBudgets() || pass.hasGroupsOnHosts())) {
      return false; // hosts share the budgets and groups of victims
    }
    for (InstanceRecord each : members) {
      InstanceRecord first = members.get(0);
      if (each.job != first.job
          || each.limits() != null
          || each.rules() != null
          || PeerRules.mayRefuse(each)
          || (feasibility.preempts() && each.victimKey() != first.victimKey())
          || !EquivalenceClass.Key.of(each).equals(EquivalenceClass.Key.of(first))) {
        return false;
      }
    }
    return true;
  }
}
