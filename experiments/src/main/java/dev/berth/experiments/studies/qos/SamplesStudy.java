package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Contention;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Totals;
import dev.berth.experiments.page.ExperimentPage;
import dev.berth.experiments.page.ResultsCsv;
import dev.berth.experiments.page.SummaryDocument;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.BuiltInExperiment;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Block;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Section;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.report.render.TextRenderer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The evaluation of QoS-driven scheduling (section 5) on samples of the Google cluster trace: those
 * of the authors, or some of the part of the trace that is at hand.
 */
public final class SamplesStudy extends AbstractStudy {

  private static final String SPEC = "google-samples.json";
  private static final String PRIORITY = "priority";
  private static final String QOS_DRIVEN = "qos-driven";
  private static final String GOLD = "gold";
  private static final String BRONZE = "bronze";
  private static final long HOST_SEED = 1;

  /** The time that most starts took on the machines of the paper (section 4.4). */
  private static final Duration MEASURED_START = Duration.ofSeconds(2);

  private static final double MILLIS_PER_HOUR = 3_600_000;

  /** By how much penalties of priority exceeded those of QoS-driven, in percent, by scale. */
  private static final Map<Double, Double> PUBLISHED_EXCESS =
      Map.of(1.0, 91.5, 0.9, 193.7, 0.8, 3.0);

  /** Creates the study. */
  public SamplesStudy() {
    super(
        "google-samples",
        "QoS-driven scheduling on samples of the Google trace, at N, 0.9 N and 0.8 N (section 5)",
        new Input(
            "google2011-part0",
            "(a folder: task and machine events of ClusterData2011_2)",
            AuthorsSamples.REPOSITORY));
  }

  @Override
  public boolean takesHosts() {
    return true;
  }

  @Override
  public StudyResult run(Setting setting) {
    ExperimentSpec published = BuiltInExperiment.spec(SamplesStudy.class, SPEC);
    List<ExperimentSpec> theirs = AuthorsSamples.in(Path.of(setting.input()), published);
    Experiment experiment =
        AuthorsSamples.together(
            theirs.isEmpty() ? List.of(published) : theirs,
            each -> BuiltInExperiment.load(on(setting.hosts(), each), setting));
    return BuiltInExperiment.run(experiment, setting, all -> result(experiment, all, setting));
  }

  private StudyResult result(Experiment experiment, List<CellResult> results, Setting setting) {
    Summary summary = Summary.of(experiment, results);
    List<Block> blocks = new ArrayList<>();
    Names names = new Names(setting.hosts());
    blocks.add(table(summary, names));
    blocks.add(
        OnlyFor.of(
            Medium.TEXT,
            Text.ofLines(
                new TextRenderer()
                    .lines(new SummaryDocument(experiment, summary, results).build()))));
    for (Section each : new ExperimentPage(experiment, summary, results).page().sections()) {
      blocks.add(new OnlyFor(Set.of(Medium.HTML), each.blocks()));
    }
    return new StudyResult(blocks, claims(summary, names), List.of(ResultsCsv.of(results)));
  }

  private static ExperimentSpec on(Hosts hosts, ExperimentSpec published) {
    if (hosts.files().isEmpty()) {
      return hosts.scales().isEmpty()
          ? published
          : published.on(published.infrastructures(), hosts.scales());
    }
    return published.on(
        hosts.files().stream()
            .map(each -> new InfrastructureSpec(each, "", false, HOST_SEED))
            .toList(),
        hosts.scales().isEmpty() ? List.of(1.0) : hosts.scales());
  }

  /** The names of the groups of a summary: by scale, and on other hosts by their name, too. */
  private record Names(Hosts hosts) {

    String of(Summary.Group group) {
      String scale = group.scale() == 1 ? "" : Numbers.plain(group.scale()) + " ";
      return hosts.files().isEmpty()
          ? scale + "N"
          : scale.isEmpty() ? group.infrastructure() : scale + "of " + group.infrastructure();
    }

    /** Returns the end of the ids of claims. */
    String id(Summary.Group group) {
      String scale = "-" + Numbers.plain(group.scale()).replace('.', '-');
      return hosts.files().isEmpty()
          ? scale
          : "-" + group.infrastructure().replaceAll("[^A-Za-z0-9]+", "-") + scale;
    }

    /** Returns a published figure; other hosts have none. */
    <T> Optional<T> published(Optional<T> figure) {
      return hosts.files().isEmpty() ? figure : Optional.empty();
    }

    String excess(Summary.Group group) {
      return published(Optional.ofNullable(PUBLISHED_EXCESS.get(group.scale())))
          .map(each -> percent(each / 100))
          .orElse("");
    }

    /** Returns a figure that was published for each of the published scales. */
    String words(Summary.Group group, String figure) {
      return excess(group).isEmpty() ? "" : figure;
    }

    Table.Cell cell(Summary.Group group, String figure) {
      String words = words(group, figure);
      return words.isEmpty() ? Table.Cell.absent() : Table.Cell.of(words);
    }
  }

  // ---- Published and ours

  private static Table table(Summary summary, Names names) {
    Table.Builder table =
        Table.builder("google-samples-published", "Published and ours")
            .column(Table.Column.unnamed("figure"));
    for (String heading : List.of("published", "ours")) {
      table
          .column(Table.Column.ofNumbers(PRIORITY).withHeading(heading).withGap(3))
          .column(Table.Column.ofNumbers(QOS_DRIVEN).withHeading(heading));
    }
    for (Summary.Group group : summary.groups()) {
      Summary.Row priority = group.row(PRIORITY);
      Summary.Row qosDriven = group.row(QOS_DRIVEN);
      table.group(names.of(group));
      table.row(
          Table.Cell.of("penalties of priority over qos-driven"),
          names.cell(group, names.excess(group)),
          Table.Cell.of(""),
          words(Summary.excess(priority, qosDriven).map(SamplesStudy::percent)),
          Table.Cell.of(""));
      for (ClassFigures each : priority.classes()) {
        boolean gold = each.name().equals(GOLD);
        table.row(
            Table.Cell.of(each.name() + ": objective met"),
            gold ? names.cell(group, "≥ .9975") : Table.Cell.absent(),
            gold ? names.cell(group, "≥ .9975") : Table.Cell.absent(),
            Cells.estimate(each.get(ClassFigures.FULFILMENT), 4),
            Cells.estimate(qosDriven.get(each.name(), ClassFigures.FULFILMENT), 4));
      }
      table.row(
          Table.Cell.of("bronze at medium contention: smallest availability"),
          names.cell(group, "7 %"),
          names.cell(group, "90 %"),
          Cells.estimate(smallest(priority), 3),
          Cells.estimate(smallest(qosDriven), 3));
      table.row(
          oursOnly("preemptions", priority, qosDriven, 0, row -> row.get(Totals.PREEMPTIONS)));
      table.row(
          oursOnly(
              "lost work at 2 s a start, hours", priority, qosDriven, 2, SamplesStudy::lostWork));
    }
    return table.build();
  }

  private static List<Table.Cell> oursOnly(
      String name,
      Summary.Row priority,
      Summary.Row qosDriven,
      int digits,
      Function<Summary.Row, Sample> figure) {
    return List.of(
        Table.Cell.of(name),
        Table.Cell.absent(),
        Table.Cell.absent(),
        Cells.estimate(figure.apply(priority), digits),
        Cells.estimate(figure.apply(qosDriven), digits));
  }

  /**
   * Returns the hours that starts after preemptions would take, at a measured time for each. In
   * this study, unlike in the paper, starts take no time, so its runs lose no work.
   */
  private static Sample lostWork(Summary.Row row) {
    return row.get(Totals.PREEMPTIONS).times(MEASURED_START.toMillis() / MILLIS_PER_HOUR);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * share);
  }

  private static Table.Cell words(Optional<String> figure) {
    return figure.map(Table.Cell::of).orElse(Table.Cell.absent());
  }

  // ---- Claims

  private static List<Claim> claims(Summary summary, Names names) {
    List<Claim> claims = new ArrayList<>();
    for (Summary.Group group : summary.groups()) {
      String at = (names.hosts().files().isEmpty() ? "at " : "on ") + names.of(group) + ": ";
      String id = names.id(group);
      String published = names.excess(group);
      Summary.Row priority = group.row(PRIORITY);
      Summary.Row qosDriven = group.row(QOS_DRIVEN);
      String excess =
          at + "priority causes higher penalties than qos-driven (direction only, our criterion)";
      claims.add(
          Summary.excess(priority, qosDriven)
              .map(each -> Claim.of("penalties" + id, excess, published, percent(each), each > 0))
              .orElseGet(() -> Claim.undefined("penalties" + id, excess, published)));
      claims.add(
          gold(
              id, at, names.words(group, "≥ .9975"), qosDriven.get(GOLD, ClassFigures.FULFILMENT)));
      claims.add(
          bronze(
              id,
              at,
              names.words(group, "90 % over 7 %"),
              smallest(priority),
              smallest(qosDriven)));
    }
    return claims;
  }

  private static Claim gold(String id, String at, String published, Sample met) {
    String words = at + "qos-driven meets the objective of gold, in the worst case";
    return met.size() == 0
        ? Claim.undefined("gold" + id, words, published)
        : Claim.of("gold" + id, words, published, Numbers.fixed(met.min(), 4), met.min() >= 0.9975);
  }

  private static Claim bronze(
      String id, String at, String published, Sample priority, Sample qosDriven) {
    String words =
        at
            + "bronze's smallest availability at medium contention is higher under qos-driven than"
            + " under priority (direction only, our criterion)";
    return priority.size() == 0 || qosDriven.size() == 0
        ? Claim.undefined("bronze" + id, words, published)
        : Claim.of(
            "bronze" + id,
            words,
            published,
            "%s %% over %s %%"
                .formatted(
                    Numbers.fixed(100 * qosDriven.mean(), 0),
                    Numbers.fixed(100 * priority.mean(), 0)),
            qosDriven.mean() > priority.mean());
  }

  private static Sample smallest(Summary.Row row) {
    return row.get(Contention.MEDIUM, BRONZE, ClassFigures.MIN);
  }
}
