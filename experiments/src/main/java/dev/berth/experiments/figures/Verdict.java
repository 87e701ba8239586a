package dev.berth.experiments.figures;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.report.Numbers;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the figures of a group say: which objectives no policy can reach, a line for each class on
 * which policy serves it better, how many requests are done, and what that costs.
 *
 * <p>All of it is computed from the summary. A policy is called better only if the difference
 * exceeds the spread over the cases, or, in one case, if the figures are shown as different. Bounds
 * do not compete.
 */
public final class Verdict {

  /** Explains a term of the verdict. */
  public static final String LEGEND =
      "short: SLO - availability, 0 for a request that meets the SLO; mean over all requests.";

  /** Explains what counts as met, if it is not what reaches the objective. */
  private static final String LEGEND_OF_MET =
      "Also met, though short: a request as available as it would be on an infinite host.";

  /** Explains the bound, if there is one. */
  public static final String LEGEND_OF_BOUND =
      "bound: no policy beats it; that of a class leaves more important ones what they need.";

  private static final String LEGEND_OF_CLAIRVOYANT =
      "clairvoyant schedule: knows all requests, and meets the SLO of as many as it can.";

  /** Explains the terms of the verdicts on a summary. */
  public static List<String> legend(Summary summary) {
    List<String> legend = new ArrayList<>(List.of(LEGEND));
    if (summary.hasUnreached()) {
      legend.add(LEGEND_OF_MET);
    }
    if (summary.hasBounds()) {
      legend.add(LEGEND_OF_BOUND);
    }
    if (summary.hasClairvoyant()) {
      legend.add(LEGEND_OF_CLAIRVOYANT);
    }
    return legend;
  }

  private static final int MOST_CLASSES = 6;
  private static final int DIGITS = 4;
  private static final double SMALLEST_SHOWN = 1e-4;
  private static final double LEAST_SHOWN = -10;
  private static final String NOTHING = "0";

  private final Experiment experiment;
  private final Summary.Group group;
  private final List<Summary.Row> policies;
  private final List<Summary.Row> bounds;
  private final List<String> outOfReach;

  /**
   * Creates the verdict on a group.
   *
   * @param experiment the experiment of the group
   * @param group the group
   */
  public Verdict(Experiment experiment, Summary.Group group) {
    this.experiment = experiment;
    this.group = group;
    this.policies = finished(ComparedPolicy.Role.POLICY);
    this.bounds = finished(ComparedPolicy.Role.UPPER_BOUND);
    this.outOfReach = group.classNames().stream().filter(this::isOutOfReach).toList();
  }

  private List<Summary.Row> finished(ComparedPolicy.Role role) {
    return group.rows().stream()
        .filter(each -> each.policy().role() == role)
        .filter(each -> each.get(Totals.REQUESTS).size() > 0)
        .toList();
  }

  // ---- Words

  /**
   * Returns the verdict in words: one or more lines, each of one or several sentences. Names of
   * classes and policies are as in the input.
   */
  public List<String> lines() {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      return List.of(obstacle.get());
    }
    List<String> lines = new ArrayList<>();
    addLine(lines, "Objectives: ", objectives());
    failures().ifPresent(lines::add);
    lines.addAll(service());
    done().ifPresent(lines::add);
    outlasted().ifPresent(lines::add);
    lines.add("Cost: " + cost());
    lines.addAll(bound());
    return lines;
  }

  /**
   * Returns the verdict in three lines, and one more if runs failed: on the class that policies
   * serve most differently, on what that costs, and on the length of the run or the bound. Names
   * are as in the input.
   */
  public List<String> brief() {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      return List.of(obstacle.get());
    }
    List<String> lines = new ArrayList<>();
    failures().ifPresent(lines::add);
    List<String> service = mostDifferent().map(this::service).orElse(List.of());
    addLine(lines, "Class ", service);
    if (service.isEmpty()) {
      lines.add("No class is clearly served better by one of the policies.");
    }
    lines.add(cost());
    outlasted()
        .or(() -> WayToBound.inPenalty(experiment, group).map(this::inPenalty))
        .ifPresent(lines::add);
    return lines;
  }

  /** Returns why there is nothing to compare, if that is so. */
  private Optional<String> obstacle() {
    if (policies.isEmpty()) {
      return Optional.of("No policy finished a run, so there is nothing to compare.");
    }
    if (group.classNames().isEmpty()) {
      return Optional.of("No request was admitted before the end, so there is nothing to compare.");
    }
    boolean any = Stream.of(policies, bounds).flatMap(List::stream).anyMatch(Verdict::served);
    return any
        ? Optional.empty()
        : Optional.of("No request was in service before the end, so there is nothing to compare.");
  }

  /** Returns the class with the greatest difference between policies, if one has any. */
  private Optional<String> mostDifferent() {
    return group.classNames().stream()
        .filter(
            each ->
                Ranking.of(policies, met(each)).isDivided()
                    || Ranking.of(policies, shortfall(each)).isDivided())
        .max(Comparator.comparingDouble(this::difference));
  }

  private double difference(String serviceClass) {
    DoubleSummaryStatistics shares =
        policies.stream()
            .flatMap(each -> each.get(serviceClass, ClassFigures.MET).values().stream())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return shares.getMax() - shares.getMin();
  }

  private static void addLine(List<String> lines, String start, List<String> sentences) {
    if (!sentences.isEmpty()) {
      lines.add(start + String.join(" ", sentences));
    }
  }

  private static boolean served(Summary.Row row) {
    return row.classes().stream().anyMatch(each -> each.mean(ClassFigures.MEAN) > 0);
  }

  // ---- Objectives

  /**
   * Returns whether no policy can reach the objective: all starts take time and the objective is 1,
   * or no request reaches it even with room for all.
   */
  private boolean isOutOfReach(String serviceClass) {
    List<ClassFigures> known = figures(group.rows(), serviceClass);
    if (known.stream().anyMatch(each -> each.mean(ClassFigures.FULFILMENT) > 0)) {
      return false;
    }
    return (known.stream().allMatch(each -> each.slo() == 1) && !shortestStart().isZero())
        || figures(bounds, serviceClass).stream()
            .anyMatch(each -> each.mean(ClassFigures.MEAN) > 0);
  }

  private static List<ClassFigures> figures(List<Summary.Row> rows, String serviceClass) {
    return rows.stream()
        .flatMap(each -> ClassFigures.find(each.classes(), serviceClass).stream())
        .toList();
  }

  /** Returns the shortest time that the first start of a request takes in any case. */
  private Duration shortestStart() {
    return experiment.cases().stream()
        .map(Case::settings)
        .flatMap(each -> each.scenario().overheads().cold().stream())
        .min(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private List<String> objectives() {
    List<String> sentences = new ArrayList<>();
    for (String each : outOfReach) {
      double slo = figures(group.rows(), each).get(0).slo();
      String reason =
          slo == 1 && !shortestStart().isZero()
              ? "each start takes at least %s".formatted(Durations.format(shortestStart()))
              : "none of its requests reaches it even with room for all";
      sentences.add(
          "Class %s (SLO %s) is out of reach under any policy: %s."
              .formatted(each, Numbers.plain(slo), reason));
    }
    if (!outOfReach.isEmpty()) {
      sentences.add("Requests that come as near as possible count as met.");
    }
    for (String each : group.classNames()) {
      for (ClassFigures bound : figures(bounds, each)) {
        double share = bound.mean(ClassFigures.MET);
        if (share > 0 && share < 1) {
          sentences.add(
              "Even with room for all, %s of %s meet the SLO.".formatted(percent(share), each));
        }
      }
    }
    return sentences;
  }

  // ---- Service

  /** Returns a line for each of the most important classes. */
  private List<String> service() {
    List<String> lines = new ArrayList<>();
    List<String> names = group.classNames();
    for (String each : names.subList(0, Math.min(MOST_CLASSES, names.size()))) {
      addLine(lines, "Class ", service(each));
    }
    if (names.size() > MOST_CLASSES) {
      lines.add("The table has %s less important classes.".formatted(names.size() - MOST_CLASSES));
    }
    return lines;
  }

  private Optional<String> failures() {
    List<String> failed =
        group.rows().stream().filter(each -> each.failed() > 0).map(this::failure).toList();
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of("Failed: " + String.join(", ", failed) + ".");
  }

  private String failure(Summary.Row row) {
    String label = row.policy().label();
    return group.cases() == 1
        ? label
        : "%s in %s of %s cases".formatted(label, row.failed(), group.cases());
  }

  private List<String> service(String serviceClass) {
    Ranking met = Ranking.of(policies, met(serviceClass));
    Ranking shortfall = Ranking.of(policies, shortfall(serviceClass));
    if (met.size() == 0) {
      return List.of();
    }
    if (!met.isDivided() && !shortfall.isDivided()) {
      return List.of(alike(serviceClass, met, shortfall));
    }
    String better = met.size() == 2 ? "better" : "best";
    if (!shortfall.isDivided()) {
      return List.of(
          "%s is served %s by %s: %s."
              .formatted(serviceClass, better, leaders(met), reached(met, false)));
    }
    String nearest =
        "%s is %s to its SLO under %s: %s."
            .formatted(
                serviceClass,
                met.size() == 2 ? "nearer" : "nearest",
                leaders(shortfall),
                lacking(serviceClass, shortfall, false));
    if (!met.isDivided()) {
      return List.of(nearest);
    }
    Set<String> inBoth = new LinkedHashSet<>(met.leaders());
    inBoth.retainAll(shortfall.leaders());
    return inBoth.isEmpty()
        ? List.of(
            nearest,
            "More of its requests meet the SLO under %s: %s."
                .formatted(leaders(met), met.words("", false, tier -> "")))
        : List.of(
            "%s is served %s by %s: %s; %s."
                .formatted(
                    serviceClass,
                    better,
                    joined(List.copyOf(inBoth)),
                    reached(met, !met.leaders().equals(inBoth)),
                    lacking(serviceClass, shortfall, !shortfall.leaders().equals(inBoth))));
  }

  /** Returns a sentence on a class that all policies serve alike. */
  private String alike(String serviceClass, Ranking met, Ranking shortfall) {
    String reached = reached(met, true);
    String lacking = lacking(serviceClass, shortfall, true);
    boolean allMeet = shortfall.tiers().get(0).value().equals(NOTHING);
    String figures = allMeet ? reached : reached + "; " + lacking;
    if (met.size() == 1) {
      return "%s: %s.".formatted(serviceClass, figures);
    }
    boolean same = met.tiers().get(0).isUniform() && shortfall.tiers().get(0).isUniform();
    return same
        ? "%s shows no difference: %s.".formatted(serviceClass, figures)
        : "%s shows no clear difference (%s).".formatted(serviceClass, figures);
  }

  private static String leaders(Ranking ranking) {
    return ranking.tiers().get(0).names();
  }

  private static String reached(Ranking met, boolean naming) {
    return met.words(" meet the SLO", naming, tier -> "");
  }

  private static String lacking(String serviceClass, Ranking shortfall, boolean naming) {
    return shortfall.words(" short on average", naming, tier -> neverRan(tier, serviceClass));
  }

  private static Ranking.Criterion met(String serviceClass) {
    return Ranking.Criterion.of(serviceClass, ClassFigures.MET, Verdict::percent);
  }

  private static Ranking.Criterion shortfall(String serviceClass) {
    return Ranking.Criterion.of(serviceClass, ClassFigures.SHORTFALL, Verdict::share);
  }

  private static String neverRan(Ranking.Tier tier, String serviceClass) {
    List<Double> counts =
        tier.rows().stream()
            .flatMap(each -> ClassFigures.find(each.classes(), serviceClass).stream())
            .map(each -> each.mean(ClassFigures.NEVER_RAN))
            .sorted()
            .toList();
    String least = count(counts.get(0));
    String most = count(counts.get(counts.size() - 1));
    return most.equals(NOTHING)
        ? ""
        : ", where %s never ran".formatted(least.equals(most) ? most : least + " to " + most);
  }

  // ---- Cost

  private Optional<String> done() {
    if (policies.stream().noneMatch(each -> each.get(Totals.COMPLETED).mean() > 0)) {
      return Optional.empty();
    }
    String all = count(policies.get(0).get(Totals.REQUESTS).mean());
    return Optional.of(
        "Done: %s.".formatted(words(Totals.COMPLETED, " of %s requests".formatted(all))));
  }

  /** Returns a line if most requests take longer than the run, whatever the policy. */
  private Optional<String> outlasted() {
    return bounds.stream()
        .filter(each -> 2 * each.get(Totals.COMPLETED).mean() < each.get(Totals.REQUESTS).mean())
        .findFirst()
        .map(
            each ->
                ("Length: Even with room for all, %s of %s requests are not done by %s, when the"
                        + " run ends. Set a later end (until) to compare whole lives.")
                    .formatted(
                        count(each.get(Totals.REQUESTS).mean() - each.get(Totals.COMPLETED).mean()),
                        count(each.get(Totals.REQUESTS).mean()),
                        ends()));
  }

  private String ends() {
    return experiment.cases().stream()
        .map(each -> Durations.format(each.settings().scenario().until()))
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  private String cost() {
    List<String> parts = new ArrayList<>();
    parts.add("Penalty " + words(Totals.PENALTY, " core-hours"));
    parts.add("preemptions " + words(Totals.PREEMPTIONS, ""));
    parts.add("lost work " + words(Totals.LOST_WORK, " h"));
    return String.join("; ", parts) + ".";
  }

  private String words(Figure<RunMetrics> figure, String unit) {
    Ranking ranking = Ranking.of(policies, Ranking.Criterion.of(figure));
    return ranking.words(unit) + (ranking.isUnclear() ? " (no clear difference)" : "");
  }

  // ---- The bound

  private List<String> bound() {
    List<String> lines = new ArrayList<>();
    group.bound().stream()
        .flatMap(each -> each.obstacle().stream())
        .forEach(each -> lines.add("Bound: none, because %s.".formatted(each)));
    WayToBound.inPenalty(experiment, group).ifPresent(way -> lines.add("Bound: " + inPenalty(way)));
    List<String> names = group.classNames();
    for (String each : names.subList(0, Math.min(MOST_CLASSES, names.size()))) {
      WayToBound.inShortfall(experiment, group, each)
          .filter(way -> way.goals().stream().anyMatch(row -> differs(way, row)))
          .ifPresent(way -> lines.add("Bound of %s: %s".formatted(each, inShortfall(way, each))));
    }
    return lines;
  }

  private String inPenalty(WayToBound way) {
    String least = Numbers.grouped(way.bound(), 2);
    Optional<Sample> reached = reached().map(Summary.Reached::penalty);
    return way.goals().isEmpty()
        ? "No policy has a penalty below %s core-hours.".formatted(least)
        : "Of the way from %s (penalty %s core-hours) to the bound (%s): %s."
            .formatted(
                way.from().policy().label(),
                Numbers.grouped(way.start(), 2),
                least,
                shares(way, reached));
  }

  private Optional<Summary.Reached> reached() {
    return group.bound().flatMap(Summary.Bound::reached);
  }

  private String inShortfall(WayToBound way, String serviceClass) {
    double met =
        group
            .bound()
            .flatMap(each -> each.ofClass(serviceClass))
            .orElseThrow()
            .mean(ClassFigures.MET);
    Optional<ClassFigures> reached = reached().flatMap(each -> each.ofClass(serviceClass));
    return "At best %s meet the SLO%s. Of the way from %s (%s short) to the bound (%s): %s."
        .formatted(
            percent(met),
            reached
                .map(
                    each ->
                        ", " + percent(each.mean(ClassFigures.MET)) + " in a clairvoyant schedule")
                .orElse(""),
            way.from().policy().label(),
            share(way.start()),
            share(way.bound()),
            shares(way, reached.map(each -> each.get(ClassFigures.SHORTFALL))));
  }

  private static boolean differs(WayToBound way, Summary.Row row) {
    return !share(way.figure().apply(row).mean()).equals(share(way.start()));
  }

  private static String shares(WayToBound way, Optional<Sample> reached) {
    String policies =
        way.goals().stream()
            .map(
                each ->
                    "%s %s".formatted(each.policy().label(), part(way.share(each).orElseThrow())))
            .collect(Collectors.joining(", "));
    return reached
        .map(each -> policies + "; a clairvoyant schedule " + part(way.share(each.mean())))
        .orElse(policies);
  }

  private static String part(double share) {
    if (share < LEAST_SHOWN) {
      return "less than %s %%".formatted(Numbers.plain(100 * LEAST_SHOWN));
    }
    return share >= 0 && share <= 1
        ? percent(share)
        : Numbers.plain(Math.round(share * 1000) / 10.0) + " %";
  }

  // ---- What to ask next

  /**
   * The requests of one class under one policy.
   *
   * @param policy label of the policy
   * @param serviceClass name of the class
   */
  public record Served(String policy, String serviceClass) {}

  /**
   * Returns the requests that were served worst: those farthest from their objective on average; if
   * all meet theirs, those with the smallest availability. Of several, the most important class,
   * and the first policy. Empty if no policy finished a run with requests.
   */
  public Optional<Served> worstServed() {
    Optional<Served> worst = Optional.empty();
    double most = 0;
    double least = Double.POSITIVE_INFINITY;
    for (String name : group.classNames()) {
      for (Summary.Row row : policies) {
        Optional<ClassFigures> its =
            ClassFigures.find(row.classes(), name)
                .filter(each -> each.get(ClassFigures.SHORTFALL).size() > 0)
                .filter(each -> each.get(ClassFigures.MIN).size() > 0);
        if (its.isEmpty()) {
          continue;
        }
        double shortfall = its.get().mean(ClassFigures.SHORTFALL);
        double min = its.get().mean(ClassFigures.MIN);
        if (shortfall > most || (most == 0 && min < least)) {
          worst = Optional.of(new Served(row.policy().label(), name));
          most = shortfall;
          least = min;
        }
      }
    }
    return worst;
  }

  // ---- Numbers

  /** Returns names in words, of many the first two and the number of the others. */
  public static String joined(List<String> names) {
    int size = names.size();
    if (size == 1) {
      return names.get(0);
    }
    return size > Ranking.MOST_NAMES
        ? "%s, %s and %s others".formatted(names.get(0), names.get(1), size - 2)
        : String.join(", ", names.subList(0, size - 1)) + " and " + names.get(size - 1);
  }

  /** Returns a percentage that is 0 or 100 only if it is exactly that. */
  private static String percent(double share) {
    double shown = Math.round(share * 1000) / 10.0;
    if (share > 0 && shown == 0) {
      return "less than 0.1 %";
    }
    return share < 1 && shown == 100 ? "more than 99.9 %" : Numbers.plain(shown) + " %";
  }

  private static String share(double value) {
    if (value == 0) {
      return NOTHING;
    }
    return value < SMALLEST_SHOWN ? "less than 0.0001" : Numbers.fixed(value, DIGITS);
  }

  /** Returns a count, which is a mean over cases and may have a fraction. */
  private static String count(double mean) {
    return mean == Math.rint(mean) ? Numbers.grouped(mean, 0) : Numbers.grouped(mean, 1);
  }

  // ---- Data

  /**
   * Puts the words and what they are made of: classes out of reach, and for each class and cost the
   * policies in tiers, best first, with their means.
   */
  public void putInto(ObjectNode node) {
    lines().forEach(node.putArray("text")::add);
    outOfReach.forEach(node.putArray("outOfReach")::add);
    ArrayNode classes = node.putArray("classes");
    for (String each : group.classNames()) {
      ObjectNode its = classes.addObject().put("name", each);
      for (Figure<ClassResult> figure : List.of(ClassFigures.FULFILMENT, ClassFigures.MET)) {
        put(its, figure.key(), Ranking.Criterion.of(each, figure, Verdict::percent));
      }
      put(its, "shortfall", shortfall(each));
    }
    for (Figure<RunMetrics> each :
        List.of(Totals.COMPLETED, Totals.PENALTY, Totals.PREEMPTIONS, Totals.LOST_WORK)) {
      put(node, each.key(), Ranking.Criterion.of(each));
    }
    group.bound().ifPresent(each -> put(node.putObject("bound"), each));
  }

  private void put(ObjectNode node, Summary.Bound bound) {
    bound.obstacle().ifPresent(why -> node.put("obstacle", why));
    if (bound.penalty().size() == 0) {
      return;
    }
    node.put("penaltyCoreHours", bound.penalty().mean());
    bound.reached().ifPresent(each -> put(node.putObject("clairvoyant"), each));
    ArrayNode classes = node.putArray("classes");
    for (ClassFigures each : bound.classes()) {
      ObjectNode its = put(classes, each);
      WayToBound.inShortfall(experiment, group, each.name())
          .ifPresent(way -> way.putInto(its.putObject("way")));
    }
    WayToBound.inPenalty(experiment, group).ifPresent(way -> way.putInto(node.putObject("way")));
  }

  private static void put(ObjectNode node, Summary.Reached reached) {
    node.put("penaltyCoreHours", reached.penalty().mean());
    ArrayNode classes = node.putArray("classes");
    reached.classes().forEach(each -> put(classes, each));
  }

  private static ObjectNode put(ArrayNode classes, ClassFigures figures) {
    return classes
        .addObject()
        .put("name", figures.name())
        .put("fulfilment", figures.mean(ClassFigures.FULFILMENT))
        .put("met", figures.mean(ClassFigures.MET))
        .put("shortfall", figures.mean(ClassFigures.SHORTFALL));
  }

  private void put(ObjectNode node, String key, Ranking.Criterion figure) {
    Ranking.of(policies, figure).putInto(node.putArray(key), figure);
  }
}
