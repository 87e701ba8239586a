package dev.berth.experiments.studies.slo;

import dev.berth.experiments.figures.Sample;
import dev.berth.experiments.study.Claim;
import dev.berth.report.Numbers;
import dev.berth.simulator.result.ClassResult;
import java.util.ArrayList;
import java.util.List;

/** Checks the targets that {@code qos-hysteresis} was to meet, against its runs in one setting. */
final class Targets {

  private static final double MOST_PREEMPTIONS = 0.4;
  private static final int PRECISE = 5; // digits of figures that hardly differ

  private final String id;
  private final String setting;
  private final Runs runs;
  private final String ours;
  private final List<Claim> claims = new ArrayList<>();

  /**
   * Creates targets without any.
   *
   * @param id begins the ids of the claims
   * @param setting begins their words
   * @param ours label of the policy that is to meet them
   */
  Targets(String id, String setting, Runs runs, String ours) {
    this.id = id;
    this.setting = setting;
    this.runs = runs;
    this.ours = ours;
  }

  List<Claim> claims() {
    return List.copyOf(claims);
  }

  private void add(
      String which, String words, String target, String got, boolean holds, String detail) {
    claims.add(
        Claim.of(id + "-" + which, setting + ": " + words, target, got, holds)
            .with(List.of(detail)));
  }

  /** No figure of any class is worse than another policy's, beyond chance. */
  Targets noColumnWorse(String other) {
    List<String> details = new ArrayList<>();
    int worse = 0;
    int compared = 0;
    for (ClassResult each : runs.classes()) {
      for (Figure figure : Figure.values()) {
        Sample gain = runs.gain(ours, other, each.name(), figure);
        compared++;
        boolean beyondChance = gain.isBelowZero();
        if (beyondChance) {
          worse++;
        }
        if (gain.mean() < 0) {
          details.add(
              "%s of %s: %s, %s under %s (%s)"
                  .formatted(
                      figure.words(),
                      each.name(),
                      Numbers.fixed(runs.of(ours, each.name(), figure).mean(), PRECISE),
                      Numbers.fixed(runs.of(other, each.name(), figure).mean(), PRECISE),
                      other,
                      beyondChance ? "worse" : "worse on average, but within chance"));
        }
      }
    }
    details.add(0, "worse in %s of %s figures".formatted(worse, compared));
    claims.add(
        Claim.of(
                id + "-no-worse",
                setting + ": no figure of any class is worse than under " + other,
                "0 of " + compared,
                "%s of %s".formatted(worse, compared),
                worse == 0)
            .with(details));
    return this;
  }

  /** A figure of a class is better than another policy's, beyond chance. */
  Targets better(String serviceClass, Figure figure, String other) {
    String theirs = estimate(other, serviceClass, figure);
    String got = estimate(ours, serviceClass, figure);
    add(
        "better-" + figure.id(),
        "%s of %s is better than under %s".formatted(figure.words(), serviceClass, other),
        (figure.moreIsBetter() ? "above " : "below ") + theirs,
        got,
        isAboveZero(runs.gain(ours, other, serviceClass, figure)),
        "%s, %s under %s".formatted(got, theirs, other));
    return this;
  }

  /** Every request of a class meets its objective, in every run. */
  Targets allMeet(String serviceClass) {
    Sample met = runs.of(ours, serviceClass, Figure.MET);
    String got = "%s, at worst %s".formatted(estimate(met, 4), Numbers.fixed(met.min(), 4));
    add(
        serviceClass + "-met",
        "all requests of %s meet their objective, in every run".formatted(serviceClass),
        "1.00",
        got,
        met.min() >= 1,
        got);
    return this;
  }

  /** The mean of a figure over the runs is at least a number. */
  Targets atLeast(String serviceClass, Figure figure, double target) {
    Sample got = runs.of(ours, serviceClass, figure);
    limit(serviceClass, figure, "at least", "≥ ", target, got.min(), got.mean() >= target);
    return this;
  }

  /** The mean of a figure over the runs is at most a number. */
  Targets atMost(String serviceClass, Figure figure, double target) {
    Sample got = runs.of(ours, serviceClass, figure);
    double most = -got.times(-1).min();
    limit(serviceClass, figure, "at most", "≤ ", target, most, got.mean() <= target);
    return this;
  }

  private void limit(
      String serviceClass,
      Figure figure,
      String words,
      String sign,
      double target,
      double worst,
      boolean holds) {
    String got =
        "%s, at worst %s"
            .formatted(estimate(ours, serviceClass, figure), Numbers.fixed(worst, figure.digits()));
    add(
        "%s-%s".formatted(serviceClass, figure.id()),
        "%s of %s is %s %s".formatted(figure.words(), serviceClass, words, Numbers.plain(target)),
        sign + Numbers.plain(target),
        got,
        holds,
        got);
  }

  /** There are at most 40 % of another policy's preemptions. */
  Targets fewPreemptions(String other) {
    double its = runs.total(ours, Figure.PREEMPTIONS).mean();
    double others = runs.total(other, Figure.PREEMPTIONS).mean();
    String got = Numbers.fixed(100 * its / others, 1) + " %";
    String most = Numbers.fixed(100 * MOST_PREEMPTIONS, 0) + " %";
    add(
        "preemptions",
        "at most %s of the preemptions under %s".formatted(most, other),
        "≤ " + most,
        got,
        its <= MOST_PREEMPTIONS * others,
        "%s: %s of %s".formatted(got, Numbers.fixed(its, 0), Numbers.fixed(others, 0)));
    return this;
  }

  private String estimate(String label, String serviceClass, Figure figure) {
    return estimate(runs.of(label, serviceClass, figure), figure.digits());
  }

  private static String estimate(Sample sample, int digits) {
    return Numbers.estimate(sample.mean(), sample.halfWidth(), digits);
  }

  private static boolean isAboveZero(Sample gain) {
    return gain.times(-1).isBelowZero();
  }
}
