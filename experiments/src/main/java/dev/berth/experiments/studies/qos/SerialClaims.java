package dev.berth.experiments.studies.qos;

import dev.berth.experiments.ClassFigures;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyRun;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Numbers;
import dev.berth.simulator.ServiceClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Checks that the serial scheduler explains what the authors' Kubernetes did. */
final class SerialClaims {

  private static final double SILVER_CLOSE = 0.005;
  private static final double BRONZE_CLOSE = 0.01;
  private static final double PREEMPTIONS_CLOSE = 0.1;

  private final StudyRuns serial;
  private final PublishedRun theirs;

  /**
   * Creates the claims.
   *
   * @param theirs the run of their Kubernetes
   */
  SerialClaims(StudyRuns serial, PublishedRun theirs) {
    this.serial = serial;
    this.theirs = theirs;
  }

  List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (ClassFigures each : theirs.classes()) {
      if (each.name().equals(ServiceClasses.SILVER)) {
        claims.add(availability(each, "mean", ClassFigures::mean, SILVER_CLOSE));
        claims.add(availability(each, "least", ClassFigures::min, SILVER_CLOSE));
        claims.add(availability(each, "greatest", ClassFigures::max, SILVER_CLOSE));
      } else if (each.name().equals(ServiceClasses.BRONZE)) {
        claims.add(availability(each, "mean", ClassFigures::mean, BRONZE_CLOSE));
        claims.add(availability(each, "least", ClassFigures::min, BRONZE_CLOSE));
        claims.add(availability(each, "greatest", ClassFigures::max, BRONZE_CLOSE));
      }
    }
    if (!theirs.rounded()) { // a rounded count may include pods that were deleted while waiting
      claims.add(preemptions());
    }
    return claims;
  }

  private Claim availability(
      ClassFigures published,
      String which,
      Function<ClassFigures, OptionalDouble> figure,
      double close) {
    double expected = figure.apply(published).orElseThrow();
    double median =
        median(run -> figure.apply(ValidationRuns.figures(run, published.name())).orElseThrow());
    int digits = theirs.rounded() ? 3 : 4;
    return Claim.of(
        "serial-%s-%s".formatted(published.name(), which),
        "one decision at a time: %s availability of %s in their Kubernetes (median of %s seeds within %s)"
            .formatted(which, published.name(), seeds(), Numbers.plain(close)),
        Numbers.fixed(expected, digits),
        Numbers.fixed(median, 4),
        Math.abs(median - expected) <= close);
  }

  private Claim preemptions() {
    long expected = theirs.preemptions().orElseThrow();
    double median = median(run -> (double) run.result().preemptions());
    return Claim.of(
        "serial-preemptions",
        "one decision at a time: preemptions in their Kubernetes (median of %s seeds within 10 %%)"
            .formatted(seeds()),
        Long.toString(expected),
        Numbers.fixed(median, 0),
        Math.abs(median - expected) <= PREEMPTIONS_CLOSE * expected);
  }

  private double median(ToDoubleFunction<StudyRun> figure) {
    return Spread.of(serial.runs(SerialRuns.LABEL), figure).median();
  }

  private int seeds() {
    return serial.runs(SerialRuns.LABEL).size();
  }
}
