package dev.berth.core.explain;

import dev.berth.api.Experimental;
import dev.berth.api.Instance;
import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How often an instance was preempted so far, and what that cost.
 *
 * @param preemptions the number of its preemptions; positive
 * @param serviceTime its total time in service, in nanoseconds. The scheduler does not know whether
 *     the instance kept the work that it did in that time
 * @param restartOverhead the total time of its restarts after preemptions, in nanoseconds
 */
@Experimental
public record PreemptionHistory(int preemptions, long serviceTime, long restartOverhead) {

  /**
   * Returns the history of an instance; empty if it was never preempted.
   *
   * @param now not before it entered its present state
   */
  public static Optional<PreemptionHistory> of(Instance instance, long now) {
    return instance.preemptions() == 0
        ? Optional.empty()
        : Optional.of(
            new PreemptionHistory(
                instance.preemptions(), instance.serviceTime(now), instance.restartOverhead()));
  }

  /**
   * Returns the history in words: {@code "it was preempted 37 times so far, in 1h2m of service;
   * restarts took 1m14s"}.
   */
  public String describe() {
    return "it was preempted %s so far, in %s of service; restarts took %s"
        .formatted(
            preemptions == 1 ? "once" : preemptions + " times",
            Durations.format(Duration.ofNanos(serviceTime)),
            Durations.format(Duration.ofNanos(restartOverhead)));
  }
}
