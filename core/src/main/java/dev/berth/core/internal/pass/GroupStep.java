package dev.berth.core.internal.pass;

import dev.berth.api.Action;
import dev.berth.api.GroupSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.state.BagRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Grant;
import dev.berth.core.internal.state.GroupRecord;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.PoolRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The law of groups in one pass: a group that has no member on a host when the policy begins has
 * enough of them there at the end, or none.
 *
 * <p>Costs O(groups) in each pass. If a group is incomplete at the end, the actions since its first
 * placement are carried out again without those for such groups, at the cost of these actions.
 */
final class GroupStep {

  private final Pass pass;
  private final ClusterState state;
  private final PassLog log;

  GroupStep(Pass pass, ClusterState state, PassLog log) {
    this.pass = pass;
    this.state = state;
    this.log = log;
  }

  /** Evicts the members of broken groups that start again as a whole. */
  void release() {
    for (GroupRecord each : state.groupRecords()) {
      if (isReleased(each)) {
        Reason why = new Reason.GroupBroken(each.id(), each.onHosts(), each.required());
        for (InstanceRecord member : each.members()) {
          pass.requireRunning();
          if (member.host != null) {
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
        group.members().stream().filter(each -> each.host != null).toArray(InstanceRecord[]::new);
    return PassGuard.protection(onHosts, onHosts.length) == null;
  }

  /** Notes which groups are to start together. Call it when the turn of the policy begins. */
  void begin() {
    for (GroupRecord each : state.groupRecords()) {
      each.startsInPass = each.onHosts() == 0 ? pass.number() : 0;
    }
  }

  /** Returns whether a group is broken that the next pass releases. */
  boolean hasBroken() {
    for (GroupRecord each : state.groupRecords()) {
      if (isReleased(each)) {
        return true;
      }
    }
    return false;
  }

  // ---- The end of the pass

  /** Undoes what the policy has done for groups that do not start. */
  void undoIncomplete() {
    Map<GroupRecord, Integer> undone = new LinkedHashMap<>();
    for (Map<GroupRecord, Integer> next = incomplete(); !next.isEmpty(); next = incomplete()) {
      carryOutWithout(next);
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
    for (GroupRecord each : state.groupRecords()) {
      if (each.startsInPass == pass.number() && each.isBroken()) {
        incomplete.put(each, each.onHosts());
      }
    }
    return incomplete;
  }

  private void carryOutWithout(Map<GroupRecord, Integer> groups) {
    int first = 0;
    while (!isFor(groups, log.get(first))) {
      first++;
    }
    List<Runnable> again = new ArrayList<>();
    Map<InstanceRecord, Long> promised = new LinkedHashMap<>();
    List<InstanceRecord> victims = new ArrayList<>();
    for (int i = first; i < log.size(); i++) {
      UndoLog.Step step = log.get(i);
      if (isFor(groups, step)) {
        continue;
      }
      if (step instanceof PassLog.OnInstance done) {
        if (done.isPreemption()) {
          victims.add(done.subject());
        } else {
          again.add(again(done, victims.toArray(InstanceRecord[]::new)));
          victims.clear();
        }
      } else if (step instanceof PassLog.Arranged arranged) {
        again.add(() -> arrange(arranged.action(), arranged.why()));
      } else if (step instanceof PassLog.Cancelled cancelled) {
        again.add(() -> pass.tryCancel(cancelled.bag(), cancelled.action().why()));
      } else if (step instanceof PassLog.Promised each) {
        promised.put(each.instance(), each.instance().promised);
      } else if (step instanceof PassLog.Entry note) {
        again.add(() -> log.add(note));
      }
    }
    long wakeAt = pass.wakeAt();
    pass.undoTo(first);
    again.forEach(Runnable::run);
    promised.forEach(pass::promise);
    if (wakeAt != Long.MAX_VALUE) {
      pass.wakeBy(wakeAt);
    }
  }

  /** Returns whether a step places a member of some groups, or preempts an instance for it. */
  private static boolean isFor(Map<GroupRecord, Integer> groups, UndoLog.Step step) {
    if (!(step instanceof PassLog.OnInstance done)) {
      return false;
    }
    InstanceRecord beneficiary = done.beneficiary;
    if (beneficiary != null) {
      return isMember(groups, beneficiary);
    }
    return done.isPlacement() && isMember(groups, done.subject());
  }

  private static boolean isMember(Map<GroupRecord, Integer> groups, InstanceRecord instance) {
    GroupRecord group = GroupRecord.of(instance);
    return group != null && groups.containsKey(group);
  }

  /** Returns how to carry out an action again, unless the guard now refuses it. */
  private Runnable again(PassLog.OnInstance done, InstanceRecord[] victims) {
    InstanceRecord subject = done.subject(); // the entry itself is used for another action
    HostRecord host = done.host();
    if (host != null) {
      Resources granted = done.grant();
      Decision decision = done.decision();
      Grant grant = granted == null ? subject.wholeDemand : grant(subject, granted);
      return () -> pass.place(subject, host, victims, victims.length, grant, decision);
    }
    Action action = done.action(List.of());
    Reason why = done.why();
    if (why == null) {
      throw new IllegalStateException("no reason is known for: " + action.describe());
    }
    return () -> adjust(subject, action, why);
  }

  private Grant grant(InstanceRecord subject, Resources granted) {
    return Grant.of(subject, granted, state.table());
  }

  private void adjust(InstanceRecord subject, Action action, Reason why) {
    if (action instanceof Action.Resize resize) {
      pass.resize(subject, grant(subject, resize.grant()), why);
    } else if (action instanceof Action.Pause) {
      pass.pause(subject, why);
    } else if (action instanceof Action.Suspend) {
      pass.suspend(subject, why);
    } else if (action instanceof Action.Resume resume) {
      pass.resume(subject, grant(subject, resume.grant()), why);
    } else if (action instanceof Action.Migrate migrate) {
      HostRecord target = host(migrate.host());
      if (target != null) {
        pass.migrate(subject, target, grant(subject, migrate.grant()), why);
      }
    } else if (action instanceof Action.Reject) {
      pass.reject(subject, why);
    }
  }

  private @Nullable HostRecord host(String id) {
    return state.host(id).map(HostRecord.class::cast).orElse(null);
  }

  private void arrange(Action action, Reason why) {
    if (action instanceof Action.Provision provision) {
      for (PoolRecord each : state.poolRecords()) {
        if (each.name().equals(provision.pool())) {
          int count = provision.hosts().size();
          pass.provision(each, count, provision.cluster(), provision.expiresAt(), why);
        }
      }
    } else if (action instanceof Action.Release release) {
      pass.releaseAgain(release.host(), why);
    } else if (action instanceof Action.Assign assign) {
      BagRecord bag = state.bag(assign.bag()).map(BagRecord.class::cast).orElse(null);
      if (bag != null) {
        pass.assign(bag, assign.cluster(), assign.expiresAt(), why);
      }
    }
  }
}
