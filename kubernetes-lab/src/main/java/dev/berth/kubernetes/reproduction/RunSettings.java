package dev.berth.kubernetes.reproduction;

import dev.berth.core.config.Durations;
import dev.berth.kubernetes.lab.Delay;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The settings of a run. Durations are those of the paper; {@link #scaled} divides them by the
 * speed.
 *
 * <p>What is as in the published run on Kubernetes:
 *
 * <ul>
 *   <li>20 nodes of 3.75 CPU and 3.75 GB, which is ten pods of 0.375 CPU and 0.375 GB each.
 *   <li>One request a second, one hour from the first.
 *   <li>Starts take 1 to 6 s: drawn from the 1,000 published ones, 62 % of 2 s and 34 % of 3 s.
 *   <li>A safety margin of 30 s, urgent requests first, and an expected overhead of 2.37107 s.
 * </ul>
 *
 * <p>What is chosen:
 *
 * <ul>
 *   <li>Victims take from 2.75 to 3.75 s to end, evenly distributed. Their slots stood empty for
 *       3.32 s from a preemption to the next binding. That includes the reaction of the API server,
 *       of the kubelet and of the scheduler, about 0.15 s here.
 *   <li>A pass decides on all waiting pods at once. Their scheduler decided one request at a time,
 *       and preempted one running pod in 1.74 s. So the watchdog starts a pass when theirs would
 *       have made the decisions of the one before: each 75 s in validation 1, each 36 s in 2.
 *   <li>Two passes are at least 1 s apart, which makes pods of the same moment one pass. A pod for
 *       which there is room does not wait for the watchdog.
 * </ul>
 *
 * @param validation the experiment
 * @param speed by what all times are divided; 1 or more
 * @param seed of the order of requests, and of all draws
 * @param minutes length of the run before it is divided
 * @param watchdog the longest time between two passes
 */
record RunSettings(
    Validation validation, double speed, long seed, double minutes, Duration watchdog) {

  static final int NODES = 20;
  static final String NODE_AMOUNT = "3750m";
  static final String NODE_MEMORY = "3750M";
  static final String POD_CPU = "375m";
  static final String POD_MEMORY = "375M";
  static final int PODS_PER_NODE = 110;

  static final Duration PASS_INTERVAL = Duration.ofSeconds(1);
  static final Duration MARGIN = Duration.ofSeconds(30);
  static final Duration EXPECTED_OVERHEAD = Duration.ofNanos(2_371_070_000L);
  static final Duration BETWEEN_REQUESTS = Duration.ofSeconds(1);

  private static final Duration SHORTEST_STOP = Duration.ofMillis(2_750);
  private static final Duration LONGEST_STOP = Duration.ofMillis(3_750);

  /** How many of 1,000 published starts took 1, 2, 3 s and so on. */
  private static final int[] STARTS = {11, 625, 345, 13, 4, 2};

  /** Returns a duration divided by the speed. */
  Duration scaled(Duration duration) {
    return Duration.ofNanos(Math.round(duration.toNanos() / speed));
  }

  /** Returns the length of the run, divided by the speed. */
  Duration length() {
    return Duration.ofNanos(Math.round(minutes * 60e9 / speed));
  }

  /** Returns how long a pod takes from its binding until it is ready. */
  Delay starts() {
    return random -> {
      int drawn = random.nextInt(1_000);
      int seconds = 0;
      while (drawn >= 0) {
        drawn -= STARTS[seconds++];
      }
      return scaled(Duration.ofSeconds(seconds));
    };
  }

  /** Returns how long a pod takes to end. */
  Delay stops() {
    return Delay.uniform(scaled(SHORTEST_STOP), scaled(LONGEST_STOP));
  }

  /** Returns the document that configures the scheduler. */
  String configuration() {
    return """
        nodes: {}
        serviceClasses:
        - {name: gold, slo: 1, importance: 1, safetyMargin: %1$s}
        - {name: silver, slo: 0.9, importance: 2, safetyMargin: %1$s}
        - {name: bronze, slo: 0.5, importance: 3, safetyMargin: %1$s}
        policy:
          id: qos-driven
          config: {queue: urgent-first, expectedOverhead: %2$s, watchdog: %3$s}
        loop: {passInterval: %4$s, underWayPerHost: 20}
        """
        .formatted(text(MARGIN), text(EXPECTED_OVERHEAD), text(watchdog), text(PASS_INTERVAL));
  }

  private String text(Duration duration) {
    return Durations.format(scaled(duration).truncatedTo(ChronoUnit.MICROS));
  }
}
