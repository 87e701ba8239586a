package dev.berth.experiments.study;

import dev.berth.simulator.RequestOutcome;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A figure of one run. It is empty where it is undefined, such as a mean over no requests. */
public enum RunFigure {
  /** Time until the last request ends, in seconds. */
  TOTAL(run -> seconds(run.outcomes().stream().mapToLong(each -> each.report().endedAt()).max())),
  /** Mean time from being first ready to the end, in seconds. */
  RUN(mean(StudyRun::runNanos)),
  /** Mean time from being first placed to being ready, in seconds. */
  START(
      mean(
          each ->
              each.firstReadyAt().orElse(each.report().endedAt())
                  - each.firstPlacedAt().orElse(each.report().endedAt()))),
  /** Mean time from arrival to the end, in seconds. */
  TURNAROUND(mean(each -> each.report().endedAt() - each.report().admittedAt())),
  /** Number of requests that ended after their deadline. */
  LATE(
      run ->
          count(run.outcomes().stream().filter(each -> StudyRun.latenessNanos(each) > 0).count())),
  /** Time by which requests missed their deadlines, in seconds, summed. */
  LATENESS(
      run ->
          of(
              run.outcomes().stream()
                  .mapToDouble(each -> StudyRun.latenessNanos(each) / Units.SECOND)
                  .sum())),
  /** Number of migrations. */
  MIGRATIONS(run -> count(run.result().adjustments().migrations())),
  /** Number of pauses. */
  PAUSES(run -> count(run.result().adjustments().pauses())),
  /** Number of suspensions. */
  SUSPENSIONS(run -> count(run.result().adjustments().suspensions())),
  /** Number of hosts that were provisioned. */
  STARTED(run -> count(run.result().pools().requested())),
  /** Number of clusters that bags were assigned to. */
  CLUSTERS(
      run ->
          count(
              run.bags().stream()
                  .map(each -> each.cluster())
                  .flatMap(Optional::stream)
                  .distinct()
                  .count())),
  /** Time until the last bag ends, in minutes. */
  LAST_BAG(run -> minutes(run.bags().stream().mapToLong(each -> each.endedAt()).max())),
  /** Mean time from a bag's submission to its end, in minutes. */
  MEAN_BAG(
      run ->
          minutes(
              run.bags().stream()
                  .mapToLong(each -> each.endedAt() - each.submittedAt())
                  .average())),
  /** Host-hours that are paid for. */
  HOST_HOURS(run -> of(run.result().pools().hostHours())),
  /** Share of the paid time in which a host ran something, in percent. */
  BUSY(
      run ->
          run.result().pools().hostNanos() == 0
              ? OptionalDouble.empty()
              : of(100 * run.result().pools().busyNanos() / run.result().pools().hostNanos())),
  /** Share of the tasks that were cancelled, in percent. */
  LOST(
      run ->
          run.result().arrivals() == 0
              ? OptionalDouble.empty()
              : of(100.0 * run.result().cancelled() / run.result().arrivals()));

  private static final class Units {
    private static final double SECOND = 1e9;
    private static final double MINUTE = 60e9;

    private Units() {}
  }

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final Function<StudyRun, OptionalDouble> figure;

  RunFigure(Function<StudyRun, OptionalDouble> figure) {
    this.figure = figure;
  }

  private static OptionalDouble count(long number) {
    return OptionalDouble.of((double) number);
  }

  /** Returns the figure of a run; empty if it is undefined. */
  public OptionalDouble of(StudyRun run) {
    return figure.apply(run);
  }

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }

  private static Function<StudyRun, OptionalDouble> mean(ToLongFunction<RequestOutcome> nanos) {
    return run -> {
      OptionalDouble mean = run.outcomes().stream().mapToLong(nanos).average();
      return mean.isPresent() ? of(mean.getAsDouble() / Units.SECOND) : mean;
    };
  }

  private static OptionalDouble seconds(OptionalLong nanos) {
    return nanos.isPresent() ? of(nanos.getAsLong() / Units.SECOND) : OptionalDouble.empty();
  }

  private static OptionalDouble minutes(OptionalLong nanos) {
    return nanos.isPresent() ? of(nanos.getAsLong() / Units.MINUTE) : OptionalDouble.empty();
  }

  private static OptionalDouble minutes(OptionalDouble nanos) {
    return nanos.isPresent() ? of(nanos.getAsDouble() / Units.MINUTE) : nanos;
  }
}
