package dev.berth.core.internal.explain;

import dev.berth.api.LimitUse;
import dev.berth.api.Reason;
import dev.berth.core.explain.GroupRoom;
import dev.berth.core.explain.GroupRoom.Room;
import dev.berth.core.explain.WhyPending.Obstacle;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.pipeline.HostDiagnosis;
import dev.berth.core.internal.rule.JobRecord;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.search.EquivalenceClass;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out for how many members of a group there is room together, by putting one after the other
 * on the first host that takes it, and taking all back.
 *
 * <p>Only capacity, and what rules count on hosts, change meanwhile; the instances do not.
 */
final class GroupPacking {

  private final ClusterState state;
  private final HostDiagnosis diagnosis;

  GroupPacking(ClusterState state, HostDiagnosis diagnosis) {
    this.state = state;
    this.diagnosis = diagnosis;
  }

  /** Members that are alike, as far as room and rules go. */
  private record Kind(
      EquivalenceClass.Key key, @Nullable JobRecord job, Map<String, String> labels) {

    static Kind of(InstanceRecord member) {
      return new Kind(EquivalenceClass.Key.of(member), member.job, member.request.labels());
    }
  }

  /** Returns the room for a group that has no member on a host. */
  GroupRoom roomFor(GroupRecord group, long time) {
    List<InstanceRecord> waiting = new ArrayList<>();
    List<InstanceRecord> free = new ArrayList<>();
    for (InstanceRecord each : group.members()) {
      if (each.isAmongPending()) {
        waiting.add(each);
        if (!each.heldBack()) {
          free.add(each);
        }
      }
    }
    return new GroupRoom(
        group.id(),
        group.required(),
        waiting.size(),
        waiting.size() - free.size(),
        pack(free, time, false),
        pack(waiting, time, true));
  }

  private Room pack(List<InstanceRecord> members, long time, boolean emptied) {
    UndoLog log = new UndoLog();
    try {
      if (emptied) {
        boolean counted = members.stream().anyMatch(this::mattersWhatIsThere);
        state.hostRecords().forEach(host -> empty(host, counted, log));
      }
      return pack(members, time, emptied, log);
    } finally { // a filter or grant of the policy may throw
      log.undoTo(0);
    }
  }

  private Room pack(List<InstanceRecord> members, long time, boolean emptied, UndoLog log) {
    List<HostRecord> hosts = List.copyOf(state.hostRecords());
    Map<Kind, Integer> next = new HashMap<>(); // the first host that may take one; only looked up
    Map<Kind, Boolean> misfits = new HashMap<>(); // only looked up
    List<Obstacle> obstacles = List.of();
    int left = 0;
    int hopeless = 0;
    for (InstanceRecord each : members) {
      boolean skips = onlyLosesHosts(each);
      Kind kind = Kind.of(each);
      int at = skips ? next.getOrDefault(kind, 0) : 0;
      while (at < hosts.size() && diagnosis.obstacle(each, hosts.get(at), time, emptied) != null) {
        at++;
      }
      if (skips) {
        next.put(kind, at);
      }
      if (at < hosts.size()) {
        come(each, hosts.get(at), log);
        continue;
      }
      if (left++ == 0) {
        obstacles = obstacles(each, hosts, time, emptied);
      }
      boolean fitsNone = misfits.computeIfAbsent(kind, any -> diagnosis.fitsNone(each));
      hopeless += fitsNone && isRigid(each) ? 1 : 0;
    }
    boolean exact =
        left == hopeless
            || (left == members.size() && members.stream().allMatch(this::isRigid))
            || areInterchangeable(members);
    return new Room(members.size() - left, exact, obstacles);
  }

  private List<Obstacle> obstacles(
      InstanceRecord member, List<HostRecord> hosts, long time, boolean emptied) {
    List<Reason> reasons = new ArrayList<>();
    for (HostRecord each : hosts) {
      Reason why = diagnosis.obstacle(member, each, time, emptied);
      if (why != null) {
        reasons.add(why);
      }
    }
    return EngineExplainer.obstacles(reasons);
  }

  // ---- Moves that are taken back

  /**
   * Frees a host, and takes its instances from those that rules count.
   *
   * @param counted whether these counts matter; otherwise this costs O(1)
   */
  private void empty(HostRecord host, boolean counted, UndoLog log) {
    HostTable table = state.table();
    long[] held = new long[table.dimensions()];
    for (int d = 0; d < held.length; d++) {
      held[d] = table.usable(host.slot(), d) - table.free(host.slot(), d);
    }
    table.giveBack(host.slot(), held);
    log.add(() -> table.take(host.slot(), held));
    for (int i = host.residents.size() - 1; counted && i >= 0; i--) { // to restore their order
      InstanceRecord each = host.residents.get(i);
      state.dismiss(each, host);
      log.add(() -> state.admit(each, host));
    }
  }

  private void come(InstanceRecord member, HostRecord host, UndoLog log) {
    long[] held = diagnosis.heldBy(member, host);
    state.table().take(host.slot(), held);
    state.admit(member, host);
    log.add(
        () -> {
          state.dismiss(member, host);
          state.table().giveBack(host.slot(), held);
        });
  }

  // ---- What the count is worth

  /** Returns whether a host that refuses a member keeps refusing others like it. */
  private boolean onlyLosesHosts(InstanceRecord member) {
    return diagnosis.roomAndVictimsDecide() && !hasRules(member) && member.limits() == null;
  }

  /** Returns whether instances on hosts may keep a member away by more than what they hold. */
  private boolean mattersWhatIsThere(InstanceRecord member) {
    return !onlyLosesHosts(member)
        || PeerRules.mayBeKeptAway(member)
        || (member.job != null
            && !member.job.hosts().isEmpty()
            && (member.antiAffinity || member.job.keepsApart()));
  }

  /** Returns whether nothing less than the demand will do on any host. */
  private boolean isRigid(InstanceRecord member) {
    return diagnosis.roomAndVictimsDecide()
        && member.request.moldability().isEmpty()
        && member.request.guaranteed().equals(member.request.demand());
  }

  /** Returns whether how many members a host takes depends neither on which nor on other hosts. */
  private boolean areInterchangeable(List<InstanceRecord> members) {
    Kind first = Kind.of(members.get(0));
    for (InstanceRecord each : members) {
      if (!isRigid(each)
          || hasRules(each)
          || !each.request.placement().limits().stream()
              .allMatch(use -> use.kind() == LimitUse.Kind.PER_INSTANCE)
          || !Kind.of(each).equals(first)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasRules(InstanceRecord member) {
    return member.rules() != null && member.rules().restrict();
  }
}
