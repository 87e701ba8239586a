package dev.berth.experiments.spec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.experiments.run.RunSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What an experiment can hold at most, so that it ends and its messages stay short. */
final class ExperimentLimits {

  private static final int TEXT = 10_000; // characters
  private static final int QUOTE = 200; // characters of a value in a message
  private static final int PROBLEMS = 50;
  private static final int RUNS = 100_000;
  private static final long SAMPLES = 10_000_000;
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Lists and the number of elements that each may have. */
  private static final List<Map.Entry<String, Integer>> LISTS =
      List.of(
          Map.entry("workloads", 1_000),
          Map.entry("infrastructures", 1_000),
          Map.entry("policies", 1_000),
          Map.entry("scales", 10_000),
          Map.entry("watchdog", 1_000),
          Map.entry("margin", 1_000),
          Map.entry("seeds", 10_000),
          Map.entry("overheads", 1_000_000),
          Map.entry("hotOverheads", 1_000_000),
          Map.entry("decisionTimes", 1_000_000),
          Map.entry("plainDecisionTimes", 1_000_000));

  private ExperimentLimits() {}

  /** Checks what no binding checks: nulls within lists, empty lists of times, and sizes. */
  static void check(JsonNode tree, List<Problem> problems) {
    checkTexts("", tree, problems);
    for (Map.Entry<String, Integer> each : LISTS) {
      JsonNode list = tree.path(each.getKey());
      if (list.size() > each.getValue()) {
        add(
            problems,
            each.getKey(),
            "a list of " + list.size(),
            "must have at most %s elements".formatted(each.getValue()));
      }
      checkElements(each.getKey(), list, problems);
    }
    checkNumbers("scales", tree.path("scales"), JsonNode::isNumber, "must be a number", problems);
    checkNumbers(
        "seeds",
        tree.path("seeds"),
        JsonNode::isIntegralNumber,
        "must be a whole number",
        problems);
    for (String times :
        List.of("overheads", "hotOverheads", "decisionTimes", "plainDecisionTimes")) {
      if (tree.path(times).isArray() && tree.path(times).isEmpty()) {
        problems.add(
            new Problem(times, "[]", "must hold at least one duration", "Maybe [\"0s\"]."));
      }
    }
    JsonNode penalties = tree.path("metrics").path("penalties");
    for (Map.Entry<String, JsonNode> each : penalties.properties()) {
      String path = "metrics.penalties." + each.getKey();
      if (!each.getValue().isArray()) {
        add(problems, path, each.getValue().toString(), "must be a list of tiers");
      }
      checkElements(path, each.getValue(), problems);
    }
  }

  /** Adds a problem without a hint. */
  static void add(List<Problem> problems, String path, String value, String rule) {
    problems.add(new Problem(path, value, rule, ""));
  }

  static void add(List<Problem> problems, String path, Duration value, String rule) {
    add(problems, path, '"' + Durations.format(value) + '"', rule);
  }

  /** Returns the key of the experiment that has a problem. */
  static String key(Problem problem) {
    return problem.path().split("[.\\[]", 2)[0];
  }

  private static void checkElements(String path, JsonNode list, List<Problem> problems) {
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      if (list.get(i).isNull()) {
        add(problems, "%s[%s]".formatted(path, i), "null", "must have a value");
      }
    }
  }

  /** Refuses texts of blanks and control characters, which the binder takes for null. */
  private static void checkNumbers(
      String path,
      JsonNode list,
      Predicate<JsonNode> isNumber,
      String rule,
      List<Problem> problems) {
    for (int i = 0; list.isArray() && i < list.size(); i++) {
      if (!isNumber.test(list.get(i)) && !list.get(i).isNull()) {
        add(problems, "%s[%s]".formatted(path, i), list.get(i).toString(), rule);
      }
    }
  }

  private static void checkTexts(String path, JsonNode node, List<Problem> problems) {
    if (node.isTextual() && node.textValue().length() > TEXT) {
      add(problems, path, node.toString(), "must have at most %s characters".formatted(TEXT));
    }
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      String inner = path.isEmpty() ? each.getKey() : path + "." + each.getKey();
      checkTexts(inner, each.getValue(), problems);
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      checkTexts("%s[%s]".formatted(path, i), node.get(i), problems);
    }
  }

  /** Checks that a time lies in the range in which sums of times are exact. */
  static void checkLongest(String path, @Nullable Duration time, List<Problem> problems) {
    if (time != null && time.compareTo(LONGEST) > 0) {
      add(problems, path, time, "must be at most " + Durations.format(LONGEST));
    }
  }

  /** Checks that the runs of an experiment, and the steps of each, come to an end. */
  static void check(ExperimentSpec spec, List<SharedSettings> settings, List<Problem> problems) {
    long cases =
        (long) spec.workloads().size()
            * Math.max(1, spec.infrastructures().size())
            * spec.scales().size()
            * settings.size()
            * spec.seeds().size();
    long runs = cases * (spec.policies().size() + (spec.bounds() ? 2 : 0));
    if (runs > RUNS) {
      add(
          problems,
          "the number of runs",
          String.valueOf(runs),
          "must be at most %s".formatted(RUNS));
    }
    Duration until = settings.get(0).until();
    Duration apart = settings.get(0).apart();
    Duration watchdog =
        settings.stream()
            .map(SharedSettings::watchdog)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    steps("watchdog", watchdog, until, RunSettings.MOST_STEPS, problems);
    if (apart.compareTo(watchdog) > 0) {
      add(
          problems,
          "apart",
          apart,
          "must be at most the watchdog, %s: the longest time between two passes"
              .formatted(Durations.format(watchdog)));
    }
    steps("metrics.sample", spec.metrics().sample(), until, SAMPLES, problems);
  }

  private static void steps(
      String path, Duration step, Duration until, long most, List<Problem> problems) {
    if (until.dividedBy(step) > most) {
      add(
          problems,
          path,
          step,
          "must be at least %s, a %s-th of the end %s"
              .formatted(
                  Durations.format(until.dividedBy(most).plusNanos(1)),
                  most,
                  Durations.format(until)));
    }
  }

  /** Returns problems short enough to be read. */
  static List<Problem> shortened(List<Problem> problems) {
    List<Problem> some = new ArrayList<>();
    for (Problem each : problems.subList(0, Math.min(PROBLEMS, problems.size()))) {
      some.add(
          new Problem(
              quote(each.path()), quote(each.value()), quote(each.rule()), quote(each.hint())));
    }
    if (problems.size() > PROBLEMS) {
      some.add(
          new Problem(
              "the number of problems",
              String.valueOf(problems.size()),
              "of which the first %s are listed".formatted(PROBLEMS),
              ""));
    }
    return some;
  }

  private static String quote(String text) {
    return text.length() <= 2 * QUOTE ? text : text.substring(0, QUOTE) + "...";
  }
}
