package dev.berth.experiments.figures;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * How much of the way from a reference to the bound each policy goes in one figure, of which less
 * is better: 1 at the bound, 0 if it equals the reference, negative if it is worse.
 *
 * <p>The reference is that of the experiment, or else the worst of the compared policies.
 *
 * @param from the reference
 * @param start its mean
 * @param bound mean of the bound; below {@code start}
 * @param goals the other policies
 * @param figure the figure
 */
public record WayToBound(
    Summary.Row from,
    double start,
    double bound,
    List<Summary.Row> goals,
    Function<Summary.Row, Sample> figure) {

  private static final double HAIR = 1e-9;

  /** Copies the list. */
  public WayToBound {
    goals = List.copyOf(goals);
  }

  /**
   * Returns the way in one figure; empty without a bound, or if the reference is at the bound. A
   * policy takes part if it finished in all cases and neither rejected nor cancelled a request.
   *
   * @param figure the values of a policy, one for each case
   * @param bound their bounds
   */
  static Optional<WayToBound> of(
      Experiment experiment,
      Summary.Group group,
      Function<Summary.Row, Sample> figure,
      Sample bound) {
    List<Summary.Row> rows =
        group.rows().stream()
            .filter(each -> each.policy().role() == ComparedPolicy.Role.POLICY)
            .filter(each -> each.failed() == 0 && isComparable(group, each))
            .filter(each -> figure.apply(each).size() == bound.size())
            .toList();
    if (bound.size() == 0 || rows.isEmpty()) {
      return Optional.empty();
    }
    Summary.Row from =
        rows.stream()
            .filter(each -> experiment.reference().equals(Optional.of(each.policy().label())))
            .findFirst()
            .orElseGet(
                () ->
                    rows.stream()
                        .max(Comparator.comparingDouble(each -> figure.apply(each).mean()))
                        .orElseThrow());
    double start = figure.apply(from).mean();
    return start - bound.mean() <= HAIR
        ? Optional.empty()
        : Optional.of(
            new WayToBound(
                from,
                start,
                bound.mean(),
                rows.stream().filter(each -> !each.equals(from)).toList(),
                figure));
  }

  private static boolean isComparable(Summary.Group group, Summary.Row row) {
    return group.bound().stream()
        .noneMatch(each -> each.incomparable().contains(row.policy().label()));
  }

  /** Returns the way in penalties. */
  public static Optional<WayToBound> inPenalty(Experiment experiment, Summary.Group group) {
    return group
        .bound()
        .flatMap(each -> of(experiment, group, row -> row.get(Totals.PENALTY), each.penalty()));
  }

  /** Returns the way in what a class lacks to its objective. */
  public static Optional<WayToBound> inShortfall(
      Experiment experiment, Summary.Group group, String serviceClass) {
    return group
        .bound()
        .flatMap(each -> each.ofClass(serviceClass))
        .flatMap(
            each ->
                of(
                    experiment,
                    group,
                    row -> row.get(serviceClass, ClassFigures.SHORTFALL),
                    each.get(ClassFigures.SHORTFALL)));
  }

  /** Returns the share of the way that a policy goes; empty if it takes no part. */
  public OptionalDouble share(Summary.Row row) {
    return row.equals(from) || goals.contains(row)
        ? OptionalDouble.of(share(figure.apply(row).mean()))
        : OptionalDouble.empty();
  }

  /** Returns the share of the way that a figure is at. */
  double share(double mean) {
    return (start - mean) / (start - bound);
  }

  /** Puts the reference with its mean, and the share of each policy. */
  void putInto(ObjectNode node) {
    node.put("from", from.policy().label());
    node.put("start", start);
    ObjectNode shares = node.putObject("shares");
    goals.forEach(each -> shares.put(each.policy().label(), share(each).orElseThrow()));
  }
}
