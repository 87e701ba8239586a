package dev.berth.experiments.run;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.HostEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything but the policy that a run depends on; checked.
 *
 * @param scenario workload, infrastructure, end and overheads
 * @param watchdog longest time between two passes
 * @param apart least time between two passes, at most the watchdog; 0: any event can make a pass
 *     due
 * @param margin safety margin of all service classes
 * @param hostEvents events of hosts and limits
 * @param seed of all random choices
 * @param decisionTimes how long the scheduler is busy with each placement
 * @param faults how unreliable the fleet is; empty: it is reliable
 */
public record RunSettings(
    Scenario scenario,
    Duration watchdog,
    Duration apart,
    Duration margin,
    List<HostEvent> hostEvents,
    long seed,
    DecisionTimes decisionTimes,
    Optional<FaultSettings> faults) {

  /** Default end of runs of workloads from files. */
  public static final Duration UNTIL_OF_FILES = Duration.ofHours(1);

  /** Default longest time between two passes on workloads from files. */
  public static final Duration WATCHDOG_OF_FILES = BuiltInWorkloads.WATCHDOG;

  /** Default times from placement to readiness on workloads from files. */
  public static final Overheads OVERHEADS_OF_FILES =
      Overheads.of(List.of(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3)));

  /**
   * Passes that the watchdog can cause in a run; a run with more would not end in a useful time.
   */
  public static final long MOST_STEPS = 100_000_000;

  /**
   * Copies the events.
   *
   * @throws IllegalArgumentException if the watchdog is not positive, or shorter than a hundred
   *     millionth of the run; if {@code apart} is negative or longer than the watchdog
   */
  public RunSettings {
    hostEvents = List.copyOf(hostEvents);
    refuseIf(
        watchdog.isZero()
            || watchdog.isNegative()
            || scenario.until().dividedBy(watchdog) > MOST_STEPS,
        "watchdog was %s, must be at least %s, a %s-th of the end %s.",
        Durations.format(watchdog),
        Durations.format(scenario.until().dividedBy(MOST_STEPS).plusNanos(1)),
        MOST_STEPS,
        Durations.format(scenario.until()));
    if (apart.isNegative() || apart.compareTo(watchdog) > 0) {
      throw new IllegalArgumentException(
          "apart was %s, must be at most the watchdog, %s: the longest time between two passes."
              .formatted(Durations.format(apart), Durations.format(watchdog)));
    }
  }

  /** Creates settings without {@code apart}, times of decisions and faults. */
  public RunSettings(
      Scenario scenario,
      Duration watchdog,
      Duration margin,
      List<HostEvent> hostEvents,
      long seed) {
    this(
        scenario,
        watchdog,
        Duration.ZERO,
        margin,
        hostEvents,
        seed,
        DecisionTimes.none(),
        Optional.empty());
  }

  /** Returns whether hosts and the fleet do not fail and decisions take no time. */
  public boolean isReliable() {
    return hostEvents.isEmpty() && faults.isEmpty() && decisionTimes.equals(DecisionTimes.none());
  }

  /**
   * Returns decision times from settings that may be absent.
   *
   * @param all values for placements; absent: 0
   * @param plain values for placements that preempt nothing; absent: those of {@code all}
   * @throws IllegalArgumentException if a list is empty or a value is out of range
   */
  public static DecisionTimes decisionTimes(
      Optional<List<Duration>> all, Optional<List<Duration>> plain) {
    List<Duration> preempting = all.orElse(List.of(Duration.ZERO));
    return new DecisionTimes(plain.orElse(preempting), preempting);
  }

  /**
   * Returns a simulation builder.
   *
   * @param scheduler the scheduler builder, with its policy
   */
  public Simulation.Builder simulation(Scheduler.Builder scheduler) {
    Simulation.Builder builder =
        Simulation.builder()
            .scenario(scenario)
            .hostEvents(hostEvents)
            .seed(seed)
            .decisionTimes(decisionTimes)
            .minPassInterval(apart)
            .scheduler(scheduler.watchdog(watchdog));
    faults.ifPresent(builder::faults);
    return builder;
  }
}
