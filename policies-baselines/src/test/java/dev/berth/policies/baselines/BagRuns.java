package dev.berth.policies.baselines;

import dev.berth.api.BagReport;
import dev.berth.api.Dimension;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.Scheduler;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.FleetSample;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Provider;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Simulations of bags of tasks of one core each, on hosts of one core. */
final class BagRuns {

  static final Resources CORE = Resources.of(Dimension.CPU, Dimension.CPU.unitsPerWhole());
  static final ServiceClass BATCH = ServiceClass.builder("batch").slo(0.5).build();

  private BagRuns() {}

  /**
   * A bag.
   *
   * @param at when it is submitted
   * @param tasks how long each runs, in seconds
   * @param timeToLive the time to live that its user sets
   */
  record Tasks(Duration at, List<Integer> tasks, Optional<Duration> timeToLive) {}

  /** The outcome of a run. */
  record Ran(RunResult result, List<BagReport> bags, List<FleetSample> samples) {}

  static PoolSpec pool(int limit) {
    return new PoolSpec("vm", CORE, Map.of(), limit, Duration.ofSeconds(10), Duration.ofSeconds(3));
  }

  /** Runs until every bag has ended, or until a time. */
  static <C extends Record> Ran run(
      PolicyFactory<C> factory,
      C config,
      List<Tasks> bags,
      int limit,
      Provider provider,
      Duration until,
      long seed) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      Tasks bag = bags.get(i);
      for (int task = 0; task < bag.tasks().size(); task++) {
        long runs = Duration.ofSeconds(bag.tasks().get(task)).toNanos();
        Request request =
            Request.builder("b%s-t%s".formatted(i, task), "batch")
                .demand(CORE)
                .estimatedRunTime(Duration.ofNanos(runs))
                .build();
        arrivals.add(
            new Arrival(
                bag.at().toNanos(),
                request,
                runs,
                ActualBehaviour.asSaid(request),
                Optional.of(new Arrival.InBag("b" + i, bag.timeToLive()))));
      }
    }
    List<BagReport> reports = new ArrayList<>();
    List<FleetSample> samples = new ArrayList<>();
    try (Simulation simulation =
        Simulation.builder()
            .workload(Workload.of("bags", List.of(BATCH), arrivals))
            .infrastructure(new Infrastructure("pool", List.of(), List.of(pool(limit))))
            .scheduler(Scheduler.builder().policy(factory, config))
            .provider(provider)
            .until(until)
            .listener(
                new SimulationListener() {
                  @Override
                  public void bagEnded(BagReport report) {
                    reports.add(report);
                  }

                  @Override
                  public void fleetChanged(FleetSample sample) {
                    samples.add(sample);
                  }
                })
            .seed(seed)
            .build()) {
      RunResult result = simulation.run();
      return new Ran(result, reports, samples);
    }
  }
}
