package dev.berth.experiments.studies.qos;

import dev.berth.experiments.figures.ClassFigures;
import dev.berth.experiments.figures.Figure;
import dev.berth.experiments.studies.qos.ValidationRuns.Spread;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.report.Numbers;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.workload.ServiceClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that the serial scheduler explains what the authors' Kubernetes did.
 *
 * @param serial our runs
 * @param theirs the run of their Kubernetes
 */
record SerialClaims(StudyRuns serial, PublishedRun theirs) {

  /** How close availabilities must be, by class. */
  private static final Map<String, Double> CLOSE =
      Map.of(ServiceClasses.SILVER, 0.005, ServiceClasses.BRONZE, 0.01);

  private static final double PREEMPTIONS_CLOSE = 0.1;

  List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (ClassFigures each : theirs.classes()) {
      if (CLOSE.containsKey(each.name())) {
        double close = Objects.requireNonNull(CLOSE.get(each.name()));
        claims.add(availability(each, "mean", ClassFigures.MEAN, close));
        claims.add(availability(each, "least", ClassFigures.MIN, close));
        claims.add(availability(each, "greatest", ClassFigures.MAX, close));
      }
    }
    claims.add(preemptions());
    return claims;
  }

  private Claim availability(
      ClassFigures published, String which, Figure<ClassResult> figure, double close) {
    double expected = published.only(figure).orElseThrow();
    double median = Spread.of(serial.runs(SerialRuns.LABEL), published.name(), figure).median();
    return Claim.of(
        "serial-%s-%s".formatted(published.name(), which),
        "one decision at a time: %s availability of %s in their Kubernetes (median of %s seeds within %s)"
            .formatted(which, published.name(), seeds(), Numbers.plain(close)),
        Numbers.fixed(expected, 4),
        Numbers.fixed(median, 4),
        Math.abs(median - expected) <= close);
  }

  private Claim preemptions() {
    long expected = theirs.preemptions().orElseThrow();
    double median = Spread.ofPreemptions(serial.runs(SerialRuns.LABEL)).median();
    return Claim.of(
        "serial-preemptions",
        "one decision at a time: preemptions in their Kubernetes (median of %s seeds within 10 %%)"
            .formatted(seeds()),
        Long.toString(expected),
        Numbers.fixed(median, 0),
        Math.abs(median - expected) <= PREEMPTIONS_CLOSE * expected);
  }

  private int seeds() {
    return serial.runs(SerialRuns.LABEL).size();
  }
}
