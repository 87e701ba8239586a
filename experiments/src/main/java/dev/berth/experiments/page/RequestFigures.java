package dev.berth.experiments.page;

import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentFailedException;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.BoxChart;
import dev.berth.report.Chart;
import dev.berth.report.Grid;
import dev.berth.report.Heading;
import dev.berth.report.HeatMap;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Reference;
import dev.berth.report.ScatterChart;
import dev.berth.report.Series;
import dev.berth.report.Text;
import dev.berth.simulator.metrics.AvailabilityFile;
import dev.berth.simulator.metrics.AvailabilityFile.Entry;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The figures that go down to requests: each one's availability (figures 4 and 5), the same request
 * under two policies (figure 6), and deficits (figure 7). Reads the stored availabilities of the
 * runs; holds only counts and a sample of them in memory.
 */
final class RequestFigures {

  private static final int MOST_POINTS = 1_500;
  private static final int BINS = 20;
  private static final HeatMap.Bins SHARES = new HeatMap.Bins(0, 1, BINS);

  private final Experiment experiment;
  private final List<CellResult> finished;

  RequestFigures(Experiment experiment, List<CellResult> results) {
    this.experiment = experiment;
    this.finished = results.stream().filter(each -> each.stored().isPresent()).toList();
  }

  // ---- Figures 4 and 5

  List<Block> availabilities() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Final availability of each request, in the order of arrival (figures 4 and 5 of the"
                + " paper), for the first workload and seed at each scale. Of many requests, the"
                + " charts show some at equal distances."));
    int number = 1;
    for (Case setting : firstCases()) {
      List<Chart> charts = new ArrayList<>();
      List<CellResult> its =
          finished.stream()
              .filter(each -> each.cell().setting().number() == setting.number())
              .filter(each -> each.cell().policy().role() == ComparedPolicy.Role.POLICY)
              .toList();
      for (ClassResult each : classes(its)) {
        charts.add(availability(number, setting, its, each));
      }
      if (!charts.isEmpty()) {
        blocks.add(new Grid(Math.min(3, charts.size()), charts));
      }
      number++;
    }
    return blocks;
  }

  private List<Case> firstCases() {
    Map<List<Object>, Case> first = new LinkedHashMap<>();
    for (Case each : experiment.cases()) {
      first.putIfAbsent(each.group(), each);
    }
    return List.copyOf(first.values());
  }

  private static List<ClassResult> classes(List<CellResult> its) {
    return its.stream()
        .flatMap(each -> each.totals().stream())
        .findFirst()
        .map(RunResult::classes)
        .orElse(List.of());
  }

  /** Returns the classes of all runs, most important first: workloads may lack some. */
  private List<ClassResult> classesOf(List<CellResult> group) {
    Map<String, ClassResult> byName = new TreeMap<>(experiment.mostImportantFirst());
    for (CellResult each : group) {
      classes(List.of(each)).forEach(its -> byName.putIfAbsent(its.name(), its));
    }
    return List.copyOf(byName.values());
  }

  private static Chart availability(
      int number, Case setting, List<CellResult> its, ClassResult serviceClass) {
    int rank = rank(its, serviceClass.name());
    long step = Math.max(1, (serviceClass.count() + MOST_POINTS - 1) / MOST_POINTS);
    List<ScatterChart.Cloud> clouds = new ArrayList<>();
    for (CellResult each : its) {
      List<Point> points = new ArrayList<>();
      long[] seen = new long[1];
      read(
          each,
          entry -> {
            if (entry.rank() == rank) {
              if (seen[0] % step == 0) {
                points.add(new Point(seen[0] + 1.0, entry.availability()));
              }
              seen[0]++;
            }
          });
      clouds.add(new ScatterChart.Cloud(each.cell().policy().label(), points));
    }
    return new ScatterChart(
        "availability-%s-%s".formatted(number, ExperimentPage.plain(serviceClass.name())),
        "%s, %s × %s"
            .formatted(
                serviceClass.name(),
                setting.workload(),
                setting.withVariant(Numbers.plain(setting.scale()))),
        "%s requests of %s, seed %s.%s"
            .formatted(
                serviceClass.count(),
                serviceClass.name(),
                setting.seed(),
                step == 1 ? "" : " The chart shows one in %s.".formatted(step)),
        Axis.of("request"),
        Axis.of("availability").within(0, 1),
        clouds,
        List.of(Reference.horizontal("SLO", serviceClass.slo())));
  }

  // ---- Figure 6

  /** Heat maps of the reference against each other policy; empty without a reference. */
  List<Block> pairs() {
    if (experiment.reference().isEmpty()) {
      return List.of();
    }
    String reference = experiment.reference().get();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Availability of each request under %s and under another policy, over all cases "
                    .formatted(reference)
                + "(figure 6 of the paper). Above the diagonal the other policy gave more. The"
                + " lines are the objective: top right, both met it; bottom left, neither; top"
                + " left, "
                + "only the other policy; bottom right, only %s.".formatted(reference)));
    int number = 1;
    for (ComparedPolicy each : experiment.policies()) {
      if (each.role() == ComparedPolicy.Role.POLICY && !each.label().equals(reference)) {
        for (List<CellResult> group : groups()) {
          List<Chart> charts = pairs(number, group, reference, each.label());
          if (!charts.isEmpty()) {
            blocks.add(new Heading(hosts(pair(reference, each.label()), group)));
            blocks.add(new Grid(Math.min(3, charts.size()), charts));
          }
          number++;
        }
      }
    }
    return blocks;
  }

  private static String pair(String reference, String other) {
    return reference + " and " + other;
  }

  /** Returns a title with the hosts of a group, as far as others have other hosts. */
  private String hosts(String title, List<CellResult> group) {
    Case setting = group.get(0).cell().setting();
    StringBuilder hosts = new StringBuilder();
    if (experiment.cases().stream().map(Case::infrastructure).distinct().count() > 1) {
      hosts.append(", ").append(setting.infrastructure());
    }
    if (experiment.cases().stream().map(Case::scale).distinct().count() > 1) {
      hosts.append(", hosts × ").append(Numbers.plain(setting.scale()));
    }
    return setting.withVariant(title + hosts);
  }

  private List<List<CellResult>> groups() {
    return List.copyOf(
        finished.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.cell().setting().group(), LinkedHashMap::new, Collectors.toList()))
            .values());
  }

  private List<Chart> pairs(int number, List<CellResult> group, String reference, String other) {
    Map<String, Pairs> byClass = new LinkedHashMap<>();
    Map<Integer, CellResult> others = new HashMap<>(); // by case
    group.stream()
        .filter(each -> each.policy().label().equals(other))
        .forEach(each -> others.put(each.cell().setting().number(), each));
    for (CellResult one : group) {
      if (!one.cell().policy().label().equals(reference)) {
        continue;
      }
      List<ClassResult> classes = classes(List.of(one));
      CellResult its = others.get(one.cell().setting().number());
      if (its != null) {
        try {
          AvailabilityFile.readPairs(
              one.stored().orElseThrow().availabilities(),
              its.stored().orElseThrow().availabilities(),
              (first, second) -> {
                ClassResult serviceClass = classes.get(first.rank());
                byClass
                    .computeIfAbsent(serviceClass.name(), name -> new Pairs(serviceClass))
                    .add(first, second);
              });
        } catch (IOException failure) {
          throw unreadable(failure);
        }
      }
    }
    List<Chart> charts = new ArrayList<>();
    // In the order of importance, not of arrival.
    for (ClassResult each : classesOf(group)) {
      Pairs its = byClass.get(each.name());
      if (its != null) {
        charts.add(
            its.chart(
                "pairs-%s-%s".formatted(number, ExperimentPage.plain(each.name())),
                hosts("%s: %s".formatted(each.name(), pair(reference, other)), group),
                reference,
                other));
      }
    }
    return charts;
  }

  /** Requests of one class by their availability under two policies. */
  private static final class Pairs {

    private final ClassResult serviceClass;
    private final long[][] counts = new long[BINS][BINS]; // by first, then by second
    private long all;
    private long both;
    private long onlyFirst;
    private long onlySecond;

    Pairs(ClassResult serviceClass) {
      this.serviceClass = serviceClass;
    }

    void add(Entry first, Entry second) {
      counts[SHARES.indexOf(first.availability())][SHARES.indexOf(second.availability())]++;
      all++;
      both += first.fulfilled() && second.fulfilled() ? 1 : 0;
      onlyFirst += first.fulfilled() && !second.fulfilled() ? 1 : 0;
      onlySecond += !first.fulfilled() && second.fulfilled() ? 1 : 0;
    }

    Chart chart(String id, String title, String reference, String other) {
      List<HeatMap.Cell> cells = new ArrayList<>();
      for (int x = 0; x < BINS; x++) {
        for (int y = 0; y < BINS; y++) {
          if (counts[x][y] > 0) {
            cells.add(new HeatMap.Cell(x, y, counts[x][y]));
          }
        }
      }
      double total = all;
      return new HeatMap(
          id,
          title,
          "%s requests of %s; colour: how many, on a logarithmic scale."
              .formatted(all, serviceClass.name()),
          Axis.of("under " + reference),
          Axis.of("under " + other),
          SHARES,
          SHARES,
          cells,
          true,
          Optional.of(
              new HeatMap.Quadrants(
                  serviceClass.slo(),
                  serviceClass.slo(),
                  new HeatMap.Quadrant("only " + other, onlySecond / total),
                  new HeatMap.Quadrant("both", both / total),
                  new HeatMap.Quadrant("neither", (all - both - onlyFirst - onlySecond) / total),
                  new HeatMap.Quadrant("only " + reference, onlyFirst / total))),
          true);
    }
  }

  // ---- Figure 7

  List<Block> deficits() {
    List<Block> blocks = new ArrayList<>();
    int number = 1;
    for (List<CellResult> group : groups()) {
      List<Chart> charts = new ArrayList<>();
      for (ClassResult each : classesOf(group)) {
        deficits(number, group, each).ifPresent(charts::add);
      }
      if (!charts.isEmpty()) {
        blocks.add(new Grid(Math.min(2, charts.size()), charts));
      }
      number++;
    }
    return blocks;
  }

  private Optional<Chart> deficits(int number, List<CellResult> group, ClassResult serviceClass) {
    List<String> workloads =
        group.stream().map(each -> each.cell().setting().workload()).distinct().toList();
    List<Series<BoxChart.Box>> series =
        experiment.policies().stream()
            .filter(each -> each.role() == ComparedPolicy.Role.POLICY)
            .map(
                policy ->
                    Series.of(
                        policy.label(),
                        workloads,
                        workload -> box(policy.label(), workload, group, serviceClass)))
            .toList();
    return series.stream().allMatch(each -> each.values().isEmpty())
        ? Optional.empty()
        : Optional.of(
            new BoxChart(
                "deficit-%s-%s".formatted(number, ExperimentPage.plain(serviceClass.name())),
                hosts(serviceClass.name(), group),
                "Deficits of %s, all seeds; box: quartiles; whiskers: smallest and greatest."
                    .formatted(serviceClass.name()),
                "workload",
                Axis.of("deficit"),
                workloads,
                series,
                Optional.empty()));
  }

  private static Optional<BoxChart.Box> box(
      String policy, String workload, List<CellResult> group, ClassResult serviceClass) {
    Shares deficits = new Shares();
    group.stream()
        .filter(each -> each.cell().policy().label().equals(policy))
        .filter(each -> each.cell().setting().workload().equals(workload))
        .forEach(each -> collect(each, serviceClass, deficits));
    return deficits.box();
  }

  private static void collect(CellResult result, ClassResult serviceClass, Shares deficits) {
    int rank = rank(List.of(result), serviceClass.name());
    read(
        result,
        entry -> {
          if (entry.rank() == rank && !entry.fulfilled()) {
            deficits.add(Math.max(0, serviceClass.slo() - entry.availability()));
          }
        });
  }

  /** Shares in [0, 1], counted to four digits. */
  private static final class Shares {

    private static final int PARTS = 10_000;

    private final long[] counts = new long[PARTS + 1];
    private long all;
    private double sum;

    void add(double share) {
      counts[(int) Math.round(share * PARTS)]++;
      all++;
      sum += share;
    }

    Optional<BoxChart.Box> box() {
      return all == 0
          ? Optional.empty()
          : Optional.of(
              new BoxChart.Box(
                  quantile(0),
                  quantile(0.25),
                  quantile(0.5),
                  quantile(0.75),
                  quantile(1),
                  OptionalDouble.of(sum / all),
                  0));
    }

    private double quantile(double share) {
      long wanted = Math.max(1, (long) Math.ceil(share * all));
      long sofar = 0;
      for (int i = 0; i <= PARTS; i++) {
        sofar += counts[i];
        if (sofar >= wanted) {
          return (double) i / PARTS;
        }
      }
      throw new IllegalStateException("quantile " + share);
    }
  }

  // ---- Reading

  private interface Each {
    void see(Entry entry);
  }

  private static void read(CellResult result, Each each) {
    try {
      AvailabilityFile.read(
          result.stored().orElseThrow().availabilities(), (number, entry) -> each.see(entry));
    } catch (IOException failure) {
      throw unreadable(failure);
    }
  }

  private static ExperimentFailedException unreadable(IOException failure) {
    return new ExperimentFailedException(
        "stored availabilities cannot be read: " + reason(failure), failure);
  }

  private static String reason(IOException failure) {
    return failure.getClass() == FileSystemException.class
        ? String.valueOf(failure.getMessage())
        : failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }

  private static int rank(List<CellResult> its, String serviceClass) {
    return classes(its).stream().map(ClassResult::name).toList().indexOf(serviceClass);
  }
}
