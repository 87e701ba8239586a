package dev.berth.testkit.reference;

import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Counts the cases that a reference scheduler met, so that a test can check its own coverage. Not
 * thread-safe.
 */
public final class CaseCoverage {

  /** A case that is counted. */
  public enum Mark {
    /** A pass. */
    PASS,
    /** A pass that placed something. */
    PASS_PLACING,
    /** A pass that preempted something. */
    PASS_PREEMPTING,
    /** A placement. */
    PLACEMENT,
    /** A preemption by rule (A). */
    PREEMPTION_BY_RULE_A,
    /** A preemption by rule (B). */
    PREEMPTION_BY_RULE_B,
    /** A preemption by rule (C). */
    PREEMPTION_BY_RULE_C,
    /** A preemption by rule (G). */
    PREEMPTION_BY_RULE_G,
    /** A preemption by rule (S). */
    PREEMPTION_BY_RULE_S,
    /** A preemption by the priority-based policy. */
    PREEMPTION_BY_PRIORITY,
    /** A preemption of an instance that was starting. */
    PREEMPTION_OF_STARTING,
    /** A preemption of several instances for one. */
    PREEMPTION_OF_SEVERAL,
    /** An instance stopped since its longest run time was over. */
    STOPPED,
    /** A victim candidate refused only because of the limit of its preemption overhead. */
    REFUSAL_BY_OVERHEAD_LIMIT,
    /** A victim candidate refused only because of the limit of its preemptions. */
    REFUSAL_BY_PREEMPTION_LIMIT,
    /** A victim candidate refused only because its restarts took too much of its life. */
    REFUSAL_BY_RESTART_SHARE,
    /** A victim candidate refused only because it has not run long enough since its start. */
    REFUSAL_BY_QUANTUM,
    /** A victim candidate refused only because it would lose its progress. */
    REFUSAL_BY_LOST_PROGRESS,
    /** A preemption of an instance that loses its progress. */
    PREEMPTION_LOSING_PROGRESS,
    /** An instance in the queue whose run time is expected: more than that of its class. */
    RUN_TIME_EXPECTED,
    /** An instance in the queue that is beyond rescue. */
    BEYOND_RESCUE,
    /** An instance in the queue that no equal overtakes, as it has waited longest. */
    WAITED_LONGEST,
    /** A host excluded by a placement constraint. */
    REFUSAL_BY_CONSTRAINT,
    /** A host excluded by anti-affinity. */
    REFUSAL_BY_ANTI_AFFINITY,
    /** A victim that was spared. */
    VICTIM_SPARED,
    /** A choice among equal victims of others than those that come first by hash. */
    CHOICE_AMONG_EQUALS,
    /** A placement that rules about other instances refused until its victims left. */
    PREEMPTION_FOR_RULE,
    /** A host excluded because it is cordoned or draining, though it has room. */
    REFUSAL_BY_CORDON,
    /** A host excluded because it holds more than its capacity, though the request needs little. */
    REFUSAL_BY_OVER_CAPACITY,
    /** A host excluded because of its foreign load. */
    REFUSAL_BY_FOREIGN_LOAD,
    /** A placement on a host with foreign load. */
    PLACEMENT_BESIDE_FOREIGN_LOAD,
    /** A pass after which an instance is on a host where its constraints no longer hold. */
    CONSTRAINT_OUTLIVED,
    /** An instance that migrated off a draining host. */
    DRAINED_BY_MIGRATION,
    /** An instance that was evicted before the deadline of a drain. */
    DRAINED_BY_RESTART,
    /** An instance that was evicted at the deadline of a drain. */
    DRAINED_AT_DEADLINE,
    /** An instance that stayed on a draining host that was to be emptied, since it fit nowhere. */
    DRAIN_STUCK,
    /** A draining host from which several instances left in one pass. */
    DRAIN_OF_SEVERAL,
    /** A victim candidate refused only because of the disruption budget of its job. */
    REFUSAL_BY_BUDGET,
    /** A candidate refused only since others of its job were taken before on the same host. */
    REFUSAL_BY_SHARED_BUDGET,
    /** A preemption of an instance whose job has a disruption budget. */
    PREEMPTION_WITHIN_BUDGET,
    /** An instance that stayed on a draining host because of the disruption budget of its job. */
    DRAIN_HELD_BY_BUDGET,
    /** An instance that stayed despite a taint because of the disruption budget of its job. */
    TAINT_HELD_BY_BUDGET,
    /** A broken group that was not released because of a disruption budget. */
    RELEASE_HELD_BY_BUDGET,
    /** A pass after which a job has more members down than its budget allows: events did that. */
    BUDGET_EXCEEDED,
    /** A report about the present attempt of an instance. */
    ATTEMPT_REPORT,
    /** A completion of an attempt that a pass had stopped meanwhile. */
    COMPLETION_BEFORE_STOP,
    /** A report about an earlier attempt, or one that comes again, or a late rejection. */
    STALE_REPORT,
    /** An instance that was given up, since it failed too often. */
    GIVEN_UP,
    /** An action that was rejected and undone. */
    REJECTION,
    /** A rejected action that was undone together with others. */
    REJECTION_WITH_DEPENDENTS,
    /** A request that was submitted with the history of its instance. */
    RETURN,
    /** An instance that a fleet reported to be gone. */
    INSTANCE_GONE,
    /** An instance that a fleet reported elsewhere or in another state or attempt. */
    INSTANCE_CORRECTED,
    /** An unknown instance that a fleet reported, and that was adopted. */
    INSTANCE_ADOPTED,
    /** An unknown instance that a fleet reported, and that became foreign load. */
    INSTANCE_FOREIGN,
    /** A host that a fleet reported to be up, gone, changed, or to have other foreign load. */
    HOST_CORRECTED,
    /** A group that started. */
    GROUP_STARTED,
    /** A group that started with some of its members, but not with all. */
    GROUP_STARTED_IN_PART,
    /** A group that started by preempting others. */
    GROUP_STARTED_BY_PREEMPTION,
    /** A group that did not start, since no member has a host. */
    GROUP_WITHOUT_HOSTS,
    /** A group that did not start, since only some members have a host. */
    GROUP_INCOMPLETE,
    /** A group that did not start although others would have been preempted for some members. */
    GROUP_INCOMPLETE_WITH_VICTIMS,
    /** A group that did not start, but an instance after it in the queue did. */
    GROUP_OVERTAKEN,
    /** A broken group whose other members were evicted. */
    GROUP_RELEASED,
    /** A placement of a single member of a broken group. */
    GROUP_RESTORED,
    /** A placement of a single member of a group that is not broken. */
    GROUP_EXTENDED,
    /** A host where a group may go as a whole for an instance. */
    GROUP_TAKEN,
    /** A host where groups that may not go as a whole keep an instance off. */
    GROUP_SPARED,
    /** An instance that stayed pending after a pass. */
    LEFT_PENDING,
    /** An instance that stayed pending, since others must complete before it starts. */
    WAITS_FOR_OTHERS,
    /** A placement of an instance that was to start after others. */
    PLACEMENT_AFTER_OTHERS,
    /** Two neighbours in the queue that differ only in importance, admission or id. */
    TIE_IN_QUEUE,
    /** Two neighbours among the candidates on a host that only the hash orders. */
    TIE_AMONG_CANDIDATES,
    /**
     * A placement for which the hash chose among equally good hosts, none of which needs
     * preemption.
     */
    TIE_AMONG_HOSTS,
    /**
     * A placement for which the hash chose among equally good hosts, all of which need preemption.
     */
    TIE_AMONG_HOSTS_WITH_PREEMPTION,
    /**
     * A placement for which there were several hosts, all of which need preemption, and the cost
     * decided.
     */
    DECISION_BY_COST,
    /**
     * Like {@link #DECISION_BY_COST}, but the costs were equal and the allocation score decided.
     */
    DECISION_BY_SCORE_AFTER_COST,
    /** A host excluded by a taint that is not tolerated. */
    REFUSAL_BY_TAINT,
    /** A host excluded because its place lacks a peer that the request must be near. */
    REFUSAL_BY_NEAR,
    /** A host excluded because its place has a peer that the request must be kept apart from. */
    REFUSAL_BY_APART,
    /** A host excluded by a rule of an instance in its place. */
    REFUSAL_BY_APART_OF_OTHERS,
    /** A host excluded because its place would have too many peers. */
    REFUSAL_BY_SPREAD,
    /** A host excluded because it belongs to no place of a domain. */
    REFUSAL_WITHOUT_PLACE,
    /** A host excluded because the only peer there would be a victim. */
    REFUSAL_BY_LOST_PEER,
    /** A host to which a draining instance does not move because of a taint or a rule. */
    DRAIN_REFUSED_BY_RULE,
    /** An instance that was evicted, as it had stayed as long as a taint allows. */
    EXPELLED_BY_TAINT,
    /** The same, from a host that cannot be reached. */
    EXPELLED_FROM_UNREACHABLE,
    /** An instance that a fleet did not report, on a host that cannot be reached. */
    UNREACHABLE_INSTANCE_KEPT,
    /** A placement on a host whose taints are all tolerated. */
    PLACEMENT_BY_TOLERATION,
    /** A placement on a host that has a taint which discourages it. */
    PLACEMENT_DESPITE_TAINT,
    /** A placement of a request that must be near its own peers, as the first of them. */
    PLACEMENT_OF_FIRST_PEER,
    /** A placement of a request that must be near others. */
    PLACEMENT_NEAR,
    /** A placement of a request that must be kept apart from others. */
    PLACEMENT_APART,
    /** A placement of a request that must be spread. */
    PLACEMENT_SPREAD,
    /** A placement of a request with preferences. */
    PLACEMENT_WITH_PREFERENCE,
    /** A placement for which taints decided between hosts. */
    DECISION_BY_TAINT,
    /** A placement without preemption for which preferences decided between hosts. */
    DECISION_BY_PREFERENCE,
    /** A placement for which preferences decided between hosts of equal preemption costs. */
    DECISION_BY_PREFERENCE_AFTER_COST,
    /** A host with room that a counted limit excludes. */
    REFUSAL_BY_LIMIT,
    /** A host to which a draining instance does not move because of a counted limit. */
    DRAIN_REFUSED_BY_LIMIT,
    /** A placement of a request that uses a limit per instance. */
    PLACEMENT_WITH_LIMIT_PER_INSTANCE,
    /** A placement of a request that uses a limit per host. */
    PLACEMENT_WITH_LIMIT_PER_HOST,
    /** A placement that a limit allowed only once the victims had left. */
    LIMIT_GIVEN_BACK_BY_VICTIMS,
    /** A pass at whose end more of a limit is used than there is. */
    LIMIT_EXCEEDED
  }

  private final Map<Mark, Long> counts = new EnumMap<>(Mark.class);

  /** Creates counts of zero. */
  public CaseCoverage() {}

  /** Counts one case. */
  public void count(Mark mark) {
    counts.merge(mark, 1L, Long::sum);
  }

  /** Counts a case if it is one, which is returned. */
  public boolean count(Mark mark, boolean isMet) {
    if (isMet) {
      count(mark);
    }
    return isMet;
  }

  /** Adds the counts of another coverage. */
  public void add(CaseCoverage other) {
    other.counts.forEach((mark, count) -> counts.merge(mark, count, Long::sum));
  }

  /** Returns a count. */
  public long of(Mark mark) {
    return counts.getOrDefault(mark, 0L);
  }

  /** Returns all counts, one per line. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    for (Mark mark : Mark.values()) {
      lines.add("%12d %s".formatted(of(mark), mark));
    }
    return lines.toString();
  }
}
