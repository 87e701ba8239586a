package dev.berth.experiments.studies.metascheduling;

import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.experiments.studies.metascheduling.MetaRuns.Mode;
import dev.berth.experiments.study.Claim;
import dev.berth.report.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The claims of the paper on metascheduling about the order of its policies, checked against our
 * runs.
 *
 * <p>A policy is better than another if the 95 % confidence interval of the paired differences of
 * their means, seed by seed, is below zero. Otherwise the two do not differ significantly.
 */
final class MetaClaims {

  /** The criterion, for readers of the claims. */
  static final String CRITERION =
      "Better means significantly better, by our criterion: the 95 % confidence interval of the paired "
          + "differences excludes 0.";

  private static final String RANDOM = "random";
  private static final String CPU_LOAD = "cpu-load";
  private static final String LOTTERY = "lottery";
  private static final String WITH_LOAD = "lottery-with-load";
  private static final String WALL_TIME = "wall-time-estimated";

  private static final List<Mode> MODES = MetaRuns.PUBLISHED;

  private static final List<String> HERD =
      List.of(
          "Loads are averages over a minute, reported every 15 s, and 18 jobs arrive in 15 s: the site with the",
          "least reported load gets them all until its next report.");
  private static final List<String> TICKETS =
      List.of(
          "Where few sites are fast, their load soon makes them look as slow as idle slow sites, which then get",
          "as many tickets. A job on a slow site runs 8 times as long, whatever arrives later.");
  private static final List<String> IDLE =
      List.of(
          "It sends jobs to any idle site, even to the slowest. The more a slow site costs, the more it helps to",
          "know how fast sites are.");

  private final MetaRuns runs;

  MetaClaims(MetaRuns runs) {
    this.runs = runs;
  }

  /** The compared figure: execution times or their deviations. */
  private interface Figure {
    Sample of(Mode mode, Grid grid, String policy);
  }

  /** Returns all claims, checked. */
  List<Claim> all() {
    List<Claim> all = new ArrayList<>();
    all.add(
        noneIsBetter(
            "least-mean",
            "has the least mean in every scenario (no policy is better)",
            runs::means));
    all.add(
        noneIsBetter(
            "least-deviation",
            "has the smallest deviation in every scenario (no policy is better)",
            runs::deviations));
    all.add(isWorst("random-worst-spaced", Mode.SPACED));
    all.add(because(isWorst("random-worst-at-once", Mode.AT_ONCE), HERD));
    all.add(randomIsCloseInRh());
    all.add(lotteryDoesAsRandomInRh());
    all.add(lotteryBeatsRandomElsewhere());
    all.add(lotteryGainsWithHeterogeneity());
    all.add(because(withLoadBeatsLottery(), TICKETS));
    all.add(isSecond("with-load-second", Mode.AT_ONCE, WITH_LOAD));
    all.add(withLoadFallsBehind());
    Claim second = isSecond("cpu-load-second", Mode.SPACED, CPU_LOAD);
    boolean everywhere =
        Arrays.stream(Grid.values())
            .allMatch(grid -> order(Mode.SPACED, grid).indexOf(CPU_LOAD) <= 1);
    all.add(everywhere ? second : second.with(IDLE));
    all.add(leadIsGreatestWherePublished());
    all.add(cpuLoadIsNoBetter());
    all.add(because(cpuLoadBeatsRandom(), HERD));
    return all;
  }

  /** Adds reasons to a claim that does not hold. */
  private static Claim because(Claim claim, List<String> why) {
    return claim.holds() ? claim : claim.with(why);
  }

  // ---- The best

  private Claim noneIsBetter(String id, String words, Figure figure) {
    Map<String, List<String>> better = new TreeMap<>();
    Map<String, List<String>> even = new TreeMap<>();
    for (Mode mode : MODES) {
      for (Grid grid : Grid.values()) {
        for (String other : MetaRuns.PAPER) {
          if (!other.equals(WALL_TIME)) {
            if (isBetter(figure, mode, grid, other, WALL_TIME)) {
              better.computeIfAbsent(other, key -> new ArrayList<>()).add(at(mode, grid));
            } else if (!isBetter(figure, mode, grid, WALL_TIME, other)) {
              even.computeIfAbsent(other, key -> new ArrayList<>()).add(at(mode, grid));
            }
          }
        }
      }
    }
    List<String> details = new ArrayList<>();
    better.forEach(
        (who, where) -> details.add("%s is better: %s".formatted(who, String.join("; ", where))));
    even.forEach(
        (who, where) ->
            details.add(
                "no significant difference from %s: %s".formatted(who, String.join("; ", where))));
    int lost = better.values().stream().mapToInt(List::size).sum();
    int cases = MODES.size() * Grid.values().length * (MetaRuns.PAPER.size() - 1);
    return claim(
        id,
        better.isEmpty(),
        "%s %s".formatted(WALL_TIME, words),
        "worse in %s of %s comparisons".formatted(lost, cases),
        details);
  }

  // ---- Random

  private Claim isWorst(String id, Mode mode) {
    return inMost(
        id,
        mode,
        "%s is worst in more than half of the scenarios".formatted(RANDOM),
        grid -> worst(mode, grid).equals(RANDOM),
        grid -> worst(mode, grid));
  }

  private String worst(Mode mode, Grid grid) {
    List<String> order = order(mode, grid);
    return order.get(order.size() - 1);
  }

  private Claim randomIsCloseInRh() {
    List<String> details = new ArrayList<>();
    boolean holds = true;
    for (Mode mode : MODES) {
      double here = ratio(mode, Grid.RH, RANDOM, WALL_TIME);
      double elsewhere =
          heterogeneous().stream()
              .mapToDouble(grid -> ratio(mode, grid, RANDOM, WALL_TIME))
              .min()
              .orElseThrow();
      holds &= here < elsewhere;
      details.add(
          "%s: %s times %s in RH, at least %s times elsewhere"
              .formatted(mode, Numbers.fixed(here, 2), WALL_TIME, Numbers.fixed(elsewhere, 2)));
    }
    return claim(
        "random-rh",
        holds,
        "random is closest to wall-time-estimated in RH (ratio of means)",
        details.get(0),
        details);
  }

  // ---- Lotteries

  private Claim lotteryDoesAsRandomInRh() {
    List<String> apart =
        MODES.stream()
            .filter(
                mode ->
                    isBetter(runs::means, mode, Grid.RH, RANDOM, LOTTERY)
                        || isBetter(runs::means, mode, Grid.RH, LOTTERY, RANDOM))
            .map(mode -> "significant difference " + mode)
            .toList();
    return claim(
        "lottery-rh",
        apart.isEmpty(),
        "lottery performs as random does in RH (no significant difference)",
        "different in %s of %s modes".formatted(apart.size(), MODES.size()),
        apart);
  }

  private Claim lotteryBeatsRandomElsewhere() {
    return everywhere(
        "lottery-random",
        "lottery is better than random in every scenario where sites differ",
        heterogeneous(),
        LOTTERY,
        RANDOM);
  }

  private Claim lotteryGainsWithHeterogeneity() {
    return grows(
        "lottery-gains",
        "the more sites differ, the better lottery is than random (ratio of means in RH < RB* < RA*)",
        "random / lottery",
        MODES,
        (mode, grid) -> ratio(mode, grid, RANDOM, LOTTERY));
  }

  private Claim withLoadBeatsLottery() {
    return everywhere(
        "with-load-lottery",
        "lottery-with-load is better than lottery in every scenario",
        Arrays.asList(Grid.values()),
        WITH_LOAD,
        LOTTERY);
  }

  private Claim withLoadFallsBehind() {
    return grows(
        "with-load-behind",
        "the more sites differ, the further lottery-with-load falls behind wall-time-estimated, all at once (likewise)",
        "lottery-with-load / wall-time-estimated",
        List.of(Mode.AT_ONCE),
        (mode, grid) -> ratio(mode, grid, WITH_LOAD, WALL_TIME));
  }

  private Claim leadIsGreatestWherePublished() {
    ToDoubleFunction<Grid> lead =
        grid -> mean(Mode.SPACED, grid, LOTTERY) - mean(Mode.SPACED, grid, WITH_LOAD);
    List<Grid> most =
        Arrays.stream(Grid.values())
            .sorted(Comparator.comparingDouble(lead).reversed())
            .limit(2)
            .sorted()
            .toList();
    String leads =
        "by %s s in %s, %s s in %s"
            .formatted(
                Numbers.fixed(lead.applyAsDouble(most.get(0)), 0),
                most.get(0),
                Numbers.fixed(lead.applyAsDouble(most.get(1)), 0),
                most.get(1));
    return claim(
        "with-load-lead",
        most.equals(List.of(Grid.RAU, Grid.RAB)),
        "lottery-with-load's lead over lottery is greatest in RAU and RAB, every 20 s",
        leads,
        List.of(leads));
  }

  // ---- Load

  private Claim isSecond(String id, Mode mode, String policy) {
    return inMost(
        id,
        mode,
        "%s is first or second in more than half of the scenarios".formatted(policy),
        grid -> order(mode, grid).indexOf(policy) <= 1,
        grid -> order(mode, grid).get(1));
  }

  private Claim cpuLoadIsNoBetter() {
    List<String> better = new ArrayList<>();
    for (Grid grid : Grid.values()) {
      for (String other : List.of(LOTTERY, WITH_LOAD, WALL_TIME)) {
        if (isBetter(runs::means, Mode.AT_ONCE, grid, CPU_LOAD, other)) {
          better.add("better than %s in %s".formatted(other, grid));
        }
      }
    }
    return claim(
        "cpu-load-no-better",
        better.isEmpty(),
        "cpu-load is not better than lottery, lottery-with-load or wall-time-estimated, all at once",
        "better in %s of %s comparisons".formatted(better.size(), 3 * Grid.values().length),
        better);
  }

  private Claim cpuLoadBeatsRandom() {
    return inMost(
        "cpu-load-random",
        Mode.AT_ONCE,
        "cpu-load is better than random in more than half of the scenarios",
        grid -> isBetter(runs::means, Mode.AT_ONCE, grid, CPU_LOAD, RANDOM),
        grid -> isBetter(runs::means, Mode.AT_ONCE, grid, RANDOM, CPU_LOAD) ? "random" : "neither");
  }

  // ---- Shapes of claims

  /** Returns a claim; the paper has plots without numbers. */
  private static Claim claim(
      String id, boolean holds, String words, String ours, List<String> details) {
    return Claim.of(id, words, "", ours, holds).with(details);
  }

  private Claim inMost(
      String id, Mode mode, String words, Predicate<Grid> holds, Function<Grid, String> who) {
    Map<String, List<String>> others = new TreeMap<>();
    int count = 0;
    for (Grid grid : Grid.values()) {
      if (holds.test(grid)) {
        count++;
      } else {
        others.computeIfAbsent(who.apply(grid), key -> new ArrayList<>()).add(grid.name());
      }
    }
    List<String> details = new ArrayList<>();
    details.add(
        "in %s of %s%s"
            .formatted(
                count,
                Grid.values().length,
                others.isEmpty()
                    ? ""
                    : others.entrySet().stream()
                        .map(each -> each.getKey() + " in " + String.join(", ", each.getValue()))
                        .collect(Collectors.joining("; ", "; ", ""))));
    return claim(
        id,
        2 * count > Grid.values().length,
        "%s, %s".formatted(words, mode),
        "in %s of %s".formatted(count, Grid.values().length),
        details);
  }

  private Claim everywhere(String id, String words, List<Grid> grids, String better, String worse) {
    List<String> lost = new ArrayList<>();
    List<String> even = new ArrayList<>();
    for (Mode mode : MODES) {
      for (Grid grid : grids) {
        if (isBetter(runs::means, mode, grid, worse, better)) {
          lost.add(at(mode, grid));
        } else if (!isBetter(runs::means, mode, grid, better, worse)) {
          even.add(at(mode, grid));
        }
      }
    }
    List<String> details = new ArrayList<>();
    if (!lost.isEmpty()) {
      details.add("worse: " + String.join("; ", lost));
    }
    if (!even.isEmpty()) {
      details.add("no significant difference: " + String.join("; ", even));
    }
    int cases = MODES.size() * grids.size();
    return claim(
        id,
        lost.isEmpty() && even.isEmpty(),
        words,
        "better in %s of %s".formatted(cases - lost.size() - even.size(), cases),
        details);
  }

  private Claim grows(
      String id,
      String words,
      String label,
      List<Mode> modes,
      ToDoubleBiFunction<Mode, Grid> ratio) {
    boolean holds = true;
    List<String> details = new ArrayList<>();
    for (Mode mode : modes) {
      double none = ratio.applyAsDouble(mode, Grid.RH);
      double little = average(heterogeneous(false), grid -> ratio.applyAsDouble(mode, grid));
      double great = average(heterogeneous(true), grid -> ratio.applyAsDouble(mode, grid));
      holds &= none < little && little < great;
      details.add(
          "%s: %s is %s in RH, %s on average in RB*, %s in RA*"
              .formatted(
                  mode,
                  label,
                  Numbers.fixed(none, 2),
                  Numbers.fixed(little, 2),
                  Numbers.fixed(great, 2)));
    }
    return claim(id, holds, words, details.get(0), details);
  }

  private static double average(List<Grid> grids, ToDoubleFunction<Grid> figure) {
    return grids.stream().mapToDouble(figure).average().orElseThrow();
  }

  private static List<Grid> heterogeneous() {
    return Arrays.stream(Grid.values()).filter(each -> !each.isHomogeneous()).toList();
  }

  private static List<Grid> heterogeneous(boolean very) {
    return heterogeneous().stream().filter(each -> each.isVeryHeterogeneous() == very).toList();
  }

  private static String at(Mode mode, Grid grid) {
    return "%s %s".formatted(grid, mode);
  }

  /** Returns the policies of the paper, the best first. */
  private List<String> order(Mode mode, Grid grid) {
    return MetaRuns.PAPER.stream()
        .sorted(Comparator.comparingDouble(policy -> mean(mode, grid, policy)))
        .toList();
  }

  private double mean(Mode mode, Grid grid, String policy) {
    return runs.means(mode, grid, policy).mean();
  }

  private double ratio(Mode mode, Grid grid, String one, String other) {
    return mean(mode, grid, one) / mean(mode, grid, other);
  }

  private static boolean isBetter(
      Figure figure, Mode mode, Grid grid, String better, String worse) {
    return figure.of(mode, grid, better).minus(figure.of(mode, grid, worse)).isBelowZero();
  }
}
