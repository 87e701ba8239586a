package dev.berth.experiments.study;

import dev.berth.experiments.figures.Figure;
import dev.berth.simulator.result.RequestOutcome;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The figures of a run of a study. They are undefined where they are means over no requests. */
public final class RunFigure {

  private static final double SECOND = 1e9;
  private static final double MINUTE = 60e9;

  /** Time until the last request ends. */
  public static final Figure<StudyRun> TOTAL =
      of(
          "total",
          "total_s",
          "total s",
          3,
          run ->
              in(
                  SECOND,
                  run.outcomes().stream().mapToDouble(each -> each.report().endedAt()).max()));

  /** Mean time from being first ready to the end. */
  public static final Figure<StudyRun> RUN =
      of("run", "mean_run_s", "mean run s", 3, mean(StudyRun::runNanos));

  /** Longest time from being first ready to the end. */
  public static final Figure<StudyRun> WORST_RUN =
      of(
          "worst",
          "worst_run_s",
          "longest run s",
          3,
          run -> in(SECOND, run.outcomes().stream().mapToDouble(StudyRun::runNanos).max()));

  /** Mean time from being first placed to being ready. */
  public static final Figure<StudyRun> START =
      of(
          "start",
          "mean_start_s",
          "mean start s",
          3,
          mean(
              each ->
                  each.firstReadyAt().orElse(each.report().endedAt())
                      - each.firstPlacedAt().orElse(each.report().endedAt())));

  /** Mean time from arrival to the end. */
  public static final Figure<StudyRun> TURNAROUND =
      of(
          "turnaround",
          "mean_turnaround_s",
          "turnaround",
          3,
          mean(each -> each.report().endedAt() - each.report().admittedAt()));

  /** Number of requests that ended after their deadline. */
  public static final Figure<StudyRun> LATE =
      count("late", run -> run.outcomes().stream().filter(StudyRun::isLate).count());

  /** Time by which requests missed their deadlines, summed. */
  public static final Figure<StudyRun> LATENESS =
      defined("lateness", "lateness_s", "lateness", 3, StudyRun::latenessSeconds);

  /** Number of migrations. */
  public static final Figure<StudyRun> MIGRATIONS =
      count("migrations", run -> run.result().adjustments().migrations());

  /** Number of pauses. */
  public static final Figure<StudyRun> PAUSES =
      count("pauses", run -> run.result().adjustments().pauses());

  /** Number of suspensions. */
  public static final Figure<StudyRun> SUSPENSIONS =
      count("suspensions", run -> run.result().adjustments().suspensions());

  /** Number of resumptions. */
  public static final Figure<StudyRun> RESUMES =
      count("resumes", run -> run.result().adjustments().resumes());

  /** Number of changed grants. */
  public static final Figure<StudyRun> RESIZES =
      count("resizes", run -> run.result().adjustments().resizes());

  /** Number of hosts that were provisioned. */
  public static final Figure<StudyRun> STARTED =
      defined("started", "started", "hosts started", 1, run -> run.result().pools().requested());

  /** Number of clusters that bags were assigned to. */
  public static final Figure<StudyRun> CLUSTERS =
      defined(
          "clusters",
          "clusters",
          "clusters",
          2,
          run -> run.bags().stream().flatMap(each -> each.cluster().stream()).distinct().count());

  /** Time until the last bag ends. */
  public static final Figure<StudyRun> LAST_BAG =
      of(
          "minutes",
          "last_end_min",
          "last end min",
          1,
          run -> in(MINUTE, run.bags().stream().mapToDouble(each -> each.endedAt()).max()));

  /** Mean time from a bag's submission to its end. */
  public static final Figure<StudyRun> MEAN_BAG =
      of(
          "bag",
          "mean_bag_min",
          "mean bag min",
          1,
          run ->
              in(
                  MINUTE,
                  run.bags().stream()
                      .mapToLong(each -> each.endedAt() - each.submittedAt())
                      .average()));

  /** Host-hours that are paid for. */
  public static final Figure<StudyRun> HOST_HOURS =
      defined("hostHours", "host_hours", "host-hours", 1, run -> run.result().pools().hostHours());

  /** Share of the paid time in which a host ran something, in percent. */
  public static final Figure<StudyRun> BUSY =
      of(
          "busy",
          "busy_percent",
          "busy %",
          1,
          run -> percent(run.result().pools().busyNanos(), run.result().pools().hostNanos()));

  /** Share of the tasks that were cancelled, in percent. */
  public static final Figure<StudyRun> LOST =
      of(
          "lost",
          "lost_percent",
          "lost tasks %",
          1,
          run -> percent((double) run.result().cancelled(), (double) run.result().arrivals()));

  private RunFigure() {}

  private static Figure<StudyRun> of(
      String key,
      String column,
      String words,
      int digits,
      Function<StudyRun, OptionalDouble> reader) {
    return new Figure<>(key, column, words, digits, false, reader);
  }

  /** Returns a whole number with the same name everywhere. */
  private static Figure<StudyRun> count(String name, ToDoubleFunction<StudyRun> reader) {
    return defined(name, name, name, 0, reader);
  }

  private static Figure<StudyRun> defined(
      String key, String column, String words, int digits, ToDoubleFunction<StudyRun> reader) {
    return Figure.defined(key, column, words, digits, false, reader);
  }

  private static Function<StudyRun, OptionalDouble> mean(ToLongFunction<RequestOutcome> nanos) {
    return run -> in(SECOND, run.outcomes().stream().mapToLong(nanos).average());
  }

  private static OptionalDouble percent(double part, double whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of(100 * part / whole);
  }

  private static OptionalDouble in(double unit, OptionalDouble nanos) {
    return nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / unit) : nanos;
  }
}
