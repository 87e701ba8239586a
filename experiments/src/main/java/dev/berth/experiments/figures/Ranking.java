package dev.berth.experiments.figures;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.report.Numbers;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.ClassResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * Policies by one figure, best first, in tiers. No policy of a tier is clearly worse than the first
 * one of its tier.
 *
 * <p>Over several cases a policy is clearly worse if the 95 % confidence interval of the paired
 * differences excludes 0. In one case there is no spread, so it is worse if it is shown as worse.
 *
 * @param tiers best first; empty if no policy has the figure
 */
record Ranking(List<Tier> tiers) {

  /** Of more names the first two are given. */
  static final int MOST_NAMES = 3;

  private static final int MOST_TIERS = 3;

  /**
   * What policies are ranked by.
   *
   * @param moreIsBetter whether great values are better than small ones
   * @param of the values of a policy; an empty sample leaves it out
   * @param text how a value is shown
   */
  record Criterion(
      boolean moreIsBetter, Function<Summary.Row, Sample> of, DoubleFunction<String> text) {

    /** Returns the ranking by a figure of whole runs. */
    static Criterion of(Figure<RunMetrics> figure) {
      return new Criterion(
          figure.moreIsBetter(),
          row -> row.get(figure),
          value -> Numbers.grouped(value, figure.digits()));
    }

    /** Returns the ranking by a figure of a service class. */
    static Criterion of(
        String serviceClass, Figure<ClassResult> figure, DoubleFunction<String> text) {
      return new Criterion(figure.moreIsBetter(), row -> row.get(serviceClass, figure), text);
    }

    /** Returns whether one policy is clearly better than another, and shown as better. */
    boolean separates(Summary.Row better, Summary.Row worse) {
      Sample its = of.apply(better);
      Sample others = of.apply(worse);
      boolean oneCase =
          its.size() == 1 && others.size() == 1 && better.failed() + worse.failed() == 0;
      return !text.apply(its.mean()).equals(text.apply(others.mean()))
          && (oneCase || better.beats(worse, of, moreIsBetter));
    }
  }

  /**
   * Policies without a clear difference.
   *
   * @param rows best first
   * @param values means as they are shown, in the same order
   */
  record Tier(List<Summary.Row> rows, List<String> values) {

    /** Copies the lists. */
    Tier {
      rows = List.copyOf(rows);
      values = List.copyOf(values);
    }

    /** Returns whether all policies have the same value, as far as it is shown. */
    boolean isUniform() {
      return Set.copyOf(values).size() == 1;
    }

    /** Returns the value, or all of a few, or the best and the worst of many. */
    String value() {
      if (isUniform()) {
        return values.get(0);
      }
      return values.size() > MOST_NAMES
          ? values.get(0) + " to " + values.get(values.size() - 1)
          : String.join(", ", values);
    }

    /** Returns the names of the policies. */
    String names() {
      return Verdict.joined(rows.stream().map(each -> each.policy().label()).toList());
    }
  }

  /** Copies the list. */
  Ranking {
    tiers = List.copyOf(tiers);
  }

  /** Returns the ranking of those policies that have the figure. */
  static Ranking of(List<Summary.Row> policies, Criterion figure) {
    Comparator<Summary.Row> ascending =
        Comparator.comparingDouble(each -> figure.of().apply(each).mean());
    List<Summary.Row> rest =
        new ArrayList<>(
            policies.stream()
                .filter(each -> figure.of().apply(each).size() > 0)
                .sorted(figure.moreIsBetter() ? Collections.reverseOrder(ascending) : ascending)
                .toList());
    List<Tier> tiers = new ArrayList<>();
    while (!rest.isEmpty()) {
      Summary.Row first = rest.get(0);
      List<Summary.Row> alike =
          rest.stream().filter(each -> !figure.separates(first, each)).toList();
      rest.removeAll(alike);
      tiers.add(
          new Tier(
              alike,
              alike.stream()
                  .map(each -> figure.text().apply(figure.of().apply(each).mean()))
                  .toList()));
    }
    return new Ranking(tiers);
  }

  /** Returns the number of policies. */
  int size() {
    return tiers.stream().mapToInt(each -> each.rows().size()).sum();
  }

  /** Returns whether there is a clear difference between two policies. */
  boolean isDivided() {
    return tiers.size() > 1;
  }

  /** Returns whether values differ as they are shown, but not clearly. */
  boolean isUnclear() {
    return !isDivided() && !tiers.get(0).isUniform();
  }

  /** Returns the labels of the policies of the best tier, or of all if there is only that. */
  Set<String> leaders() {
    Set<String> labels = new LinkedHashSet<>();
    tiers.get(0).rows().forEach(each -> labels.add(each.policy().label()));
    return labels;
  }

  /**
   * Returns the value of each tier and its policies, best first: {@code "1.94 core-hours under a,
   * 19.37 under b"}. Of many tiers, the best two and the worst are named.
   *
   * @param unit follows the first value
   */
  String words(String unit) {
    return words(unit, true, tier -> "");
  }

  /**
   * Returns the same.
   *
   * @param unit follows the first value
   * @param naming whether the policies of the best tier are named; else the reader knows them
   * @param remark follows the names of a tier; may return an empty text
   */
  String words(String unit, boolean naming, Function<Tier, String> remark) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      if (i < MOST_TIERS - 1 || i == tiers.size() - 1) {
        Tier tier = tiers.get(i);
        parts.add(
            (i >= MOST_TIERS ? "… " : "")
                + tier.value()
                + (i == 0 ? unit : "")
                + (i == 0 && !naming ? "" : under(tier))
                + (isDivided() && !tier.isUniform() ? " (no clear difference)" : "")
                + remark.apply(tier));
      }
    }
    return String.join(", ", parts);
  }

  private String under(Tier tier) {
    if (size() == 1 || isUnclear()) {
      return "";
    }
    return " under " + (isDivided() ? tier.names() : size() == 2 ? "both" : "all " + size());
  }

  /** Puts an object for each tier: its policies and, in the same order, their means. */
  void putInto(ArrayNode list, Criterion figure) {
    for (Tier tier : tiers) {
      ObjectNode node = list.addObject();
      ArrayNode policies = node.putArray("policies");
      ArrayNode means = node.putArray("means");
      for (Summary.Row each : tier.rows()) {
        policies.add(each.policy().label());
        means.add(figure.of().apply(each).mean());
      }
    }
  }
}
