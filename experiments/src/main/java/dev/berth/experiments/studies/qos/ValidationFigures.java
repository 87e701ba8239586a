package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.BoxChart;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.IntervalChart;
import dev.berth.report.Marks;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Series;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The charts of a validation of QoS-driven scheduling.
 *
 * @param name of the experiment
 * @param figure of the paper that they show again
 * @param runs ours
 * @param published theirs
 * @param seed of the first run
 */
record ValidationFigures(
    String name, int figure, StudyRuns runs, List<PublishedRun> published, long seed) {

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        OnlyFor.of(
            Medium.HTML,
            Text.of(
                "Figure %s of the paper shows every request. The charts show ours; of theirs only the figures of "
                        .formatted(figure)
                    + "the classes are known: their ranges are beside ours below.")));
    List<ClassFigures> classes = ValidationRuns.classes(runs);
    blocks.add(
        new Grid(Math.min(3, classes.size()), classes.stream().map(this::requests).toList()));
    List<Chart> pairs = new ArrayList<>();
    for (String policy : ValidationRuns.POLICIES) {
      pairs.add(ranges(policy));
    }
    for (String policy : ValidationRuns.POLICIES) {
      pairs.add(seeds(policy));
    }
    blocks.add(new Grid(2, pairs));
    return blocks;
  }

  private Chart requests(ClassFigures serviceClass) {
    List<ScatterChart.Cloud> clouds = new ArrayList<>();
    for (String policy : ValidationRuns.POLICIES) {
      List<Point> points = new ArrayList<>();
      for (double each : ValidationRuns.availabilities(runs.first(policy), serviceClass.name())) {
        points.add(new Point(points.size() + 1.0, each));
      }
      clouds.add(new ScatterChart.Cloud(policy, points));
    }
    return new ScatterChart(
        "%s-requests-%s".formatted(name, serviceClass.name()),
        "%s: each request".formatted(serviceClass.name()),
        "Ours, seed %s: the availability of each of the %s requests of %s, in the order in which they came."
            .formatted(seed, serviceClass.count(), serviceClass.name()),
        Axis.of("request"),
        Axis.of("availability").within(0, 1),
        clouds,
        List.of(Reference.horizontal("SLO", serviceClass.slo())));
  }

  private Chart ranges(String policy) {
    Map<String, Map<String, IntervalChart.Interval>> series = new LinkedHashMap<>();
    for (PublishedRun theirs : published) {
      if (theirs.policy().equals(policy)) {
        theirs.classes().forEach(each -> put(series, theirs.source().whose(), each));
      }
    }
    ValidationRuns.classes(runs)
        .forEach(
            each -> put(series, "ours", ValidationRuns.figures(runs.first(policy), each.name())));
    return new IntervalChart(
        "%s-ranges-%s".formatted(name, policy),
        "%s: from the least to the most".formatted(policy),
        "The mean availability of each class, and the range from its least to its most request;"
            + " theirs in "
            + "one run each, ours with seed %s.".formatted(seed),
        "class",
        Axis.of("availability"),
        names(),
        series.entrySet().stream()
            .map(each -> new Series<>(each.getKey(), each.getValue()))
            .toList(),
        Optional.of(objectives()));
  }

  private static void put(
      Map<String, Map<String, IntervalChart.Interval>> series, String whose, ClassFigures figures) {
    series
        .computeIfAbsent(whose, key -> new LinkedHashMap<>())
        .put(
            figures.name(),
            new IntervalChart.Interval(
                figures.only(ClassFigures.MEAN).orElseThrow(),
                figures.only(ClassFigures.MIN).orElseThrow(),
                figures.only(ClassFigures.MAX).orElseThrow()));
  }

  private Chart seeds(String policy) {
    Map<String, BoxChart.Box> boxes = new LinkedHashMap<>();
    Map<String, Double> theirs = new LinkedHashMap<>();
    List<StudyRun> all = runs.runs(policy);
    for (String each : names()) {
      Spread spread = Spread.of(all, each, ClassFigures.MEAN);
      boxes.put(
          each,
          new BoxChart.Box(
              spread.least(),
              spread.lower(),
              spread.median(),
              spread.upper(),
              spread.most(),
              OptionalDouble.empty(),
              0));
      ValidationStudy.simulated(published, policy, each).ifPresent(mean -> theirs.put(each, mean));
    }
    return new BoxChart(
        "%s-seeds-%s".formatted(name, policy),
        "%s: the means, seed by seed".formatted(policy),
        "The mean availability of each class in our %s runs: least, quartiles, most. Across: that of their simulator's one run."
            .formatted(all.size()),
        "class",
        Axis.of("mean availability"),
        names(),
        List.of(new Series<>("ours", boxes)),
        Optional.of(new Marks("their simulator", theirs)));
  }

  private List<String> names() {
    return ValidationRuns.classes(runs).stream().map(ClassFigures::name).toList();
  }

  private Marks objectives() {
    Map<String, Double> objectives = new LinkedHashMap<>();
    ValidationRuns.classes(runs).forEach(each -> objectives.put(each.name(), each.slo()));
    return new Marks("SLO", objectives);
  }
}
