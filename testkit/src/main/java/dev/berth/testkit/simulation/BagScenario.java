package dev.berth.testkit.simulation;

import dev.berth.api.Dimension;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bags of tasks of one core each, and a pool of hosts of one core to run them on. There are no
 * other hosts, so a policy must scale.
 *
 * @param bags in order of submission; the first is {@code b0}, its first task {@code b0-t0}
 * @param limit how many hosts the pool offers; at least 1
 * @param provider how the hosts of the pool really behave
 * @param seed of the run
 */
public record BagScenario(List<TaskBag> bags, int limit, Provider provider, long seed) {

  /** The demand of each task and the capacity of each host. */
  public static final Resources CORE = Resources.of(Dimension.CPU, Dimension.CPU.unitsPerWhole());

  /** The service class of all tasks. */
  public static final ServiceClass BATCH = ServiceClass.builder("batch").slo(0.5).build();

  private static final Duration START = Duration.ofSeconds(10);
  private static final Duration STOP = Duration.ofSeconds(3);

  /** Copies the list. */
  public BagScenario {
    bags = List.copyOf(bags);
  }

  /** Returns a scenario in which the hosts do what the pool promises. */
  public static BagScenario reliable(int limit, TaskBag... bags) {
    return new BagScenario(List.of(bags), limit, Provider.reliable(), 1);
  }

  /** Returns a scenario in which every bag without a time to live has this one. */
  public BagScenario withDefaultTimeToLive(Duration timeToLive) {
    return new BagScenario(
        bags.stream().map(each -> each.withDefaultTimeToLive(timeToLive)).toList(),
        limit,
        provider,
        seed);
  }

  /**
   * Simulates a policy until every bag has ended, or until a time.
   *
   * @param until the time, from the start of the run; positive
   */
  public <C extends Record> BagRun run(PolicyFactory<C> factory, C config, Duration until) {
    List<BagReport> reports = new ArrayList<>();
    List<FleetSample> samples = new ArrayList<>();
    SimulationListener recorder =
        new SimulationListener() {
          @Override
          public void bagEnded(BagReport report) {
            reports.add(report);
          }

          @Override
          public void fleetChanged(FleetSample sample) {
            samples.add(sample);
          }
        };
    PoolSpec pool = new PoolSpec("vm", CORE, Map.of(), limit, START, STOP);
    try (Simulation simulation =
        Simulation.builder()
            .workload(Workload.of("bags", List.of(BATCH), arrivals()))
            .infrastructure(new Infrastructure("pool", List.of(), List.of(pool)))
            .scheduler(Scheduler.builder().policy(factory, config))
            .provider(provider)
            .until(until)
            .listener(recorder)
            .seed(seed)
            .build()) {
      return new BagRun(this, simulation.run(), reports, samples);
    }
  }

  private List<Arrival> arrivals() {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      TaskBag bag = bags.get(i);
      for (int task = 0; task < bag.tasks().size(); task++) {
        Duration runTime = bag.tasks().get(task);
        Request request =
            Request.builder("b%s-t%s".formatted(i, task), BATCH.name())
                .demand(CORE)
                .estimatedRunTime(runTime)
                .build();
        arrivals.add(
            new Arrival(
                bag.at().toNanos(),
                request,
                runTime.toNanos(),
                ActualBehaviour.asSaid(request),
                Optional.of(new Arrival.InBag("b" + i, bag.timeToLive()))));
      }
    }
    return arrivals;
  }
}
