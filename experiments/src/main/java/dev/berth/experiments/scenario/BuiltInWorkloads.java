package dev.berth.experiments.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Scenarios ready to run: the validations of the QoS-driven scheduling paper (section 4.4), as
 * {@code memic-1}, {@code memic-2} and {@code memic-4} the {@link MemoryScenarios}, and as {@code
 * render-farm} an overloaded farm of 50 hosts, whose 2,000 frames of 5 to 15 minutes lose their
 * work when they are preempted. {@code mixed} is a {@link MixedFleet}.
 *
 * <p>In both validations, one request arrives a second, each for 0.375 cores and 0.375 GB and two
 * hours of service; 20 hosts have room for ten of them each; the experiment ends after an hour.
 *
 * <ul>
 *   <li>{@code validation-1}: 80 gold, 80 silver and 96 bronze requests in random order. Their
 *       objectives add up to 80 + 72 + 48 slots, exactly the capacity.
 *   <li>{@code validation-2}: 221 silver requests, whose objectives add up to 198.9 of the 200
 *       slots.
 * </ul>
 */
public final class BuiltInWorkloads {

  /**
   * The longest time between two passes in the published runs, and their safety margin φ: 30 s, as
   * their logs show, where the text has 10 s.
   */
  public static final Duration WATCHDOG = Duration.ofSeconds(30);

  private static final Duration UNTIL = Duration.ofHours(1);
  private static final long SERVICE_TIME = TimeUnit.HOURS.toNanos(2);
  private static final Resources DEMAND = cpuAndMemory(375_000_000);
  private static final int HOSTS = 20;
  private static final int BRONZE_REQUESTS = 96;
  private static final Resources CAPACITY = cpuAndMemory(3_750_000_000L);

  /**
   * The overheads in the published simulation of validation 1: how many of a thousand placements
   * took how many seconds. Their mean is 2.38 s.
   */
  private static final Map<Integer, Integer> OVERHEADS =
      new TreeMap<>(Map.of(1, 11, 2, 625, 3, 345, 4, 13, 5, 4, 6, 2));

  /** Draws validation 2. One object, so that all workloads of a margin are equal. */
  private static final Supplier<List<Arrival>> ALIKE = BuiltInWorkloads::alike;

  private BuiltInWorkloads() {}

  /** Returns the names of the built-in workloads. */
  public static List<String> names() {
    return List.of(
        "validation-1",
        "validation-2",
        "memic-1",
        "memic-2",
        "memic-4",
        "memic-parsec",
        RenderFarm.NAME,
        MixedFleet.NAME);
  }

  /** Returns whether a name is that of a validation of the QoS-driven scheduling paper. */
  public static boolean isValidation(String name) {
    return name.startsWith("validation-") && names().contains(name);
  }

  /**
   * Returns the longest time between two passes: that of the published runs, and 10 s for {@code
   * render-farm} and {@code mixed}.
   *
   * @param name one of {@link #names}
   */
  public static Duration watchdog(String name) {
    if (name.equals(RenderFarm.NAME) || name.equals(MixedFleet.NAME)) {
      return GeneratedJobs.WATCHDOG;
    }
    return isValidation(name) ? WATCHDOG : MemoryScenarios.PERIOD;
  }

  /**
   * Returns a scenario by name.
   *
   * @param name one of {@link #names}
   * @param seed of the order in which requests arrive, of the frames of {@code render-farm}, and of
   *     {@code mixed}
   * @param safetyMargin φ of all classes; {@link #WATCHDOG} in the published runs
   * @throws IllegalArgumentException if no workload has this name; the message lists the names
   */
  public static Scenario get(String name, long seed, Duration safetyMargin) {
    return switch (name) {
      case "validation-1" -> validation1(seed, safetyMargin);
      case "validation-2" -> validation2(safetyMargin);
      case "memic-1" -> withMargin(MemoryScenarios.scenario1(), safetyMargin);
      case "memic-2" -> withMargin(MemoryScenarios.scenario2(seed), safetyMargin);
      case "memic-4" -> withMargin(MemoryScenarios.scenario4(), safetyMargin);
      case "memic-parsec" -> withMargin(MemoryScenarios.parsec(), safetyMargin);
      case RenderFarm.NAME -> RenderFarm.scenario(seed, safetyMargin);
      case MixedFleet.NAME -> MixedFleet.scenario(seed, safetyMargin);
      default ->
          throw new IllegalArgumentException(
              "built-in workload was \"%s\", must be one of %s."
                  .formatted(name, String.join(", ", names())));
    };
  }

  /**
   * Returns {@code validation-1}.
   *
   * @param seed of the order in which requests arrive
   * @param safetyMargin φ of all classes; {@link #WATCHDOG} in the published runs
   */
  public static Scenario validation1(long seed, Duration safetyMargin) {
    return validation1(seed, safetyMargin, BRONZE_REQUESTS);
  }

  /**
   * Returns {@code validation-1} with another number of bronze requests. With more than 96, the
   * objectives exceed the capacity.
   *
   * @param seed of the order in which requests arrive
   * @param safetyMargin φ of all classes; {@link #WATCHDOG} in the published runs
   * @param bronze number of bronze requests; 96 in the published runs
   */
  public static Scenario validation1(long seed, Duration safetyMargin, int bronze) {
    return scenario(
        "validation-1",
        ServiceClasses.goldSilverBronze(safetyMargin),
        () -> {
          List<Request> requests = new ArrayList<>();
          requests.addAll(requests(ServiceClasses.GOLD, 80));
          requests.addAll(requests(ServiceClasses.SILVER, 80));
          requests.addAll(requests(ServiceClasses.BRONZE, bronze));
          Collections.shuffle(requests, new Random(seed));
          return arrivals(requests);
        });
  }

  /**
   * Returns {@code validation-2}; nothing about it is random.
   *
   * @param safetyMargin φ; {@link #WATCHDOG} in the published runs
   */
  public static Scenario validation2(Duration safetyMargin) {
    List<ServiceClass> silver =
        ServiceClasses.goldSilverBronze(safetyMargin).stream()
            .filter(each -> each.name().equals(ServiceClasses.SILVER))
            .toList();
    return scenario("validation-2", silver, ALIKE);
  }

  /** Returns the 20 hosts of both experiments. */
  public static Infrastructure validationHosts() {
    return new Infrastructure(
        HOSTS + " hosts of 3.75 cpu, 3.75 memory", Machines.alike("host-", HOSTS, CAPACITY));
  }

  /** Returns the overheads of the published runs, the same for cold and hot placements. */
  public static Overheads publishedOverheads() {
    List<Duration> thousand = new ArrayList<>();
    OVERHEADS.forEach(
        (seconds, times) ->
            thousand.addAll(Collections.nCopies(times, Duration.ofSeconds(seconds))));
    return Overheads.of(thousand);
  }

  private static Scenario scenario(
      String name, List<ServiceClass> classes, Supplier<List<Arrival>> draw) {
    return new Scenario(
        new DrawnWorkload(name, classes, draw), validationHosts(), UNTIL, publishedOverheads());
  }

  private static List<Arrival> alike() {
    return arrivals(requests(ServiceClasses.SILVER, 221));
  }

  private static List<Arrival> arrivals(List<Request> requests) {
    List<Arrival> arrivals = new ArrayList<>();
    for (Request request : requests) {
      arrivals.add(new Arrival(TimeUnit.SECONDS.toNanos(arrivals.size()), request, SERVICE_TIME));
    }
    return arrivals;
  }

  private static List<Request> requests(String serviceClass, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> Request.builder(serviceClass + "-" + i, serviceClass).demand(DEMAND).build())
        .toList();
  }

  private static Resources cpuAndMemory(long units) {
    return Resources.of(Dimension.CPU, units, Dimension.MEMORY, units);
  }

  private static Scenario withMargin(Scenario scenario, Duration safetyMargin) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = scenario.workload().open()) {
      source.forEachRemaining(arrivals::add);
    }
    return new Scenario(
        Workload.of(
            scenario.workload().name(), List.of(ServiceClasses.bronze(safetyMargin)), arrivals),
        scenario.infrastructure(),
        scenario.until(),
        scenario.overheads(),
        scenario.migrationCost(),
        scenario.resumeCost());
  }
}
