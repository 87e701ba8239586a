package dev.berth.core.internal.pass;

import dev.berth.api.Host;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries out the actions of a pass again, without some. */
final class Redo {

  private final Pass pass;
  private final PassActions actions;
  private final ClusterState state;
  private final PassLog log;

  Redo(Pass pass, ClusterState state, PassLog log) {
    this.pass = pass;
    this.actions = pass.actions();
    this.state = state;
    this.log = log;
  }

  /** Undoes the actions since the first for some groups, and carries out the others again. */
  void without(Set<GroupRecord> groups) {
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
        again.add(() -> actions.tryCancel(cancelled.bag(), cancelled.action().why()));
      } else if (step instanceof PassLog.Promised each) {
        promised.put(each.instance(), each.instance().promised());
      } else if (step instanceof PassLog.Entry note) {
        again.add(() -> log.add(note));
      }
    }
    long wakeAt = pass.wakeAt();
    pass.undoTo(first);
    again.forEach(Runnable::run);
    promised.forEach(actions::promise);
    if (wakeAt != Long.MAX_VALUE) {
      pass.wakeBy(wakeAt);
    }
  }

  /** Returns whether a step places a member of some groups, or preempts an instance for it. */
  private static boolean isFor(Set<GroupRecord> groups, UndoLog.Step step) {
    if (!(step instanceof PassLog.OnInstance done)) {
      return false;
    }
    InstanceRecord beneficiary = done.beneficiary();
    if (beneficiary != null) {
      return isMember(groups, beneficiary);
    }
    return done.isPlacement() && isMember(groups, done.subject());
  }

  private static boolean isMember(Set<GroupRecord> groups, InstanceRecord instance) {
    GroupRecord group = GroupRecord.of(instance);
    return group != null && groups.contains(group);
  }

  /** Returns how to carry out an action again, unless the guard now refuses it. */
  private Runnable again(PassLog.OnInstance done, InstanceRecord[] victims) {
    InstanceRecord subject = done.subject(); // the entry itself is used for another action
    HostRecord host = done.host();
    if (host != null) {
      Resources granted = done.grant();
      Decision decision = done.decision();
      Grant grant = granted == null ? subject.wholeDemand : grant(subject, granted);
      return () -> actions.place(subject, host, victims, victims.length, grant, decision);
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
      actions.resize(subject, grant(subject, resize.grant()), why);
    } else if (action instanceof Action.Pause) {
      actions.pause(subject, why);
    } else if (action instanceof Action.Suspend) {
      actions.suspend(subject, why);
    } else if (action instanceof Action.Resume resume) {
      actions.resume(subject, grant(subject, resume.grant()), why);
    } else if (action instanceof Action.Migrate migrate) {
      HostRecord target = state.hostRecord(migrate.host());
      if (target != null) {
        actions.migrate(subject, target, grant(subject, migrate.grant()), why);
      }
    } else if (action instanceof Action.Reject) {
      actions.reject(subject, why);
    }
  }

  private void arrange(Action action, Reason why) {
    if (action instanceof Action.Provision provision) {
      PoolRecord pool = state.pools().get(provision.pool());
      if (pool != null) {
        int count = provision.hosts().size();
        actions.provision(pool, count, provision.cluster(), provision.expiresAt(), why);
      }
    } else if (action instanceof Action.Release release) {
      releaseAgain(release.host(), why);
    } else if (action instanceof Action.Assign assign) {
      BagRecord bag = state.bag(assign.bag()).map(BagRecord.class::cast).orElse(null);
      if (bag != null) {
        actions.assign(bag, assign.cluster(), assign.expiresAt(), why);
      }
    }
  }

  private void releaseAgain(String hostId, Reason why) {
    ProvidedHost starting = state.pools().provided(hostId);
    Host host = starting == null ? state.hostRecord(hostId) : starting;
    if (host != null) {
      actions.release(host, why);
    }
  }
}
