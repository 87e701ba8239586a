package dev.berth.cli.compare;

import dev.berth.api.ServiceClass;
import dev.berth.cli.input.Repeated;
import dev.berth.cli.terminal.TimeText;
import dev.berth.core.config.Durations;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.page.RunWarning;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.report.Block;
import dev.berth.report.Document;
import dev.berth.report.Facts;
import dev.berth.report.Facts.Fact;
import dev.berth.report.Heading;
import dev.berth.report.Numbers;
import dev.berth.report.Section;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.Text;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.Printable;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The outcome of a comparison for people. Each service class has a row for each policy, followed by
 * the published results for the same workload.
 *
 * @param comparison what was run
 * @param outcomes one for each compared policy, in the same order
 * @param summary their summary, with one group
 * @param published results that others published for the same workload
 */
public record ComparisonDocument(
    Comparison comparison, List<CellResult> outcomes, Summary summary, PublishedFigures published) {

  private static final int WIDTH = 90;
  private static final int MOST_DESCRIBED = 6;

  /** It fits into 80 columns, beside what is in front of it. */
  private static final int LONGEST_COMMAND = 72;

  private static final int DIGITS = 4;

  /**
   * Returns the document.
   *
   * @param verbose whether it has the configuration and the totals of each run
   * @param next parts of the command that explains the request that was served worst; empty without
   *     one
   */
  public Document build(boolean verbose, List<String> next) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(classes());
    if (outcomes.stream().anyMatch(each -> each.metrics().isPresent())) {
      blocks.add(totals());
    }
    FaultTable.of(outcomes).ifPresent(blocks::add);
    addLines(blocks, outcomes.stream().flatMap(each -> each.failure().stream()).toList());
    List<String> completions = completions();
    if (!completions.isEmpty()) {
      blocks.add(
          Stack.of(
              new Heading("done"),
              new Text(true, completions.stream().map(Printable::line).toList())));
    }
    blocks.add(Stack.of(new Heading("verdict"), new Text(true, verdict(next))));
    addLines(
        blocks, RunWarning.of(outcomes).stream().flatMap(each -> each.lines().stream()).toList());
    addLines(blocks, comparison.notes(outcomes));
    addLines(blocks, legend(true));
    if (verbose) {
      for (CellResult each : outcomes) {
        blocks.add(Stack.of(new Heading(each.policy().label()), new Facts(details(each))));
      }
    }
    List<String> heading = heading();
    return new Document(
        heading.get(0),
        heading.stream().skip(1).map(Printable::line).collect(Collectors.joining("\n")),
        List.of(new Section("comparison", "", blocks)),
        List.of());
  }

  /**
   * Returns a page with further sections: what went wrong in unreliable fleets, and the figures of
   * each class beside those of the replications; the page itself if there are none.
   */
  public Document addTo(Document page) {
    List<Section> sections = new ArrayList<>(page.sections());
    int after = sections.stream().map(Section::id).toList().indexOf("summary") + 1;
    FaultTable.of(outcomes)
        .ifPresent(
            faults ->
                sections.add(after, new Section("fleet", "Faults of the fleet", List.of(faults))));
    if (!published.replications().isEmpty()) {
      sections.add(
          after,
          new Section(
              "published",
              "Beside published replications",
              List.of(classes(), Text.ofLines(legend(false)))));
    }
    return new Document(page.title(), page.subtitle(), sections, page.attachments());
  }

  /** Returns the verdict, what each policy does, and what to ask next. */
  private List<String> verdict(List<String> next) {
    List<String> lines = new ArrayList<>();
    comparison.verdict(summary).lines().forEach(each -> lines.add(Printable.line(each)));
    List<PolicyChoice<?>> policies =
        outcomes.stream()
            .map(CellResult::policy)
            .filter(each -> each.role() == ComparedPolicy.Role.POLICY)
            .<PolicyChoice<?>>map(ComparedPolicy::choice)
            .toList();
    if (policies.size() <= MOST_DESCRIBED) {
      for (PolicyChoice<?> each : policies) {
        each.summary()
            .ifPresent(
                does ->
                    lines.add("Policy %s %s.".formatted(each.id(), Printable.line(does.strip()))));
      }
    } else {
      lines.add("What the policies do: berth policies");
    }
    if (!next.isEmpty()) {
      lines.add("Next: " + command(next));
    }
    return lines;
  }

  /** Returns a command in one line, or if it is long in several that a shell joins. */
  static String command(List<String> parts) {
    List<String> printable = parts.stream().map(Printable::line).toList();
    String line = String.join(" ", printable);
    return line.length() <= LONGEST_COMMAND ? line : String.join(" \\\n  ", printable);
  }

  private static void addLines(List<Block> blocks, List<String> lines) {
    if (!lines.isEmpty()) {
      blocks.add(Text.ofLines(lines.stream().map(Printable::line).toList()));
    }
  }

  private List<String> heading() {
    RunSettings settings = comparison.settings();
    Scenario scenario = settings.scenario();
    String what = what(scenario);
    String where = "on " + hosts(scenario.infrastructure());
    String cold = list(scenario.overheads().cold());
    String hot = list(scenario.overheads().hot());
    int events = settings.hostEvents().size();
    Duration apart = settings.apart();
    String how =
        "until %s, watchdog %s%s, margin %s, seed %s%s"
            .formatted(
                Durations.format(scenario.until()),
                Durations.format(settings.watchdog()),
                apart.isZero() ? "" : ", apart " + Durations.format(apart),
                Durations.format(settings.margin()),
                settings.seed(),
                (events == 0 ? "" : ", " + counted(events, "host event"))
                    + settings
                        .faults()
                        .map(each -> ", faults " + each.name().orElse("as given"))
                        .orElse(""));
    Duration crowding = scenario.overheads().crowding();
    String delays =
        "overheads "
            + cold
            + (hot.equals(cold) ? "" : " (hot " + hot + ")")
            + (crowding.isZero()
                ? ""
                : ", and %s for each other instance that starts there"
                    .formatted(Durations.format(crowding)));
    return what.length() + 1 + where.length() <= WIDTH
        ? List.of(what + " " + where, how, delays)
        : List.of(what, where, how, delays);
  }

  /** Returns what was run, in one line. */
  String title() {
    RunSettings settings = comparison.settings();
    Scenario scenario = settings.scenario();
    return "%s on %s until %s, seed %s"
        .formatted(
            what(scenario),
            hosts(scenario.infrastructure()),
            Durations.format(scenario.until()),
            settings.seed());
  }

  private static String what(Scenario scenario) {
    return "%s (%s)".formatted(scenario.workload().name(), requests(scenario.workload()));
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

  // ---- Classes

  /** A row of the classes. */
  private record Row(String label, ClassFigures figures) {

    Cell share(Figure<ClassResult> figure) {
      return Cell.number(figures.only(figure), DIGITS);
    }

    /** Returns the share that met the objective; of published runs, the share that reached it. */
    Cell met() {
      boolean isOurs = figures.get(ClassFigures.MET).size() > 0;
      return Cell.number(figures.only(isOurs ? ClassFigures.MET : ClassFigures.FULFILMENT), 3);
    }

    Cell count(Figure<ClassResult> figure) {
      return Cell.number(figures.only(figure), 0);
    }
  }

  // Names with blanks keep columns as wide as their numbers where all of them are undefined.
  private static final Columns<Row> CLASSES =
      new Columns<Row>()
          .unnamed("policy", Row::label)
          .cells("availability", "   min", each -> each.share(ClassFigures.MIN))
          .add(beside("availability", "  mean"), each -> each.share(ClassFigures.MEAN))
          .add(beside("availability", "   max"), each -> each.share(ClassFigures.MAX))
          .cells("SLO\n  met", Row::met)
          .cells("deficit", "  mean", each -> each.share(ClassFigures.MEAN_DEFICIT))
          .add(beside("deficit", "   max"), each -> each.share(ClassFigures.MAX_DEFICIT))
          .cells("never\nran", each -> each.count(ClassFigures.NEVER_RAN))
          .cells("pre-\nempted", each -> each.count(ClassFigures.PREEMPTIONS));

  private static Column beside(String heading, String name) {
    return Column.ofNumbers(name).withHeading(heading).withGap(1);
  }

  private Table classes() {
    Table.Builder table = CLASSES.builder("classes", "Availability by service class");
    for (ServiceClass serviceClass : mostImportantFirst()) {
      table.group(title(serviceClass));
      rows(serviceClass.name()).forEach(each -> table.row(CLASSES.row(each)));
    }
    return table.build();
  }

  private List<ServiceClass> mostImportantFirst() {
    return comparison.settings().scenario().workload().serviceClasses().stream()
        .sorted(
            Comparator.comparing(ServiceClass::name, comparison.experiment().mostImportantFirst()))
        .toList();
  }

  private String title(ServiceClass serviceClass) {
    String title =
        "%s (SLO %s)".formatted(serviceClass.name(), Numbers.plain(serviceClass.slo().share()));
    return outcomes.stream()
        .flatMap(outcome -> outcome.totals().stream())
        .flatMap(run -> ClassFigures.of(run, serviceClass.name()).stream())
        .findFirst()
        .map(figures -> title + ", " + counted(figures.count(), "request"))
        .orElse(title);
  }

  /** Returns the figures of a class: of each policy, with what was published, and replicated. */
  private List<Row> rows(String serviceClass) {
    List<Row> rows = new ArrayList<>();
    for (CellResult outcome : outcomes) {
      ComparedPolicy policy = outcome.policy();
      outcome
          .totals()
          .flatMap(run -> ClassFigures.of(run, serviceClass))
          .ifPresent(figures -> rows.add(new Row(policy.label(), figures)));
      published.runs().stream()
          .filter(run -> run.policy().equals(policy.choice().id()))
          .filter(run -> policy.role() == ComparedPolicy.Role.POLICY)
          .forEach(run -> add(rows, "  " + run.source().whose(), run, serviceClass));
    }
    List<PublishedRun> replications = published.replications();
    for (int i = 0; i < replications.size(); i++) {
      add(rows, label(i), replications.get(i), serviceClass);
    }
    return rows;
  }

  private static void add(List<Row> rows, String label, PublishedRun run, String serviceClass) {
    ClassFigures.find(run.classes(), serviceClass)
        .ifPresent(figures -> rows.add(new Row(label, figures)));
  }

  private static String label(int replication) {
    return "published " + (replication + 1);
  }

  // ---- Runs as a whole

  private record Run(CellResult outcome, RunMetrics metrics) {

    Cell cell(Figure<RunMetrics> figure) {
      return Cell.number(figure.of(metrics), figure.digits());
    }

    Cell used() {
      return outcome.policy().role() == ComparedPolicy.Role.UPPER_BOUND
          ? Cell.absent()
          : Cell.number(
              metrics.dimensions().stream().flatMapToDouble(each -> each.granted().stream()).max(),
              3);
    }
  }

  private static final Columns<Run> TOTALS =
      new Columns<Run>()
          .unnamed("policy", each -> each.outcome().policy().label())
          .cells("penalty\ncore h", each -> each.cell(Totals.PENALTY))
          .cells("waiting\nmean s", each -> each.cell(Totals.WAITING))
          .cells("pending", "mean", each -> each.cell(Totals.PENDING))
          .add(beside("pending", "max"), each -> Cell.count(each.metrics().maxPending()))
          .cells("restart\nh", each -> each.cell(Totals.RESTARTS))
          .cells("lost\nwork h", each -> each.cell(Totals.LOST_WORK))
          .cells("hosts\nused", Run::used);

  private Table totals() {
    List<Run> runs = new ArrayList<>();
    outcomes.forEach(each -> each.metrics().ifPresent(metrics -> runs.add(new Run(each, metrics))));
    return TOTALS.table("totals", "Totals of the runs", runs);
  }

  /** Returns a line for each run that completed requests. */
  private List<String> completions() {
    List<String> completions = new ArrayList<>();
    for (CellResult each : outcomes) {
      each.totals()
          .filter(result -> result.completed() > 0)
          .ifPresent(
              result ->
                  completions.add(
                      "%s: %s of %s by %s"
                          .formatted(
                              each.policy().label(),
                              result.completed(),
                              result.arrivals(),
                              TimeText.of(result.simulated().toNanos()))));
    }
    return completions;
  }

  /**
   * Returns lines that explain the tables.
   *
   * @param totals whether the table of totals is among them
   */
  private List<String> legend(boolean totals) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "availability: time in service / time since admission; SLO met: share that reach it;");
    lines.add(
        "deficit: SLO - availability, of those that do not; "
            + Numbers.ABSENT
            + ": undefined"
            + (published.isEmpty() ? "" : " or not published")
            + ";");
    lines.add(
        "never ran: requests never in service; preempted: how often instances were preempted"
            + (totals ? ";" : "."));
    if (totals) {
      lines.add("penalty: what the deficits cost, summed; waiting: mean time not in service;");
      lines.add("pending: requests that wait for a host; restart: starts after a preemption;");
      lines.add(
          "lost work: starts that a preemption preceded or ended, and service that it undid;");
      lines.add(
          "hosts used: mean share of the hosts that was granted, in the most used dimension;");
      lines.addAll(Verdict.legend(summary));
    }
    if (!published.runs().isEmpty()) {
      lines.add(
          "Theirs: what the authors of QoS-driven scheduling published, at 1h, watchdog 30s;"
              + " their");
      lines.add("simulator counts the first start of an instance as service.");
    }
    if (!published.isEmpty()) {
      lines.add("Of published runs, SLO met is the share that reaches the SLO itself.");
    }
    lines.addAll(replications());
    return lines;
  }

  /** Returns a line for each replication that says where its figures come from. */
  private List<String> replications() {
    List<String> lines = new ArrayList<>();
    for (PublishedRun each : published.replications()) {
      lines.add(
          "%s: %s, logs of %s, preemptions: %s"
              .formatted(
                  label(lines.size()),
                  Printable.line(each.name()),
                  switch (each.source()) {
                    case SIMULATOR -> "their simulator";
                    case KUBERNETES -> "Kubernetes";
                  },
                  Numbers.count(each.preemptions())));
    }
    return lines;
  }

  private static List<Fact> details(CellResult outcome) {
    ComparedPolicy policy = outcome.policy();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("config", JsonText.line(policy.choice().configJson()));
    outcome.totals().ifPresent(result -> putDetails(facts, result));
    return facts.entrySet().stream()
        .map(
            each ->
                new Fact(
                    policy.label() + "." + each.getKey(), each.getKey(), Cell.of(each.getValue())))
        .toList();
  }

  private static void putDetails(Map<String, String> facts, RunResult result) {
    facts.put("passes", Long.toString(result.passes()));
    facts.put("placements", perPass(result.placements(), result.passes()));
    facts.put("preemptions", perPass(result.preemptions(), result.passes()));
    Adjustments adjusted = result.adjustments();
    if (!adjusted.equals(Adjustments.NONE)) {
      facts.put(
          "adjustments",
          String.join(
              ", ",
              counted(adjusted.resizes(), "resize"),
              counted(adjusted.pauses(), "pause"),
              counted(adjusted.suspensions(), "suspension"),
              counted(adjusted.resumes(), "resume"),
              counted(adjusted.migrations(), "migration")));
    }
    if (result.refused() > 0) {
      facts.put("refused", Long.toString(result.refused()));
    }
    if (result.cancelled() > 0) {
      facts.put("cancelled", Long.toString(result.cancelled()));
    }
    facts.put(
        "done",
        "%s of %s at %s"
            .formatted(
                result.completed(), result.arrivals(), Durations.format(result.simulated())));
  }

  private static String perPass(long count, long passes) {
    return passes == 0
        ? Long.toString(count)
        : "%s (%s a pass)".formatted(count, Numbers.fixed((double) count / passes, 2));
  }
}
