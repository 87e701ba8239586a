package dev.berth.experiments.studies.slo;

import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.BuiltInExperiment;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Block;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The compared policies on samples of the Google cluster trace, with starts that take time. */
public final class GoogleStudy extends AbstractStudy {

  private static final String SPEC = "hysteresis-google.json";
  private static final String QOS_DRIVEN = HysteresisStudy.QOS_DRIVEN;
  private static final String PRIORITY = HysteresisStudy.PRIORITY;
  private static final String HYSTERESIS = HysteresisStudy.HYSTERESIS;

  private static final String TARGET = "in every sample";

  /** Creates the study. */
  public GoogleStudy() {
    super(
        "hysteresis-google",
        "qos-hysteresis on samples of the Google trace, at N, 0.9 N and 0.8 N (our study)",
        new Input("google2011-part0", "(a folder: task and machine events of ClusterData2011_2)"));
  }

  @Override
  public StudyResult run(Setting setting) {
    Experiment experiment =
        BuiltInExperiment.load(BuiltInExperiment.spec(GoogleStudy.class, SPEC), setting);
    return BuiltInExperiment.run(experiment, setting, this::result);
  }

  private StudyResult result(List<CellResult> results) {
    Map<Double, Map<String, Runs>> bySize = bySize(results);
    List<Claim> claims = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    Map<String, Runs> series = new LinkedHashMap<>();
    bySize.forEach(
        (scale, samples) -> {
          claims.addAll(claims(scale, samples));
          samples.forEach(
              (sample, runs) -> series.put("%s, %s".formatted(sample, size(scale)), runs));
        });
    blocks.add(Text.of("Preparing a host takes 2, 2 or 3 s. Watchdog and margins are 10 s."));
    blocks.addAll(ClaimBlocks.of(name(), "Our targets, and whether they are met", claims));
    bySize.forEach(
        (scale, samples) ->
            blocks.addAll(
                Tables.of(
                    "%s-%s".formatted(name(), id(scale)),
                    "At %s: means over %s samples with %s seeds each; ± covers both"
                        .formatted(size(scale), samples.size(), seeds(samples)),
                    together(samples))));
    blocks.addAll(samples(bySize));
    blocks.add(Tables.LEGEND);
    blocks.add(Tables.BOUND_LEGEND);
    return new StudyResult(blocks, claims, List.of(Tables.series(name() + "-classes", series)));
  }

  /** Returns the runs by scale and sample, in the order of the cases. */
  private static Map<Double, Map<String, Runs>> bySize(List<CellResult> results) {
    Map<Scenario, FluidBound> bounds = new HashMap<>(); // cases may differ in the seed only
    return results.stream()
        .collect(
            Collectors.groupingBy(
                each -> each.cell().setting().scale(),
                LinkedHashMap::new,
                Collectors.groupingBy(
                    each -> each.cell().setting().workload(),
                    LinkedHashMap::new,
                    Collectors.collectingAndThen(
                        Collectors.toList(), cells -> Runs.of(cells, bounds)))));
  }

  private static int seeds(Map<String, Runs> samples) {
    return samples.values().iterator().next().runs(QOS_DRIVEN).size();
  }

  /** Returns the runs of all samples as those of one setting. */
  private static Runs together(Map<String, Runs> samples) {
    Map<String, List<RunResult>> all = new LinkedHashMap<>();
    for (Runs runs : samples.values()) {
      runs.byLabel()
          .forEach(
              (label, its) -> all.computeIfAbsent(label, key -> new ArrayList<>()).addAll(its));
    }
    return new Runs(
        all,
        new Bounds(
            samples.values().stream().flatMap(each -> each.bounds().byCase().stream()).toList()));
  }

  private static String size(double scale) {
    return scale == 1 ? "N" : Numbers.plain(scale) + " N";
  }

  private static String id(double scale) {
    return Numbers.plain(scale).replace('.', '-');
  }

  // ---- Sample by sample

  private List<Block> samples(Map<Double, Map<String, Runs>> bySize) {
    String title = "Sample by sample: ± covers the seeds";
    Table.Builder table =
        columns(new Runs(Map.of(), Bounds.NONE)).builder(name() + "-samples", title);
    bySize.forEach(
        (scale, samples) ->
            samples.forEach(
                (sample, runs) -> {
                  table.group("%s, %s".formatted(sample, size(scale)));
                  Columns<String> columns = columns(runs);
                  runs.labels().forEach(each -> table.row(columns.row(each)));
                  table.row(columns.row(Tables.BOUND));
                }));
    return List.of(OnlyFor.inText(title), table.build());
  }

  private static Columns<String> columns(Runs runs) {
    return new Columns<String>()
        .unnamed("policy", label -> label)
        .cells("penalty core h", label -> total(runs, label, Figure.PENALTY))
        .cells("preempted", label -> total(runs, label, Figure.PREEMPTIONS))
        .cells("lost work h", label -> total(runs, label, Figure.LOST_WORK))
        .cells("gold", "mean", label -> of(runs, label, ServiceClasses.GOLD, Figure.MEAN))
        .cells("gold", "min", label -> of(runs, label, ServiceClasses.GOLD, Figure.MIN))
        .cells("bronze", "min", label -> of(runs, label, ServiceClasses.BRONZE, Figure.MIN));
  }

  private static Table.Cell total(Runs runs, String label, Figure figure) {
    if (label.equals(Tables.BOUND)) {
      return figure == Figure.PENALTY
          ? Cells.estimate(runs.bounds().penalty(), figure.digits())
          : Table.Cell.of("");
    }
    return Cells.estimate(runs.total(label, figure), figure.digits());
  }

  private static Table.Cell of(Runs runs, String label, String serviceClass, Figure figure) {
    return label.equals(Tables.BOUND)
        ? Table.Cell.of("")
        : Cells.estimate(runs.of(label, serviceClass, figure), figure.digits());
  }

  // ---- Targets

  private static List<Claim> claims(double scale, Map<String, Runs> samples) {
    List<Claim> claims = new ArrayList<>();
    String at = "at %s: ".formatted(size(scale));
    for (String other : List.of(QOS_DRIVEN, PRIORITY)) {
      claims.add(
          lower(
              "penalty-%s-%s".formatted(other, id(scale)),
              at + "the penalty is lower than under %s, where that has one".formatted(other),
              samples,
              Figure.PENALTY,
              other));
    }
    claims.add(
        lower(
            "preemptions-" + id(scale),
            at + "there are fewer preemptions than under " + QOS_DRIVEN,
            samples,
            Figure.PREEMPTIONS,
            QOS_DRIVEN));
    for (String other : List.of(QOS_DRIVEN, PRIORITY)) {
      claims.add(
          inAll(
              "gold-%s-%s".formatted(other, id(scale)),
              at
                  + "gold's mean availability is not lower than under %s, beyond chance"
                      .formatted(other),
              samples,
              other,
              runs -> gain(runs, other).size() > 0,
              runs -> !gain(runs, other).isBelowZero(),
              (runs, label) ->
                  Numbers.fixed(
                      runs.of(label, ServiceClasses.GOLD, Figure.MEAN).mean(),
                      Figure.MEAN.digits())));
    }
    return claims;
  }

  private static Sample gain(Runs runs, String other) {
    return runs.gain(HYSTERESIS, other, ServiceClasses.GOLD, Figure.MEAN);
  }

  /** A sum is lower than under another policy, in every sample in which that has one. */
  private static Claim lower(
      String id, String words, Map<String, Runs> samples, Figure figure, String other) {
    return inAll(
        id,
        words,
        samples,
        other,
        runs -> runs.total(other, figure).mean() > 0,
        runs -> runs.total(HYSTERESIS, figure).mean() < runs.total(other, figure).mean(),
        (runs, label) -> {
          Sample sum = runs.total(label, figure);
          return Numbers.estimate(sum.mean(), sum.halfWidth(), figure.digits());
        });
  }

  /**
   * A target is met in every sample in which it is judged.
   *
   * @param shown returns the figure of a policy, for the samples in which the target is missed
   */
  private static Claim inAll(
      String id,
      String words,
      Map<String, Runs> samples,
      String other,
      Predicate<Runs> isJudged,
      Predicate<Runs> isMet,
      BiFunction<Runs, String, String> shown) {
    List<String> details = new ArrayList<>();
    int judged = 0;
    int met = 0;
    for (Map.Entry<String, Runs> each : samples.entrySet()) {
      Runs runs = each.getValue();
      if (isJudged.test(runs)) {
        judged++;
        if (isMet.test(runs)) {
          met++;
        } else {
          details.add(
              "%s: %s under %s and %s under %s"
                  .formatted(
                      each.getKey(),
                      shown.apply(runs, HYSTERESIS),
                      HYSTERESIS,
                      shown.apply(runs, other),
                      other));
        }
      }
    }
    if (judged == 0) {
      return Claim.undefined(id, words, TARGET);
    }
    String got = "in %s of %s samples".formatted(met, judged);
    details.add(0, got);
    return Claim.of(id, words, TARGET, got, met == judged).with(details);
  }
}
