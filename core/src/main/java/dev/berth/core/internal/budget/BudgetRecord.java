package dev.berth.core.internal.budget;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.Batch;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.digest.TrackedRecord;
import dev.berth.core.internal.rule.JobRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The disruption budget of a job, and which members of the job are up and down. Jobs without a
 * budget are not counted.
 */
public final class BudgetRecord extends TrackedRecord {

  public final String job;
  DisruptionBudget budget;

  private int up;
  private final SortedSet<InstanceRecord> down = new TreeSet<>(InstanceRecord.BY_ADMISSION);

  // The members that are up, by host
  private final Map<HostRecord, Integer> upOn = new HashMap<>(); // looked up, never iterated
  private final List<Set<HostRecord>> byCount = new ArrayList<>(); // at n - 1: hosts with n of them

  private final Set<Batch> groups = new LinkedHashSet<>(); // with members that were up

  boolean isUnsettled;
  private int settledLeft = Integer.MAX_VALUE; // the allowance that searches have seen

  private long search; // that counts the victims below
  private int taken;

  BudgetRecord(String job, DisruptionBudget budget) {
    this.job = job;
    this.budget = budget;
  }

  /** Returns the budget. */
  public DisruptionBudget budget() {
    return budget;
  }

  /**
   * Returns the budget that an action must respect which stops an instance; null if the instance is
   * down already, or its job has no budget.
   */
  public static @Nullable BudgetRecord of(InstanceRecord instance) {
    JobRecord job = instance.job;
    return job == null || instance.state() != InstanceState.RUNNING ? null : of(job);
  }

  /** Returns the budget of a job, or null if it has none. */
  public static @Nullable BudgetRecord of(JobRecord job) {
    return (BudgetRecord) job.budget();
  }

  /** Returns how many members may be taken down, as far as so many are up. */
  public int left() {
    int limit = budget.members();
    return Math.max(
        0, budget.limit() == DisruptionBudget.Limit.MAX_DOWN ? limit - down.size() : up - limit);
  }

  /** Returns whether the latest start of a member allows an action that was not allowed before. */
  boolean wasFreed() {
    return left() == 1; // each start allows one more
  }

  /** Returns why so many more members may not be taken down, or null. */
  public @Nullable Reason refusal(int more) {
    return more <= left()
        ? null
        : new Reason.BudgetExhausted(
            job, budget, up, down.size(), more, down.stream().map(InstanceRecord::id).findFirst());
  }

  // ---- What is protected

  /** Returns why an instance cannot be taken down, or null if it can, or is down already. */
  public static @Nullable Reason protection(InstanceRecord instance) {
    BudgetRecord budget = of(instance);
    return budget == null ? null : budget.refusal(1);
  }

  /** Returns why victims cannot be taken down together, or null. */
  public static @Nullable Reason protection(InstanceRecord[] victims, int count) {
    for (int i = 0; i < count; i++) {
      BudgetRecord budget = of(victims[i]);
      if (budget != null) {
        int together = 0;
        for (int other = 0; other <= i; other++) {
          together += of(victims[other]) == budget ? 1 : 0;
        }
        Reason refusal = budget.refusal(together);
        if (refusal != null) {
          return refusal;
        }
      }
    }
    return null;
  }

  /** Returns why the members of a bag cannot end, or null. Those that are done are not down. */
  public static @Nullable Reason protection(Iterable<InstanceRecord> members) {
    Map<BudgetRecord, Integer> together = new LinkedHashMap<>();
    for (InstanceRecord each : members) {
      BudgetRecord budget = of(each);
      if (budget != null && budget.budget().limit() == DisruptionBudget.Limit.MIN_UP) {
        together.merge(budget, 1, Integer::sum);
      }
    }
    for (Map.Entry<BudgetRecord, Integer> each : together.entrySet()) {
      Reason refusal = each.getKey().refusal(each.getValue());
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  // ---- Victims of one search

  /** Returns how many victims a search has taken so far. */
  public int taken(long inSearch) {
    return search == inSearch ? taken : 0;
  }

  /** Counts a victim of a search. */
  public void take(long inSearch) {
    taken = taken(inSearch) + 1;
    search = inSearch;
  }

  // ---- Counting

  /** Counts a member that comes into a state or leaves it. */
  void count(InstanceRecord member, InstanceState inState, @Nullable HostRecord host, int change) {
    if (inState != InstanceState.RUNNING) {
      if (change > 0) {
        down.add(member);
      } else {
        down.remove(member);
      }
    } else if (host != null) {
      up += change;
      if (member.group != null) {
        groups.add(member.group);
      }
      int before = upOn.getOrDefault(host, 0);
      host.countGuarded(change);
      if (before > 0) {
        byCount.get(before - 1).remove(host);
      }
      if (before + change > 0) {
        hostsWith(before + change).add(host);
        upOn.put(host, before + change);
      } else {
        upOn.remove(host);
      }
    }
  }

  private Set<HostRecord> hostsWith(int members) {
    while (byCount.size() < members) {
      byCount.add(new LinkedHashSet<>());
    }
    return byCount.get(members - 1);
  }

  /** Ceases to count: no host has members that count any more. */
  void forgetCounts() {
    for (int i = 0; i < byCount.size(); i++) {
      for (HostRecord each : byCount.get(i)) {
        each.countGuarded(-i - 1);
      }
    }
  }

  /**
   * Touches the hosts where a search would select other victims than before: those with more
   * members that are up than the smaller allowance, of the former and the present one, and those of
   * groups that would go as a whole. Cost O(these hosts).
   *
   * @param present the present allowance; {@link Integer#MAX_VALUE} if the budget is removed
   */
  void settle(int present, Cluster cluster) {
    int former = settledLeft;
    settledLeft = present;
    if (present != former) {
      for (int i = Math.min(present, former); i < byCount.size(); i++) {
        byCount.get(i).forEach(cluster::touch);
      }
      groups.removeIf(Batch::isEmpty);
      groups.forEach(cluster::touchHosts);
    }
  }
}
