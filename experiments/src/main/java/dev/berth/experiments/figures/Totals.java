package dev.berth.experiments.figures;

import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures of a whole run. */
public final class Totals {

  /** Requests admitted. */
  public static final Figure<RunMetrics> REQUESTS =
      of("requests", "requests", 0, true, RunResult::arrivals);

  /** Requests whose work was done. */
  public static final Figure<RunMetrics> COMPLETED =
      of("completed", "done", 0, true, RunResult::completed);

  /** Penalties for missed objectives. */
  public static final Figure<RunMetrics> PENALTY =
      of("penaltyCoreHours", "penalty, core-hours", 2, false, RunResult::penalty);

  /** Number of preemptions. */
  public static final Figure<RunMetrics> PREEMPTIONS =
      of("preemptions", "preemptions", 0, false, RunResult::preemptions);

  /** Mean time not in service. */
  public static final Figure<RunMetrics> WAITING =
      new Figure<>(
          "waiting", "waiting_s", "waiting, mean, s", 1, false, run -> run.result().waitingMean());

  /** Mean number of pending requests. */
  public static final Figure<RunMetrics> PENDING =
      Figure.defined(
          "pending", "pending", "pending requests, mean", 1, false, RunMetrics::meanPending);

  /** Time spent on restarts after preemptions. */
  public static final Figure<RunMetrics> RESTARTS =
      of("restartOverheadHours", "restarts, h", 2, false, run -> run.restartOverhead() / 3600);

  /** Time on hosts that preemptions cost. */
  public static final Figure<RunMetrics> LOST_WORK =
      of("lostWorkHours", "lost work, h", 2, false, run -> run.lostWork() / 3600);

  /** All of them, in the order of tables and files. */
  public static final List<Figure<RunMetrics>> ALL =
      List.of(REQUESTS, COMPLETED, PENALTY, PREEMPTIONS, WAITING, PENDING, RESTARTS, LOST_WORK);

  private Totals() {}

  private static Figure<RunMetrics> of(
      String key,
      String words,
      int digits,
      boolean moreIsBetter,
      ToDoubleFunction<RunResult> figure) {
    return Figure.defined(
        key, key, words, digits, moreIsBetter, run -> figure.applyAsDouble(run.result()));
  }
}
