package dev.berth.experiments.studies.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.study.Claim;
import dev.berth.report.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A claim of the thesis about how the figures of some policies are to those of others.
 *
 * @param id of the claim
 * @param words the claim
 * @param figure its name in the published tables
 * @param orders what is claimed; the ratio of the first is shown
 */
record FigureClaim(String id, String words, String figure, List<Order> orders) {

  private static final double ALIKE = 0.05;
  private static final String WITHIN = "within "; // percent
  private static final String NEAR = "near";
  private static final String CRITERION =
      " (within a quarter of the difference or 2 points, our criterion)";
  private static final double QUARTER = 0.25;
  private static final double POINTS = 0.02;
  private static final int TIMES = 3;
  private static final int DIGITS = 3;

  /** The figures of policies, by label: ours or published ones. */
  interface Figures {

    /** Returns a figure; NaN if it is unknown. */
    double get(String figure, String label);
  }

  /** Two numbers that are compared. */
  private record Pair(double one, double other) {

    double ratio() {
      return one / other;
    }
  }

  /**
   * How some policies are to others.
   *
   * @param these labels
   * @param words {@code less} or {@code more} than any of those, or than each of those in their
   *     order ({@code in pairs}); {@code alike}; at least {@code three times}; {@code near}: the
   *     means differ by as many percent as published, within a quarter of that or two points;
   *     {@code within n %} of each other, or {@code none}: all are 0, both without those
   * @param those labels
   */
  record Order(List<String> these, String words, List<String> those) {

    private static Order of(JsonNode node) {
      return new Order(
          texts(node.get("these")), node.get("order").textValue(), texts(node.path("those")));
    }

    private boolean isLess() {
      return words.startsWith("less");
    }

    private boolean isNone() {
      return words.equals("none");
    }

    /** Returns the pair that decides: the one that is most against the claim. */
    private Pair decisive(Figures figures, String figure) {
      double[] one = these.stream().mapToDouble(each -> figures.get(figure, each)).toArray();
      double[] other = those.stream().mapToDouble(each -> figures.get(figure, each)).toArray();
      if (words.endsWith("in pairs")) {
        IntStream all = IntStream.range(0, one.length);
        double ratio = extreme(all.mapToDouble(i -> one[i] / other[i]).toArray(), isLess());
        return new Pair(ratio, 1);
      }
      if (words.equals(NEAR)) {
        return new Pair(
            Arrays.stream(one).average().orElseThrow(),
            Arrays.stream(other).average().orElseThrow());
      }
      if (words.startsWith(WITHIN)) {
        return new Pair(extreme(one, true), extreme(one, false));
      }
      if (isNone()) {
        return new Pair(extreme(one, true), 1);
      }
      return new Pair(extreme(one, isLess()), extreme(other, !isLess()));
    }

    private static double extreme(double[] values, boolean greatest) {
      DoubleStream all = Arrays.stream(values);
      return (greatest ? all.max() : all.min()).orElseThrow();
    }

    private boolean holds(Figures published, Figures figures, String figure) {
      Pair pair = decisive(figures, figure);
      if (words.startsWith(WITHIN)) {
        String percent = words.substring(WITHIN.length(), words.indexOf(" %"));
        return pair.ratio() - 1 < Integer.parseInt(percent) / 100.0;
      }
      return switch (words) {
        case "alike" -> Math.abs(pair.ratio() - 1) < ALIKE;
        case NEAR -> {
          double theirs = decisive(published, figure).ratio();
          yield Math.abs(pair.ratio() - theirs) <= Math.max(POINTS, QUARTER * Math.abs(theirs - 1));
        }
        case "three times" -> pair.one() >= TIMES * pair.other();
        case "none" -> pair.one() == 0;
        default -> isLess() ? pair.one() < pair.other() : pair.one() > pair.other();
      };
    }
  }

  /** Reads a claim. */
  static FigureClaim of(JsonNode node) {
    List<Order> orders = new ArrayList<>(List.of(Order.of(node)));
    node.path("and").forEach(each -> orders.add(Order.of(each)));
    return new FigureClaim(
        node.get("id").textValue(),
        node.get("words").textValue(),
        node.get("figure").textValue(),
        orders);
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  /** Checks the claim. */
  Claim check(Figures published, Figures ours) {
    return Claim.of(
        id,
        orders.get(0).words().equals(NEAR) ? words + CRITERION : words,
        text(published),
        text(ours),
        orders.stream().allMatch(each -> each.holds(published, ours, figure)));
  }

  private String text(Figures figures) {
    Order first = orders.get(0);
    double ratio = first.decisive(figures, figure).ratio();
    if (!Double.isFinite(ratio)) {
      return "";
    }
    return first.isNone() ? Numbers.fixed(ratio, 0) : "ratio " + Numbers.fixed(ratio, DIGITS);
  }
}
