package dev.berth.cli;

import dev.berth.api.ServiceClass;
import dev.berth.core.config.Durations;
import dev.berth.simulator.Adjustments;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The outcome of a comparison as a table for people: by service class, a row for each policy, and
 * beneath it what others published for the same.
 */
final class ComparisonTable {

  private static final int WIDTH = 90;
  private static final int DIGITS = 4;
  private static final int DIGITS_OF_ROUNDED = 3;

  private final Comparison comparison;
  private final List<RunOutcome> outcomes;
  private final List<PublishedRun> published;

  /**
   * Prepares a table.
   *
   * @param comparison what was run
   * @param outcomes one for each of its policies, in the same order
   * @param published what others published for the same workload and policies
   */
  ComparisonTable(Comparison comparison, List<RunOutcome> outcomes, List<PublishedRun> published) {
    this.comparison = comparison;
    this.outcomes = outcomes;
    this.published = published;
  }

  /**
   * Returns the lines, each without its end.
   *
   * @param verbose whether to tell what each run was made of, too
   */
  List<String> render(boolean verbose) {
    List<List<String>> parts = new ArrayList<>();
    parts.add(heading());
    parts.add(table());
    parts.add(failures());
    parts.add(completions());
    parts.add(comparison.notes());
    parts.add(legend());
    if (verbose) {
      outcomes.forEach(outcome -> parts.add(details(outcome)));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> part : parts) {
      if (!part.isEmpty()) {
        if (!lines.isEmpty()) {
          lines.add("");
        }
        lines.addAll(part);
      }
    }
    return lines;
  }

  private List<String> heading() {
    RunSettings settings = comparison.settings();
    Scenario scenario = settings.scenario();
    String what = "%s (%s)".formatted(scenario.workload().name(), requests(scenario.workload()));
    String where = "on " + hosts(scenario.infrastructure());
    String cold = list(scenario.overheads().cold());
    String hot = list(scenario.overheads().hot());
    int events = settings.hostEvents().size();
    String how =
        "until %s, period %s, margin %s, seed %s%s"
            .formatted(
                Durations.format(scenario.until()),
                Durations.format(settings.period()),
                Durations.format(settings.margin()),
                settings.seed(),
                events == 0 ? "" : ", " + counted(events, "host event"));
    Duration crowding = scenario.overheads().crowding();
    String delays =
        "overheads "
            + cold
            + (hot.equals(cold) ? "" : " (hot " + hot + ")")
            + (crowding.isZero()
                ? ""
                : ", and %s for each other that starts there"
                    .formatted(Durations.format(crowding)));
    return what.length() + 1 + where.length() <= WIDTH
        ? List.of(what + " " + where, how, delays)
        : List.of(what, where, how, delays);
  }

  private static String requests(Workload workload) {
    OptionalLong size = workload.size();
    return size.isPresent() ? counted(size.getAsLong(), "request") : "requests not counted";
  }

  private static String hosts(Infrastructure infrastructure) {
    String count = counted(infrastructure.hosts().size(), "host");
    String name = infrastructure.name();
    return name.startsWith(count) ? name : name + " (" + count + ")";
  }

  private static String counted(long count, String thing) {
    return count + " " + thing + (count == 1 ? "" : "s");
  }

  private static String list(List<Duration> durations) {
    return String.join(",", Repeated.words(durations));
  }

  // ---- The table

  private List<String> table() {
    TextTable table = new TextTable(2, 1, 1, 2, 2, 1, 2, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("availability", 3),
            new TextTable.Heading("SLO", 1),
            new TextTable.Heading("deficit", 2),
            new TextTable.Heading("never", 1),
            new TextTable.Heading("pre-", 1)));
    // As wide as their numbers, also where all of them are undefined.
    table.row(
        List.of("", "   min", "  mean", "   max", "  met", "  mean", "   max", "ran", "empted"));
    for (ServiceClass serviceClass : comparison.settings().scenario().workload().serviceClasses()) {
      table.across(groupHeading(serviceClass));
      for (RunOutcome outcome : outcomes) {
        addRows(table, serviceClass.name(), outcome);
      }
    }
    return table.render();
  }

  private String groupHeading(ServiceClass serviceClass) {
    String heading =
        "%s (SLO %s)".formatted(serviceClass.name(), Numbers.plain(serviceClass.slo().share()));
    return outcomes.stream()
        .map(outcome -> figuresOf(outcome, serviceClass.name()))
        .flatMap(Optional::stream)
        .findFirst()
        .map(figures -> heading + ", " + counted(figures.count(), "request"))
        .orElse(heading);
  }

  private void addRows(TextTable table, String serviceClass, RunOutcome outcome) {
    figuresOf(outcome, serviceClass)
        .ifPresent(figures -> table.row(row("  " + outcome.policy(), figures, false)));
    for (PublishedRun run : published) {
      if (run.policy().equals(outcome.policy())) {
        run.classes().stream()
            .filter(figures -> figures.name().equals(serviceClass))
            .forEach(figures -> table.row(row("    " + label(run), figures, run.rounded())));
      }
    }
  }

  private static Optional<ClassFigures> figuresOf(RunOutcome outcome, String serviceClass) {
    return outcome instanceof RunOutcome.Finished finished
        ? finished.figures(serviceClass)
        : Optional.empty();
  }

  private static String label(PublishedRun run) {
    return switch (run.source()) {
      case SIMULATOR -> "their simulator";
      case KUBERNETES -> "their Kubernetes";
    };
  }

  private static List<String> row(String label, ClassFigures figures, boolean rounded) {
    int digits = rounded ? DIGITS_OF_ROUNDED : DIGITS;
    String padding = rounded ? " ".repeat(DIGITS - DIGITS_OF_ROUNDED) : "";
    return List.of(
        label,
        Numbers.share(figures.min(), digits) + padding,
        Numbers.share(figures.mean(), digits) + padding,
        Numbers.share(figures.max(), digits) + padding,
        Numbers.share(figures.fulfilment(), 3),
        Numbers.share(figures.meanDeficit(), digits),
        Numbers.share(figures.maxDeficit(), digits),
        Numbers.count(figures.neverRan()),
        (rounded && figures.preemptions().isPresent() ? "≈" : "")
            + Numbers.count(figures.preemptions()));
  }

  // ---- Around it

  private List<String> failures() {
    return outcomes.stream()
        .filter(RunOutcome.Failed.class::isInstance)
        .map(RunOutcome.Failed.class::cast)
        .map(RunOutcome.Failed::why)
        .toList();
  }

  /** Says who got how much done by when, if anybody got anything done. */
  private List<String> completions() {
    List<String> done =
        outcomes.stream()
            .filter(RunOutcome.Finished.class::isInstance)
            .map(outcome -> ((RunOutcome.Finished) outcome).result())
            .filter(result -> result.completed() > 0)
            .map(
                result ->
                    "  %s: %s of %s by %s"
                        .formatted(
                            result.policy(),
                            result.completed(),
                            result.arrivals(),
                            TimeText.of(result.simulated().toNanos())))
            .toList();
    if (done.isEmpty()) {
      return done;
    }
    List<String> lines = new ArrayList<>(done);
    lines.add(0, "done");
    return lines;
  }

  private List<String> legend() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "availability: time in service / time since admission; SLO met: share that reach it;");
    lines.add(
        "deficit: SLO - availability, of those that do not; "
            + Numbers.NONE
            + ": undefined"
            + (published.isEmpty() ? "." : " or not published."));
    if (!published.isEmpty()) {
      lines.add(
          "Theirs: what the authors of QoS-driven scheduling published, at 1h, period 30s; their");
      lines.add("simulator counts the first start of an instance as service.");
    }
    return lines;
  }

  private static List<String> details(RunOutcome outcome) {
    List<String> lines = new ArrayList<>();
    lines.add(outcome.policy());
    lines.add("  config       " + Json.line(outcome.config()));
    if (outcome instanceof RunOutcome.Finished finished) {
      RunResult result = finished.result();
      lines.add("  passes       " + result.passes());
      lines.add("  placements   " + perPass(result.placements(), result.passes()));
      lines.add("  preemptions  " + perPass(result.preemptions(), result.passes()));
      Adjustments adjusted = result.adjustments();
      if (!adjusted.equals(Adjustments.NONE)) {
        lines.add(
            "  adjustments  %s, %s, %s, %s, %s"
                .formatted(
                    counted(adjusted.resizes(), "resize"),
                    counted(adjusted.pauses(), "pause"),
                    counted(adjusted.suspensions(), "suspension"),
                    counted(adjusted.resumes(), "resume"),
                    counted(adjusted.migrations(), "migration")));
      }
      if (result.refused() > 0) {
        lines.add("  refused      " + result.refused());
      }
      if (result.cancelled() > 0) {
        lines.add("  cancelled    " + result.cancelled());
      }
      lines.add(
          "  done         %s of %s at %s"
              .formatted(
                  result.completed(), result.arrivals(), Durations.format(result.simulated())));
    }
    return lines;
  }

  private static String perPass(long count, long passes) {
    return passes == 0
        ? Long.toString(count)
        : "%s (%s a pass)".formatted(count, Numbers.share((double) count / passes, 2));
  }
}
