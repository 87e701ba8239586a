package dev.berth.experiments.studies.slo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.figures.Cells;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.BuiltInExperiment;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Block;
import dev.berth.report.Medium;
import dev.berth.report.Numbers;
import dev.berth.report.OnlyFor;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Input;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** {@code qos-attained} beside other policies, on work that ends and on services. */
public final class WorkThatEndsStudy extends AbstractStudy {

  private static final String OURS = "qos-attained";
  private static final String WITHOUT_ESTIMATES = "without estimates";

  private static final List<PolicySpec> POLICIES =
      List.of(
          PolicySpec.of("priority"),
          PolicySpec.of("qos-driven"),
          PolicySpec.of("qos-hysteresis"),
          PolicySpec.of("easy", "first-fit", "{\"queue\":\"fifo\",\"backfill\":\"easy\"}"),
          PolicySpec.of(WITHOUT_ESTIMATES, OURS, "{\"estimates\":\"ignore\"}"),
          PolicySpec.of(OURS));

  private static final Runs NONE = new Runs(Map.of(), Bounds.NONE);

  private final int seeds;
  private final Function<Setting, List<Compared>> cases;

  private WorkThatEndsStudy(
      String name,
      String title,
      Optional<Input> input,
      int seeds,
      Function<Setting, List<Compared>> cases) {
    super(name, title, input);
    this.seeds = seeds;
    this.cases = cases;
  }

  /**
   * What is compared.
   *
   * @param name in tables and files
   * @param group above it in tables
   * @param settings by seed
   */
  record Compared(String name, String group, LongFunction<RunSettings> settings) {}

  /** Returns the study of generated work in its short form: the main cases with few seeds. */
  public static WorkThatEndsStudy ofMainCases() {
    return new WorkThatEndsStudy(
        "work-that-ends",
        "qos-attained on generated work, the main cases (our policy and study)",
        Optional.empty(),
        5,
        setting -> GeneratedCases.main());
  }

  /** Returns the study of generated work with all cases and more seeds. */
  public static WorkThatEndsStudy ofAllCases() {
    return new WorkThatEndsStudy(
        "work-that-ends-all",
        "qos-attained on generated work, all cases",
        Optional.empty(),
        30,
        setting -> GeneratedCases.all());
  }

  /** Returns the study of real logs, whose users have classes at random. */
  public static WorkThatEndsStudy ofLogs() {
    return new WorkThatEndsStudy(
        "work-that-ends-logs",
        "qos-attained on real logs, with classes by user",
        Optional.of(new Input("swf", "(a folder: logs of the Parallel Workloads Archive)")),
        30,
        setting -> LoggedCases.in(setting.input()));
  }

  @Override
  public StudyResult run(Setting setting) {
    List<Compared> all = cases.apply(setting);
    // The defaults of policies depend on the watchdog and on how long starts take.
    Map<List<Object>, List<Compared>> alike =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    each -> {
                      RunSettings its = each.settings().apply(setting.seed());
                      return List.of(its.watchdog(), its.scenario().overheads());
                    },
                    LinkedHashMap::new,
                    Collectors.toList()));
    Map<String, Runs> byName = new LinkedHashMap<>();
    all.forEach(each -> byName.put(each.name(), NONE)); // for their order
    alike
        .values()
        .forEach(
            its ->
                byName.putAll(
                    BuiltInExperiment.run(
                        experiment(its, setting), setting, WorkThatEndsStudy::byName)));
    return result(all, byName, setting);
  }

  private static Map<String, Runs> byName(List<CellResult> results) {
    return results.stream()
        .collect(
            Collectors.groupingBy(
                each -> each.cell().setting().workload(),
                Collectors.collectingAndThen(
                    Collectors.toList(), cells -> Runs.of(cells, new HashMap<>()))));
  }

  private StudyResult result(List<Compared> all, Map<String, Runs> byName, Setting setting) {
    List<Claim> claims = new ArrayList<>();
    byName.forEach((name, runs) -> claims.add(noColumnWorse(name, runs)));
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        Text.of(
            "Means of %s runs (seeds %s to %s) and their 95 %% confidence intervals."
                .formatted(seeds, setting.seed(), setting.seed() + seeds - 1)));
    blocks.addAll(
        ClaimBlocks.of(name(), "Our aim, case by case: worse means beyond chance", claims));
    blocks.add(
        bars(
            "Share of bronze that meets its objective", byName, ServiceClasses.BRONZE, Figure.MET));
    blocks.add(bars("Penalty of all classes", byName, "", Figure.PENALTY));
    for (String each : List.of(ServiceClasses.SILVER, ServiceClasses.BRONZE)) {
      blocks.addAll(
          matrix(
              all, byName, "%s: share that meets its objective".formatted(each), each, Figure.MET));
      blocks.addAll(matrix(all, byName, "%s: mean deficit".formatted(each), each, Figure.DEFICIT));
    }
    blocks.addAll(matrix(all, byName, "gold: mean availability", ServiceClasses.GOLD, Figure.MEAN));
    for (Figure each : List.of(Figure.PENALTY, Figure.PREEMPTIONS, Figure.LOST_WORK)) {
      blocks.addAll(matrix(all, byName, "all classes: " + each.words(), "", each));
    }
    byName.forEach(
        (name, runs) ->
            Tables.of("%s-%s".formatted(name(), id(name)), name, runs)
                .forEach(each -> blocks.add(OnlyFor.of(Medium.HTML, each))));
    blocks.add(Tables.LEGEND);
    blocks.add(Tables.BOUND_LEGEND);
    return new StudyResult(blocks, claims, List.of(Tables.series(name() + "-classes", byName)));
  }

  private static String id(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private Experiment experiment(List<Compared> all, Setting setting) {
    List<Case> its = new ArrayList<>();
    for (Compared each : all) {
      for (long seed : LongStream.range(setting.seed(), setting.seed() + seeds).toArray()) {
        ObjectNode identity = JsonNodeFactory.instance.objectNode();
        identity.put("workload", each.name());
        RunSettings settings = each.settings().apply(seed);
        its.add(
            new Case(
                its.size(),
                each.name(),
                settings.scenario().infrastructure().name(),
                1,
                "",
                settings,
                identity));
      }
    }
    RunSettings first = its.get(0).settings();
    List<ComparedPolicy> policies = new ArrayList<>();
    POLICIES.forEach(each -> policies.add(each.resolve(setting.registry(), first)));
    policies.add(
        policies.size() - 2,
        new ComparedPolicy(
            LeastAttained.ID,
            ComparedPolicy.Role.POLICY,
            new PolicyChoice<>(new LeastAttained(), new LeastAttained.Config(first.watchdog()))));
    return new Experiment(
        name(),
        title(),
        its,
        policies,
        Optional.empty(),
        MetricsSettings.PUBLISHED,
        JsonNodeFactory.instance.objectNode(),
        List.of());
  }

  // ---- Figures

  /** A row for each case, a column for each policy. */
  private List<Block> matrix(
      List<Compared> all,
      Map<String, Runs> byName,
      String title,
      String serviceClass,
      Figure figure) {
    Runs any = byName.values().iterator().next();
    Columns<String> columns = new Columns<String>().unnamed("case", name -> name);
    for (String label : any.labels()) {
      columns.cells(label, name -> cell(runs(byName, name), label, serviceClass, figure));
    }
    columns.cells(Tables.BOUND, name -> bound(runs(byName, name), serviceClass, figure));
    Table.Builder table =
        columns.builder("%s-%s-%s".formatted(name(), figure.id(), serviceClass), title);
    String group = "";
    for (Compared each : all) {
      if (!each.group().equals(group)) {
        group = each.group();
        table.group(group);
      }
      table.row(columns.row(each.name()));
    }
    return List.of(OnlyFor.inText(title), table.build());
  }

  private static Runs runs(Map<String, Runs> byName, String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  private static Table.Cell cell(Runs runs, String label, String serviceClass, Figure figure) {
    return Cells.estimate(
        sample(runs, label, serviceClass, figure),
        figure.digits() > 2 ? 3 : figure.digits() > 0 ? 1 : 0);
  }

  private static Sample sample(Runs runs, String label, String serviceClass, Figure figure) {
    return serviceClass.isEmpty()
        ? runs.total(label, figure)
        : runs.of(label, serviceClass, figure);
  }

  private static Table.Cell bound(Runs runs, String serviceClass, Figure figure) {
    if (!runs.bounds().exist()) {
      return Table.Cell.of("");
    }
    return switch (figure) {
      case MET -> Cells.mean(runs.bounds().fulfilment(serviceClass), 3);
      case PENALTY -> Cells.mean(runs.bounds().penalty(), 1);
      default -> Table.Cell.of("");
    };
  }

  private BarChart bars(String title, Map<String, Runs> all, String serviceClass, Figure figure) {
    List<String> names = List.copyOf(all.keySet());
    List<Series<BarChart.Bar>> series =
        all.values().iterator().next().labels().stream()
            .map(
                policy ->
                    Cells.bars(
                        policy,
                        names,
                        name -> sample(runs(all, name), policy, serviceClass, figure)))
            .toList();
    return BarChart.of(
        "%s-%s-bars".formatted(name(), figure.id()),
        title,
        "Means over the seeds and their 95 % confidence intervals.",
        "case",
        Axis.of(figure == Figure.MET ? "share" : "core-hours"),
        names.stream().filter(series.get(0).values()::containsKey).toList(),
        series);
  }

  // ---- Claims

  /** Compares each figure of each class with that of the policy that has the best mean. */
  private Claim noColumnWorse(String name, Runs runs) {
    List<String> details = new ArrayList<>();
    int compared = 0;
    for (ClassResult each : runs.classes()) {
      for (Figure figure : Figure.values()) {
        compared++;
        String best = OURS;
        for (String other : runs.labels()) {
          boolean isOther = !other.equals(OURS) && !other.equals(WITHOUT_ESTIMATES);
          if (isOther && runs.gain(best, other, each.name(), figure).mean() < 0) {
            best = other;
          }
        }
        if (runs.gain(OURS, best, each.name(), figure).isBelowZero()) {
          details.add(
              "%s of %s: %s, %s under %s"
                  .formatted(
                      figure.words(),
                      each.name(),
                      shown(runs.of(OURS, each.name(), figure), figure),
                      shown(runs.of(best, each.name(), figure), figure),
                      best));
        }
      }
    }
    return Claim.of(
            id(name),
            "%s: no figure of any class is worse than that of the best other policy"
                .formatted(name),
            "0 of " + compared,
            "%s of %s".formatted(details.size(), compared),
            details.isEmpty())
        .with(details);
  }

  private static String shown(Sample sample, Figure figure) {
    return Numbers.fixed(sample.mean(), figure.digits());
  }
}
