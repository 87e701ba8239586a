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
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The claims of the paper on metascheduling about the order of its policies, checked against our
 * runs.
 *
 * <p>A policy is better than another if the 95 % confidence interval of the paired differences of
 * their means, seed by seed, is below zero. Otherwise the two do not differ significantly.
 */
record MetaClaims(MetaRuns runs) {

  /** The criterion, for readers of the claims. */
  static final String CRITERION =
      "Better means significantly better, by our criterion: the 95 % confidence interval of the"
          + " paired differences excludes 0.";

  private static final String RANDOM = "random";
  private static final String CPU_LOAD = "cpu-load";
  private static final String LOTTERY = "lottery";
  private static final String WITH_LOAD = "lottery-with-load";
  private static final String WALL_TIME = "wall-time-estimated";

  private static final List<Mode> MODES = MetaRuns.PUBLISHED;

  private static final List<String> HERD =
      List.of(
          "Loads are averages over a minute, reported every 15 s, and 18 jobs arrive in 15 s: the"
              + " site with the",
          "least reported load gets them all until its next report.");
  private static final List<String> TICKETS =
      List.of(
          "Where few sites are fast, their load soon makes them look as slow as idle slow sites,"
              + " which then get",
          "as many tickets. A job on a slow site runs 8 times as long, whatever arrives later.");
  private static final List<String> IDLE =
      List.of(
          "It sends jobs to any idle site, even to the slowest. The more a slow site costs, the"
              + " more it helps to",
          "know how fast sites are.");

  /** The compared figure: execution times or their deviations. */
  private interface Figure {
    Sample of(Mode mode, Grid grid, String policy);
  }

  /** Returns all claims, checked. */
  List<Claim> all() {
    List<Grid> all = Arrays.asList(Grid.values());
    Claim second = isSecond("cpu-load-second", Mode.SPACED, CPU_LOAD);
    boolean everywhere =
        all.stream().allMatch(grid -> order(Mode.SPACED, grid).indexOf(CPU_LOAD) <= 1);
    return List.of(
        noneIsBetter(
            "least-mean",
            "has the least mean in every scenario (no policy is better)",
            runs::means),
        noneIsBetter(
            "least-deviation",
            "has the smallest deviation in every scenario (no policy is better)",
            runs::deviations),
        isWorst("random-worst-spaced", Mode.SPACED),
        because(isWorst("random-worst-at-once", Mode.AT_ONCE), HERD),
        randomIsCloseInRh(),
        lotteryDoesAsRandomInRh(),
        everywhere(
            "lottery-random",
            "lottery is better than random in every scenario where sites differ",
            heterogeneous(),
            LOTTERY,
            RANDOM),
        grows(
            "lottery-gains",
            "the more sites differ, the better lottery is than random (ratio of means in RH < RB* <"
                + " RA*)",
            MODES,
            RANDOM,
            LOTTERY),
        because(
            everywhere(
                "with-load-lottery",
                "lottery-with-load is better than lottery in every scenario",
                all,
                WITH_LOAD,
                LOTTERY),
            TICKETS),
        isSecond("with-load-second", Mode.AT_ONCE, WITH_LOAD),
        grows(
            "with-load-behind",
            "the more sites differ, the further lottery-with-load falls behind wall-time-estimated,"
                + " all at once (likewise)",
            List.of(Mode.AT_ONCE),
            WITH_LOAD,
            WALL_TIME),
        everywhere ? second : second.with(IDLE),
        leadIsGreatestWherePublished(),
        cpuLoadIsNoBetter(),
        because(
            inMost(
                "cpu-load-random",
                Mode.AT_ONCE,
                "cpu-load is better than random in more than half of the scenarios",
                grid -> isBetter(runs::means, Mode.AT_ONCE, grid, CPU_LOAD, RANDOM),
                grid ->
                    isBetter(runs::means, Mode.AT_ONCE, grid, RANDOM, CPU_LOAD)
                        ? RANDOM
                        : "neither"),
            HERD));
  }

  /** Adds reasons to a claim that does not hold. */
  private static Claim because(Claim claim, List<String> why) {
    return claim.holds() ? claim : claim.with(why);
  }

  /** Where one policy is better than another, where neither is, and where it is worse. */
  private record Compared(List<String> better, List<String> even, List<String> worse) {}

  private Compared compared(Figure figure, List<Grid> grids, String one, String other) {
    Compared all = new Compared(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Mode mode : MODES) {
      for (Grid grid : grids) {
        List<String> where =
            isBetter(figure, mode, grid, one, other)
                ? all.better
                : isBetter(figure, mode, grid, other, one) ? all.worse : all.even;
        where.add("%s %s".formatted(grid, mode));
      }
    }
    return all;
  }

  // ---- Claims of their own

  private Claim noneIsBetter(String id, String words, Figure figure) {
    List<String> better = new ArrayList<>();
    List<String> even = new ArrayList<>();
    int lost = 0;
    for (String other : MetaRuns.PAPER.stream().sorted().toList()) {
      if (!other.equals(WALL_TIME)) {
        Compared its = compared(figure, Arrays.asList(Grid.values()), WALL_TIME, other);
        lost += its.worse().size();
        add(better, other + " is better", its.worse());
        add(even, "no significant difference from " + other, its.even());
      }
    }
    List<String> details = new ArrayList<>(better);
    details.addAll(even);
    int cases = MODES.size() * Grid.values().length * (MetaRuns.PAPER.size() - 1);
    return claim(
        id,
        lost == 0,
        "%s %s".formatted(WALL_TIME, words),
        "worse in %s of %s comparisons".formatted(lost, cases),
        details);
  }

  private static void add(List<String> details, String what, List<String> where) {
    if (!where.isEmpty()) {
      details.add(what + ": " + String.join("; ", where));
    }
  }

  private Claim isWorst(String id, Mode mode) {
    Function<Grid, String> worst = grid -> order(mode, grid).get(MetaRuns.PAPER.size() - 1);
    return inMost(
        id,
        mode,
        "random is worst in more than half of the scenarios",
        grid -> worst.apply(grid).equals(RANDOM),
        worst);
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
        most.stream()
            .map(each -> "%s s in %s".formatted(Numbers.fixed(lead.applyAsDouble(each), 0), each))
            .collect(Collectors.joining(", ", "by ", ""));
    return claim(
        "with-load-lead",
        most.equals(List.of(Grid.RAU, Grid.RAB)),
        "lottery-with-load's lead over lottery is greatest in RAU and RAB, every 20 s",
        leads,
        List.of(leads));
  }

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
        "cpu-load is not better than lottery, lottery-with-load or wall-time-estimated, all at"
            + " once",
        "better in %s of %s comparisons".formatted(better.size(), 3 * Grid.values().length),
        better);
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
    String got = "in %s of %s".formatted(count, Grid.values().length);
    StringBuilder details = new StringBuilder(got);
    others.forEach(
        (other, where) -> details.append("; %s in %s".formatted(other, String.join(", ", where))));
    return claim(
        id,
        2 * count > Grid.values().length,
        "%s, %s".formatted(words, mode),
        got,
        List.of(details.toString()));
  }

  private Claim everywhere(String id, String words, List<Grid> grids, String better, String worse) {
    Compared all = compared(runs::means, grids, better, worse);
    List<String> details = new ArrayList<>();
    add(details, "worse", all.worse());
    add(details, "no significant difference", all.even());
    int cases = MODES.size() * grids.size();
    return claim(
        id,
        all.better().size() == cases,
        words,
        "better in %s of %s".formatted(all.better().size(), cases),
        details);
  }

  /** The ratio of the means of two policies grows with the differences between sites. */
  private Claim grows(String id, String words, List<Mode> modes, String one, String other) {
    boolean holds = true;
    List<String> details = new ArrayList<>();
    for (Mode mode : modes) {
      double none = ratio(mode, Grid.RH, one, other);
      double little = ratio(mode, false, one, other);
      double great = ratio(mode, true, one, other);
      holds &= none < little && little < great;
      details.add(
          "%s: %s / %s is %s in RH, %s on average in RB*, %s in RA*"
              .formatted(
                  mode,
                  one,
                  other,
                  Numbers.fixed(none, 2),
                  Numbers.fixed(little, 2),
                  Numbers.fixed(great, 2)));
    }
    return claim(id, holds, words, details.get(0), details);
  }

  private static List<Grid> heterogeneous() {
    return Arrays.stream(Grid.values()).filter(each -> !each.isHomogeneous()).toList();
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

  /** Returns the mean of the ratios in scenarios of great, or of little heterogeneity. */
  private double ratio(Mode mode, boolean great, String one, String other) {
    return heterogeneous().stream()
        .filter(grid -> grid.isVeryHeterogeneous() == great)
        .mapToDouble(grid -> ratio(mode, grid, one, other))
        .average()
        .orElseThrow();
  }

  private static boolean isBetter(
      Figure figure, Mode mode, Grid grid, String better, String worse) {
    return figure.of(mode, grid, better).minus(figure.of(mode, grid, worse)).isBelowZero();
  }
}
