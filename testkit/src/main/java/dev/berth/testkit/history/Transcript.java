package dev.berth.testkit.history;

import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.event.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A description of events and plans, to explain why a test failed. */
public final class Transcript {

  private static final int LINES_SHOWN = 400;
  private static final int SHORTEST_TIME = 12; // characters, so that short histories look alike

  private final String policy;
  private final History history;
  private final List<Supplier<Line>> lines = new ArrayList<>(); // worded if the test fails

  /**
   * A line.
   *
   * @param time of an event; empty for a part of its answer
   */
  private record Line(String time, String text) {}

  /** Starts the transcript of a policy and a history. */
  public Transcript(String policy, History history) {
    this.policy = policy;
    this.history = history;
  }

  /** Adds a call; times count from the beginning of the history. */
  public void call(Call call) {
    lines.add(
        () -> {
          Duration since = Duration.ofNanos(call.at() - history.epoch());
          return new Line(since.toString().substring(2), call.describe());
        });
  }

  /** Adds the answer to an event, if it is a plan. */
  public void answer(Optional<Record> answer) {
    if (answer.isPresent() && answer.get() instanceof Plan plan) {
      for (Action action : plan.actions()) {
        lines.add(() -> new Line("", describe(action)));
      }
    }
  }

  /** Returns a description of an action: {@code "r1 goes to h1"}. */
  public static String describe(Action action) {
    if (action instanceof Action.Preempt preempt) {
      return "%s leaves %s for %s"
          .formatted(preempt.instance(), preempt.host(), preempt.beneficiary());
    }
    return action instanceof Action.Place place
        ? "%s goes to %s%s"
            .formatted(
                place.instance(),
                place.host(),
                place.grant().map(each -> " with " + each).orElse(""))
        : action.describe();
  }

  /** Returns a failure whose message contains the transcript. */
  public AssertionError tell(Throwable failure) {
    return new AssertionError(failure.getMessage() + "\n" + this, failure);
  }

  /** Returns a failure with the transcript apart from its message. */
  public FailedHistory attachTo(Throwable failure) {
    return new FailedHistory(String.valueOf(failure.getMessage()), toString(), failure);
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
    List<Line> shown = lines.subList(from, lines.size()).stream().map(Supplier::get).toList();
    int width =
        shown.stream().mapToInt(each -> each.time.length()).reduce(SHORTEST_TIME, Math::max);
    shown.forEach(each -> all.add(("%" + width + "s  %s").formatted(each.time, each.text)));
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
