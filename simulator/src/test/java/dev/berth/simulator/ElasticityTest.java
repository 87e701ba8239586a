package dev.berth.simulator;

import static dev.berth.simulator.Cases.coldAndHot;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import dev.berth.api.Usage;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.HostEvent.Fails;
import dev.berth.simulator.fleet.HostEvent.Recovers;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hand-worked histories of instances that are resized, paused, suspended, migrated and rejected.
 */
class ElasticityTest {

  private static final long GB = Dimension.MEMORY.unitsPerWhole();
  private static final Reason WHY = new Reason.PolicyChoice("script", "the script says so");

  /** Twice the time with 2 GB, three times with 1 GB or less. */
  private static final PerformanceMemoryProfile PERFORMANCE = performance(4, 1, 2, 2, 1, 3);

  private static final TransferCost GIGABYTE_A_SECOND = new TransferCost(Duration.ofSeconds(1), GB);

  private final Map<String, RequestOutcome> outcomes = new HashMap<>();
  private final Map<Long, List<Consumer<SchedulingPass>>> script = new TreeMap<>();
  private boolean placesByItself = true;

  // ---- Writing scripts

  /** Adds an action to the pass at a whole second; it must be accepted. */
  private ElasticityTest at(
      int second,
      String id,
      BiFunction<SchedulingPass, Instance, dev.berth.api.policy.Outcome> action) {
    script
        .computeIfAbsent(s(second), time -> new ArrayList<>())
        .add(
            pass ->
                assertThat(action.apply(pass, pass.instance(id).orElseThrow()))
                    .as("%s at %s s", id, second)
                    .isEqualTo(dev.berth.api.policy.Outcome.accept()));
    return this;
  }

  private ElasticityTest place(int second, String id, String host, Resources grant) {
    return at(
        second, id, (pass, it) -> pass.place(it, pass.host(host).orElseThrow(), List.of(), grant));
  }

  private ElasticityTest resize(int second, String id, double gigabytes) {
    return at(second, id, (pass, it) -> pass.resize(it, grant(gigabytes), WHY));
  }

  private ElasticityTest pause(int second, String id) {
    return at(second, id, (pass, it) -> pass.pause(it, WHY));
  }

  private ElasticityTest suspend(int second, String id) {
    return at(second, id, (pass, it) -> pass.suspend(it, WHY));
  }

  private ElasticityTest resume(int second, String id, double gigabytes) {
    return at(second, id, (pass, it) -> pass.resume(it, grant(gigabytes), WHY));
  }

  private ElasticityTest migrate(int second, String id, String host, double gigabytes) {
    return at(
        second,
        id,
        (pass, it) -> pass.migrate(it, pass.host(host).orElseThrow(), grant(gigabytes), WHY));
  }

  private ElasticityTest reject(int second, String id) {
    return at(second, id, (pass, it) -> pass.reject(it, WHY));
  }

  /** Runs the script, and then places pending instances on the first host with room. */
  private void play(SchedulingPass pass) {
    List<Consumer<SchedulingPass>> now = script.remove(pass.now());
    if (now != null) {
      now.forEach(each -> each.accept(pass));
    }
    if (placesByItself) {
      for (Instance instance : pass.pending()) {
        for (Host host : pass.hosts()) {
          if (pass.place(instance, host).accepted()) {
            break;
          }
        }
      }
    }
  }

  /** Ends at a time, since only the script continues when all instances are paused. */
  private Simulation.Builder simulation(Arrival... arrivals) {
    return endless(arrivals).until(seconds(1000));
  }

  private Simulation.Builder endless(Arrival... arrivals) {
    return Simulation.builder()
        .infrastructure(hosts(1))
        .workload(workload(arrivals))
        .scheduler(TestPolicies.scripted(this::play))
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> outcomes.put(outcome.report().id(), outcome)));
  }

  /** Runs to the end; the whole script must have been played. */
  private RunResult run(Simulation.Builder simulation) {
    RunResult result = simulation.build().run();
    assertThat(script).as("what was not played of the script").isEmpty();
    return result;
  }

  private InstanceReport sli(String id) {
    return outcomes.get(id).report();
  }

  private void assertServed(String id, long endedAt, long serviceTime) {
    assertThat(outcomes.get(id).end()).isEqualTo(RequestOutcome.End.COMPLETED);
    assertThat(sli(id).endedAt()).as("end of %s", id).isEqualTo(endedAt);
    assertThat(sli(id).serviceTime()).as("service of %s", id).isEqualTo(serviceTime);
  }

  // ---- Hosts and jobs

  /** Hosts h1, h2, … of 8 cores and 16 GB each. */
  private static Infrastructure hosts(int count) {
    return new Infrastructure(
        "test hosts",
        IntStream.rangeClosed(1, count)
            .mapToObj(
                i ->
                    new HostSpec(
                        "h" + i,
                        Resources.of(Dimension.CPU, 8_000_000_000L, Dimension.MEMORY, 16 * GB)))
            .toList());
  }

  private static Resources grant(double gigabytes) {
    return grant(1, gigabytes);
  }

  private static Resources grant(double cores, double gigabytes) {
    return Resources.of(
        Dimension.CPU, Math.round(cores * 1e9), Dimension.MEMORY, Math.round(gigabytes * GB));
  }

  /** A request of one core and 4 GB, of which half a gigabyte is guaranteed. */
  private static Request.Builder request(String id) {
    return Request.builder(id, "gold").demand(grant(4)).guaranteed(grant(0.5));
  }

  private static Arrival job(String id, long at, long work) {
    return new Arrival(at, request(id).performanceMemoryProfile(PERFORMANCE).build(), work);
  }

  /** A job whose need is given by pairs of a second of work and gigabytes. */
  private static Arrival job(String id, long work, double... needs) {
    return new Arrival(
        0,
        request(id).memoryProfile(memory(needs)).performanceMemoryProfile(PERFORMANCE).build(),
        work);
  }

  private static MemoryProfile memory(double... needs) {
    List<MemoryProfile.Step> steps = new ArrayList<>();
    for (int i = 0; i < needs.length; i += 2) {
      steps.add(new MemoryProfile.Step(s(needs[i]), Math.round(needs[i + 1] * GB)));
    }
    return MemoryProfile.of(steps);
  }

  private static PerformanceMemoryProfile performance(double... gigabytesAndFactors) {
    List<PerformanceMemoryProfile.Point> points = new ArrayList<>();
    for (int i = 0; i < gigabytesAndFactors.length; i += 2) {
      points.add(
          new PerformanceMemoryProfile.Point(
              Math.round(gigabytesAndFactors[i] * GB), s(100 * gigabytesAndFactors[i + 1])));
    }
    return PerformanceMemoryProfile.of(points);
  }

  @Nested
  class Resizing {

    @Test
    void changesSpeedByTheProfile() {
      resize(2, "a", 2).resize(6, "a", 1).resize(9, "a", 4);
      RunResult result = run(simulation(job("a", 0, s(10) + 7)));

      // Work: 2 s at full speed, 2 in 4 s, 1 in 3 s, the rest at full speed.
      assertServed("a", s(14) + 7, s(14) + 7);
      assertThat(result.adjustments()).isEqualTo(new Adjustments(3, 0, 0, 0, 0));
    }

    @Test
    void isExactToTheNanosecond() {
      resize(2, "a", 2).resize(6, "a", 1);
      run(simulation(job("a", 0, s(10) + 7)));

      assertServed("a", s(24) + 21, s(24) + 21); // 6 s and 7 ns of work in three times the time
    }

    @Test
    void roundsUpToTheNanosecond() {
      Arrival job =
          new Arrival(
              0, request("a").performanceMemoryProfile(performance(4, 1, 2, 1.5)).build(), 7);
      placesByItself = false;
      place(0, "a", "h1", grant(2));
      run(simulation(job));

      assertServed("a", 11, 11); // 10.5
    }

    @Test
    void beyondTheNeedDoesNotSpeedUp() {
      resize(2, "a", 8);
      run(simulation(job("a", 0, s(10))));

      assertServed("a", s(10), s(10));
    }

    @Test
    void ofStartingInstanceTakesEffectWhenReady() {
      resize(2, "a", 2);
      run(simulation(job("a", 0, s(10))).overheads(coldAndHot(3, 1)));

      assertServed("a", s(23), s(20));
    }

    @Test
    void ofPausedInstanceTakesEffectWhenResumed() {
      pause(2, "a").resize(4, "a", 2).resume(6, "a", 2);
      run(simulation(job("a", 0, s(10))));

      assertServed("a", s(22), s(18));
    }

    @Test
    void hasNoEffectInDedicatedModel() {
      resize(2, "a", 1);
      run(simulation(job("a", 0, s(10))).executionModel(ExecutionModel.DEDICATED));

      assertServed("a", s(10), s(10));
    }
  }

  @Nested
  class Needing {

    @Test
    void aboveTheGrantSlowsFromThatPoint() {
      resize(1, "a", 2);
      run(simulation(job("a", s(10), 0, 1, 4, 4)));

      assertServed("a", s(16), s(16)); // 4 s at full speed, 6 at half of it
    }

    @Test
    void dropsLaterWhenSlowedDown() {
      placesByItself = false;
      place(0, "a", "h1", grant(2));
      run(simulation(job("a", s(10), 0, 4, 4, 1)));

      assertServed("a", s(14), s(14)); // 4 s at half the speed, 6 at full speed
    }

    @Test
    void stepsFollowTheWorkAcrossAPause() {
      placesByItself = false;
      place(0, "a", "h1", grant(2)).pause(5, "a").resume(9, "a", 2);
      run(simulation(job("a", s(10), 0, 1, 4, 4, 6, 2)));

      // 4 s, half a second in 1 s, pause, 1.5 s in 3 s, 4 s at full speed.
      assertServed("a", s(16), s(12));
    }

    @Test
    void stepsBeyondTheEndNeverHappen() {
      placesByItself = false;
      place(0, "a", "h1", grant(1));
      run(simulation(job("a", s(10), 0, 1, 10, 4, 11, 1)));

      assertServed("a", s(10), s(10));
    }

    /** Rounding does not depend on the number of reports. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 10, 1_000_000_000})
    void reportsChangeNothing(long every) {
      List<MemoryProfile.Step> steps =
          IntStream.range(0, 10)
              .mapToObj(i -> new MemoryProfile.Step(101L * i, i % 2 == 0 ? 4 * GB : GB))
              .toList();
      Arrival job =
          new Arrival(
              0,
              request("a")
                  .memoryProfile(MemoryProfile.of(steps))
                  .performanceMemoryProfile(PERFORMANCE)
                  .build(),
              1_010);
      placesByItself = false;
      place(0, "a", "h1", grant(1));
      run(simulation(job).usageReports(Duration.ofNanos(every)));

      assertServed("a", 5 * 101 * 3 + 5 * 101, 5 * 101 * 3 + 5 * 101);
    }

    @Test
    void resizesWithoutSpeedChangeHaveNoEffect() {
      placesByItself = false;
      place(0, "a", "h1", grant(1));
      for (int second = 1; second <= 5; second++) {
        resize(second, "a", 1 + second / 10.0); // three times the time with all of them
      }
      run(simulation(job("a", s(4), 0, 4, 2, 1)));

      assertServed("a", s(8), s(8));
    }
  }

  @Nested
  class Molding {

    @ParameterizedTest
    @CsvSource({"4, 10", "3.2, 13", "2.4, 18", "2, 21", "1.6, 25", "2.2, 19.5"})
    void takesAsMuchLongerAsLinpack(double cores, double time) {
      Request request =
          Request.builder("a", "gold").demand(grant(4, 1)).moldability(Moldability.LINPACK).build();
      placesByItself = false;
      place(0, "a", "h1", grant(cores, 1));
      run(simulation(new Arrival(0, request, s(10))));

      assertServed("a", s(time), s(time));
    }

    @Test
    void multipliesWithLackOfMemory() {
      Request request =
          Request.builder("a", "gold")
              .demand(grant(4, 4))
              .guaranteed(grant(4, 0.5))
              .moldability(Moldability.LINPACK)
              .performanceMemoryProfile(PERFORMANCE)
              .build();
      placesByItself = false;
      place(0, "a", "h1", grant(2, 2));
      run(simulation(new Arrival(0, request, s(10))));

      assertServed("a", s(42), s(42));
    }
  }

  @Nested
  class PausingAndSuspending {

    @Test
    void pausedInstanceResumesAtOnce() {
      pause(5, "a").resume(9, "a", 4);
      Simulation simulation =
          simulation(job("a", 0, s(10)))
              .overheads(coldAndHot(2, 2))
              .resumeCost(GIGABYTE_A_SECOND)
              .build();

      simulation.runUntil(seconds(8));
      Instance paused = simulation.scheduler().instance("a").orElseThrow();
      assertThat(paused.state()).isEqualTo(InstanceState.PAUSED);
      assertThat(paused.serviceTime(s(8))).isEqualTo(s(3));
      simulation.runUntil(seconds(9));
      assertThat(paused.state()).isEqualTo(InstanceState.RUNNING);
      RunResult result = simulation.run();
      assertServed("a", s(16), s(10)); // ready at 2
      assertThat(sli("a").waitingTime()).isEqualTo(s(6));
      assertThat(sli("a").placements()).isEqualTo(1);
      assertThat(result.adjustments()).isEqualTo(new Adjustments(0, 1, 0, 1, 0));
      assertThat(result.preemptions()).isZero();
    }

    @Test
    void suspendedInstanceReadsBackItsUsedMemory() {
      suspend(5, "a").resume(8, "a", 4);
      RunResult result = run(simulation(job("a", s(10), 0, 1, 3, 3)).resumeCost(GIGABYTE_A_SECOND));

      assertServed("a", s(17), s(10)); // needs 3 GB: ready at 8 + 1 + 3
      assertThat(result.adjustments()).isEqualTo(new Adjustments(0, 0, 1, 1, 0));
    }

    @Test
    void readsBackTheWholeGrantIfTheNeedIsUnknown() {
      suspend(5, "a").resume(8, "a", 4);
      run(simulation(job("a", 0, s(10))).resumeCost(GIGABYTE_A_SECOND));

      assertServed("a", s(18), s(10));
    }

    @Test
    void readsBackNoMoreThanTheGrant() {
      suspend(5, "a").resume(8, "a", 2);
      run(simulation(job("a", s(10), 0, 1, 3, 3)).resumeCost(GIGABYTE_A_SECOND));

      assertServed("a", s(21), s(15)); // ready at 8 + 1 + 2, and half as fast
    }

    @Test
    void pausedThenSuspendedInstanceIsReadBack() {
      pause(4, "a").suspend(5, "a").resume(8, "a", 4);
      run(simulation(job("a", 0, s(10))).resumeCost(GIGABYTE_A_SECOND));

      assertServed("a", s(19), s(10));
    }

    @Test
    void instancePausedAfterReadBackResumesAtOnce() {
      suspend(2, "a").resume(3, "a", 4).pause(9, "a").resume(11, "a", 4);
      run(simulation(job("a", 0, s(10))).resumeCost(GIGABYTE_A_SECOND));

      assertServed("a", s(18), s(10)); // 0 to 2, 8 to 9, 11 to 18
    }
  }

  @Nested
  class Migrating {

    @Test
    void keepsProgressAndCopiesUsedMemory() {
      migrate(4, "a", "h2", 4);
      Simulation simulation =
          simulation(job("a", s(10), 0, 1, 3, 3))
              .infrastructure(hosts(2))
              .overheads(coldAndHot(0, 0))
              .migrationCost(new TransferCost(Duration.ofSeconds(2), GB))
              .build();

      simulation.runUntil(seconds(8));
      Instance moving = simulation.scheduler().instance("a").orElseThrow();
      assertThat(moving.state()).isEqualTo(InstanceState.STARTING);
      assertThat(moving.host().orElseThrow().id()).isEqualTo("h2");
      assertThat(moving.serviceTime(s(8))).isEqualTo(s(4));
      RunResult result = simulation.run();
      assertServed("a", s(15), s(10)); // ready at 4 + 2 + 3
      assertThat(sli("a").waitingTime()).isEqualTo(s(5));
      assertThat(sli("a").placements()).isEqualTo(1);
      assertThat(sli("a").restartOverhead()).isZero();
      assertThat(outcomes.get("a").migrations()).isEqualTo(1);
      assertThat(result.adjustments()).isEqualTo(new Adjustments(0, 0, 0, 0, 1));
      assertThat(result.placements()).isEqualTo(1);
    }

    @Test
    void resumesPausedOrSuspendedInstance() {
      pause(4, "a").migrate(6, "a", "h2", 4).suspend(4, "b").migrate(6, "b", "h2", 4);
      run(
          simulation(job("a", 0, s(10)), job("b", 0, s(10)))
              .infrastructure(hosts(2))
              .migrationCost(GIGABYTE_A_SECOND)
              .resumeCost(new TransferCost(Duration.ofDays(1), 1)));

      assertServed("a", s(17), s(10)); // ready at 6 + 1 + 4
      assertServed("b", s(17), s(10));
    }

    @Test
    void takesNoTimeByDefault() {
      migrate(4, "a", "h2", 16);
      run(
          simulation(new Arrival(0, Request.builder("a", "gold").demand(grant(16)).build(), s(10)))
              .infrastructure(hosts(2)));

      assertServed("a", s(10), s(10));
    }

    @Test
    void freeTransferTakesNoTimeForAnyAmount() {
      assertThat(TransferCost.NONE.nanosFor(1_000_000 * GB)).isZero();
    }
  }

  @Nested
  class Rejecting {

    @Test
    void countsItsLifeAsWaiting() {
      placesByItself = false;
      place(0, "a", "h1", grant(4)).reject(3, "b");
      RunResult result = run(simulation(job("a", 0, s(10)), job("b", s(1), s(10))));

      assertThat(outcomes.get("b").end()).isEqualTo(RequestOutcome.End.REFUSED);
      assertThat(outcomes.get("b").ran()).isFalse();
      assertThat(sli("b"))
          .isEqualTo(new InstanceReport("b", Cases.GOLD, s(1), s(3), 0, s(2), 0, 0, 0));
      assertThat(result.refused()).isEqualTo(1);
      assertThat(result.completed()).isEqualTo(1);
      assertThat(result.unfinished()).isZero();
      assertThat(result.arrivals()).isEqualTo(2);
      assertThat(result.classes().get(0).count()).isEqualTo(2);
      assertThat(result.classes().get(0).neverRan()).isEqualTo(1);
      assertThat(result.adjustments()).isEqualTo(Adjustments.NONE);
    }

    @Test
    void onAdmissionHasNoAvailability() {
      placesByItself = false;
      place(0, "a", "h1", grant(4)).reject(0, "b");
      RunResult result = run(simulation(job("a", 0, s(10)), job("b", 0, s(10))));

      assertThat(outcomes.get("b").end()).isEqualTo(RequestOutcome.End.REFUSED);
      assertThat(result.refused()).isEqualTo(1);
      assertThat(result.admittedAtEnd()).isEqualTo(1);
      assertThat(result.classes().get(0).count()).isEqualTo(1);
    }

    @Test
    void ofTheLastRequestEndsTheRun() {
      placesByItself = false;
      reject(2, "a");
      RunResult result = run(simulation(job("a", 0, s(10))).until(seconds(100)));

      assertThat(result.simulated()).isEqualTo(seconds(2));
    }
  }

  @Nested
  class StartingTogether {

    private final Overheads crowded =
        new Overheads(List.of(seconds(10)), List.of(seconds(1)), seconds(2));

    @Test
    void growsWithEachOtherStart() {
      placesByItself = false;
      for (String id : List.of("a", "b", "c")) {
        place(0, id, "h1", grant(4));
      }
      place(0, "d", "h2", grant(4));
      run(
          simulation(job("a", 0, s(1)), job("b", 0, s(1)), job("c", 0, s(1)), job("d", 0, s(1)))
              .infrastructure(hosts(2))
              .overheads(crowded));

      for (String id : List.of("a", "b", "c")) {
        assertThat(outcomes.get(id).firstReadyAt()).hasValue(s(14)); // 10 + (3 - 1) * 2
      }
      assertThat(outcomes.get("d").firstReadyAt()).hasValue(s(10));
    }

    @Test
    void countsEarlierStartsButNotRunningInstances() {
      placesByItself = false;
      place(0, "a", "h1", grant(4)).place(0, "b", "h1", grant(4));
      place(5, "c", "h1", grant(4)).place(20, "d", "h1", grant(4));
      run(
          simulation(job("a", 0, s(90)), job("b", 0, s(90)), job("c", 0, s(90)), job("d", 0, s(90)))
              .overheads(crowded));

      assertThat(outcomes.get("a").firstReadyAt()).hasValue(s(12));
      assertThat(outcomes.get("c").firstReadyAt()).hasValue(s(5 + 14));
      assertThat(outcomes.get("d").firstReadyAt()).hasValue(s(20 + 10));
    }
  }

  @Nested
  class Reporting {

    private Usage usage(int at, double used, double shortfall) {
      return new Usage(
          s(at),
          Resources.of(Dimension.MEMORY, Math.round(used * GB)),
          Resources.of(Dimension.MEMORY, Math.round(shortfall * GB)));
    }

    private Simulation started() {
      placesByItself = false;
      place(0, "a", "h1", grant(2)).pause(16, "a").resume(21, "a", 2);
      return simulation(job("a", s(20), 0, 1, 4, 3)).overheads(coldAndHot(2, 1)).build();
    }

    @Test
    void reportsUseAndDeficitEveryFiveSeconds() {
      Simulation simulation = started();
      simulation.runUntil(seconds(4));
      Instance measured = simulation.scheduler().instance("a").orElseThrow();
      assertThat(measured.usage()).isEmpty();

      simulation.runUntil(seconds(5)); // ready at 2, needs 3 GB from 6 on
      assertThat(measured.usage()).contains(usage(5, 1, 0));
      assertThat(measured.previousUsage()).isEmpty();
      simulation.runUntil(seconds(10));
      assertThat(measured.usage()).contains(usage(10, 2, 1));
      assertThat(measured.previousUsage()).contains(usage(5, 1, 0));
      simulation.runUntil(seconds(15));
      assertThat(measured.previousUsage()).contains(usage(10, 2, 1));
    }

    @Test
    void omitsPausedInstances() {
      Simulation simulation = started();
      simulation.runUntil(seconds(20));
      Instance measured = simulation.scheduler().instance("a").orElseThrow();
      assertThat(measured.state()).isEqualTo(InstanceState.PAUSED);
      assertThat(measured.usage()).contains(usage(15, 2, 1));

      simulation.runUntil(seconds(25));
      assertThat(measured.usage()).contains(usage(25, 2, 1));
      assertThat(measured.previousUsage()).contains(usage(15, 2, 1));
    }

    @Test
    void followsAllOtherEventsOfItsInstant() {
      Simulation simulation = simulation(job("a", s(20), 0, 1, 5, 3)).build();
      simulation.runUntil(seconds(5));

      assertThat(simulation.scheduler().instance("a").orElseThrow().usage())
          .contains(usage(5, 3, 0));
    }

    @Test
    void followsTheConfiguredInterval() {
      Simulation often =
          simulation(job("a", s(20), 0, 1)).usageReports(Duration.ofSeconds(2)).build();
      often.runUntil(seconds(7));
      assertThat(often.scheduler().instance("a").orElseThrow().usage()).contains(usage(6, 1, 0));

      Simulation never = simulation(job("a", s(20), 0, 1)).usageReports(Duration.ZERO).build();
      never.runUntil(seconds(7));
      assertThat(never.scheduler().instance("a").orElseThrow().usage()).isEmpty();
    }

    @Test
    void omitsInstancesWithoutMemoryProfile() {
      Simulation simulation = simulation(job("a", 0, s(20))).build();
      simulation.runUntil(seconds(7));

      assertThat(simulation.scheduler().instance("a").orElseThrow().usage()).isEmpty();
    }

    @Test
    void doesNotProlongTheRun() {
      RunResult result =
          run(
              endless(
                  job("a", s(7), 0, 1),
                  new Arrival(0, Request.builder("huge", "gold").demand(grant(99)).build(), 1)));

      assertThat(result.simulated()).isEqualTo(seconds(7));
    }
  }

  @Nested
  class LosingTheHost {

    @Test
    void whilePausedKeepsProgress() {
      pause(5, "a");
      run(
          simulation(job("a", 0, s(10)))
              .overheads(coldAndHot(2, 1))
              .hostEvents(List.of(new Fails(s(7), "h1"), new Recovers(s(9), "h1"))));

      assertServed("a", s(17), s(10)); // 2 to 5, 10 to 17
      assertThat(sli("a").placements()).isEqualTo(2);
      assertThat(sli("a").preemptions()).isZero();
    }

    @Test
    void whileSuspendedReadsNothingBack() {
      suspend(5, "a");
      run(
          simulation(job("a", 0, s(10)))
              .infrastructure(hosts(2))
              .overheads(coldAndHot(2, 1))
              .resumeCost(GIGABYTE_A_SECOND)
              .hostEvents(List.of(new Fails(s(7), "h1"))));

      assertServed("a", s(16), s(10)); // 2 to 5, 9 to 16 on the other
    }

    @Test
    void ofTheTargetCancelsTheMigration() {
      migrate(5, "a", "h2", 4);
      run(
          simulation(job("a", 0, s(10)))
              .infrastructure(hosts(2))
              .overheads(coldAndHot(2, 1))
              .migrationCost(GIGABYTE_A_SECOND)
              .hostEvents(List.of(new Fails(s(7), "h2"))));

      assertServed("a", s(15), s(10)); // 2 to 5; placed at 7 where it is hot: 8 to 15
      assertThat(outcomes.get("a").migrations()).isEqualTo(1);
    }

    @Test
    void ofTheSourceHasNoEffectOnTheMigration() {
      migrate(5, "a", "h2", 4);
      run(
          simulation(job("a", 0, s(10)))
              .infrastructure(hosts(2))
              .overheads(coldAndHot(2, 1))
              .migrationCost(GIGABYTE_A_SECOND)
              .hostEvents(List.of(new Fails(s(7), "h1"))));

      assertServed("a", s(17), s(10)); // 2 to 5, 10 to 17
      assertThat(sli("a").placements()).isEqualTo(1);
    }

    @Test
    void cancelsTheReadBack() {
      suspend(5, "a").resume(6, "a", 4);
      run(
          simulation(job("a", 0, s(10)))
              .overheads(coldAndHot(2, 1))
              .resumeCost(GIGABYTE_A_SECOND)
              .hostEvents(List.of(new Fails(s(8), "h1"), new Recovers(s(9), "h1"))));

      assertServed("a", s(17), s(10)); // 2 to 5, 10 to 17
    }
  }

  @Nested
  class SharingTime {

    /** Each running instance gets an equal share of its host. */
    private final ExecutionModel sharing =
        new ExecutionModel() {
          @Override
          public Slowdown slowdown(Work work) {
            long running =
                work.host().instances().stream()
                    .filter(each -> each.state() == InstanceState.RUNNING)
                    .count();
            return new Slowdown(1_000_000 * running);
          }

          @Override
          public boolean dependsOnOthers() {
            return true;
          }
        };

    private Simulation.Builder shared(Arrival... arrivals) {
      return simulation(arrivals).infrastructure(hosts(2)).executionModel(sharing);
    }

    @Test
    void onArrivalAndDeparture() {
      run(shared(job("a", 0, s(10)), job("b", s(4), s(3))));

      assertServed("b", s(10), s(6));
      assertServed("a", s(13), s(13)); // 4 s alone, 3 in 6 s, 3 alone
    }

    @Test
    void startingInstanceDoesNotCount() {
      run(shared(job("a", 0, s(10)), job("b", s(4), s(3))).overheads(coldAndHot(2, 2)));

      assertServed("b", s(12), s(6)); // ready at 6, when a has done 4
      assertServed("a", s(15), s(13));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whenAnInstanceIsPausedOrSuspendedAndResumed(boolean onDisk) {
      if (onDisk) {
        suspend(6, "b");
      } else {
        pause(6, "b");
      }
      resume(8, "b", 4);
      run(shared(job("a", 0, s(10)), job("b", s(4), s(3))));

      assertServed("b", s(12), s(6)); // 1 s in 2 s, paused, 2 in 4 s
      assertServed("a", s(13), s(13)); // 4, 1 in 2 s, 2 alone, 2 in 4 s, 1 alone
    }

    @Test
    void onMigration() {
      migrate(6, "b", "h2", 4);
      run(shared(job("a", 0, s(10)), job("b", s(4), s(3)), job("c", 0, s(1))));

      // c: done at 2, half speed beside a. b: 1 s in 2 s, then alone elsewhere, at once.
      assertServed("c", s(2), s(2));
      assertServed("b", s(8), s(4));
      assertServed("a", s(12), s(12)); // 1 in 2 s, 2, 1 in 2 s, 6
    }

    @Test
    void onPreemption() {
      placesByItself = false;
      place(0, "a", "h1", grant(4)).place(0, "b", "h1", grant(4));
      at(
          4,
          "c",
          (pass, it) ->
              pass.place(
                  it,
                  pass.host("h1").orElseThrow(),
                  List.of(pass.instance("b").orElseThrow()),
                  grant(4)));
      run(
          shared(job("a", 0, s(5)), job("b", 0, s(5)), job("c", 0, s(5)))
              .overheads(coldAndHot(0, 0))
              .until(seconds(20)));

      assertServed("a", s(10), s(10)); // half of the time with b, then with c
      assertServed("c", s(12), s(8)); // 3 in 6 s, 2 alone
      assertThat(sli("b").serviceTime()).isEqualTo(s(4));
    }

    @Test
    void onHostFailure() {
      run(
          shared(job("a", 0, s(10)), job("b", 0, s(10)))
              .hostEvents(List.of(new Fails(s(4), "h1"))));

      assertServed("a", s(20), s(20));
      assertServed("b", s(20), s(20));
    }

    @Test
    void toleratesFailureAtTheInstantOfTheLastCompletion() {
      run(
          shared(job("a", 0, s(4)), job("b", s(5), s(1)))
              .hostEvents(List.of(new Fails(s(4), "h1"))));

      assertServed("a", s(4), s(4));
      assertServed("b", s(6), s(1));
    }

    @Test
    void roundsOnlyWhereTheSpeedChanges() {
      Arrival[] three =
          IntStream.range(0, 3).mapToObj(i -> job("r" + i, 0, s(10) + 1)).toArray(Arrival[]::new);
      for (int second = 1; second < 20; second++) {
        resize(second, "r0", second % 2 == 0 ? 4 : 5); // all instances on the host are recomputed
      }
      run(shared(three));

      assertThat(Arrays.stream(three).map(each -> sli(each.request().id()).endedAt()))
          .containsOnly(s(30) + 3);
    }
  }
}
