package dev.berth.experiments.studies.qos;

import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.output.CsvText;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.studies.qos.ValidationRuns.Run;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.Study;
import dev.berth.report.Block;
import dev.berth.report.Table;
import dev.berth.simulator.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The validations of QoS-driven scheduling (section 4.4, figures 4 and 5). */
public final class ValidationStudy implements Study {

  private static final int SEEDS = 20;
  private static final int DIGITS = 4;
  private static final int DIGITS_OF_ROUNDED = 3;
  private static final double CLOSE = 0.01;

  private final String name;
  private final String title;
  private final int figure;

  private ValidationStudy(String name, String title, int figure) {
    this.name = name;
    this.title = title;
    this.figure = figure;
  }

  /** Returns validation 1. */
  public static ValidationStudy first() {
    return new ValidationStudy(
        "validation-1",
        "QoS-driven scheduling, validation 1: 256 requests of three classes on 200 slots (figure 4)",
        4);
  }

  /** Returns validation 2. */
  public static ValidationStudy second() {
    return new ValidationStudy(
        "validation-2",
        "QoS-driven scheduling, validation 2: 221 requests of one class on 200 slots (figure 5)",
        5);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public Report run(Setting setting) {
    ValidationRuns runs = ValidationRuns.of(setting.registry(), name, setting.seed(), SEEDS);
    List<PublishedRun> published = PublishedResults.load().on(name, ValidationRuns.POLICIES);
    FigureTable classes = classes(runs, published, setting.seed());
    FigureTable preemptions = preemptions(runs, published, setting.seed());
    FigureTable close = close(runs, published);
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.add("");
    lines.add(
        "Availability of the requests after an hour: theirs in one run each, ours in %s (seeds %s to %s),"
            .formatted(SEEDS, setting.seed(), setting.seed() + SEEDS - 1));
    lines.add("each figure's least, median and most on its own.");
    lines.add("");
    lines.addAll(classes.lines());
    lines.add("");
    lines.addAll(preemptions.lines());
    lines.add("");
    lines.add(
        "In how many of the %s runs the mean of a class is within %s of their simulator's"
            .formatted(SEEDS, Numbers.share(CLOSE, 2)));
    lines.add("");
    lines.addAll(close.lines());
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        classes.block(
            name + "-classes", "Availability by class and policy: theirs and ours", "class"));
    blocks.add(preemptions.block(name + "-preemptions", "Preemptions: theirs and ours", "policy"));
    blocks.add(
        close.block(
            name + "-close",
            "Runs of %s in which a class's mean is within %s of their simulator's"
                .formatted(SEEDS, Numbers.share(CLOSE, 2)),
            "class"));
    blocks.addAll(new ValidationFigures(name, figure, runs, published, setting.seed()).blocks());
    return new Report(lines, blocks, List.of(figures(runs), requests(runs)));
  }

  // ---- Tables

  private static FigureTable classes(ValidationRuns runs, List<PublishedRun> published, long seed) {
    FigureTable table = new FigureTable(2, 1, 1, 2, 2, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("availability", 3),
            new TextTable.Heading("", 1),
            new TextTable.Heading("", 1),
            new TextTable.Heading("", 1)));
    table.columns(List.of("", "min", "mean", "max", "SLO met", "never ran", "preempted"));
    for (ClassFigures each : runs.classes()) {
      for (String policy : ValidationRuns.POLICIES) {
        table.group(
            "%s (SLO %s), %s requests, %s"
                .formatted(each.name(), Numbers.plain(each.slo()), each.count(), policy));
        for (PublishedRun theirs : published) {
          if (theirs.policy().equals(policy)) {
            figures(theirs, each.name())
                .ifPresent(it -> table.row(row("  " + whose(theirs), it, theirs.rounded())));
          }
        }
        table.row(row("  ours, seed " + seed, runs.first(policy).figures(each.name()), false));
        addSpread(table, runs.runs(policy), each.name());
      }
    }
    return table;
  }

  private static void addSpread(FigureTable table, List<Run> runs, String serviceClass) {
    List<Function<ClassFigures, OptionalDouble>> shares =
        List.of(ClassFigures::min, ClassFigures::mean, ClassFigures::max, ClassFigures::fulfilment);
    List<Function<ClassFigures, OptionalLong>> counts =
        List.of(ClassFigures::neverRan, ClassFigures::preemptions);
    List<String> labels = List.of("  ours, least", "  ours, median", "  ours, most");
    for (int i = 0; i < labels.size(); i++) {
      List<Table.Cell> cells = new ArrayList<>(List.of(FigureTable.words(labels.get(i))));
      for (var figure : shares) {
        cells.add(
            FigureTable.number(
                spread(runs, run -> figure.apply(run.figures(serviceClass)).orElseThrow()).get(i),
                DIGITS));
      }
      for (var figure : counts) {
        cells.add(
            FigureTable.number(
                spread(runs, run -> (double) figure.apply(run.figures(serviceClass)).orElseThrow())
                    .get(i),
                0));
      }
      table.row(cells);
    }
  }

  private static List<Double> spread(List<Run> runs, ToDoubleFunction<Run> figure) {
    return Spread.of(runs, figure).values();
  }

  private static List<Table.Cell> row(String label, ClassFigures figures, boolean rounded) {
    int digits = rounded ? DIGITS_OF_ROUNDED : DIGITS;
    return List.of(
        FigureTable.words(label),
        FigureTable.number(figures.min(), digits),
        FigureTable.number(figures.mean(), digits),
        FigureTable.number(figures.max(), digits),
        FigureTable.number(figures.fulfilment(), digits),
        count(figures.neverRan(), rounded),
        count(figures.preemptions(), rounded));
  }

  private static Table.Cell count(OptionalLong count, boolean rounded) {
    return count.isPresent()
        ? FigureTable.figure((rounded ? "≈" : "") + count.getAsLong(), (double) count.getAsLong())
        : FigureTable.words(Numbers.NONE);
  }

  static Optional<ClassFigures> figures(PublishedRun run, String serviceClass) {
    return run.classes().stream().filter(each -> each.name().equals(serviceClass)).findFirst();
  }

  static String whose(PublishedRun run) {
    return switch (run.source()) {
      case SIMULATOR -> "their simulator";
      case KUBERNETES -> "their Kubernetes";
    };
  }

  private static FigureTable preemptions(
      ValidationRuns runs, List<PublishedRun> published, long seed) {
    FigureTable table = new FigureTable(3, 2, 3, 2, 2, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("theirs", 2),
            new TextTable.Heading("ours", 4)));
    table.columns(
        List.of(
            "preemptions", "simulator", "Kubernetes", "seed " + seed, "least", "median", "most"));
    for (String policy : ValidationRuns.POLICIES) {
      List<Table.Cell> cells = new ArrayList<>(List.of(FigureTable.words(policy)));
      for (PublishedRun.Source source : PublishedRun.Source.values()) {
        cells.add(
            published.stream()
                .filter(each -> each.policy().equals(policy) && each.source() == source)
                .findFirst()
                .map(each -> count(each.preemptions(), each.rounded()))
                .orElse(FigureTable.words(Numbers.NONE)));
      }
      cells.add(FigureTable.number((double) runs.first(policy).result().preemptions(), 0));
      spread(runs.runs(policy), each -> (double) each.result().preemptions())
          .forEach(each -> cells.add(FigureTable.number(each, 0)));
      table.row(cells);
    }
    return table;
  }

  private static FigureTable close(ValidationRuns runs, List<PublishedRun> published) {
    FigureTable table = new FigureTable(3, 3);
    List<String> columns = new ArrayList<>(List.of("class"));
    columns.addAll(ValidationRuns.POLICIES);
    table.columns(columns);
    for (ClassFigures each : runs.classes()) {
      List<Table.Cell> cells = new ArrayList<>(List.of(FigureTable.words(each.name())));
      for (String policy : ValidationRuns.POLICIES) {
        double theirs =
            published.stream()
                .filter(run -> run.policy().equals(policy))
                .filter(run -> run.source() == PublishedRun.Source.SIMULATOR)
                .flatMap(run -> figures(run, each.name()).stream())
                .findFirst()
                .orElseThrow()
                .mean()
                .orElseThrow();
        long near =
            runs.runs(policy).stream()
                .filter(
                    run ->
                        Math.abs(run.figures(each.name()).mean().orElseThrow() - theirs) <= CLOSE)
                .count();
        cells.add(FigureTable.number((double) near, 0));
      }
      table.row(cells);
    }
    return table;
  }

  // ---- Series

  private CsvText figures(ValidationRuns runs) {
    CsvText series =
        new CsvText(
            name + "-classes",
            "policy",
            "seed",
            "class",
            "availability_min",
            "availability_mean",
            "availability_max",
            "fulfilment",
            "never_ran",
            "preemptions");
    runs.byPolicy()
        .forEach(
            (policy, all) ->
                all.forEach(
                    run ->
                        run.result()
                            .classes()
                            .forEach(
                                each ->
                                    series.row(
                                        policy,
                                        run.result().seed(),
                                        each.name(),
                                        exact(each.min().orElseThrow()),
                                        exact(each.mean().orElseThrow()),
                                        exact(each.max().orElseThrow()),
                                        exact(each.fulfilment().orElseThrow()),
                                        each.neverRan(),
                                        each.preemptions()))));
    return series;
  }

  private CsvText requests(ValidationRuns runs) {
    CsvText series =
        new CsvText(
            name + "-requests", "policy", "seed", "request", "class", "slo", "availability");
    runs.byPolicy()
        .forEach(
            (policy, all) ->
                all.forEach(
                    run -> {
                      for (RequestOutcome each : run.outcomes()) {
                        series.row(
                            policy,
                            run.result().seed(),
                            each.request().id(),
                            each.report().serviceClass().name(),
                            Numbers.plain(each.report().serviceClass().slo().share()),
                            exact(each.report().availability().orElseThrow()));
                      }
                    }));
    return series;
  }

  /** Returns a share to six digits, as what was published is known. */
  private static String exact(double share) {
    return String.format(Locale.ROOT, "%.6f", share);
  }
}
