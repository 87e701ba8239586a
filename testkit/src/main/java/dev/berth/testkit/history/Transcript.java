package dev.berth.testkit.history;

import dev.berth.api.Action;
import dev.berth.api.Plan;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A description of events and plans, to explain why a test failed. */
public final class Transcript {

  private static final int LINES_SHOWN = 400;

  private final String policy;
  private final History history;
  private final List<String> lines = new ArrayList<>();

  /** Starts the transcript of a policy and a history. */
  public Transcript(String policy, History history) {
    this.policy = policy;
    this.history = history;
  }

  /** Adds an event; times count from the beginning of the history. */
  public void event(Event event) {
    Duration since = Duration.ofNanos(event.at() - history.epoch());
    lines.add("%12s  %s".formatted(since.toString().substring(2), event.describe()));
  }

  /** Adds the answer to an event, if it is a plan. */
  public void answer(Optional<Record> answer) {
    if (answer.isPresent() && answer.get() instanceof Plan plan) {
      for (Action action : plan.actions()) {
        lines.add(
            action instanceof Action.Preempt preempt
                ? "%14s%s leaves %s for %s"
                    .formatted("", preempt.instance(), preempt.host(), preempt.beneficiary())
                : action instanceof Action.Place place
                    ? "%14s%s goes to %s%s"
                        .formatted(
                            "",
                            place.instance(),
                            place.host(),
                            place.grant().map(each -> " with " + each).orElse(""))
                    : "%14s%s".formatted("", action.describe()));
      }
    }
  }

  /** Returns a failure whose message contains the transcript. */
  public AssertionError tell(Throwable failure) {
    return new AssertionError(failure.getMessage() + "\n" + this, failure);
  }

  @Override
  public String toString() {
    List<String> all = new ArrayList<>();
    all.add(policy + ", seed " + history.seed());
    history.serviceClasses().forEach(each -> all.add(describe(each)));
    int from = Math.max(0, lines.size() - LINES_SHOWN);
    if (from > 0) {
      all.add("... after %d lines:".formatted(from));
    }
    all.addAll(lines.subList(from, lines.size()));
    return String.join("\n", all);
  }

  static String describe(ServiceClass each) {
    return "class %s: slo %s, importance %s, margin %s, overhead limit %s"
        .formatted(
            each.name(),
            each.slo(),
            each.importance(),
            each.safetyMargin(),
            each.preemptionOverheadLimit());
  }
}
