package dev.berth.experiments.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

class FluidBoundTest {

  private static final double EPSILON = 1e-9;
  private static final long SECOND = 1_000_000_000L;
  private static final long FOR_EVER = 1_000_000 * SECOND;
  private static final ServiceClass GOLD = serviceClass("gold", 0.9, 1);
  private static final ServiceClass BRONZE = serviceClass("bronze", 0.5, 2);

  private static ServiceClass serviceClass(String name, double slo, int importance) {
    return ServiceClass.builder(name).slo(slo).importance(importance).build();
  }

  private static Arrival arrival(String id, ServiceClass of, long at, long work, int cores) {
    return new Arrival(at * SECOND, request(id, of, cores).build(), work);
  }

  private static Request.Builder request(String id, ServiceClass of, int cores) {
    return Request.builder(id, of.name()).demand(Resources.of(Dimension.CPU, cores * SECOND));
  }

  /** Returns a run of 100 s on one host of two cores. */
  private static Scenario scenario(long start, Arrival... arrivals) {
    return scenario(new Infrastructure("host", List.of(host("h", 2))), start, arrivals);
  }

  private static HostSpec host(String id, int cores) {
    return new HostSpec(id, Resources.of(Dimension.CPU, cores * SECOND));
  }

  private static Scenario scenario(Infrastructure hosts, long start, Arrival... arrivals) {
    return new Scenario(
        Workload.of("w", List.of(GOLD, BRONZE), List.of(arrivals)),
        hosts,
        Duration.ofSeconds(100),
        Overheads.of(List.of(Duration.ofSeconds(start), Duration.ofSeconds(start + 1))));
  }

  private static FluidBound.ClassBound only(FluidBound bound) {
    assertThat(bound.obstacle()).isEmpty();
    assertThat(bound.classes()).hasSize(1);
    return bound.classes().get(0);
  }

  // ---- Computed by hand

  @Test
  void nothingIsShortWithoutRequests() {
    FluidBound bound = FluidBound.of(scenario(0));

    assertThat(bound.penalty()).hasValue(0);
    assertThat(bound.classes()).isEmpty();
  }

  @Test
  void allObjectivesAreMetWhereThereIsRoom() {
    FluidBound bound =
        FluidBound.of(
            scenario(10, arrival("a", GOLD, 0, FOR_EVER, 1), arrival("b", GOLD, 0, FOR_EVER, 1)));

    assertThat(bound.penalty()).hasValue(0);
    assertThat(only(bound)).isEqualTo(new FluidBound.ClassBound("gold", 0, 1, 1));
  }

  /** A life of 100 s with a start of 11 s has 89 s of service at most; 90 are promised. */
  @Test
  void shortestStartIsMissedEvenWithRoom() {
    FluidBound bound = FluidBound.of(scenario(11, arrival("a", GOLD, 0, FOR_EVER, 1)));

    assertThat(only(bound).shortfall()).isEqualTo(0.01, within(EPSILON));
    assertThat(only(bound).fulfilment()).isZero();
    assertThat(only(bound).met()).as("what an infinite host gives is met").isEqualTo(1);
    // 1 % of 100 s of a core, with the bonus of 10 % for gold below 99.99 % that are 99.00 %
    assertThat(bound.penalty().orElseThrow() * 3600).isEqualTo(0.01 * 100 * 2, within(1e-6));
  }

  /** The hosts have four cores together, but none has three. */
  @Test
  void requestThatFitsOnNoHostIsNotServed() {
    FluidBound bound =
        FluidBound.of(
            scenario(
                new Infrastructure("hosts", List.of(host("h", 2), host("i", 2))),
                0,
                arrival("a", GOLD, 0, FOR_EVER, 3)));

    assertThat(only(bound)).isEqualTo(new FluidBound.ClassBound("gold", 0.9, 0, 0));
  }

  /** Five are promised 250 s of a core together, of 200. */
  @Test
  void capacityIsDivided() {
    Arrival[] five = new Arrival[5];
    for (int i = 0; i < five.length; i++) {
      five[i] = arrival("b" + i, BRONZE, 0, FOR_EVER, 1);
    }
    FluidBound bound = FluidBound.of(scenario(0, five));

    assertThat(only(bound).shortfall()).isEqualTo(0.5 / 5, within(EPSILON));
    assertThat(only(bound).fulfilment()).isEqualTo(0.8);
    // Bonuses rise at deficits of .005 and .025. The least cost is linear between (0, 0),
    // (.005, .005 * 1.1), (.025, .025 * 1.3) and (.5, .5 * 2); deficits add up to .5.
    double cost = 5 * 0.025 * 1.3 + (0.5 - 5 * 0.025) * (0.5 * 2 - 0.025 * 1.3) / 0.475;
    assertThat(bound.penalty().orElseThrow() * 3600).isEqualTo(cost * 100, within(1e-4));
  }

  /** Each start takes 10 s of a host: together they need 240 s of a core, of 200. */
  @Test
  void firstStartsTakeCapacity() {
    Arrival[] four = new Arrival[4];
    for (int i = 0; i < four.length; i++) {
      four[i] = arrival("b" + i, BRONZE, 0, FOR_EVER, 1);
    }
    FluidBound.ClassBound bound = only(FluidBound.of(scenario(10, four)));

    // 40 s of a host are missing; 60 of them would be 50 s of service
    assertThat(bound.shortfall()).isEqualTo(40 * 50 / 60.0 / 100 / 4, within(EPSILON));
    assertThat(bound.fulfilment()).isEqualTo(0.75);
  }

  /** Gold needs 180 s of 200, which leaves 20 s for two that need 50 s each. */
  @Test
  void moreImportantClassIsServedFirst() {
    FluidBound bound =
        FluidBound.of(
            scenario(
                0,
                arrival("a", GOLD, 0, FOR_EVER, 2),
                arrival("b", BRONZE, 0, FOR_EVER, 1),
                arrival("c", BRONZE, 0, FOR_EVER, 1)));

    assertThat(bound.classes().get(0)).isEqualTo(new FluidBound.ClassBound("gold", 0, 1, 1));
    assertThat(bound.classes().get(1).shortfall()).isEqualTo(0.8 / 2, within(EPSILON));
    assertThat(bound.classes().get(1).fulfilment()).isZero();
  }

  /** Only the first 20 s are contended; the others would have room for all. */
  @Test
  void roomOutsideContendedTimeIsOfNoUse() {
    Arrival[] four = new Arrival[4];
    for (int i = 0; i < four.length; i++) {
      four[i] = arrival("g" + i, GOLD, 0, 18 * SECOND, 1);
    }
    FluidBound.ClassBound bound = only(FluidBound.of(scenario(0, four)));

    // To meet .9 each must be done in 20 s; 40 s of a core serve 2 of 4
    assertThat(bound.fulfilment()).isEqualTo(0.5);
    // One that lacks all 18 s then is done in 38 s at best
    double late = 0.9 - 18.0 / 38;
    assertThat(bound.shortfall()).isEqualTo(late * 32 / 18 / 4, within(EPSILON));
  }

  @Test
  void requestAdmittedAtTheEndDoesNotCount() {
    FluidBound bound =
        FluidBound.of(
            scenario(0, arrival("a", GOLD, 0, FOR_EVER, 2), arrival("b", GOLD, 100, SECOND, 2)));

    assertThat(only(bound).fulfilment()).isEqualTo(1);
  }

  @Test
  void scarcestResourceDecides() {
    Resources both = Resources.of(Dimension.CPU, SECOND, Dimension.MEMORY, 3 * SECOND);
    Scenario scenario =
        scenario(
            new Infrastructure(
                "host",
                List.of(
                    new HostSpec(
                        "h",
                        Resources.of(Dimension.CPU, 2 * SECOND, Dimension.MEMORY, 3 * SECOND)))),
            0,
            new Arrival(0, Request.builder("a", "gold").demand(both).build(), FOR_EVER),
            new Arrival(0, Request.builder("b", "gold").demand(both).build(), FOR_EVER));

    assertThat(only(FluidBound.of(scenario)).shortfall()).isEqualTo(0.4, within(EPSILON));
  }

  @Test
  void saysWhyThereIsNone() {
    Request rigid = request("a", GOLD, 1).build();
    Infrastructure grows =
        new Infrastructure(
            "pool", List.of(), List.of(new PoolSpec("p", host("h", 1).capacity(), 3)));
    Infrastructure shares =
        new Infrastructure(
            "shared",
            List.of(new HostSpec("h", Resources.of(Dimension.CPU, SECOND), Map.of(), true)));
    Arrival yields =
        new Arrival(0, request("a", GOLD, 1).guaranteed(Resources.none()).build(), SECOND);
    Arrival restarts =
        new Arrival(0, rigid, SECOND, ActualBehaviour.asSaid(rigid).losingProgress());

    assertThat(FluidBound.of(scenario(grows, 0)).obstacle()).hasValue("hosts can be provisioned");
    assertThat(FluidBound.of(scenario(shares, 0)).obstacle())
        .hasValue("instances share the CPU of a host");
    assertThat(FluidBound.of(scenario(0, yields)).obstacle())
        .hasValue("requests can run with less than they demand");
    assertThat(FluidBound.of(scenario(0, restarts)).obstacle())
        .hasValue("requests can lose their progress");
    assertThat(FluidBound.of(scenario(0, restarts)).penalty()).isEmpty();
  }

  // ---- No run is better

  private static final PolicyRegistry POLICIES = PolicyRegistry.load();

  @Property(tries = 60, shrinking = ShrinkingMode.OFF)
  void noRunOfAnyPolicyIsBetter(@ForAll long seed) {
    Scenario scenario = random(new Random(seed));
    FluidBound bound = FluidBound.of(scenario);
    FluidBound withRoom = FluidBound.of(withRoom(scenario));
    for (String policy : POLICIES.ids()) {
      RunResult run = run(scenario, policy, seed);
      if (run.refused() + run.cancelled() == 0) {
        assertThat(run.penalty())
            .as("penalty under %s", policy)
            .isGreaterThanOrEqualTo(bound.penalty().orElseThrow() - EPSILON);
        checkClasses(run, bound, withRoom, policy);
      }
    }
  }

  /** Checks classes until one does not get its whole need. */
  private static void checkClasses(
      RunResult run, FluidBound bound, FluidBound withRoom, String policy) {
    for (int i = 0; i < bound.classes().size(); i++) {
      FluidBound.ClassBound each = bound.classes().get(i);
      ClassResult its =
          run.classes().stream()
              .filter(other -> other.name().equals(each.name()))
              .findFirst()
              .orElseThrow();
      double reached = its.fulfilment().orElseThrow();
      double met = its.met().orElseThrow();
      double shortfall = its.meanDeficit().orElse(0) * (1 - reached);
      assertThat(shortfall)
          .as("shortfall of %s under %s", each.name(), policy)
          .isGreaterThanOrEqualTo(each.shortfall() - EPSILON);
      assertThat(reached)
          .as("objectives of %s reached under %s", each.name(), policy)
          .isLessThanOrEqualTo(Math.min(met, each.fulfilment() + EPSILON));
      assertThat(met)
          .as("objectives of %s met under %s", each.name(), policy)
          .isLessThanOrEqualTo(each.met() + EPSILON);
      if (shortfall > withRoom.classes().get(i).shortfall() + EPSILON) {
        return;
      }
    }
  }

  private static Scenario withRoom(Scenario scenario) {
    return new Scenario(
        scenario.workload(),
        new Infrastructure("large", List.of(host("large", 1_000))),
        scenario.until(),
        scenario.overheads());
  }

  private static RunResult run(Scenario scenario, String policy, long seed) {
    try (Simulation simulation =
        Simulation.builder()
            .scenario(scenario)
            .scheduler(
                Scheduler.builder()
                    .registry(POLICIES)
                    .policy(policy)
                    .watchdog(Duration.ofSeconds(3)))
            .seed(seed)
            .build()) {
      return simulation.run();
    }
  }

  /** Requests of one to three classes, of lives shorter and longer than the run. */
  private static Scenario random(Random random) {
    List<ServiceClass> classes = new ArrayList<>();
    double[] objectives = {1, 0.99, 0.9, 0.5, 0.2};
    int importances = 1 + random.nextInt(3);
    for (int i = 0; i < importances; i++) {
      String name = new String[] {"gold", "silver", "other"}[i];
      classes.add(serviceClass(name, objectives[random.nextInt(objectives.length)], i + 1));
    }
    long until = 20L + random.nextInt(80);
    long longest = random.nextBoolean() ? until / 4 : 3 * until;
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    int count = 1 + random.nextInt(14);
    for (int i = 0; i < count; i++) {
      at += random.nextInt(3) == 0 ? random.nextInt(8) : 0;
      arrivals.add(
          arrival(
              "r" + i,
              classes.get(random.nextInt(importances)),
              at,
              SECOND / 10 + (long) (random.nextDouble() * longest * SECOND),
              1 + random.nextInt(2)));
    }
    List<HostSpec> hosts = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      hosts.add(host("h" + i, 2 + random.nextInt(2)));
    }
    Duration start = Duration.ofMillis(random.nextInt(4) * 700L);
    return new Scenario(
        Workload.of("random", classes, arrivals),
        new Infrastructure("hosts", hosts),
        Duration.ofSeconds(until),
        Overheads.of(List.of(start, start.multipliedBy(2))));
  }
}
