package dev.berth.experiments.studies.qos;

import static dev.berth.simulator.workload.ServiceClasses.BRONZE;
import static dev.berth.simulator.workload.ServiceClasses.GOLD;
import static dev.berth.simulator.workload.ServiceClasses.SILVER;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.figures.CsvColumns;
import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.run.Unconstrained;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.AbstractStudy;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.ClaimBlocks;
import dev.berth.experiments.study.StudyResult;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.BoxChart;
import dev.berth.report.Numbers;
import dev.berth.report.Series;
import dev.berth.report.Table;
import dev.berth.report.Text;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.GoogleLikeMonth;
import dev.berth.traces.prepare.GoogleLikeWorkload;
import dev.berth.traces.prepare.UserClusters;
import dev.berth.traces.prepare.WorkloadDescription;
import dev.berth.traces.prepare.WorkloadSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/**
 * The evaluation of the first publication of QoS-driven scheduling (SBRC 2019, section 5): twelve
 * loads on hosts that are alike, with 1.1, 1, 0.9 and 0.8 times the peak demand.
 */
public final class LoadsStudy extends AbstractStudy {

  private static final String PRIORITY = "priority";
  private static final String SLO_DRIVEN = "slo-driven";

  /** As published: all victims in order, and the score of Eq. 2. */
  private static final List<PolicySpec> POLICIES =
      List.of(
          PolicySpec.of(PRIORITY, "priority", "{\"minimizeVictims\":false}"),
          PolicySpec.of(
              SLO_DRIVEN,
              "qos-driven",
              "{\"minimizeVictims\":false,\"preemptionCost\":\"one-sum\"}"));

  private static final List<Double> LEVELS = List.of(1.1, 1.0, 0.9, 0.8);
  private static final List<String> CLASSES = List.of(GOLD, SILVER, BRONZE);
  private static final int LOADS = 12;

  /** Watchdog and safety margin. */
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** Table 1: 95 % confidence intervals of the objectives met at 0.8 N, percent. */
  private static final Map<String, List<double[]>> TABLE_1 =
      Map.of(
          PRIORITY,
          List.of(
              new double[] {97.98, 100}, new double[] {98.84, 99.75}, new double[] {96.12, 100}),
          SLO_DRIVEN,
          List.of(new double[] {79, 100}, new double[] {98.33, 99.5}, new double[] {98.33, 99.5}));

  private final double scale;
  private final Duration until;

  /** Creates the study. */
  public LoadsStudy() {
    this(0.02, Duration.ofDays(GoogleLikeMonth.DAYS));
  }

  /** Creates the study with a month of another size or length. */
  public LoadsStudy(double scale, Duration until) {
    super(
        "slo-driven-loads",
        "SLO-driven scheduling on twelve loads, from 1.1 N to 0.8 N (its first publication)");
    this.scale = scale;
    this.until = until;
  }

  /**
   * How a class fared in one run.
   *
   * @param hosts number of hosts
   * @param deficits of the requests that missed their objective
   */
  private record Fared(
      int load,
      double level,
      int hosts,
      String policy,
      String serviceClass,
      long requests,
      List<Double> deficits) {

    boolean isMet() {
      return deficits.isEmpty();
    }

    double met() {
      return 1 - (double) deficits.size() / requests;
    }

    double mean() {
      return Sample.of(deficits).mean();
    }

    Spread spread() {
      return Spread.of(deficits);
    }

    double box() {
      return spread().upper() - spread().lower();
    }
  }

  /** A class in one load at one level, under both policies. */
  private record Pair(Fared priority, Fared sloDriven) {

    boolean anyMissed() {
      return !priority.isMet() || !sloDriven.isMet();
    }

    boolean bothMissed() {
      return !priority.isMet() && !sloDriven.isMet();
    }
  }

  // ---- Runs

  @Override
  public StudyResult run(Setting setting) {
    Workload month =
        new GoogleLikeWorkload(
            GoogleLikeMonth.profile(scale),
            ServiceClasses.goldSilverBronze(PERIOD),
            Long.MAX_VALUE,
            until.toNanos(),
            setting.seed());
    UserClusters users = UserClusters.of(month, UserClusters.GROUPS, setting.seed());
    List<Pair> pairs = new ArrayList<>();
    for (int load = 1; load <= LOADS; load++) {
      Workload requests =
          inMemory(
              new Unconstrained(
                  WorkloadSample.of(month, users, WorkloadSample.SHARE, load, setting.seed())));
      int peak = peak(requests);
      for (double level : LEVELS) {
        pairs.addAll(pairs(load, level, requests, (int) Math.round(level * peak), setting));
      }
    }
    List<Claim> claims = claims(pairs);
    List<Block> blocks = new ArrayList<>();
    blocks.addAll(ClaimBlocks.of(name(), "The claims of the paper", claims));
    blocks.add(
        COLUMNS.table(
            name() + "-missed",
            "Loads and classes with missed objectives (figures 2 and 3)",
            pairs.stream().filter(Pair::anyMissed).toList()));
    blocks.add(
        Text.of(
            "Deficits: the objective less the availability, of the requests that missed theirs."
                + " N: hosts of capacity 1 for the peak demand."));
    for (double level : LEVELS) {
      figure(level, pairs).ifPresent(blocks::add);
    }
    return new StudyResult(
        blocks,
        claims,
        List.of(
            SERIES.of(
                name(),
                pairs.stream()
                    .flatMap(each -> List.of(each.priority, each.sloDriven).stream())
                    .toList())));
  }

  /** Returns a sample that is generated once, instead of in each run. */
  private static Workload inMemory(Workload sample) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = sample.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return Workload.of(sample.name(), sample.serviceClasses(), arrivals);
  }

  /** Returns N, the largest use of CPU or memory, in hosts. */
  private static int peak(Workload requests) {
    Resources peak = WorkloadDescription.of(requests).all().peak();
    return peak.dimensions().stream()
        .mapToInt(each -> (int) -Math.floorDiv(-peak.amount(each), each.unitsPerWhole()))
        .max()
        .orElseThrow();
  }

  private List<Pair> pairs(int load, double level, Workload requests, int hosts, Setting setting) {
    Scenario scenario = new Scenario(requests, alike(hosts), until, Overheads.none());
    StudyRuns runs =
        StudyRuns.inSettings(
            POLICIES,
            seed -> new RunSettings(scenario, PERIOD, PERIOD, List.of(), seed),
            1,
            setting);
    return CLASSES.stream()
        .map(
            each ->
                new Pair(
                    fared(load, level, hosts, runs.first(PRIORITY), each),
                    fared(load, level, hosts, runs.first(SLO_DRIVEN), each)))
        .filter(each -> each.priority.requests > 0)
        .toList();
  }

  private static Infrastructure alike(int number) {
    Resources capacity =
        Resources.of(
            Dimension.CPU,
            Dimension.CPU.unitsPerWhole(),
            Dimension.MEMORY,
            Dimension.MEMORY.unitsPerWhole());
    return new Infrastructure(
        number + " hosts of 1 cpu, 1 memory",
        IntStream.rangeClosed(1, number)
            .mapToObj(each -> new HostSpec("h" + each, capacity))
            .toList());
  }

  private static Fared fared(int load, double level, int hosts, StudyRun run, String serviceClass) {
    List<RequestOutcome> its =
        run.outcomes().stream()
            .filter(each -> each.request().serviceClass().equals(serviceClass))
            .filter(each -> each.report().availability().isPresent())
            .toList();
    return new Fared(
        load,
        level,
        hosts,
        run.label(),
        serviceClass,
        its.size(),
        its.stream()
            .map(RequestOutcome::report)
            .filter(each -> !each.sloMet())
            .map(each -> each.serviceClass().slo().share() - each.availability().orElseThrow())
            .toList());
  }

  // ---- Figures

  private static final CsvColumns<Fared> SERIES =
      new CsvColumns<Fared>()
          .add("load", Fared::load)
          .add("level", Fared::level)
          .add("hosts", Fared::hosts)
          .add("policy", Fared::policy)
          .add("class", Fared::serviceClass)
          .add("requests", Fared::requests)
          .add("missed", each -> each.deficits.size())
          .add("deficit_mean", each -> each.isMet() ? "" : Numbers.fixed(each.mean(), 6));

  private static final Columns<Pair> COLUMNS =
      columns(
          columns(
              new Columns<Pair>()
                  .text("level", each -> level(each.priority.level))
                  .cells("load", each -> Table.Cell.count(each.priority.load))
                  .text("class", each -> each.priority.serviceClass)
                  .cells("hosts", each -> Table.Cell.count(each.priority.hosts))
                  .cells("requests", each -> Table.Cell.count(each.priority.requests)),
              PRIORITY),
          SLO_DRIVEN);

  private static Columns<Pair> columns(Columns<Pair> all, String policy) {
    return all.cells(policy, "missed", each -> Table.Cell.count(of(each, policy).deficits.size()))
        .cells(policy, "least", each -> deficit(of(each, policy), 0))
        .cells(policy, "median", each -> deficit(of(each, policy), 1))
        .cells(policy, "most", each -> deficit(of(each, policy), 2));
  }

  private static Fared of(Pair pair, String policy) {
    return policy.equals(PRIORITY) ? pair.priority : pair.sloDriven;
  }

  private static Table.Cell deficit(Fared its, int which) {
    return its.isMet() ? Table.Cell.of("") : Table.Cell.number(its.spread().values().get(which), 5);
  }

  private Optional<Block> figure(double level, List<Pair> all) {
    List<Pair> missed =
        all.stream().filter(each -> each.priority.level == level && each.anyMissed()).toList();
    if (missed.isEmpty()) {
      return Optional.empty();
    }
    List<Series<BoxChart.Box>> series = new ArrayList<>();
    for (String policy : List.of(PRIORITY, SLO_DRIVEN)) {
      Map<String, BoxChart.Box> boxes = new LinkedHashMap<>();
      for (Pair each : missed) {
        Fared its = of(each, policy);
        if (!its.isMet()) {
          Spread spread = its.spread();
          boxes.put(
              category(each),
              new BoxChart.Box(
                  spread.least(),
                  spread.lower(),
                  spread.median(),
                  spread.upper(),
                  spread.most(),
                  OptionalDouble.of(its.mean()),
                  0));
        }
      }
      series.add(new Series<>(policy, boxes));
    }
    return Optional.of(
        new BoxChart(
            "%s-%s".formatted(name(), Numbers.plain(level).replace('.', '-')),
            "Deficits at " + level(level),
            "Of the requests that missed their objective: least, quartiles, most.",
            "load and class",
            Axis.of("deficit"),
            missed.stream().map(LoadsStudy::category).toList(),
            series,
            Optional.empty()));
  }

  private static String category(Pair pair) {
    return pair.priority.load + " " + pair.priority.serviceClass;
  }

  private static String level(double level) {
    return level == 1 ? "N" : Numbers.plain(level) + " N";
  }

  // ---- Claims

  private static List<Claim> claims(List<Pair> all) {
    List<Claim> claims = new ArrayList<>();
    int[] atMost = allMet(all, 1.1);
    claims.add(
        Claim.of(
            "all-met-1-1",
            "at 1.1 N both policies meet all objectives of all loads",
            "12 and 12 of 12",
            "%s and %s of %s".formatted(atMost[0], atMost[1], LOADS),
            atMost[0] == LOADS && atMost[1] == LOADS));
    Map.of(1.0, "10 and 2 of 12", 0.9, "7 of 12", 0.8, "3 of 12").entrySet().stream()
        .sorted(Map.Entry.<Double, String>comparingByKey().reversed())
        .forEach(
            each -> claims.add(more(each.getKey(), each.getValue(), allMet(all, each.getKey()))));
    for (double level : List.of(0.9, 0.8)) {
      List<Pair> missed =
          all.stream().filter(each -> each.priority.level == level && each.bothMissed()).toList();
      claims.add(
          usually(
              "smaller-",
              "the mean deficit is smaller under slo-driven",
              level,
              missed,
              (priority, sloDriven) -> sloDriven.mean() < priority.mean()));
      claims.add(
          usually(
              "narrower-",
              "the middle half of the deficits is narrower under slo-driven",
              level,
              missed,
              (priority, sloDriven) -> sloDriven.box() < priority.box()));
    }
    claims.add(fewerMet(all));
    claims.add(goldPeak(all));
    for (String policy : List.of(PRIORITY, SLO_DRIVEN)) {
      for (String each : CLASSES) {
        claims.add(interval(policy, each, all));
      }
    }
    return claims;
  }

  /** Returns the numbers of loads whose objectives are all met, under each policy. */
  private static int[] allMet(List<Pair> all, double level) {
    int[] met = new int[2];
    for (int load = 1; load <= LOADS; load++) {
      int number = load;
      List<Pair> its =
          all.stream()
              .filter(each -> each.priority.load == number && each.priority.level == level)
              .toList();
      met[0] += its.stream().allMatch(each -> each.sloDriven.isMet()) ? 1 : 0;
      met[1] += its.stream().allMatch(each -> each.priority.isMet()) ? 1 : 0;
    }
    return met;
  }

  private static Claim more(double level, String published, int[] met) {
    return Claim.of(
        "all-met-" + id(level),
        "at %s slo-driven meets all objectives of more loads than priority".formatted(level(level)),
        published,
        "%s and %s of %s".formatted(met[0], met[1], LOADS),
        met[0] > met[1]);
  }

  private static Claim usually(
      String id, String words, double level, List<Pair> missed, BiPredicate<Fared, Fared> holds) {
    String claim =
        "at %s, where both miss objectives of a class, %s (in most cases, our criterion)"
            .formatted(level(level), words);
    String published = level == 0.8 ? "in all loads but 2" : "in general";
    long count = missed.stream().filter(each -> holds.test(each.priority, each.sloDriven)).count();
    return missed.isEmpty()
        ? Claim.undefined(id + id(level), claim, published)
        : Claim.of(
            id + id(level),
            claim,
            published,
            "in %s of %s cases".formatted(count, missed.size()),
            2 * count > missed.size());
  }

  private static Claim fewerMet(List<Pair> all) {
    long fewer =
        all.stream()
            .filter(each -> each.priority.level == 0.9)
            .filter(each -> each.sloDriven.deficits.size() > each.priority.deficits.size())
            .count();
    return Claim.of(
        "fewer-met-0-9",
        "at 0.9 N slo-driven meets fewer objectives than priority in at most one class of one load",
        "1",
        Long.toString(fewer),
        fewer <= 1);
  }

  private static Claim goldPeak(List<Pair> all) {
    List<Pair> peaks =
        all.stream()
            .filter(each -> each.priority.level == 0.9 && each.bothMissed())
            .filter(each -> each.priority.serviceClass.equals(GOLD))
            .toList();
    String words =
        "at 0.9 N, where gold is short, slo-driven meets fewer of its objectives, with smaller greatest deficits";
    String published = "71.48 % not 96.24 %; 1.01 % not 6.24 %";
    long as =
        peaks.stream()
            .filter(each -> each.sloDriven.met() < each.priority.met())
            .filter(each -> each.sloDriven.spread().most() < each.priority.spread().most())
            .count();
    return peaks.isEmpty()
        ? Claim.undefined("gold-0-9", words, published)
        : Claim.of(
            "gold-0-9",
            words,
            published,
            "in %s of %s loads".formatted(as, peaks.size()),
            as == peaks.size());
  }

  private static Claim interval(String policy, String serviceClass, List<Pair> all) {
    Sample met =
        Sample.of(
            all.stream()
                .filter(each -> each.priority.level == 0.8)
                .map(each -> of(each, policy))
                .filter(each -> each.serviceClass.equals(serviceClass))
                .map(each -> 100 * each.met())
                .toList());
    double half = met.halfWidth().orElse(0);
    double[] ours = {met.mean() - half, Math.min(100, met.mean() + half)};
    double[] theirs =
        Objects.requireNonNull(TABLE_1.get(policy)).get(CLASSES.indexOf(serviceClass));
    return Claim.of(
        "table-1-%s-%s".formatted(policy, serviceClass),
        "table 1, 0.8 N: %s meets the objective of %s; the intervals overlap (our criterion)"
            .formatted(policy, serviceClass),
        range(theirs),
        range(ours),
        ours[0] <= theirs[1] && theirs[0] <= ours[1]);
  }

  private static String range(double[] ends) {
    return String.format(Locale.ROOT, "%.2f to %.2f %%", ends[0], ends[1]);
  }

  private static String id(double level) {
    return Numbers.plain(level).replace('.', '-');
  }
}
