package dev.berth.fuzzing.hostile;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts which members of jobs are up, independently of the engine, and follows a plan action by
 * action: no action that takes a member down may leave its job beyond the disruption budget.
 */
final class BudgetCount {

  private final Map<String, DisruptionBudget> budgets = new TreeMap<>(); // by job
  private final Map<String, String> jobs = new HashMap<>(); // of members that are not done
  private final Set<String> up = new TreeSet<>();
  private int guarded; // actions on members that were up
  private int exceeded; // budgets, before the plan

  private BudgetCount() {}

  /** Counts the present members. */
  static BudgetCount of(Scheduler scheduler) {
    BudgetCount count = new BudgetCount();
    for (Instance each : scheduler.instances()) {
      Optional<String> job = each.request().job();
      if (job.isPresent()) {
        count.jobs.put(each.id(), job.get());
        if (each.state() == InstanceState.RUNNING) {
          count.up.add(each.id());
        }
        scheduler.budget(job.get()).ifPresent(budget -> count.budgets.put(job.get(), budget));
      }
    }
    count.exceeded = (int) count.budgets.keySet().stream().filter(job -> !count.holds(job)).count();
    return count;
  }

  /** Follows a plan; requires that it keeps the budgets. */
  void follow(Plan plan) {
    List<String> victims = new ArrayList<>();
    for (Action each : plan.actions()) {
      if (each instanceof Action.Preempt preempt) {
        victims.add(preempt.instance());
      } else if (each instanceof Action.Place) {
        down(victims, each);
        victims.clear();
      } else if (each instanceof Action.Cancel cancel) {
        boolean expired = cancel.why() instanceof Reason.Expired;
        cancel.instances().forEach(id -> end(id, expired, each));
      } else if (each instanceof Action.Ends ends) {
        jobs.remove(ends.instance());
      } else if (each instanceof Action.OnInstance action && !(each instanceof Action.Resize)) {
        down(List.of(action.instance()), each);
      }
    }
  }

  private void down(List<String> ids, Action why) {
    for (String id : ids) {
      if (up.remove(id)) {
        require(jobs.get(id), why);
      }
    }
  }

  private void end(String id, boolean expired, Action why) {
    String job = jobs.remove(id);
    boolean staysUp =
        job != null
            && budgets.containsKey(job)
            && budgets.get(job).limit() == DisruptionBudget.Limit.MIN_UP;
    if (up.remove(id) && staysUp && !expired) {
      require(job, why);
    }
  }

  private void require(String job, Action why) {
    guarded += budgets.containsKey(job) ? 1 : 0;
    StateLaws.require(
        holds(job), "%s leaves job %s beyond its budget, %s", why, job, budgets.get(job));
  }

  private boolean holds(String job) {
    DisruptionBudget budget = budgets.get(job);
    if (budget == null) {
      return true;
    }
    int members = 0;
    int running = 0;
    for (Map.Entry<String, String> each : jobs.entrySet()) {
      members += each.getValue().equals(job) ? 1 : 0;
      running += each.getValue().equals(job) && up.contains(each.getKey()) ? 1 : 0;
    }
    return switch (budget.limit()) {
      case MAX_DOWN -> members - running <= budget.members();
      case MIN_UP -> running >= budget.members();
    };
  }

  /** Returns how many actions took down members of jobs with budgets. */
  int guarded() {
    return guarded;
  }

  /** Returns how many budgets were exceeded before the plan, which only events can do. */
  int exceeded() {
    return exceeded;
  }
}
