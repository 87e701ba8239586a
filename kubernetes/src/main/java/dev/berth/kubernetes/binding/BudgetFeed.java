package dev.berth.kubernetes.binding;

import dev.berth.api.DisruptionBudget;
import dev.berth.core.event.Event;
import dev.berth.kubernetes.meaning.Budgets;
import dev.berth.kubernetes.meaning.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Informs the scheduler of the disruption budgets, divided among the jobs that they select.
 *
 * <p>Used by tasks of the binding alone.
 */
final class BudgetFeed extends Part {

  private Map<String, DisruptionBudget> sent = new TreeMap<>();
  private boolean isChanged = true;

  BudgetFeed(Part shared) {
    super(shared);
  }

  /** Notes that budgets or pods have changed. */
  void changed() {
    isChanged = true;
  }

  /** Informs the scheduler of what has changed. */
  void send() {
    if (!isChanged || (mirror.budgets().isEmpty() && sent.isEmpty())) {
      return;
    }
    isChanged = false;
    List<Budgets.Member> members = new ArrayList<>();
    for (Pod each : mirror.pods()) {
      if (book.ofPod(each.getMetadata().getUid()).isPresent()) {
        members.add(Budgets.Member.ours(each));
      } else if (PodState.of(each, configuration.schedulerName()) != PodState.FINISHED) {
        members.add(Budgets.Member.foreign(each));
      }
    }
    Map<String, DisruptionBudget> next =
        new TreeMap<>(Budgets.of(mirror.budgets(), members).byJob());
    next.forEach(
        (job, budget) -> {
          if (!budget.equals(sent.get(job))) {
            var unused = loop.apply(new Event.BudgetSet(job, budget));
          }
        });
    for (String job : sent.keySet()) {
      if (!next.containsKey(job)) {
        var unused = loop.apply(new Event.BudgetRemoved(job));
      }
    }
    sent = next;
  }
}
