package dev.berth.cli.bench;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Demand, grants and pending requests during a run at scale. The queue is sampled every minute, all
 * else at the end of at most {@value #STEPS} steps. Not thread-safe.
 */
public final class ScaleLoad {

  /** Time between two samples of the queue. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  private static final int STEPS = 240;
  private static final int MIN_SAMPLES = 10; // in a step, since its end costs O(live requests)
  private static final List<Dimension> DIMENSIONS = List.of(Dimension.CPU, Dimension.MEMORY);

  private final int samplesPerStep;
  private final List<Step> steps = new ArrayList<>();
  private long samples;
  private long pendingSum;
  private int pendingMax;
  private long liveMax;
  private long stepPendingSum;
  private int stepPendingMax;

  /**
   * The load in one step.
   *
   * @param end in seconds since the start
   * @param live live requests at its end
   * @param pendingMean mean number of pending requests
   * @param pendingMax largest number of pending requests
   * @param uses one for each dimension, at its end
   */
  record Step(double end, int live, double pendingMean, int pendingMax, List<Use> uses) {}

  /**
   * The use of a dimension.
   *
   * @param dimension its name
   * @param demanded demand of all live requests, as a share of the capacity
   * @param granted grants of the instances on hosts, as a share of the capacity
   */
  record Use(String dimension, double demanded, double granted) {}

  /**
   * Starts without samples.
   *
   * @param until length of the run
   */
  public ScaleLoad(Duration until) {
    this.samplesPerStep =
        (int) Math.max(MIN_SAMPLES, (until.dividedBy(INTERVAL) + STEPS - 1) / STEPS);
  }

  /** Takes a sample; call it once every {@link #INTERVAL}. */
  public void sample(long now, Scheduler scheduler) {
    int pending = scheduler.pendingCount();
    samples++;
    pendingSum += pending;
    pendingMax = Math.max(pendingMax, pending);
    liveMax = Math.max(liveMax, scheduler.instanceCount());
    stepPendingSum += pending;
    stepPendingMax = Math.max(stepPendingMax, pending);
    if (samples % samplesPerStep == 0) {
      steps.add(
          new Step(
              now / 1e9,
              scheduler.instanceCount(),
              (double) stepPendingSum / samplesPerStep,
              stepPendingMax,
              uses(scheduler)));
      stepPendingSum = 0;
      stepPendingMax = 0;
    }
  }

  private static List<Use> uses(Scheduler scheduler) {
    List<Use> uses = new ArrayList<>();
    for (Dimension dimension : DIMENSIONS) {
      double capacity = 0;
      for (Host host : scheduler.hosts()) {
        capacity += host.capacity().amount(dimension);
      }
      double demanded = 0;
      double granted = 0;
      for (Instance each : scheduler.instances()) {
        demanded += each.request().demand().amount(dimension);
        granted += each.host().isPresent() ? each.granted().amount(dimension) : 0;
      }
      uses.add(new Use(dimension.name(), demanded / capacity, granted / capacity));
    }
    return uses;
  }

  /** Returns the steps so far. */
  List<Step> steps() {
    return List.copyOf(steps);
  }

  /** Returns the mean number of pending requests. */
  double pendingMean() {
    return samples == 0 ? 0 : (double) pendingSum / samples;
  }

  /** Returns the largest number of pending requests. */
  int pendingMax() {
    return pendingMax;
  }

  /** Returns the largest number of live requests. */
  long liveMax() {
    return liveMax;
  }
}
