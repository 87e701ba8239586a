package dev.berth.experiments.studies.qos;

import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Table;
import dev.berth.report.Text;
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
public final class ValidationStudy extends AbstractStudy {

  private static final int SEEDS = 20;
  private static final int DIGITS = 4;
  private static final int DIGITS_OF_ROUNDED = 3;
  private static final double CLOSE = 0.01;

  private final int figure;

  private ValidationStudy(String name, String title, int figure) {
    super(name, title);
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
  public StudyResult run(Setting setting) {
    StudyRuns runs = ValidationRuns.of(name(), SEEDS, setting);
    StudyRuns serial = SerialRuns.of(name(), SEEDS, setting);
    List<PublishedRun> published = PublishedResults.load().on(name(), ValidationRuns.POLICIES);
    String close =
        "Number of our %s runs in which the mean of a class is within %s of their simulator's"
            .formatted(SEEDS, Numbers.fixed(CLOSE, 2));
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(
            List.of(
                "Availability of the requests after one hour. Theirs is one run each, ours are %s runs (seeds %s to %s)."
                    .formatted(SEEDS, setting.seed(), setting.seed() + SEEDS - 1),
                "The rows least, median and most show each figure on its own.")));
    blocks.add(classes(runs, published, setting.seed()));
    blocks.add(preemptions(runs, published, setting.seed()));
    blocks.add(OnlyFor.of(Medium.TEXT, Text.of(close)));
    blocks.add(close(runs, published, close));
    String oneByOne =
        "qos-driven as their Kubernetes ran it: one decision at a time (runs \"serial\")";
    blocks.add(OnlyFor.of(Medium.TEXT, Text.of(oneByOne)));
    blocks.add(serial(serial, published, setting.seed(), oneByOne));
    blocks.addAll(new ValidationFigures(name(), figure, runs, published, setting.seed()).blocks());
    List<Claim> claims = new ArrayList<>(claims(runs, published));
    claims.addAll(new SerialClaims(serial, measured(published)).claims());
    return new StudyResult(
        blocks,
        claims,
        List.of(
            figures(name() + "-classes", ValidationRuns.POLICIES, runs),
            requests(runs),
            figures(name() + "-serial", List.of(SerialRuns.LABEL), serial)));
  }

  // ---- Claims

  private List<Claim> claims(StudyRuns runs, List<PublishedRun> published) {
    List<Claim> claims = new ArrayList<>();
    for (String policy : ValidationRuns.POLICIES) {
      for (ClassFigures each : ValidationRuns.classes(runs)) {
        OptionalDouble theirs = simulated(published, policy, each.name());
        if (theirs.isPresent()) {
          double median = meanOf(runs, policy, each.name()).median();
          claims.add(
              Claim.of(
                  "%s-%s".formatted(policy, each.name()),
                  "%s: mean availability of %s (median of %s seeds within %s, our criterion)"
                      .formatted(policy, each.name(), SEEDS, Numbers.fixed(CLOSE, 2)),
                  Numbers.fixed(theirs, DIGITS),
                  Numbers.fixed(median, DIGITS),
                  Math.abs(median - theirs.getAsDouble()) <= CLOSE));
        }
      }
    }
    return claims;
  }

  private static Spread meanOf(StudyRuns runs, String policy, String serviceClass) {
    return Spread.of(
        runs.runs(policy), run -> ValidationRuns.figures(run, serviceClass).mean().orElseThrow());
  }

  /** Returns the mean availability of a class in their simulator. */
  private static OptionalDouble simulated(
      List<PublishedRun> published, String policy, String serviceClass) {
    return published.stream()
        .filter(run -> run.policy().equals(policy))
        .filter(run -> run.source() == PublishedRun.Source.SIMULATOR)
        .flatMap(run -> figures(run, serviceClass).stream())
        .findFirst()
        .map(ClassFigures::mean)
        .orElse(OptionalDouble.empty());
  }

  /** Returns what their Kubernetes did under the QoS-driven scheduler. */
  private static PublishedRun measured(List<PublishedRun> published) {
    return published.stream()
        .filter(run -> run.source() == PublishedRun.Source.KUBERNETES)
        .filter(run -> run.policy().equals("qos-driven"))
        .findFirst()
        .orElseThrow();
  }

  // ---- Tables

  private static Table.Builder classTable(String name, String caption) {
    return Table.builder(name, caption)
        .column(Table.Column.unnamed("class"))
        .column(Table.Column.ofNumbers("min").withHeading("availability"))
        .column(Table.Column.ofNumbers("mean").withHeading("availability").withGap(1))
        .column(Table.Column.ofNumbers("max").withHeading("availability").withGap(1))
        .column(Table.Column.ofNumbers("SLO met"))
        .column(Table.Column.ofNumbers("never ran"))
        .column(Table.Column.ofNumbers("preempted"));
  }

  private Table serial(StudyRuns serial, List<PublishedRun> published, long seed, String caption) {
    Table.Builder table = classTable(name() + "-serial", caption);
    PublishedRun theirs = measured(published);
    for (ClassFigures each : theirs.classes()) {
      table.group(
          "%s (SLO %s), %s requests"
              .formatted(each.name(), Numbers.plain(each.slo()), each.count()));
      table.row(row(whose(theirs), each, theirs.rounded()));
      table.row(
          row(
              "serial, seed " + seed,
              ValidationRuns.figures(serial.first(SerialRuns.LABEL), each.name()),
              false));
      addSpread(table, "serial", serial.runs(SerialRuns.LABEL), each.name());
    }
    return table.build();
  }

  private Table classes(StudyRuns runs, List<PublishedRun> published, long seed) {
    Table.Builder table =
        classTable(name() + "-classes", "Availability by class and policy: theirs and ours");
    for (ClassFigures each : ValidationRuns.classes(runs)) {
      for (String policy : ValidationRuns.POLICIES) {
        table.group(
            "%s (SLO %s), %s requests, %s"
                .formatted(each.name(), Numbers.plain(each.slo()), each.count(), policy));
        for (PublishedRun theirs : published) {
          if (theirs.policy().equals(policy)) {
            figures(theirs, each.name())
                .ifPresent(it -> table.row(row(whose(theirs), it, theirs.rounded())));
          }
        }
        table.row(
            row(
                "ours, seed " + seed,
                ValidationRuns.figures(runs.first(policy), each.name()),
                false));
        addSpread(table, "ours", runs.runs(policy), each.name());
      }
    }
    return table.build();
  }

  private static void addSpread(
      Table.Builder table, String whose, List<StudyRun> runs, String serviceClass) {
    List<Function<ClassFigures, OptionalDouble>> shares =
        List.of(ClassFigures::min, ClassFigures::mean, ClassFigures::max, ClassFigures::fulfilment);
    List<Function<ClassFigures, OptionalLong>> counts =
        List.of(ClassFigures::neverRan, ClassFigures::preemptions);
    List<String> labels = List.of("least", "median", "most");
    for (int i = 0; i < labels.size(); i++) {
      List<Table.Cell> cells =
          new ArrayList<>(List.of(Table.Cell.of(whose + ", " + labels.get(i))));
      for (var each : shares) {
        cells.add(
            Table.Cell.number(
                spread(
                        runs,
                        run -> each.apply(ValidationRuns.figures(run, serviceClass)).orElseThrow())
                    .get(i),
                DIGITS));
      }
      for (var each : counts) {
        cells.add(
            Table.Cell.number(
                spread(
                        runs,
                        run ->
                            (double)
                                each.apply(ValidationRuns.figures(run, serviceClass)).orElseThrow())
                    .get(i),
                0));
      }
      table.row(cells);
    }
  }

  private static List<Double> spread(List<StudyRun> runs, ToDoubleFunction<StudyRun> figure) {
    return Spread.of(runs, figure).values();
  }

  private static List<Table.Cell> row(String label, ClassFigures figures, boolean rounded) {
    int digits = rounded ? DIGITS_OF_ROUNDED : DIGITS;
    return List.of(
        Table.Cell.of(label),
        Table.Cell.number(figures.min(), digits),
        Table.Cell.number(figures.mean(), digits),
        Table.Cell.number(figures.max(), digits),
        Table.Cell.number(figures.fulfilment(), digits),
        count(figures.neverRan(), rounded),
        count(figures.preemptions(), rounded));
  }

  private static Table.Cell count(OptionalLong count, boolean rounded) {
    return count.isPresent()
        ? Table.Cell.of((rounded ? "≈" : "") + count.getAsLong(), (double) count.getAsLong())
        : Table.Cell.absent();
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

  private Table preemptions(StudyRuns runs, List<PublishedRun> published, long seed) {
    Table.Builder table =
        Table.builder(name() + "-preemptions", "Preemptions: theirs and ours")
            .column(Table.Column.ofText("preemptions"))
            .column(Table.Column.ofNumbers("simulator").withHeading("theirs").withGap(3))
            .column(Table.Column.ofNumbers("Kubernetes").withHeading("theirs"))
            .column(Table.Column.ofNumbers("seed " + seed).withHeading("ours").withGap(3))
            .column(Table.Column.ofNumbers("least").withHeading("ours"))
            .column(Table.Column.ofNumbers("median").withHeading("ours"))
            .column(Table.Column.ofNumbers("most").withHeading("ours"));
    for (String policy : ValidationRuns.POLICIES) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(policy)));
      for (PublishedRun.Source source : PublishedRun.Source.values()) {
        cells.add(
            published.stream()
                .filter(each -> each.policy().equals(policy) && each.source() == source)
                .findFirst()
                .map(each -> count(each.preemptions(), each.rounded()))
                .orElse(Table.Cell.absent()));
      }
      cells.add(Table.Cell.number((double) runs.first(policy).result().preemptions(), 0));
      spread(runs.runs(policy), each -> (double) each.result().preemptions())
          .forEach(each -> cells.add(Table.Cell.number(each, 0)));
      table.row(cells);
    }
    return table.build();
  }

  private Table close(StudyRuns runs, List<PublishedRun> published, String caption) {
    Table.Builder table =
        Table.builder(name() + "-close", caption).column(Table.Column.ofText("class"));
    ValidationRuns.POLICIES.forEach(each -> table.column(Table.Column.ofNumbers(each).withGap(3)));
    for (ClassFigures each : ValidationRuns.classes(runs)) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(each.name())));
      for (String policy : ValidationRuns.POLICIES) {
        double theirs = simulated(published, policy, each.name()).orElseThrow();
        cells.add(
            Table.Cell.count(
                runs.runs(policy).stream()
                    .map(run -> ValidationRuns.figures(run, each.name()).mean().orElseThrow())
                    .filter(mean -> Math.abs(mean - theirs) <= CLOSE)
                    .count()));
      }
      table.row(cells);
    }
    return table.build();
  }

  // ---- Series

  private static CsvText figures(String name, List<String> labels, StudyRuns runs) {
    CsvText series =
        new CsvText(
            name,
            "policy",
            "seed",
            "class",
            "availability_min",
            "availability_mean",
            "availability_max",
            "fulfilment",
            "never_ran",
            "preemptions");
    for (String policy : labels) {
      for (StudyRun run : runs.runs(policy)) {
        for (var each : run.result().classes()) {
          series.row(
              policy,
              run.result().seed(),
              each.name(),
              exact(each.min().orElseThrow()),
              exact(each.mean().orElseThrow()),
              exact(each.max().orElseThrow()),
              exact(each.fulfilment().orElseThrow()),
              each.neverRan(),
              each.preemptions());
        }
      }
    }
    return series;
  }

  private CsvText requests(StudyRuns runs) {
    CsvText series =
        new CsvText(
            name() + "-requests", "policy", "seed", "request", "class", "slo", "availability");
    for (String policy : ValidationRuns.POLICIES) {
      for (StudyRun run : runs.runs(policy)) {
        for (RequestOutcome each : ValidationRuns.byArrival(run)) {
          series.row(
              policy,
              run.result().seed(),
              each.request().id(),
              each.report().serviceClass().name(),
              Numbers.plain(each.report().serviceClass().slo().share()),
              exact(each.report().availability().orElseThrow()));
        }
      }
    }
    return series;
  }

  /** Returns a share to six digits, as many as the published ones have. */
  private static String exact(double share) {
    return String.format(Locale.ROOT, "%.6f", share);
  }
}
