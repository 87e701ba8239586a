package dev.berth.experiments.studies.metascheduling;

import dev.berth.experiments.Sample;
import dev.berth.experiments.output.Numbers;
import dev.berth.experiments.scenario.MetaschedulingScenarios.Grid;
import dev.berth.experiments.studies.metascheduling.MetaRuns.Mode;
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
 * What the paper on metascheduling says of the order of its policies, held against our runs.
 *
 * <p>One policy is better than another if its mean over the runs is less, and not by chance: the 95
 * % confidence interval of the differences, seed by seed, is below zero. Otherwise the two are not
 * told apart.
 */
final class MetaClaims {

  private static final String RANDOM = "random";
  private static final String CPU_LOAD = "cpu-load";
  private static final String LOTTERY = "lottery";
  private static final String WITH_LOAD = "lottery-with-load";
  private static final String WALL_TIME = "wall-time-estimated";

  private static final List<Mode> MODES = MetaRuns.PUBLISHED;

  private final MetaRuns runs;

  MetaClaims(MetaRuns runs) {
    this.runs = runs;
  }

  /**
   * A statement.
   *
   * @param holds whether ours agree
   * @param words the statement
   * @param details where it holds and where not, and why not
   */
  record Statement(boolean holds, String words, List<String> details) {

    /** Copies the list. */
    Statement {
      details = List.copyOf(details);
    }

    /** Adds a reason to one that does not hold throughout. */
    Statement because(boolean applies, String... why) {
      List<String> more = new ArrayList<>(details);
      more.addAll(applies ? List.of(why) : List.of());
      return new Statement(holds, words, more);
    }
  }

  /** What is compared: execution times or their deviations. */
  private interface Figure {
    Sample of(Mode mode, Grid grid, String policy);
  }

  List<Statement> all() {
    List<Statement> all = new ArrayList<>();
    all.add(nobodyIsBetter("has the least mean in every scenario", runs::means));
    all.add(nobodyIsBetter("has the smallest deviation in every scenario", runs::deviations));
    all.add(isWorst(Mode.SPACED));
    all.add(isWorst(Mode.AT_ONCE).because(!isWorst(Mode.AT_ONCE).holds, herd()));
    all.add(randomIsCloseInRh());
    all.add(lotteryDoesAsRandomInRh());
    all.add(lotteryBeatsRandomElsewhere());
    all.add(lotteryGainsWithHeterogeneity());
    Statement withLoad = withLoadBeatsLottery();
    all.add(
        withLoad.because(
            !withLoad.holds,
            "Where few sites are fast, these soon look as slow under their load as idle slow ones,",
            "which then get as many tickets; who draws one runs 8 times as long, whatever comes after."));
    all.add(isSecond(Mode.AT_ONCE, WITH_LOAD));
    all.add(withLoadFallsBehind());
    all.add(
        isSecond(Mode.SPACED, CPU_LOAD)
            .because(
                !Arrays.stream(Grid.values())
                    .allMatch(grid -> order(Mode.SPACED, grid).indexOf(CPU_LOAD) <= 1),
                "It sends jobs to whoever is idle, also to the slowest: the more that costs, the more",
                "it is worth to know how fast sites are."));
    all.add(leadIsGreatestWherePublished());
    all.add(cpuLoadIsNoBetter());
    Statement cpuLoad = cpuLoadBeatsRandom();
    all.add(cpuLoad.because(!cpuLoad.holds, herd()));
    return all;
  }

  private static String[] herd() {
    return new String[] {
      "Loads are averages over a minute, told every 15 s, and 18 jobs come in 15 s: whichever site told",
      "the least gets them all until it tells again.",
    };
  }

  // ---- The best

  private Statement nobodyIsBetter(String words, Figure figure) {
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
            details.add("not told apart from %s: %s".formatted(who, String.join("; ", where))));
    return new Statement(better.isEmpty(), "%s %s".formatted(WALL_TIME, words), details);
  }

  // ---- Random

  private Statement isWorst(Mode mode) {
    return inMost(
        mode,
        "%s is worst in most scenarios".formatted(RANDOM),
        grid -> worst(mode, grid).equals(RANDOM),
        grid -> worst(mode, grid));
  }

  private String worst(Mode mode, Grid grid) {
    List<String> order = order(mode, grid);
    return order.get(order.size() - 1);
  }

  private Statement randomIsCloseInRh() {
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
              .formatted(mode, Numbers.share(here, 2), WALL_TIME, Numbers.share(elsewhere, 2)));
    }
    return new Statement(holds, "random is close to the others in RH only", details);
  }

  // ---- Lotteries

  private Statement lotteryDoesAsRandomInRh() {
    List<String> apart =
        MODES.stream()
            .filter(
                mode ->
                    isBetter(runs::means, mode, Grid.RH, RANDOM, LOTTERY)
                        || isBetter(runs::means, mode, Grid.RH, LOTTERY, RANDOM))
            .map(mode -> "told apart " + mode)
            .toList();
    return new Statement(apart.isEmpty(), "lottery does as random does in RH", apart);
  }

  private Statement lotteryBeatsRandomElsewhere() {
    return everywhere(
        "lottery is better than random where sites differ", heterogeneous(), LOTTERY, RANDOM);
  }

  private Statement lotteryGainsWithHeterogeneity() {
    return grows(
        "lottery is the better, against random, the more sites differ",
        "random / lottery",
        MODES,
        (mode, grid) -> ratio(mode, grid, RANDOM, LOTTERY));
  }

  private Statement withLoadBeatsLottery() {
    return everywhere(
        "lottery-with-load is better than lottery",
        Arrays.asList(Grid.values()),
        WITH_LOAD,
        LOTTERY);
  }

  private Statement withLoadFallsBehind() {
    return grows(
        "lottery-with-load falls the further behind wall-time-estimated the more sites differ, all at once",
        "lottery-with-load / wall-time-estimated",
        List.of(Mode.AT_ONCE),
        (mode, grid) -> ratio(mode, grid, WITH_LOAD, WALL_TIME));
  }

  private Statement leadIsGreatestWherePublished() {
    ToDoubleFunction<Grid> lead =
        grid -> mean(Mode.SPACED, grid, LOTTERY) - mean(Mode.SPACED, grid, WITH_LOAD);
    List<Grid> most =
        Arrays.stream(Grid.values())
            .sorted(Comparator.comparingDouble(lead).reversed())
            .limit(2)
            .sorted()
            .toList();
    return new Statement(
        most.equals(List.of(Grid.RAU, Grid.RAB)),
        "lottery-with-load's lead over lottery is greatest in RAU and RAB, every 20 s",
        List.of(
            "by %s s in %s, %s s in %s"
                .formatted(
                    Numbers.share(lead.applyAsDouble(most.get(0)), 0),
                    most.get(0),
                    Numbers.share(lead.applyAsDouble(most.get(1)), 0),
                    most.get(1))));
  }

  // ---- Load

  private Statement isSecond(Mode mode, String policy) {
    return inMost(
        mode,
        "%s is second in most scenarios".formatted(policy),
        grid -> order(mode, grid).indexOf(policy) <= 1,
        grid -> order(mode, grid).get(1));
  }

  private Statement cpuLoadIsNoBetter() {
    List<String> better = new ArrayList<>();
    for (Grid grid : Grid.values()) {
      for (String other : List.of(LOTTERY, WITH_LOAD, WALL_TIME)) {
        if (isBetter(runs::means, Mode.AT_ONCE, grid, CPU_LOAD, other)) {
          better.add("better than %s in %s".formatted(other, grid));
        }
      }
    }
    return new Statement(
        better.isEmpty(),
        "cpu-load is no better than lottery, lottery-with-load and wall-time-estimated, all at once",
        better);
  }

  private Statement cpuLoadBeatsRandom() {
    return inMost(
        Mode.AT_ONCE,
        "cpu-load is better than random in most scenarios",
        grid -> isBetter(runs::means, Mode.AT_ONCE, grid, CPU_LOAD, RANDOM),
        grid -> isBetter(runs::means, Mode.AT_ONCE, grid, RANDOM, CPU_LOAD) ? "random" : "neither");
  }

  // ---- Shapes of statements

  private Statement inMost(
      Mode mode, String words, Predicate<Grid> holds, Function<Grid, String> who) {
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
    return new Statement(
        2 * count > Grid.values().length, "%s, %s".formatted(words, mode), details);
  }

  private Statement everywhere(String words, List<Grid> grids, String better, String worse) {
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
      details.add("not told apart: " + String.join("; ", even));
    }
    return new Statement(lost.isEmpty() && even.isEmpty(), words, details);
  }

  private Statement grows(
      String words, String label, List<Mode> modes, ToDoubleBiFunction<Mode, Grid> ratio) {
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
                  Numbers.share(none, 2),
                  Numbers.share(little, 2),
                  Numbers.share(great, 2)));
    }
    return new Statement(holds, words, details);
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
