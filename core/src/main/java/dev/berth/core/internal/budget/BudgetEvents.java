package dev.berth.core.internal.budget;

import dev.berth.api.DisruptionBudget;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.internal.cluster.Cluster;

/**
 * The events that set and remove disruption budgets. An event that is refused changes nothing. Each
 * returns whether anything differs.
 */
public final class BudgetEvents {

  private final Cluster cluster;
  private final Budgets budgets;

  /** Prepares events in a cluster. */
  public BudgetEvents(Cluster cluster, Budgets budgets) {
    this.cluster = cluster;
    this.budgets = budgets;
  }

  /** Sets the budget of a job, which need not have members. */
  public boolean set(String job, DisruptionBudget budget, long time) {
    requireValid(job, time, " is set");
    cluster.beginChange();
    cluster.setNow(time);
    boolean changes = budgets.set(job, budget);
    cluster.endChange();
    return changes;
  }

  /** Removes the budget of a job, if it has one. */
  public boolean remove(String job, long time) {
    requireValid(job, time, " is removed");
    cluster.beginChange();
    cluster.setNow(time);
    boolean changes = budgets.remove(job);
    cluster.endChange();
    return changes;
  }

  private void requireValid(String job, long time, String event) {
    if (job.isBlank()) {
      throw new EventRefusedException(
          "the budget of job \"%s\"%s, but its name must not be blank.".formatted(job, event));
    }
    cluster.requireNotPast(time, "the budget of job ", job, event);
  }
}
