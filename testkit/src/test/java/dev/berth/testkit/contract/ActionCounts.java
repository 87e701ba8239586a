package dev.berth.testkit.contract;

import dev.berth.api.plan.Action;
import dev.berth.api.policy.Completion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the attempted and the refused actions of a policy by type, and keeps what was reported to
 * it.
 */
final class ActionCounts {

  private final Map<Class<? extends Action>, Integer> taken = new HashMap<>();
  private final Map<Class<? extends Action>, Integer> refused = new HashMap<>();

  private List<Completion> completions = List.of(); // reported by the latest pass

  void note(List<Completion> reported) {
    completions = reported;
  }

  List<Completion> completions() {
    return completions;
  }

  void count(Class<? extends Action> kind, boolean accepted) {
    (accepted ? taken : refused).merge(kind, 1, Integer::sum);
  }

  void add(ActionCounts other) {
    other.taken.forEach((kind, count) -> taken.merge(kind, count, Integer::sum));
    other.refused.forEach((kind, count) -> refused.merge(kind, count, Integer::sum));
  }

  int accepted(Class<? extends Action> kind) {
    return taken.getOrDefault(kind, 0);
  }

  int refused(Class<? extends Action> kind) {
    return refused.getOrDefault(kind, 0);
  }

  @Override
  public String toString() {
    return "accepted %s, refused %s".formatted(taken, refused);
  }
}
