package dev.berth.core.internal.group;

import dev.berth.api.Reason;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Departures;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The law of groups in one pass: a group that has no member on a host when the policy begins has
 * enough of them there at the end, or none.
 *
 * <p>Costs O(groups) in each pass. If a group is incomplete at the end, the actions since its first
 * placement are carried out again without those for such groups, at the cost of these actions.
 */
public final class GroupStep {

  private final Departures pass;
  private final Collection<GroupRecord> groups;
  private final Consumer<Set<GroupRecord>> redoWithout;
  private final Consumer<GroupRecord> touch;

  /**
   * Prepares the step of a pass.
   *
   * @param groups those that have not ended, live
   * @param redoWithout carries out what the pass has done again, without what is for some groups
   * @param touch notes that the members of a group on hosts may be victims as they were not before
   */
  public GroupStep(
      Departures pass,
      Collection<GroupRecord> groups,
      Consumer<Set<GroupRecord>> redoWithout,
      Consumer<GroupRecord> touch) {
    this.pass = pass;
    this.groups = groups;
    this.redoWithout = redoWithout;
    this.touch = touch;
  }

  /** Evicts the members of broken groups that start again as a whole. */
  public void release() {
    for (GroupRecord each : groups) {
      if (isReleased(each)) {
        Reason why = new Reason.GroupBroken(each.id(), each.onHosts(), each.required());
        for (InstanceRecord member : each.members()) {
          pass.requireRunning();
          if (member.place() != null) {
            pass.evict(member, why);
          }
        }
      }
    }
  }

  /**
   * Returns whether a broken group leaves its hosts to start again. If disruption budgets protect
   * members, it stays as a whole.
   */
  private static boolean isReleased(GroupRecord group) {
    if (group.onLoss() != GroupSpec.OnLoss.RELEASE || !group.isBroken()) {
      return false;
    }
    InstanceRecord[] onHosts =
        group.members().stream()
            .filter(each -> each.place() != null)
            .toArray(InstanceRecord[]::new);
    return BudgetRecord.protection(onHosts, onHosts.length) == null;
  }

  /** Notes which groups are to start together. Call it when the turn of the policy begins. */
  public void begin() {
    for (GroupRecord each : groups) {
      if (each.begin(pass.number())) {
        touch.accept(each);
      }
    }
  }

  // ---- The end of the pass

  /** Undoes what the policy has done for groups that do not start. */
  public void undoIncomplete() {
    Map<GroupRecord, Integer> undone = new LinkedHashMap<>();
    for (Map<GroupRecord, Integer> next = incomplete(); !next.isEmpty(); next = incomplete()) {
      redoWithout.accept(next.keySet());
      undone.putAll(next);
    }
    undone.forEach(
        (group, found) -> {
          Reason why = new Reason.GroupIncomplete(group.id(), found, group.required(), false);
          group.members().forEach(each -> pass.defer(each, why));
        });
  }

  /** Returns the groups that have started incompletely, and how many members have. */
  private Map<GroupRecord, Integer> incomplete() {
    Map<GroupRecord, Integer> incomplete = new LinkedHashMap<>();
    for (GroupRecord each : groups) {
      if (each.startsIn(pass.number()) && each.isBroken()) {
        incomplete.put(each, each.onHosts());
      }
    }
    return incomplete;
  }
}
