package dev.berth.experiments.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
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

class ClairvoyantScheduleTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long FOR_EVER = 1_000_000 * SECOND;
  private static final ServiceClass SILVER = serviceClass("silver", 0.9, 1);
  private static final ServiceClass BRONZE = serviceClass("bronze", 0.5, 2);

  private static ServiceClass serviceClass(String name, double slo, int importance) {
    return ServiceClass.builder(name).slo(slo).importance(importance).build();
  }

  private static Arrival arrival(String id, ServiceClass of, long at) {
    return new Arrival(at, request(id, of, 1).build(), FOR_EVER);
  }

  private static Request.Builder request(String id, ServiceClass of, int cores) {
    return Request.builder(id, of.name()).demand(cores(cores));
  }

  private static Resources cores(int cores) {
    return Resources.of(Dimension.CPU, cores * SECOND);
  }

  /** Returns a run of 100 s. */
  private static Scenario scenario(Infrastructure hosts, Overheads starts, List<Arrival> arrivals) {
    return new Scenario(
        Workload.of("w", List.of(SILVER, BRONZE), arrivals),
        hosts,
        Duration.ofSeconds(100),
        starts);
  }

  private static Infrastructure hosts(int... cores) {
    List<HostSpec> hosts = new ArrayList<>();
    for (int each : cores) {
      hosts.add(new HostSpec("h" + hosts.size(), cores(each)));
    }
    return new Infrastructure("hosts", hosts);
  }

  private static Scenario onTwoCores(Arrival... arrivals) {
    return scenario(hosts(2), Overheads.none(), List.of(arrivals));
  }

  private static RunResult simulate(Scenario scenario) {
    return ClairvoyantSchedule.of(scenario)
        .simulate(
            scheduler ->
                Simulation.builder()
                    .scenario(scenario)
                    .seed(1)
                    .scheduler(scheduler.watchdog(Duration.ofSeconds(30))));
  }

  private static ClassResult of(RunResult run, ServiceClass serviceClass) {
    return run.classes().stream()
        .filter(each -> each.name().equals(serviceClass.name()))
        .findFirst()
        .orElseThrow();
  }

  private static long met(RunResult run) {
    return run.classes().stream()
        .filter(each -> each.count() > 0)
        .mapToLong(each -> Math.round(each.fulfilment().orElseThrow() * (double) each.count()))
        .sum();
  }

  /** The objectives ask for all 200 s: two places of 100 s for four times 50 s. */
  @Test
  void meetsObjectivesThatAskForAllThereIs() {
    RunResult run =
        simulate(
            onTwoCores(
                arrival("a", BRONZE, 0),
                arrival("b", BRONZE, 0),
                arrival("c", BRONZE, 0),
                arrival("d", BRONZE, 0)));

    assertThat(of(run, BRONZE).fulfilment()).hasValue(1);
    assertThat(of(run, BRONZE).min()).hasValue(0.5);
    assertThat(run.preemptions()).isEqualTo(2);
  }

  /** After 10 s the third cannot wait any longer; the fourth gets what is left. */
  @Test
  void requestThatCannotWaitTakesAPlace() {
    RunResult run =
        simulate(
            onTwoCores(arrival("a", BRONZE, 0), arrival("b", BRONZE, 0), arrival("c", SILVER, 0)));

    assertThat(of(run, SILVER).fulfilment()).hasValue(1);
    assertThat(of(run, SILVER).mean()).hasValue(1);
    assertThat(of(run, BRONZE).mean()).hasValue(0.5);
    assertThat(of(run, BRONZE).fulfilment()).hasValue(1);
  }

  @Test
  void keepsTheMoreImportant() {
    Scenario scenario =
        onTwoCores(arrival("a", BRONZE, 0), arrival("b", SILVER, 0), arrival("c", SILVER, 0));

    RunResult run = simulate(scenario);

    assertThat(ClairvoyantSchedule.of(scenario).kept()).isEqualTo(2);
    assertThat(of(run, SILVER).fulfilment()).hasValue(1);
    assertThat(of(run, BRONZE).mean().orElseThrow()).isBetween(0.09, 0.1);
  }

  /** A request that is done early needs all its work by then. */
  @Test
  void knowsLives() {
    Arrival brief = new Arrival(0, request("brief", BRONZE, 1).build(), 20 * SECOND);

    RunResult run =
        simulate(scenario(hosts(1), Overheads.none(), List.of(arrival("long", BRONZE, 0), brief)));

    assertThat(run.completed()).isEqualTo(1);
    assertThat(of(run, BRONZE).fulfilment()).hasValue(1);
  }

  /** Starts of 1 s: the first start of each, and a second of those that are preempted. */
  @Test
  void startsInTime() {
    Scenario scenario =
        scenario(
            hosts(1, 1),
            Overheads.of(List.of(Duration.ofSeconds(1))),
            List.of(
                arrival("a", BRONZE, 0), arrival("b", BRONZE, 0), arrival("c", SILVER, SECOND)));

    RunResult run = simulate(scenario);

    assertThat(of(run, SILVER).fulfilment()).hasValue(1);
    assertThat(run.preemptions()).isPositive();
  }

  /** All are there from the beginning to the end of the run, and starts take no time. */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void meetsTheObjectivesOfAllThatItKeeps(@ForAll long seed) {
    Random random = new Random(seed);
    Scenario scenario = random(random, Overheads.none(), 0);

    RunResult run = simulate(scenario);

    assertThat(met(run)).isGreaterThanOrEqualTo(ClairvoyantSchedule.of(scenario).kept());
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void doesNotExceedTheBound(@ForAll long seed) {
    Random random = new Random(seed);
    Scenario scenario =
        random(random, Overheads.of(List.of(Duration.ofSeconds(1), Duration.ofSeconds(3))), 8);

    RunResult run = simulate(scenario);

    assertThat(run.penalty())
        .isGreaterThanOrEqualTo(FluidBound.of(scenario).penalty().orElseThrow() - 1e-9);
  }

  private static Scenario random(Random random, Overheads starts, int secondsApart) {
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    for (int i = random.nextInt(12); i >= 0; i--) {
      at += random.nextInt(4) == 0 ? 0 : (long) (random.nextDouble() * secondsApart * SECOND);
      arrivals.add(arrival("r" + i, random.nextBoolean() ? SILVER : BRONZE, at));
    }
    return scenario(hosts(1 + random.nextInt(3), 1 + random.nextInt(3)), starts, arrivals);
  }

  // ---- Where there is none

  private static void none(Scenario scenario, String why) {
    assertThat(ClairvoyantSchedule.of(scenario).obstacle()).contains(why);
  }

  @Test
  void saysWhyThereIsNone() {
    none(onTwoCores(), "there is no request");
    none(
        onTwoCores(
            arrival("a", BRONZE, 0), new Arrival(0, request("b", BRONZE, 2).build(), FOR_EVER)),
        "the demands of requests differ");
    none(
        onTwoCores(
            new Arrival(
                0,
                request("a", BRONZE, 1).constraint(new Constraint.Equal("zone", "1")).build(),
                FOR_EVER)),
        "requests choose among hosts");
    none(
        onTwoCores(
            new Arrival(0, request("a", BRONZE, 1).job("j").antiAffinity(true).build(), FOR_EVER)),
        "requests choose among hosts");
    none(
        onTwoCores(new Arrival(0, request("a", BRONZE, 2).guaranteed(cores(1)).build(), FOR_EVER)),
        "requests can run with less than they demand");
    Request losing = request("a", BRONZE, 1).build();
    none(
        onTwoCores(
            new Arrival(0, losing, FOR_EVER, ActualBehaviour.asSaid(losing).losingProgress())),
        "requests can lose their progress");
    List<Arrival> many = new ArrayList<>();
    for (int i = 0; i <= ClairvoyantSchedule.MOST_REQUESTS; i++) {
      many.add(arrival("r" + i, BRONZE, 0));
    }
    none(scenario(hosts(2), Overheads.none(), many), "there are more than 2,000 requests");
  }

  @Test
  void hostsMustBeThereWhole() {
    List<Arrival> one = List.of(arrival("a", BRONZE, 0));
    Infrastructure pools =
        new Infrastructure("pools", List.of(), List.of(new PoolSpec("p", cores(1), 3)));
    none(scenario(pools, Overheads.none(), one), "hosts can be provisioned");
    Infrastructure shared =
        new Infrastructure("shared", List.of(new HostSpec("h", cores(1), Map.of(), true)));
    none(scenario(shared, Overheads.none(), one), "instances share the CPU of a host");
  }

  @Test
  void cannotBeSimulatedWhereThereIsNone() {
    assertThatThrownBy(() -> simulate(onTwoCores()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("There is no schedule: there is no request.");
  }
}
