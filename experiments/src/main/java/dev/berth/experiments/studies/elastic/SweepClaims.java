package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.PublishedTables;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import dev.berth.report.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What the thesis says of a sweep over the limits of ElasticCluster (sections 5.3.2 and 5.4.1). Its
 * figures are of MV_max alone, so ours are means over U_max, or the least of them.
 *
 * @param study its name
 * @param hosts the values of MV_max: small, about the sum of QMV0, and more than that
 * @param drawn the runs by limits
 */
record SweepClaims(String study, List<Integer> hosts, Map<Limits, PetriNetRuns> drawn) {

  /** From this U_max on, figures are said to change little. */
  static final double KNEE = 0.65;

  /** Share of the workloads with one cluster at that U_max, in percent: both workloads. */
  static final double SINGLE = 70;

  private static final double MOST_STARTED = 91; // of workload 1, at U_max .95
  private static final double GREATEST = 0.95;
  private static final double FLAT = 0.05;
  private static final double NEAR = 0.1;
  private static final double LEVEL = 0.25;
  private static final PublishedTables THESIS =
      PublishedTables.read(SweepClaims.class, "published-elastic.json");

  /** Returns a published figure of a value of MV_max. */
  static OptionalDouble published(String study, int hosts, String column) {
    return THESIS.table(study).get(Integer.toString(hosts), column);
  }

  /** Returns all claims, checked. */
  List<Claim> all() {
    int small = hosts.get(0);
    int sum = hosts.get(1);
    int more = hosts.get(2);
    List<Claim> claims = new ArrayList<>();
    for (int each : hosts) {
      claims.add(
          near(
              "fresh-" + each,
              "MV_max %s: bags that get a new cluster".formatted(each),
              published(each, "fresh"),
              mean(each, PetriNetRuns.FRESH),
              " %"));
    }
    claims.add(
        atMost(
            "started-" + small,
            "MV_max %s: as many hosts are started whatever U_max".formatted(small),
            spread(PetriNetRuns.STARTED, small, 0)));
    claims.add(
        atMost(
            "enough-hosts",
            "MV_max near the sum of QMV0 suffices: %s starts as many hosts as %s"
                .formatted(sum, more),
            apart(sum, more)));
    if (study.equals("elastic-sweep")) {
      claims.add(
          near(
              "started-least",
              "MV_max %s, U_max .95: hosts started".formatted(more),
              MOST_STARTED,
              at(GREATEST, more, PetriNetRuns.STARTED),
              ""));
    }
    claims.addAll(reuse(sum, more));
    claims.addAll(times(small, sum, more));
    claims.addAll(clusters(sum, more));
    return claims;
  }

  private List<Claim> reuse(int sum, int more) {
    double level = published(sum, "level");
    List<Double> fromKnee =
        SweepStudy.UTILISATIONS.stream()
            .filter(each -> each >= KNEE)
            .map(each -> at(each, sum, PetriNetRuns.REUSED))
            .toList();
    double before = slope(SweepStudy.UTILISATIONS.get(0), KNEE);
    double after = slope(KNEE, GREATEST);
    boolean grows =
        SweepStudy.UTILISATIONS.stream()
            .allMatch(
                each ->
                    at(each, hosts.get(0), PetriNetRuns.REUSED) < at(each, sum, PetriNetRuns.REUSED)
                        && at(each, sum, PetriNetRuns.REUSED)
                            <= at(each, more, PetriNetRuns.REUSED));
    return List.of(
        Claim.of(
            "reused-more",
            "the greater MV_max, the more hosts are used again, at each U_max",
            "",
            "%s, %s and %s in the mean"
                .formatted(
                    hosts.stream()
                        .map(each -> Numbers.fixed(mean(each, PetriNetRuns.REUSED), 1))
                        .toArray()),
            grows),
        Claim.of(
            "level",
            "MV_max %s: hosts used again from U_max .65 on (all within 10 %%, our criterion)"
                .formatted(sum),
            "about " + Numbers.fixed(level, 0),
            "%s to %s"
                .formatted(
                    Numbers.fixed(fromKnee.get(0), 1),
                    Numbers.fixed(fromKnee.get(fromKnee.size() - 1), 1)),
            fromKnee.stream().allMatch(each -> Math.abs(each / level - 1) <= NEAR)),
        Claim.of(
            "levels-off",
            "MV_max %s: the curve levels off at U_max .65 (a quarter of the slope or less, our criterion)"
                .formatted(sum),
            "",
            "%s hosts per .1 before, %s after"
                .formatted(Numbers.fixed(before, 1), Numbers.fixed(after, 1)),
            after <= LEVEL * before));
  }

  private List<Claim> times(int small, int sum, int more) {
    double least =
        SweepStudy.UTILISATIONS.stream()
            .mapToDouble(each -> seconds(each, sum))
            .min()
            .orElseThrow();
    double others = 60 * mean(more, PetriNetRuns.MINUTES);
    return List.of(
        near(
            "time-" + small,
            "MV_max %s: time until all tasks end".formatted(small),
            published(small, "seconds"),
            60 * mean(small, PetriNetRuns.MINUTES),
            " s"),
        atMost(
            "time-alike-" + small,
            "MV_max %s: the time is alike whatever U_max".formatted(small),
            spread(PetriNetRuns.MINUTES, small, 0)),
        near(
            "time-" + sum,
            "MV_max %s: least time until all tasks end".formatted(sum),
            published(sum, "seconds"),
            least,
            " s"),
        atMost(
            "time-alike-" + sum,
            "MV_max %s: the time is alike from U_max .65 on".formatted(sum),
            spread(PetriNetRuns.MINUTES, sum, KNEE)),
        Claim.of(
            "time-less-" + more,
            "MV_max %s: the mean time is less than at %s".formatted(more, sum),
            "",
            "%s s instead of %s s"
                .formatted(
                    Numbers.fixed(others, 0),
                    Numbers.fixed(60 * mean(sum, PetriNetRuns.MINUTES), 0)),
            others < 60 * mean(sum, PetriNetRuns.MINUTES)));
  }

  private List<Claim> clusters(int sum, int more) {
    return List.of(
        atMost(
            "one-cluster-alike",
            "MV_max %s: the share of workloads with one cluster is alike from U_max .65 on"
                .formatted(sum),
            spread(PetriNetRuns.SINGLE, sum, KNEE)),
        near(
            "one-cluster",
            "MV_max %s, U_max .65: workloads with one cluster".formatted(sum),
            SINGLE,
            at(KNEE, sum, PetriNetRuns.SINGLE),
            " %"),
        near(
            "one-cluster-" + more,
            "MV_max %s, U_max .95: workloads with one cluster".formatted(more),
            100,
            at(GREATEST, more, PetriNetRuns.SINGLE),
            " %"));
  }

  // ---- Figures

  private double published(int most, String column) {
    return published(study, most, column).orElseThrow();
  }

  private double at(double utilisation, int most, Figure<PetriNetModel.Figures> figure) {
    return SweepStudy.of(drawn, new Limits(utilisation, most)).mean(figure);
  }

  private double seconds(double utilisation, int most) {
    return 60 * at(utilisation, most, PetriNetRuns.MINUTES);
  }

  private double mean(int most, Figure<PetriNetModel.Figures> figure) {
    return SweepStudy.UTILISATIONS.stream()
        .mapToDouble(each -> at(each, most, figure))
        .average()
        .orElseThrow();
  }

  /** Returns by what share a figure varies from a U_max on. */
  private double spread(Figure<PetriNetModel.Figures> figure, int most, double from) {
    double[] values =
        SweepStudy.UTILISATIONS.stream()
            .filter(each -> each >= from)
            .mapToDouble(each -> at(each, most, figure))
            .sorted()
            .toArray();
    return values[values.length - 1] / values[0] - 1;
  }

  /** Returns by what share one MV_max starts at most more hosts than another. */
  private double apart(int one, int other) {
    return SweepStudy.UTILISATIONS.stream()
        .mapToDouble(
            each -> at(each, one, PetriNetRuns.STARTED) / at(each, other, PetriNetRuns.STARTED) - 1)
        .max()
        .orElseThrow();
  }

  /** Returns how many more hosts are used again for each .1 of U_max. */
  private double slope(double from, double to) {
    int sum = hosts.get(1);
    return (at(to, sum, PetriNetRuns.REUSED) - at(from, sum, PetriNetRuns.REUSED))
        / ((to - from) * 10);
  }

  // ---- Kinds of claims

  private static Claim near(String id, String words, double theirs, double ours, String unit) {
    return WorkloadStudy.near(id, words, theirs, ours, unit.isEmpty() ? 1 : 0, unit);
  }

  private static Claim atMost(String id, String words, double spread) {
    return Claim.of(
        id,
        words + " (within 5 %, our criterion)",
        "",
        "within %s %%".formatted(Numbers.fixed(100 * spread, 1)),
        spread <= FLAT);
  }
}
