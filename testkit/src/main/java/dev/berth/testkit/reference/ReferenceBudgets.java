package dev.berth.testkit.reference;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.InstanceState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The disruption budgets of jobs, and what they protect. */
public final class ReferenceBudgets {

  private final ReferenceCluster cluster;
  private final Map<String, DisruptionBudget> budgets = new TreeMap<>(); // in order of job

  ReferenceBudgets(ReferenceCluster cluster) {
    this.cluster = cluster;
  }

  /** A job has a disruption budget from now on. Returns whether anything differs. */
  boolean set(String job, DisruptionBudget budget) {
    return !budget.equals(budgets.put(job, budget));
  }

  /** A job has no disruption budget any more. Returns whether it had one. */
  boolean remove(String job) {
    return budgets.remove(job) != null;
  }

  void become(ReferenceBudgets other) {
    budgets.clear();
    budgets.putAll(other.budgets);
  }

  /** Returns the disruption budgets by job, in order of job. */
  public Map<String, DisruptionBudget> byJob() {
    return new TreeMap<>(budgets);
  }

  /** Returns whether the job of an instance has a budget. */
  public boolean cover(ReferenceInstance instance) {
    return instance.request().job().filter(budgets::containsKey).isPresent();
  }

  /** Returns how many members of a job are up: how many are running. */
  public int up(String job) {
    return (int) members(job).filter(each -> each.state() == InstanceState.RUNNING).count();
  }

  /** Returns how many members of a job are down: how many are not done and not running. */
  public int down(String job) {
    return (int) members(job).filter(each -> each.state() != InstanceState.RUNNING).count();
  }

  private Stream<ReferenceInstance> members(String job) {
    return cluster.instances().stream()
        .filter(each -> each.request().job().equals(Optional.of(job)));
  }

  /** Returns whether the present state of a job is within its budget, if it has one. */
  boolean isWithin(String job) {
    DisruptionBudget budget = budgets.get(job);
    return budget == null
        || switch (budget.limit()) {
          case MAX_DOWN -> down(job) <= budget.members();
          case MIN_UP -> up(job) >= budget.members();
        };
  }

  /**
   * Returns whether the budget of its job protects an instance.
   *
   * @param leaving instances that are taken down together with it
   */
  public boolean protect(ReferenceInstance instance, List<ReferenceInstance> leaving) {
    if (instance.state() != InstanceState.RUNNING || !cover(instance)) {
      return false;
    }
    Optional<String> job = instance.request().job();
    int more =
        1
            + (int)
                leaving.stream()
                    .filter(each -> each.state() == InstanceState.RUNNING)
                    .filter(each -> each.request().job().equals(job))
                    .count();
    DisruptionBudget budget = Optional.ofNullable(budgets.get(job.get())).orElseThrow();
    return switch (budget.limit()) {
      case MAX_DOWN -> down(job.get()) + more > budget.members();
      case MIN_UP -> up(job.get()) - more < budget.members();
    };
  }
}
