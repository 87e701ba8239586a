package dev.berth.cli.output;

import dev.berth.api.ServiceClass;
import dev.berth.cli.option.Repeated;
import dev.berth.core.config.Durations;
import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.Contender;
import dev.berth.experiments.RunSettings;
import dev.berth.experiments.output.Json;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.simulator.Adjustments;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Workload;
import dev.berth.simulator.metrics.RunMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The outcome of a comparison as a table for people: by service class, a row for each policy, and
 * beneath it what others published for the same.
 */
public final class ComparisonTable {

  private static final int WIDTH = 90;
  private static final int DIGITS = 4;
  private static final int DIGITS_OF_ROUNDED = 3;

  private final Comparison comparison;
  private final List<Entrant> outcomes;
  private final List<PublishedRun> published;

  /**
   * Prepares a table.
   *
   * @param comparison what was run
   * @param outcomes one for each of its policies, in the same order
   * @param published what others published for the same workload and policies
   */
  public ComparisonTable(Comparison comparison, List<Entrant> outcomes, List<PublishedRun> published) {
    this.comparison = comparison;
    this.outcomes = outcomes;
    this.published = published;
  }

  /**
   * Returns the lines, each without its end.
   *
   * @param verbose whether to tell what each run was made of, too
   */
  public List<String> render(boolean verbose) {
    List<List<String>> parts = new ArrayList<>();
    parts.add(heading());
    parts.add(table());
    parts.add(totals());
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
      for (Entrant outcome : outcomes) {
        addRows(table, serviceClass.name(), outcome);
      }
    }
    return table.render();
  }

  private String groupHeading(ServiceClass serviceClass) {
    String heading =
        "%s (SLO %s)".formatted(serviceClass.name(), Numbers.plain(serviceClass.slo().share()));
    return outcomes.stream()
        .map(outcome -> outcome.figures(serviceClass.name()))
        .flatMap(Optional::stream)
        .findFirst()
        .map(figures -> heading + ", " + counted(figures.count(), "request"))
        .orElse(heading);
  }

  private void addRows(TextTable table, String serviceClass, Entrant outcome) {
    outcome
        .figures(serviceClass)
        .ifPresent(figures -> table.row(row("  " + outcome.label(), figures, false)));
    for (PublishedRun run : published) {
      if (run.policy().equals(outcome.policy()) && outcome.role() == Contender.Role.POLICY) {
        run.classes().stream()
            .filter(figures -> figures.name().equals(serviceClass))
            .forEach(figures -> table.row(row("    " + label(run), figures, run.rounded())));
      }
    }
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

  /** What the runs cost as a whole. */
  private List<String> totals() {
    if (outcomes.stream().allMatch(each -> each.metrics().isEmpty())) {
      return List.of();
    }
    TextTable table = new TextTable(2, 2, 2, 1, 2, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("penalty", 1),
            new TextTable.Heading("waiting", 1),
            new TextTable.Heading("pending", 2),
            new TextTable.Heading("restart", 1),
            new TextTable.Heading("hosts", 1)));
    table.row(List.of("", "core h", "mean s", "mean", "max", "h", "used"));
    for (Entrant each : outcomes) {
      each.metrics().ifPresent(metrics -> table.row(totals(each, metrics)));
    }
    return table.render();
  }

  private static List<String> totals(Entrant entrant, RunMetrics metrics) {
    OptionalDouble used =
        metrics.dimensions().stream()
            .flatMapToDouble(each -> each.granted().stream())
            .max();
    RunResult result = metrics.result();
    return List.of(
        entrant.label(),
        Numbers.share(result.penalty(), 2),
        Numbers.share(result.waitingMean(), 1),
        Numbers.share(metrics.meanPending(), 1),
        Long.toString(metrics.maxPending()),
        Numbers.share(result.restartOverhead() / 3600, 2),
        entrant.role() == Contender.Role.UPPER_BOUND ? Numbers.NONE : Numbers.share(used, 3));
  }

  // ---- Around it

  private List<String> failures() {
    return outcomes.stream().flatMap(each -> each.failure().stream()).toList();
  }

  /** Says who got how much done by when, if anybody got anything done. */
  private List<String> completions() {
    List<String> done =
        outcomes.stream()
            .flatMap(
                each ->
                    each
                        .result()
                        .filter(got -> got.completed() > 0)
                        .map(got -> done(each, got))
                        .stream())
            .toList();
    if (done.isEmpty()) {
      return done;
    }
    List<String> lines = new ArrayList<>(done);
    lines.add(0, "done");
    return lines;
  }

  private static String done(Entrant entrant, RunResult result) {
    return "  %s: %s of %s by %s"
        .formatted(
            entrant.label(),
            result.completed(),
            result.arrivals(),
            TimeText.of(result.simulated().toNanos()));
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

  private static List<String> details(Entrant outcome) {
    List<String> lines = new ArrayList<>();
    lines.add(outcome.label());
    lines.add("  config       " + Json.line(outcome.config()));
    if (outcome.result().isPresent()) {
      RunResult result = outcome.result().get();
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
