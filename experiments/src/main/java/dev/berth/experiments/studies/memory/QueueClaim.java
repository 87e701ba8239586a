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
 * A claim about the order of queue disciplines in a figure.
 *
 * @param id of the claim
 * @param words the claim
 * @param figure its name in the published tables
 * @param orders what is claimed; the ratio of the first is shown
 */
record QueueClaim(String id, String words, String figure, List<Order> orders) {

  private static final double ALIKE = 0.05;
  private static final int TIMES = 3;
  private static final int DIGITS = 3;

  /** The figures of queue disciplines, by label: ours or published ones. */
  interface QueueFigures {

    /** Returns a figure; NaN if it is unknown. */
    double get(String figure, String discipline);
  }

  /** Two numbers that are compared. */
  private record Pair(double one, double other) {

    double ratio() {
      return one / other;
    }
  }

  /**
   * How some disciplines are to others.
   *
   * @param these labels
   * @param words {@code less} or {@code more} than any of those, or than each of those in their
   *     order ({@code in pairs}); {@code alike}; or at least {@code three times}
   * @param those labels
   */
  record Order(List<String> these, String words, List<String> those) {

    private static Order of(JsonNode node) {
      return new Order(
          texts(node.get("these")), node.get("order").textValue(), texts(node.get("those")));
    }

    private boolean isLess() {
      return words.startsWith("less");
    }

    /** Returns the pair that decides: the one that is most against the claim. */
    private Pair decisive(QueueFigures figures, String figure) {
      double[] one = these.stream().mapToDouble(each -> figures.get(figure, each)).toArray();
      double[] other = those.stream().mapToDouble(each -> figures.get(figure, each)).toArray();
      if (words.endsWith("in pairs")) {
        IntStream all = IntStream.range(0, one.length);
        double ratio = extreme(all.mapToDouble(i -> one[i] / other[i]).toArray(), isLess());
        return new Pair(ratio, 1);
      }
      return new Pair(extreme(one, isLess()), extreme(other, !isLess()));
    }

    private static double extreme(double[] values, boolean greatest) {
      DoubleStream all = Arrays.stream(values);
      return (greatest ? all.max() : all.min()).orElseThrow();
    }

    private boolean holds(QueueFigures figures, String figure) {
      Pair pair = decisive(figures, figure);
      return switch (words) {
        case "alike" -> Math.abs(pair.ratio() - 1) < ALIKE;
        case "three times" -> pair.one() >= TIMES * pair.other();
        default -> isLess() ? pair.one() < pair.other() : pair.one() > pair.other();
      };
    }
  }

  /** Reads a claim. */
  static QueueClaim of(JsonNode node) {
    List<Order> orders = new ArrayList<>(List.of(Order.of(node)));
    node.path("and").forEach(each -> orders.add(Order.of(each)));
    return new QueueClaim(
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
  Claim check(QueueFigures published, QueueFigures ours) {
    return Claim.of(
        id,
        words,
        text(published),
        text(ours),
        orders.stream().allMatch(each -> each.holds(ours, figure)));
  }

  private String text(QueueFigures figures) {
    double ratio = orders.get(0).decisive(figures, figure).ratio();
    return Double.isFinite(ratio) ? "ratio " + Numbers.fixed(ratio, DIGITS) : "";
  }
}
