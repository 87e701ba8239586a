package dev.berth.experiments.studies.qos;

import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.PolicySpec;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyRuns;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.DecisionTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs {@code qos-driven} on a validation workload as the authors' Kubernetes prototype ran it: a
 * scheduler that decides one request at a time, on hosts that victims leave slowly.
 *
 * <p>Every constant is measured in the published log of validation 1, from the last arrival to the
 * end of the hour. None is fitted to a result. The decisions of validation 2 took longer: of its
 * log only the mean of the gaps and the longest one are known here, so their tail is assumed.
 */
final class SerialRuns {

  /** Name of the runs. */
  static final String LABEL = "serial";

  /**
   * Gaps between preemptions of running pods: how many took how many seconds, as the log rounds
   * them. Their mean is 1.737 s. A gap covers all that the scheduler did meanwhile: 36 % of its
   * decisions deleted a pod that was still waiting, and had to be repeated.
   */
  static final Map<Integer, Integer> GAPS = Map.of(0, 102, 1, 860, 2, 581, 3, 246, 4, 97, 5, 39);

  /**
   * Gaps of validation 2 that are longer. With them the mean is 2.26 s and the longest gap 42 s, as
   * in that log; that they are spread evenly is assumed.
   */
  static final Map<Integer, Integer> LONG_GAPS =
      Map.of(6, 7, 12, 7, 18, 7, 24, 7, 30, 6, 36, 6, 42, 7);

  /** Mean time for which a slot stood empty, between a preemption and the next binding there. */
  static final Duration TERMINATION = Duration.ofMillis(3_320);

  /**
   * Longest time between two passes: the resolution of the log. It shows no period; a waiting pod
   * has its turn in the second in which it is due.
   */
  static final Duration WATCHDOG = Duration.ofSeconds(1);

  private static final PolicySpec POLICY =
      PolicySpec.of(LABEL, "qos-driven", "{\"queue\":\"urgent-first\"}");

  private SerialRuns() {}

  /**
   * Runs the policy.
   *
   * @param workload its name
   * @param seeds number of seeds
   */
  static StudyRuns of(String workload, int seeds, Study.Setting setting) {
    return StudyRuns.inSettings(List.of(POLICY), seed -> settings(workload, seed), seeds, setting);
  }

  private static RunSettings settings(String workload, long seed) {
    Scenario plain = BuiltInWorkloads.get(workload, seed, BuiltInWorkloads.WATCHDOG);
    Scenario slow =
        new Scenario(
            plain.workload(),
            plain.infrastructure(),
            plain.until(),
            plain.overheads().withTermination(TERMINATION));
    return new RunSettings(
        slow,
        WATCHDOG,
        Duration.ZERO,
        BuiltInWorkloads.WATCHDOG,
        List.of(),
        seed,
        decisionTimes(workload.equals("validation-2")),
        Optional.empty());
  }

  /** Returns the times of decisions. A binding without preemption took no time that shows. */
  static DecisionTimes decisionTimes(boolean withLongGaps) {
    Map<Integer, Integer> gaps = new TreeMap<>(GAPS);
    if (withLongGaps) {
      gaps.putAll(LONG_GAPS);
    }
    List<Duration> preempting = new ArrayList<>();
    gaps.forEach(
        (seconds, count) ->
            preempting.addAll(Collections.nCopies(count, Duration.ofSeconds(seconds))));
    return new DecisionTimes(List.of(Duration.ZERO), preempting);
  }
}
