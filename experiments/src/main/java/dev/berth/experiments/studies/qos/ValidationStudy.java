package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Block;
import dev.berth.report.CsvText;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** The validations of QoS-driven scheduling (section 4.4, figures 4 and 5). */
public final class ValidationStudy extends AbstractStudy {

  private static final int SEEDS = 20;
  private static final int DIGITS = 4;
  private static final int DIGITS_OF_SERIES = 6; // as many as the published figures have
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
        "QoS-driven scheduling, validation 1: 256 requests of three classes on 200 slots (figure"
            + " 4)",
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
    List<PublishedRun> published = PublishedResults.on(name(), ValidationRuns.POLICIES);
    String close =
        "Number of our %s runs in which the mean of a class is within %s of their simulator's"
            .formatted(SEEDS, Numbers.fixed(CLOSE, 2));
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.ofLines(
            "Availability of the requests after one hour. Theirs is one run each, ours are %s runs (seeds %s to %s)."
                .formatted(SEEDS, setting.seed(), setting.seed() + SEEDS - 1),
            "The rows least, median and most show each figure on its own."));
    blocks.add(classes(runs, published, setting.seed()));
    blocks.add(preemptions(runs, published, setting.seed()));
    blocks.add(OnlyFor.inText(close));
    blocks.add(close(runs, published, close));
    String oneByOne =
        "qos-driven as their Kubernetes ran it: one decision at a time (runs \"serial\")";
    blocks.add(OnlyFor.inText(oneByOne));
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
          double median = Spread.of(runs.runs(policy), each.name(), ClassFigures.MEAN).median();
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

  /** Returns the mean availability of a class in their simulator. */
  static OptionalDouble simulated(
      List<PublishedRun> published, String policy, String serviceClass) {
    return published.stream()
        .filter(run -> run.policy().equals(policy))
        .filter(run -> run.source() == PublishedRun.Source.SIMULATOR)
        .flatMap(run -> figures(run, serviceClass).stream())
        .findFirst()
        .map(each -> each.only(ClassFigures.MEAN))
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

  /** A row of a table. */
  private record Row(String label, Function<Figure<ClassResult>, OptionalDouble> of) {

    Table.Cell share(Figure<ClassResult> figure) {
      return Table.Cell.number(of.apply(figure), DIGITS);
    }

    Table.Cell count(Figure<ClassResult> figure) {
      return Table.Cell.number(of.apply(figure), 0);
    }
  }

  private static final Columns<Row> CLASSES =
      new Columns<Row>()
          .unnamed("class", Row::label)
          .cells("availability", "min", each -> each.share(ClassFigures.MIN))
          .add(availability("mean"), each -> each.share(ClassFigures.MEAN))
          .add(availability("max"), each -> each.share(ClassFigures.MAX))
          .cells("SLO met", each -> each.share(ClassFigures.FULFILMENT))
          .cells("never ran", each -> each.count(ClassFigures.NEVER_RAN))
          .cells("preempted", each -> each.count(ClassFigures.PREEMPTIONS));

  private static Table.Column availability(String name) {
    return Table.Column.ofNumbers(name).withHeading("availability").withGap(1);
  }

  private Table serial(StudyRuns serial, List<PublishedRun> published, long seed, String caption) {
    Table.Builder table = CLASSES.builder(name() + "-serial", caption);
    PublishedRun theirs = measured(published);
    for (ClassFigures each : theirs.classes()) {
      table.group(
          "%s (SLO %s), %s requests"
              .formatted(each.name(), Numbers.plain(each.slo()), each.count()));
      table.row(CLASSES.row(row(theirs, each)));
      addOurs(table, "serial", seed, serial.runs(SerialRuns.LABEL), each.name());
    }
    return table.build();
  }

  private Table classes(StudyRuns runs, List<PublishedRun> published, long seed) {
    Table.Builder table =
        CLASSES.builder(name() + "-classes", "Availability by class and policy: theirs and ours");
    for (ClassFigures each : ValidationRuns.classes(runs)) {
      for (String policy : ValidationRuns.POLICIES) {
        table.group(
            "%s (SLO %s), %s requests, %s"
                .formatted(each.name(), Numbers.plain(each.slo()), each.count(), policy));
        for (PublishedRun theirs : published) {
          if (theirs.policy().equals(policy)) {
            figures(theirs, each.name()).ifPresent(it -> table.row(CLASSES.row(row(theirs, it))));
          }
        }
        addOurs(table, "ours", seed, runs.runs(policy), each.name());
      }
    }
    return table.build();
  }

  private static Row row(PublishedRun theirs, ClassFigures figures) {
    return new Row(theirs.source().whose(), figures::only);
  }

  /** Adds the figures of our first run, and the spread over all. */
  private static void addOurs(
      Table.Builder table, String whose, long seed, List<StudyRun> runs, String serviceClass) {
    ClassFigures first = ValidationRuns.figures(runs.get(0), serviceClass);
    table.row(CLASSES.row(new Row("%s, seed %s".formatted(whose, seed), first::only)));
    List<String> labels = List.of("least", "median", "most");
    for (int i = 0; i < labels.size(); i++) {
      int which = i;
      table.row(
          CLASSES.row(
              new Row(
                  "%s, %s".formatted(whose, labels.get(i)),
                  each ->
                      OptionalDouble.of(Spread.of(runs, serviceClass, each).values().get(which)))));
    }
  }

  static Optional<ClassFigures> figures(PublishedRun run, String serviceClass) {
    return ClassFigures.find(run.classes(), serviceClass);
  }

  private Table preemptions(StudyRuns runs, List<PublishedRun> published, long seed) {
    Columns<String> columns = new Columns<String>().text("preemptions", policy -> policy);
    for (PublishedRun.Source source : PublishedRun.Source.values()) {
      boolean first = source == PublishedRun.Source.SIMULATOR;
      columns.add(
          Table.Column.ofNumbers(first ? "simulator" : "Kubernetes")
              .withHeading("theirs")
              .withGap(first ? 3 : 2),
          policy ->
              published.stream()
                  .filter(each -> each.policy().equals(policy) && each.source() == source)
                  .findFirst()
                  .map(each -> Table.Cell.number(figure(each.preemptions()), 0))
                  .orElse(Table.Cell.absent()));
    }
    return columns
        .add(
            Table.Column.ofNumbers("seed " + seed).withHeading("ours").withGap(3),
            policy -> Table.Cell.count(runs.first(policy).result().preemptions()))
        .cells("ours", "least", policy -> Table.Cell.number(spread(runs, policy).least(), 0))
        .cells("ours", "median", policy -> Table.Cell.number(spread(runs, policy).median(), 0))
        .cells("ours", "most", policy -> Table.Cell.number(spread(runs, policy).most(), 0))
        .table(name() + "-preemptions", "Preemptions: theirs and ours", ValidationRuns.POLICIES);
  }

  private static OptionalDouble figure(OptionalLong count) {
    return count.isPresent()
        ? OptionalDouble.of((double) count.getAsLong())
        : OptionalDouble.empty();
  }

  private static Spread spread(StudyRuns runs, String policy) {
    return Spread.ofPreemptions(runs.runs(policy));
  }

  private Table close(StudyRuns runs, List<PublishedRun> published, String caption) {
    Columns<String> columns = new Columns<String>().text("class", name -> name);
    for (String policy : ValidationRuns.POLICIES) {
      columns.cells(
          policy,
          3,
          name -> {
            double theirs = simulated(published, policy, name).orElseThrow();
            return Table.Cell.count(
                ValidationRuns.figures(runs.runs(policy), name, ClassFigures.MEAN).stream()
                    .filter(mean -> Math.abs(mean - theirs) <= CLOSE)
                    .count());
          });
    }
    return columns.table(
        name() + "-close",
        caption,
        ValidationRuns.classes(runs).stream().map(ClassFigures::name).toList());
  }

  // ---- Series

  private static CsvText figures(String name, List<String> labels, StudyRuns runs) {
    record OfClass(StudyRun run, ClassResult got) {}
    List<OfClass> rows = new ArrayList<>();
    for (String policy : labels) {
      runs.runs(policy)
          .forEach(run -> run.result().classes().forEach(each -> rows.add(new OfClass(run, each))));
    }
    return new CsvColumns<OfClass>()
        .add("policy", each -> each.run().label())
        .add("seed", each -> each.run().result().seed())
        .add("class", each -> each.got().name())
        .add(
            List.of(
                ClassFigures.MIN,
                ClassFigures.MEAN,
                ClassFigures.MAX,
                ClassFigures.FULFILMENT,
                ClassFigures.NEVER_RAN,
                ClassFigures.PREEMPTIONS),
            OfClass::got,
            DIGITS_OF_SERIES)
        .of(name, rows);
  }

  private CsvText requests(StudyRuns runs) {
    record OfRequest(StudyRun run, RequestOutcome outcome) {}
    List<OfRequest> rows = new ArrayList<>();
    for (StudyRun run : runs.all()) {
      ValidationRuns.byArrival(run).forEach(each -> rows.add(new OfRequest(run, each)));
    }
    return new CsvColumns<OfRequest>()
        .add("policy", each -> each.run().label())
        .add("seed", each -> each.run().result().seed())
        .add("request", each -> each.outcome().request().id())
        .add("class", each -> each.outcome().report().serviceClass().name())
        .add("slo", each -> Numbers.plain(each.outcome().report().serviceClass().slo().share()))
        .add(
            "availability",
            each ->
                Numbers.fixed(
                    each.outcome().report().availability().orElseThrow(), DIGITS_OF_SERIES))
        .of(name() + "-requests", rows);
  }
}
