package dev.berth.simulator;

import static dev.berth.simulator.Cases.GOLD;
import static dev.berth.simulator.Cases.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Time-shared hosts: the speed of their jobs, and their reports. */
class SharingTest {

  private final Map<String, RequestOutcome> outcomes = new HashMap<>();

  /** The load reports of each host. */
  private final Map<String, List<HostLoad>> loads = new TreeMap<>();

  /** A site with some cores and the slowdown of a job that runs alone. */
  private Simulation.Builder site(int cores, double slower, List<Arrival> arrivals) {
    return Simulation.builder()
        .workload(Workload.of("test requests", List.of(GOLD), arrivals))
        .infrastructure(
            new Infrastructure(
                "test site", List.of(new HostSpec("site", Cases.cores(cores), Map.of(), true))))
        .scheduler(Scheduler.builder().policy("first", context -> SharingTest::placeFirst))
        .executionModel(ExecutionModel.sharing(host -> Slowdown.of(slower)))
        .loadReports(Duration.ZERO)
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> outcomes.put(outcome.report().id(), outcome)));
  }

  private static void placeFirst(SchedulingPass pass) {
    for (Instance each : pass.pending()) {
      pass.place(each, pass.hosts().get(0));
    }
  }

  private static Arrival job(String id, long at, long work) {
    return new Arrival(
        at,
        Request.builder(id, "gold")
            .demand(Resources.of(Dimension.CPU, 1_000_000_000))
            .application("app")
            .build(),
        work);
  }

  private long end(String id) {
    return outcomes.get(id).report().endedAt();
  }

  @Property(tries = 40)
  void equalJobsOnSomeCoresEndTogether(
      @ForAll @IntRange(min = 1, max = 12) int jobs,
      @ForAll @IntRange(min = 1, max = 5) int cores,
      @ForAll @IntRange(min = 2, max = 8) int halves) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      arrivals.add(job("i" + i, s(1), s(10)));
    }

    site(cores, halves / 2.0, arrivals).build().run();

    double expected = 1 + 10 * halves / 2.0 * Math.max(1, (double) jobs / cores);
    for (int i = 0; i < jobs; i++) {
      assertThat(end("i" + i) / 1e9).isEqualTo(expected, within(1e-4)); // shares of millionths
    }
  }

  @Test
  void arrivalsSlowDownAndDeparturesSpeedUp() {
    site(1, 1, List.of(job("a", 0, s(10)), job("b", s(4), s(2)))).build().run();

    // a does 4 alone, then 2 in 4 s beside b, then the other 4.
    assertThat(end("b")).isEqualTo(s(8));
    assertThat(end("a")).isEqualTo(s(12));
  }

  @Property(tries = 100)
  void endTimesMatchAPlainSimulation(@ForAll long seed) {
    Random random = new Random(seed);
    int cores = 1 + random.nextInt(3);
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < 8; i++) {
      at += s(random.nextInt(5));
      arrivals.add(job("i" + i, at, s(1 + random.nextInt(9))));
    }

    site(cores, 1, arrivals).build().run();

    double[] expected = processorSharing(arrivals, cores);
    for (int i = 0; i < expected.length; i++) {
      assertThat(end("i" + i) / 1e9).as("job %s", i).isEqualTo(expected[i], within(1e-3));
    }
  }

  /** Steps from one arrival or end to the next; all running jobs share equally. */
  private static double[] processorSharing(List<Arrival> arrivals, int cores) {
    double[] left = arrivals.stream().mapToDouble(each -> each.serviceTime() / 1e9).toArray();
    double[] ends = new double[left.length];
    double now = 0;
    while (true) {
      double next = Double.POSITIVE_INFINITY;
      List<Integer> there = new ArrayList<>();
      for (int i = 0; i < left.length; i++) {
        double at = arrivals.get(i).at() / 1e9;
        if (at > now) {
          next = Math.min(next, at - now);
        } else if (ends[i] == 0) {
          there.add(i);
        }
      }
      double speed = Math.min(1, (double) cores / there.size());
      for (int i : there) {
        next = Math.min(next, left[i] / speed);
      }
      if (Double.isInfinite(next)) {
        return ends;
      }
      now += next;
      for (int i : there) {
        left[i] -= next * speed;
        if (left[i] < 1e-9) {
          ends[i] = now;
        }
      }
    }
  }

  @Test
  void reportsTheCpuTimeOfTheJobAlone() {
    Simulation simulation =
        site(1, 2.5, List.of(job("a", 0, s(4)), job("b", 0, s(4)), job("c", s(90), s(8)))).build();
    simulation.runUntil(Duration.ofSeconds(60));

    Host site = simulation.scheduler().hosts().get(0);
    assertThat(end("a")).isEqualTo(s(20)); // 4 s of work, at a fifth of full speed
    assertThat(site.history("app")).contains(new ApplicationHistory(2, s(10)));
    simulation.run();
    assertThat(site.history("app")).contains(new ApplicationHistory(3, s(12.5)));
  }

  @Test
  void limitsTheSlowdownOfTinyHosts() {
    Arrival arrival =
        new Arrival(0, Request.builder("a", "gold").demand(Resources.none()).build(), s(1));

    RunResult result =
        site(1, 1, List.of(arrival))
            .infrastructure(
                new Infrastructure(
                    "test site",
                    List.of(new HostSpec("site", Resources.of(Dimension.CPU, 1), Map.of(), true))))
            .build()
            .run();

    assertThat(result.simulated()).isEqualTo(Duration.ofSeconds(1_000_000));
  }

  // ---- Loads

  /** Places every instance on the first host and records its reports. */
  private Simulation.Builder reporting(List<Arrival> arrivals, Duration every) {
    return site(1, 1, arrivals)
        .loadReports(every)
        .scheduler(
            Scheduler.builder()
                .policy(
                    "first",
                    context ->
                        pass -> {
                          if (!pass.hosts().isEmpty()) {
                            placeFirst(pass);
                          }
                        }));
  }

  /** Runs to an end, a second at a time, and records each report. */
  private void watch(Simulation simulation, int seconds) {
    for (int i = 0; i <= seconds; i++) {
      simulation.runUntil(Duration.ofSeconds(i));
      for (Host each : simulation.scheduler().hosts()) {
        List<HostLoad> those = loads.computeIfAbsent(each.id(), id -> new ArrayList<>());
        if (each.load().isPresent()
            && (those.isEmpty() || !those.get(those.size() - 1).equals(each.load().get()))) {
          those.add(each.load().get());
        }
      }
    }
  }

  @Property(tries = 60)
  void loadIsTheMeanNumberOfRunningInstancesInTheLastMinute(@ForAll long seed) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < 6; i++) {
      at += s(random.nextInt(70));
      arrivals.add(job("i" + i, at, s(1 + random.nextInt(30))));
    }
    arrivals.add(job("last", s(900), s(1)));
    outcomes.clear();
    loads.clear();

    watch(reporting(arrivals, Duration.ofSeconds(7)).until(Duration.ofSeconds(901)).build(), 901);

    List<HostLoad> reports = loads.get("site");
    assertThat(reports).isNotEmpty();
    for (HostLoad each : reports) {
      assertThat(each.average())
          .as("at %s s", each.reportedAt() / 1e9)
          .isEqualTo(meanRunning(each.reportedAt()), within(1e-9));
    }
    for (int i = 1; i < reports.size(); i++) {
      long between = reports.get(i).reportedAt() - reports.get(i - 1).reportedAt();
      assertThat(between % s(7)).isZero();
      assertThat(between == s(7) || reports.get(i - 1).average() == 0).as("%s", reports).isTrue();
    }
  }

  private double meanRunning(long at) {
    double sum = 0;
    for (RequestOutcome each : outcomes.values()) {
      long from = Math.max(each.firstReadyAt().orElse(Long.MAX_VALUE), at - s(60));
      sum += Math.max(0, Math.min(at, each.report().endedAt()) - from);
    }
    return sum / s(60);
  }

  @Test
  void recoveredHostReportsAnew() {
    List<Arrival> arrivals = List.of(job("a", 0, s(100)), job("b", s(200), s(1)));
    Simulation simulation =
        reporting(arrivals, Duration.ofSeconds(10))
            .hostEvents(
                List.of(
                    new HostEvent.Fails(s(100.5), "site"), new HostEvent.Recovers(s(101), "site")))
            .build();
    outcomes.clear();

    RunResult result = simulation.run();

    assertThat(result.completed()).isEqualTo(2);
    assertThat(result.simulated()).isEqualTo(Duration.ofSeconds(201));
  }

  @Test
  void recoveredHostForgetsEarlierLoad() {
    Simulation simulation =
        reporting(List.of(job("a", 0, s(90)), job("b", s(400), s(1))), Duration.ofSeconds(10))
            .scheduler(
                Scheduler.builder()
                    .policy(
                        "first-ten",
                        context ->
                            pass -> {
                              if (pass.now() < s(10) || pass.now() > s(300)) {
                                placeFirst(pass);
                              }
                            }))
            .hostEvents(
                List.of(new HostEvent.Fails(s(50), "site"), new HostEvent.Recovers(s(51), "site")))
            .build();

    simulation.runUntil(Duration.ofSeconds(200));

    assertThat(simulation.scheduler().hosts().get(0).load()).isEmpty();
    assertThat(simulation.run().completed()).isEqualTo(2);
  }
}
