package dev.berth.cli;

import dev.berth.core.Scheduler;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * All that a run depends on but the policy; checked.
 *
 * @param scenario workload, infrastructure, end and overheads
 * @param period longest time between two passes
 * @param margin safety margin of all service classes
 * @param hostEvents failures and recoveries of hosts
 * @param seed of everything that is left to chance
 */
record RunSettings(
    Scenario scenario, Duration period, Duration margin, List<HostEvent> hostEvents, long seed) {

  /** Copies the events. */
  RunSettings {
    hostEvents = List.copyOf(hostEvents);
  }

  /**
   * Returns a simulation in the making.
   *
   * @param scheduler that has its policy
   */
  Simulation.Builder simulation(Scheduler.Builder scheduler) {
    return Simulation.builder()
        .scenario(scenario)
        .hostEvents(hostEvents)
        .seed(seed)
        .scheduler(scheduler.watchdog(period));
  }
}
