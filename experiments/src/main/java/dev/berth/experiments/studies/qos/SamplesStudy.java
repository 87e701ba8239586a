package dev.berth.experiments.studies.qos;

import dev.berth.core.error.ConfigException;
import dev.berth.experiments.ExperimentFailedException;
import dev.berth.experiments.CellResult;
import dev.berth.experiments.CellStore;
import dev.berth.experiments.Contention;
import dev.berth.experiments.Experiment;
import dev.berth.experiments.ExperimentLoader;
import dev.berth.experiments.ExperimentRunner;
import dev.berth.experiments.ExperimentSpec;
import dev.berth.experiments.RunOutcome;
import dev.berth.experiments.Sample;
import dev.berth.experiments.Summary;
import dev.berth.experiments.output.ExperimentPage;
import dev.berth.experiments.output.FigureTable;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.output.ResultsCsv;
import dev.berth.experiments.output.SummaryTable;
import dev.berth.experiments.output.TextTable;
import dev.berth.experiments.study.Study;
import dev.berth.report.Block;
import dev.berth.report.Page;
import dev.berth.report.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The evaluation of QoS-driven scheduling (section 5) on samples of the part of the Google cluster
 * trace that is at hand.
 */
public final class SamplesStudy implements Study {

  private static final String SPEC = "google-samples.json";
  private static final String PRIORITY = "priority";
  private static final String QOS_DRIVEN = "qos-driven";
  private static final String GOLD = "gold";
  private static final String BRONZE = "bronze";

  /** By how much penalties of priority exceeded those of QoS-driven, in percent, by scale. */
  private static final Map<Double, Double> PUBLISHED_EXCESS =
      Map.of(1.0, 91.5, 0.9, 193.7, 0.8, 3.0);

  @Override
  public String name() {
    return "google-samples";
  }

  @Override
  public String title() {
    return "QoS-driven scheduling on samples of the Google cluster trace, at N, 0.9 N and 0.8 N (section 5)";
  }

  @Override
  public Optional<Input> input() {
    return Optional.of(
        new Input("google2011-part0", "(a folder: task and machine events of ClusterData2011_2)"));
  }

  @Override
  public Report run(Setting setting) {
    Experiment experiment = load(setting);
    try (CellStore store = CellStore.temporary()) {
      List<CellResult> results =
          new ExperimentRunner(store, threads(), setting.listener()).run(experiment);
      for (CellResult each : results) {
        if (each.outcome() instanceof RunOutcome.Failed failed) {
          throw new ExperimentFailedException(failed.why(), failed.failure());
        }
      }
      Summary summary = Summary.of(experiment, results);
      FigureTable table = table(summary);
      List<String> lines = new ArrayList<>();
      lines.add(title());
      lines.add("");
      lines.addAll(table.lines());
      lines.add("");
      lines.addAll(new SummaryTable(experiment, summary).render());
      List<Block> blocks = new ArrayList<>();
      blocks.add(table.block(name() + "-published", "Published and ours", "figure"));
      for (Page.Section each : new ExperimentPage(experiment, summary, results).page().sections()) {
        blocks.addAll(each.blocks());
      }
      return new Report(lines, blocks, List.of(ResultsCsv.of(results)));
    } catch (IOException failure) {
      throw new ExperimentFailedException(
          "what was run cannot be kept: " + failure, failure);
    }
  }

  /** Returns how many runs it makes at a time. */
  public static int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static Experiment load(Setting setting) {
    try (InputStream in = SamplesStudy.class.getResourceAsStream(SPEC)) {
      if (in == null) {
        throw new IllegalStateException(SPEC + " is not on the class path.");
      }
      String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      ExperimentSpec wanted = ExperimentSpec.parse(SPEC, json);
      return ExperimentLoader.load(wanted, Path.of(setting.input()), setting.registry());
    } catch (ConfigException impossible) {
      throw new IllegalStateException("an experiment asks for what is not there", impossible);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  // ---- Published and ours

  private static FigureTable table(Summary summary) {
    FigureTable table = new FigureTable(3, 2, 3, 2);
    table.headings(
        List.of(
            new TextTable.Heading("", 1),
            new TextTable.Heading("published", 2),
            new TextTable.Heading("ours", 2)));
    table.columns(List.of("", PRIORITY, QOS_DRIVEN, PRIORITY, QOS_DRIVEN));
    for (Summary.Group group : summary.groups()) {
      Summary.Row priority = group.row(PRIORITY);
      Summary.Row qosDriven = group.row(QOS_DRIVEN);
      table.group(group.scale() == 1 ? "N" : Numbers.plain(group.scale()) + " N");
      Double published = PUBLISHED_EXCESS.get(group.scale());
      table.row(
          List.of(
              FigureTable.words("  penalties of priority over qos-driven"),
              FigureTable.words(published == null ? Numbers.NONE : "%+.1f %%".formatted(published)),
              FigureTable.words(""),
              FigureTable.words(
                  Summary.excess(priority, qosDriven)
                      .map(share -> "%+.1f %%".formatted(100 * share))
                      .orElse(Numbers.NONE)),
              FigureTable.words("")));
      for (Summary.ClassFigures each : priority.classes()) {
        boolean gold = each.name().equals(GOLD);
        table.row(
            List.of(
                FigureTable.words("  " + each.name() + ": objective met"),
                FigureTable.words(gold ? "≥ .9975" : Numbers.NONE),
                FigureTable.words(gold ? "≥ .9975" : Numbers.NONE),
                estimate(each.fulfilment(), 4),
                estimate(figures(qosDriven, each.name()), 4)));
      }
      table.row(
          List.of(
              FigureTable.words("  bronze at medium contention: smallest availability"),
              FigureTable.words("7 %"),
              FigureTable.words("90 %"),
              smallest(priority),
              smallest(qosDriven)));
    }
    return table;
  }

  private static Sample figures(Summary.Row row, String serviceClass) {
    return row.classes().stream()
        .filter(each -> each.name().equals(serviceClass))
        .map(Summary.ClassFigures::fulfilment)
        .findFirst()
        .orElse(Sample.of(List.of()));
  }

  private static Table.Cell smallest(Summary.Row row) {
    return estimate(
        row.active().getOrDefault(Contention.MEDIUM, List.of()).stream()
            .filter(each -> each.name().equals(BRONZE))
            .map(Summary.ActiveFigures::min)
            .findFirst()
            .orElse(Sample.of(List.of())),
        3);
  }

  private static Table.Cell estimate(Sample sample, int digits) {
    return sample.size() == 0
        ? FigureTable.words(Numbers.NONE)
        : FigureTable.estimate(sample, digits);
  }
}
