package dev.berth.experiments.studies.hysteresis;

import dev.berth.core.error.ConfigException;
import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.BuiltInExperiment;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Block;
import dev.berth.report.Medium;
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
import java.util.Objects;
import java.util.function.Predicate;

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
    return BuiltInExperiment.run(load(setting), setting, this::result);
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
    blocks.add(Tables.legend());
    blocks.add(Tables.boundLegend());
    return new StudyResult(blocks, claims, List.of(Tables.series(name() + "-classes", series)));
  }

  private static Experiment load(Setting setting) {
    try {
      return BuiltInExperiment.load(BuiltInExperiment.spec(GoogleStudy.class, SPEC), setting);
    } catch (ConfigException impossible) {
      throw new IllegalStateException(
          "an experiment depends on something that is missing", impossible);
    }
  }

  /** Returns the runs by scale and sample, in the order of the cases. */
  private static Map<Double, Map<String, Runs>> bySize(List<CellResult> results) {
    Map<Double, Map<String, Map<String, List<RunResult>>>> totals = new LinkedHashMap<>();
    Map<Double, Map<String, Map<Case, FluidBound>>> bounds = new LinkedHashMap<>();
    Map<Scenario, FluidBound> byScenario = new HashMap<>(); // cases may differ in the seed only
    for (CellResult each : results) {
      Case its = each.cell().setting();
      totals
          .computeIfAbsent(its.scale(), key -> new LinkedHashMap<>())
          .computeIfAbsent(its.workload(), key -> new LinkedHashMap<>())
          .computeIfAbsent(each.policy().label(), key -> new ArrayList<>())
          .add(each.totals().orElseThrow());
      bounds
          .computeIfAbsent(its.scale(), key -> new LinkedHashMap<>())
          .computeIfAbsent(its.workload(), key -> new LinkedHashMap<>())
          .computeIfAbsent(
              its, key -> byScenario.computeIfAbsent(key.settings().scenario(), FluidBound::of));
    }
    Map<Double, Map<String, Runs>> bySize = new LinkedHashMap<>();
    totals.forEach(
        (scale, samples) -> {
          Map<String, Runs> its = new LinkedHashMap<>();
          samples.forEach(
              (sample, runs) -> its.put(sample, new Runs(runs, boundsOf(bounds, scale, sample))));
          bySize.put(scale, its);
        });
    return bySize;
  }

  private static Bounds boundsOf(
      Map<Double, Map<String, Map<Case, FluidBound>>> bounds, double scale, String sample) {
    return new Bounds(
        List.copyOf(
            Objects.requireNonNull(Objects.requireNonNull(bounds.get(scale)).get(sample))
                .values()));
  }

  private static int seeds(Map<String, Runs> samples) {
    return samples.values().iterator().next().runs(QOS_DRIVEN).size();
  }

  /** Returns the runs of all samples as those of one setting. */
  private static Runs together(Map<String, Runs> samples) {
    Map<String, List<RunResult>> all = new LinkedHashMap<>();
    samples
        .values()
        .forEach(
            runs ->
                runs.labels()
                    .forEach(
                        each ->
                            all.computeIfAbsent(each, key -> new ArrayList<>())
                                .addAll(runs.runs(each))));
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
    return List.of(OnlyFor.of(Medium.TEXT, Text.of(title)), table.build());
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
    for (String other : List.of(QOS_DRIVEN, PRIORITY)) {
      claims.add(
          inAll(
              "penalty-%s-%s".formatted(other, id(scale)),
              "at %s: the penalty is lower than under %s, where that has one"
                  .formatted(size(scale), other),
              samples,
              runs -> runs.total(other, Figure.PENALTY).mean() > 0,
              Figure.PENALTY,
              other));
    }
    claims.add(
        inAll(
            "preemptions-" + id(scale),
            "at %s: there are fewer preemptions than under %s".formatted(size(scale), QOS_DRIVEN),
            samples,
            runs -> runs.total(QOS_DRIVEN, Figure.PREEMPTIONS).mean() > 0,
            Figure.PREEMPTIONS,
            QOS_DRIVEN));
    for (String other : List.of(QOS_DRIVEN, PRIORITY)) {
      claims.add(gold(scale, samples, other));
    }
    return claims;
  }

  /** A sum is lower than under another policy, in every sample in which it is judged. */
  private static Claim inAll(
      String id,
      String words,
      Map<String, Runs> samples,
      Predicate<Runs> isJudged,
      Figure figure,
      String other) {
    List<String> details = new ArrayList<>();
    int judged = 0;
    int lower = 0;
    for (Map.Entry<String, Runs> each : samples.entrySet()) {
      Runs runs = each.getValue();
      if (isJudged.test(runs)) {
        judged++;
        Sample ours = runs.total(HYSTERESIS, figure);
        Sample theirs = runs.total(other, figure);
        if (ours.mean() < theirs.mean()) {
          lower++;
        } else {
          details.add(
              "%s: %s under %s and %s under %s"
                  .formatted(
                      each.getKey(),
                      Numbers.estimate(ours.mean(), ours.halfWidth(), figure.digits()),
                      HYSTERESIS,
                      Numbers.estimate(theirs.mean(), theirs.halfWidth(), figure.digits()),
                      other));
        }
      }
    }
    return judged == 0
        ? Claim.undefined(id, words, TARGET)
        : held(id, words, lower, judged, details);
  }

  private static Claim gold(double scale, Map<String, Runs> samples, String other) {
    String words =
        "at %s: gold's mean availability is not lower than under %s, beyond chance"
            .formatted(size(scale), other);
    List<String> details = new ArrayList<>();
    int judged = 0;
    int kept = 0;
    for (Map.Entry<String, Runs> each : samples.entrySet()) {
      Runs runs = each.getValue();
      Sample gain = runs.gain(HYSTERESIS, other, ServiceClasses.GOLD, Figure.MEAN);
      if (gain.size() > 0) {
        judged++;
        if (gain.isBelowZero()) {
          details.add(
              "%s: %s under %s and %s under %s"
                  .formatted(
                      each.getKey(), mean(runs, HYSTERESIS), HYSTERESIS, mean(runs, other), other));
        } else {
          kept++;
        }
      }
    }
    String id = "gold-%s-%s".formatted(other, id(scale));
    return judged == 0
        ? Claim.undefined(id, words, TARGET)
        : held(id, words, kept, judged, details);
  }

  private static Claim held(
      String id, String words, int samples, int judged, List<String> exceptions) {
    String got = "in %s of %s samples".formatted(samples, judged);
    List<String> details = new ArrayList<>(List.of(got));
    details.addAll(exceptions);
    return Claim.of(id, words, TARGET, got, samples == judged).with(details);
  }

  private static String mean(Runs runs, String label) {
    return Numbers.fixed(
        runs.of(label, ServiceClasses.GOLD, Figure.MEAN).mean(), Figure.MEAN.digits());
  }
}
