package dev.berth.cli.fleet;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * A small fleet with much going wrong, drawn from a seed. Each request fits on each host, and the
 * faults end long before the run, so that every request can complete.
 *
 * @param hosts hosts and pools
 * @param arrivals requests, alone and in bags
 * @param outages events of hosts, and of a limit
 * @param provider how the pool behaves
 * @param faults what else goes wrong
 * @param seed of the run
 */
record FleetHistory(
    Infrastructure hosts,
    List<Arrival> arrivals,
    List<HostEvent> outages,
    Provider provider,
    FaultSettings faults,
    long seed) {

  private static final ServiceClass GOLD =
      ServiceClass.builder("gold").slo(0.99).importance(1).build();
  private static final ServiceClass TIN =
      ServiceClass.builder("tin").slo(0.3).importance(2).build();
  private static final String LICENCE = "licence";
  private static final String DISK = "disk";
  private static final long GIB = 1L << 30;
  private static final Duration FAULTS = Duration.ofMinutes(3);
  private static final Duration END = Duration.ofHours(12);

  /** What became of a history. */
  record Run(RunResult result, List<RequestOutcome> ends) {}

  /** Draws a history with bags of tasks, and a pool, or without. */
  static FleetHistory draw(long seed, boolean elastic) {
    SplittableRandom random = new SplittableRandom(seed);
    List<HostSpec> hosts = new ArrayList<>();
    int count = random.nextInt(elastic ? 0 : 1, 4);
    for (int i = 0; i < count; i++) {
      hosts.add(
          new HostSpec("h" + i, amounts(random.nextInt(2, 5), random.nextInt(4, 9)), Map.of()));
    }
    PoolSpec pool =
        new PoolSpec(
            "vm", amounts(2, 4), Map.of(), 3, Duration.ofSeconds(5), Duration.ofSeconds(2));
    return new FleetHistory(
        new Infrastructure("some hosts", hosts, elastic ? List.of(pool) : List.of()),
        arrivals(random, elastic),
        events(random, hosts, new SplittableRandom(~seed)),
        provider(random),
        faults(random),
        seed);
  }

  private static Resources amounts(int cores, int gibibytes) {
    return Resources.of(
        Dimension.CPU, cores * Dimension.CPU.unitsPerWhole(), Dimension.MEMORY, gibibytes * GIB);
  }

  private static List<Arrival> arrivals(SplittableRandom random, boolean elastic) {
    List<Arrival> arrivals = new ArrayList<>();
    int submissions = random.nextInt(1, 7);
    for (int i = 0; i < submissions; i++) {
      long at = Duration.ofSeconds(random.nextInt(0, 90)).toNanos();
      boolean inBag = elastic && random.nextInt(3) > 0;
      int tasks = inBag ? random.nextInt(1, 4) : 1;
      Optional<Arrival.InBag> bag =
          inBag
              ? Optional.of(
                  new Arrival.InBag(
                      "b" + i,
                      random.nextInt(4) == 0
                          ? Optional.of(Duration.ofMinutes(2))
                          : Optional.empty()))
              : Optional.empty();
      for (int task = 0; task < tasks; task++) {
        arrivals.add(arrival(random, "r%s-%s".formatted(i, task), at, bag));
      }
    }
    arrivals.sort(Comparator.comparingLong(Arrival::at));
    return arrivals;
  }

  private static Arrival arrival(
      SplittableRandom random, String id, long at, Optional<Arrival.InBag> bag) {
    long serviceTime = Duration.ofSeconds(random.nextInt(1, 100)).toNanos();
    Request.Builder request =
        Request.builder(id, random.nextBoolean() ? "gold" : "tin")
            .demand(amounts(random.nextInt(1, 3), random.nextInt(1, 5)))
            .application("app" + random.nextInt(2))
            .estimatedRunTime(Duration.ofNanos(serviceTime));
    if (random.nextInt(4) == 0) {
      request.job("apart").antiAffinity(true);
    }
    place(request, new SplittableRandom(at ^ id.hashCode()));
    Request built = request.build();
    long demand = built.demand().amount(Dimension.MEMORY);
    Optional<MemoryProfile> memory =
        random.nextInt(3) > 0
            ? Optional.empty()
            : Optional.of(
                MemoryProfile.of(
                    List.of(
                        new MemoryProfile.Step(0, demand / 4),
                        new MemoryProfile.Step(serviceTime / 2, demand))));
    return new Arrival(
        at,
        built,
        serviceTime,
        new ActualBehaviour(memory, Optional.empty(), random.nextInt(4) > 0),
        bag,
        Optional.empty(),
        built.job().map(job -> DisruptionBudget.maxDown(1)));
  }

  /** Has some requests use the limit, and others tolerate the taint. */
  private static void place(Request.Builder request, SplittableRandom random) {
    PlacementSpec.Builder placement = PlacementSpec.builder();
    if (random.nextInt(3) == 0) {
      placement.use(LICENCE, 1);
    }
    if (random.nextInt(3) == 0) {
      placement.tolerate(random.nextBoolean() ? Toleration.of(DISK) : forATime(random));
    }
    request.placement(placement.build());
  }

  private static Toleration forATime(SplittableRandom random) {
    return new Toleration(
        Optional.of(DISK),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Duration.ofSeconds(random.nextInt(0, 40))));
  }

  /**
   * Draws outages and taints of the first host, which end, and a limit that becomes sufficient for
   * all requests.
   */
  private static List<HostEvent> events(
      SplittableRandom random, List<HostSpec> hosts, SplittableRandom ofTaints) {
    List<HostEvent> events = new ArrayList<>();
    events.add(new HostEvent.LimitSet(0, LICENCE, ofTaints.nextInt(3)));
    events.add(new HostEvent.LimitSet(seconds(ofTaints, 170), LICENCE, 100));
    if (!hosts.isEmpty()) {
      String host = hosts.get(0).id();
      events.addAll(outages(random, host));
      if (ofTaints.nextBoolean()) {
        long from = seconds(ofTaints, 60);
        Duration grace = Duration.ofSeconds(ofTaints.nextInt(0, 20));
        events.add(new HostEvent.Tainted(from, host, List.of(Taint.leaveAfter(DISK, "", grace))));
        events.add(new HostEvent.Tainted(from + seconds(ofTaints, 100), host, List.of()));
      }
    }
    return events;
  }

  private static long seconds(SplittableRandom random, int most) {
    return Duration.ofSeconds(random.nextInt(1, most)).toNanos();
  }

  private static List<HostEvent> outages(SplittableRandom random, String host) {
    if (random.nextInt(3) > 0) {
      return List.of();
    }
    long down = Duration.ofSeconds(random.nextInt(1, 120)).toNanos();
    long up = down + Duration.ofSeconds(random.nextInt(0, 60)).toNanos();
    return List.of(new HostEvent.Fails(down, host), new HostEvent.Recovers(up, host));
  }

  private static Provider provider(SplittableRandom random) {
    return random.nextBoolean()
        ? Provider.reliable()
        : new Provider(
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(20)),
            List.of(),
            OptionalInt.empty(),
            0.1,
            0.1,
            0.2,
            List.of(Duration.ofMinutes(4), Duration.ofHours(20)));
  }

  /** Each kind of fault is often missing, so that it is also seen alone. */
  private static FaultSettings faults(SplittableRandom random) {
    return new FaultSettings(
        share(random, 0.4),
        share(random, 0.5),
        share(random, 0.8),
        Duration.ofSeconds(random.nextInt(1, 60)),
        share(random, 0.4),
        share(random, 0.3),
        share(random, 0.3),
        Duration.ofSeconds(40),
        random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(random.nextInt(3, 40)),
        Duration.ofSeconds(random.nextInt(1, 60)),
        random.nextDouble(),
        random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(random.nextInt(5, 60)),
        Duration.ofSeconds(random.nextInt(5, 100)),
        Duration.ofSeconds(1),
        random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(2),
        random.nextBoolean() ? Duration.ZERO : Duration.ofSeconds(2),
        FAULTS);
  }

  private static double share(SplittableRandom random, double most) {
    return random.nextBoolean() ? 0 : random.nextDouble(most);
  }

  /** Simulates it; the simulation itself checks what the scheduler believes. */
  Run run(Scheduler.Builder scheduler) {
    return run(scheduler, Optional.of(faults));
  }

  /** Simulates it with other faults, or on a reliable fleet. */
  Run run(Scheduler.Builder scheduler, Optional<FaultSettings> others) {
    List<RequestOutcome> ends = new ArrayList<>();
    Simulation.Builder builder = simulation(scheduler, ends);
    others.ifPresent(builder::faults);
    try (Simulation simulation = builder.build()) {
      return new Run(simulation.run(), ends);
    }
  }

  private Simulation.Builder simulation(Scheduler.Builder scheduler, List<RequestOutcome> ends) {
    return Simulation.builder()
        .workload(Workload.of("some requests", List.of(GOLD, TIN), arrivals))
        .infrastructure(hosts)
        .hostEvents(outages)
        .provider(provider)
        .overheads(Overheads.of(List.of(Duration.ZERO, Duration.ofSeconds(2))))
        .migrationCost(new TransferCost(Duration.ofSeconds(1), GIB))
        .resumeCost(new TransferCost(Duration.ofSeconds(1), GIB))
        .executionModel(ExecutionModel.BY_GRANT)
        .scheduler(scheduler.watchdog(Duration.ofSeconds(30)))
        .listener(SimulationListener.onRequestEnded(ends::add))
        .listener(new FleetLaws())
        .seed(seed)
        .until(END);
  }
}
