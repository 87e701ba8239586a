package dev.berth.testkit.contract;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.history.Transcript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes in words how two answers to the same call differ, and nothing that they share. */
final class PlanDifferences {

  private static final int MOST = 3;

  private PlanDifferences() {}

  /** Returns how an answer differs from the one before: {@code "r7 goes to h2, before to h5"}. */
  static String of(Optional<Record> answer, Optional<Record> before) {
    if (answer.isEmpty()
        || before.isEmpty()
        || !answer.get().getClass().equals(before.get().getClass())) {
      return "%s, before: %s".formatted(words(answer), words(before));
    }
    return answer.get() instanceof Plan plan && before.get() instanceof Plan first
        ? of(plan, first)
        : shortened(components(answer.get(), before.get()));
  }

  private static String of(Plan plan, Plan before) {
    Map<String, Action> actions = bySubject(plan);
    Map<String, Action> first = bySubject(before);
    Set<String> subjects = new LinkedHashSet<>(actions.keySet());
    subjects.addAll(first.keySet());
    subjects.addAll(plan.deferrals().keySet());
    subjects.addAll(before.deferrals().keySet());
    List<String> differences = new ArrayList<>();
    for (String each : subjects) {
      if (actions.get(each) instanceof Action.Place now
          && first.get(each) instanceof Action.Place then
          && now.victims().equals(then.victims())
          && now.grant().equals(then.grant())) {
        if (!now.equals(then)) {
          differences.add("%s goes to %s, before to %s".formatted(each, now.host(), then.host()));
        }
        continue;
      }
      Optional<String> now = decision(each, actions, plan);
      Optional<String> then = decision(each, first, before);
      if (!now.equals(then)) {
        String earlier = then.orElseGet(() -> none(each, actions.get(each)));
        differences.add(
            "%s, before: %s"
                .formatted(
                    now.orElseGet(() -> none(each, first.get(each))),
                    earlier.startsWith(each + " ")
                        ? earlier.substring(each.length() + 1)
                        : earlier));
      }
    }
    if (differences.isEmpty() && !plan.actions().equals(before.actions())) {
      differences.add(
          "the order of actions is %s, before: %s".formatted(actions.keySet(), first.keySet()));
    }
    return shortened(differences.isEmpty() ? components(plan, before) : differences);
  }

  /** Returns the actions by what they are about; an instance is the subject of one at most. */
  private static Map<String, Action> bySubject(Plan plan) {
    Map<String, Action> actions = new LinkedHashMap<>();
    for (Action each : plan.actions()) {
      actions.put(each instanceof Action.OnInstance one ? one.instance() : each.describe(), each);
    }
    return actions;
  }

  private static Optional<String> decision(String subject, Map<String, Action> actions, Plan plan) {
    Action action = actions.get(subject);
    if (action != null) {
      return Optional.of(
          Transcript.describe(action)
              + (action instanceof Action.Place place && !place.victims().isEmpty()
                  ? " in place of %s".formatted(String.join(", ", place.victims()))
                  : ""));
    }
    return Optional.ofNullable(plan.deferrals().get(subject))
        .map(why -> "%s is deferred (%s)".formatted(subject, why.describe()));
  }

  /** Returns the words for a plan without the decision that the other plan has. */
  private static String none(String subject, @Nullable Action other) {
    return other instanceof Action.Place
        ? subject + " is not placed"
        : other instanceof Action.Preempt
            ? subject + " is not preempted"
            : other == null ? subject + " is not deferred" : "not so";
  }

  private static List<String> components(Record answer, Record before) {
    return RecordDifferences.list(answer, before, "%s %s, before %s");
  }

  private static String shortened(List<String> differences) {
    String shown = String.join("; ", differences.subList(0, Math.min(MOST, differences.size())));
    int left = differences.size() - MOST;
    return left > 0 ? "%s; and %s more".formatted(shown, left) : shown;
  }

  static String words(Optional<Record> answer) {
    return answer.map(Record::toString).orElse("nothing");
  }
}
