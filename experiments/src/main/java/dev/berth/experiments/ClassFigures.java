package dev.berth.experiments;

import dev.berth.simulator.ClassResult;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The figures of one service class in one run, ours or published. Figures that are undefined or
 * were not published are empty.
 *
 * @param name of the service class
 * @param slo the availability objective, a share
 * @param count requests admitted
 * @param min smallest final availability
 * @param mean mean final availability
 * @param max greatest final availability
 * @param fulfilment share of the requests whose availability reached the SLO
 * @param meanDeficit mean of SLO − availability over the requests that missed it
 * @param maxDeficit greatest SLO − availability
 * @param neverRan requests that were never in service
 * @param preemptions how often requests of the class were preempted
 */
public record ClassFigures(
    String name,
    double slo,
    long count,
    OptionalDouble min,
    OptionalDouble mean,
    OptionalDouble max,
    OptionalDouble fulfilment,
    OptionalDouble meanDeficit,
    OptionalDouble maxDeficit,
    OptionalLong neverRan,
    OptionalLong preemptions) {

  /** Returns the figures of a run of ours. */
  public static ClassFigures of(ClassResult got) {
    return new ClassFigures(
        got.name(),
        got.slo(),
        got.count(),
        got.min(),
        got.mean(),
        got.max(),
        got.fulfilment(),
        got.meanDeficit(),
        got.maxDeficit(),
        OptionalLong.of(got.neverRan()),
        OptionalLong.of(got.preemptions()));
  }
}
