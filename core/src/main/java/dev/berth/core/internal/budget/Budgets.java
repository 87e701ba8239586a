package dev.berth.core.internal.budget;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.rule.JobRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The disruption budgets of the cluster; the only place where they are set and counted. */
public final class Budgets {

  private final Cluster cluster;
  private final SortedMap<String, BudgetRecord> records = new TreeMap<>(); // by job
  private final List<BudgetRecord> unsettled = new ArrayList<>(); // counted since

  public Budgets(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the budget of a job, or empty. */
  public Optional<DisruptionBudget> budget(String job) {
    return Optional.ofNullable(records.get(job)).map(BudgetRecord::budget);
  }

  /** Returns all budgets, in order of job. */
  public Collection<BudgetRecord> all() {
    return records.values();
  }

  public @Nullable BudgetRecord record(String job) {
    return records.get(job);
  }

  /** Sets the budget of a job, which need not have members; returns whether anything differs. */
  public boolean set(String job, DisruptionBudget budget, long time) {
    requireValid(job, time, " is set");
    return cluster.changeAt(time, !budget(job).equals(Optional.of(budget)), () -> set(job, budget));
  }

  /** Removes the budget of a job, if it has one; returns whether it had. */
  public boolean remove(String job, long time) {
    requireValid(job, time, " is removed");
    return cluster.changeAt(time, records.containsKey(job), () -> remove(job));
  }

  private void requireValid(String job, long time, String event) {
    if (job.isBlank()) {
      throw Code.INVALID_VALUE.refusal(
          "the budget of job \"%s\"%s, but its name must not be blank.", job, event);
    }
    cluster.requireNotPast(time, "the budget of job ", job, event);
  }

  /** Sets the budget of a job. */
  public void set(String job, DisruptionBudget budget) {
    BudgetRecord record = records.get(job);
    if (record == null) {
      record = new BudgetRecord(job, budget);
      records.put(job, record);
      JobRecord members = cluster.peers().job(job);
      if (members != null) {
        members.protectedBy(record);
        count(members, record);
      }
    }
    record.budget = budget;
    unsettle(record);
    cluster.changed(record);
  }

  /** Removes the budget of a job, if it has one. */
  public void remove(String job) {
    BudgetRecord record = records.remove(job);
    if (record == null) {
      return;
    }
    settle();
    record.settle(Integer.MAX_VALUE, cluster);
    record.forgetCounts();
    JobRecord members = cluster.peers().job(job);
    if (members != null) {
      members.protectedBy(null);
    }
    cluster.changed(record);
  }

  /** Counts the members of a job. Cost O(residents of its hosts + pending instances). */
  private void count(JobRecord job, BudgetRecord record) {
    List<HostRecord> hosts = new ArrayList<>();
    job.hosts().forEach(each -> hosts.add((HostRecord) each));
    hosts.sort(Comparator.comparingLong(each -> each.joined));
    int found = 0;
    for (HostRecord host : hosts) {
      for (InstanceRecord each : host.residents) {
        if (each.job == job) {
          record.count(each, each.state(), host, 1);
          found++;
        }
      }
    }
    if (found < job.members()) {
      cluster.forEachPending(
          each -> {
            if (each.job == job) {
              record.count(each, each.state(), null, 1);
            }
          });
    }
  }

  /** Counts an instance of a job with a budget that comes into a state or leaves it. */
  public void count(
      BudgetRecord record,
      InstanceRecord member,
      InstanceState inState,
      @Nullable HostRecord host,
      int change) {
    record.count(member, inState, host, change);
    unsettle(record);
  }

  private void unsettle(BudgetRecord record) {
    if (!record.isUnsettled) {
      unsettled.add(record);
      record.isUnsettled = true;
    }
  }

  /** Returns whether counts have changed since they were settled. */
  public boolean isUnsettled() {
    return !unsettled.isEmpty();
  }

  /** Touches the hosts whose possible victims have changed with the counts. */
  public void settle() {
    for (BudgetRecord each : unsettled) {
      each.settle(each.left(), cluster);
      each.isUnsettled = false;
    }
    unsettled.clear();
  }

  /** Returns why the budget of its job protects an instance, or empty. */
  public static Optional<Reason> protection(InstanceRecord instance) {
    return Optional.ofNullable(BudgetRecord.protection(instance));
  }

  /** Returns whether the start of an instance that is running now allows to take down another. */
  public boolean isFreedBy(String instanceId) {
    InstanceRecord started = cluster.instanceRecord(instanceId);
    BudgetRecord record = started == null ? null : BudgetRecord.of(started);
    return record != null && record.wasFreed();
  }
}
