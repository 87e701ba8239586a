package dev.berth.experiments.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The scenarios of the evaluation of MEMiC (thesis, sections 6.3 and 6.4): jobs whose memory need
 * changes as they run, all submitted at once, on hosts with 24 GB.
 *
 * <p>The thesis draws its memory profiles and does not print them. These profiles are ours and fit
 * its description:
 *
 * <ul>
 *   <li><b>climbing</b>: starts at 0.5 GB and climbs slowly to 4.5 GB (sections 6.3, 6.4);
 *   <li><b>plateau</b>: about 4 GB for the first half of the run, then about 1 GB (section 6.4);
 *       here 1.2, for the mean below;
 *   <li><b>front</b>: soon at its peak, for two fifths of the run, then less, like Raytrace
 *       (section 6.1);
 *   <li><b>flat</b>: soon at its peak until the end, like Ferret (section 6.1).
 * </ul>
 *
 * <p>In scenario 4 all kinds need 2.5 GB on average, at different times: the thesis finds that the
 * average does not characterize a job. Where averages do distinguish the kinds, worst fit by
 * average need spreads them well.
 *
 * <p>Run times follow from the published mean and total of {@code dedicated}. With less memory than
 * its peak a job behaves like the synthetic job of the thesis (figures 6.3 and 6.5): hardly slower
 * down to 55 % of the peak, half as slow again down to 45 %, and hopelessly slow below.
 *
 * <p>An instance starts with 2 virtual CPUs and 2 GB, of which its guest system pins 0.3; a host
 * has 24 virtual CPUs (12 cores of two threads each): the published start times of first fit show
 * twelve instances on a host. Starting one takes 21 s and 5.2 s more for each other instance that
 * starts there: a line through the published 21.1 s (1 on a host), 40.6 s (5) and 68.8 s (10).
 * Memory moves at 10 MB/s, after 5 s to set up: several migrations share the one Gigabit Ethernet
 * with images and files. The published run times of first fit by initial need, which migrates most,
 * imply such a low rate.
 */
public final class MemoryScenarios {

  /** The period of the controller in the thesis; all other events follow it too. */
  public static final Duration PERIOD = Duration.ofSeconds(5);

  private static final Duration UNTIL = Duration.ofHours(4);
  private static final long GB = Dimension.MEMORY.unitsPerWhole();
  private static final long MB = GB / 1000;
  private static final long SECOND = 1_000_000_000L;
  private static final Resources HOST = Machines.of(24, 24 * GB);
  private static final Resources DEMAND = Machines.of(2, 2 * GB);
  private static final Resources GUARANTEED = Machines.of(2, 300 * MB);
  private static final Overheads STARTS =
      new Overheads(
          List.of(Duration.ofSeconds(21)),
          List.of(Duration.ofSeconds(21)),
          Duration.ofMillis(5_200));
  private static final TransferCost NETWORK = new TransferCost(Duration.ofSeconds(5), 10 * MB);

  private static final long INITIAL = 500 * MB;

  private MemoryScenarios() {}

  /**
   * A kind of job.
   *
   * @param name its name in reports
   * @param runTime seconds with all the memory it needs
   * @param memory its profile
   * @param performance how it runs with less memory than it needs
   */
  public record Kind(
      String name, long runTime, MemoryProfile memory, PerformanceMemoryProfile performance) {

    /** Returns a kind that behaves like the synthetic job with less memory than its peak. */
    static Kind synthetic(String name, long runTime, MemoryProfile memory) {
      long peak = memory.maximum();
      long nanos = runTime * SECOND;
      return new Kind(
          name,
          runTime,
          memory,
          PerformanceMemoryProfile.of(
              List.of(
                  new PerformanceMemoryProfile.Point(peak, nanos),
                  new PerformanceMemoryProfile.Point(peak * 55 / 100, nanos * 105 / 100),
                  new PerformanceMemoryProfile.Point(peak * 45 / 100, nanos * 149 / 100),
                  new PerformanceMemoryProfile.Point(peak * 35 / 100, nanos * 4))));
    }
  }

  /** Scenario 1: 15 jobs of two kinds, with peaks of 2.5 and 4.5 GB, in turn, on 3 hosts. */
  public static Scenario scenario1() {
    List<Kind> kinds =
        List.of(flat("flat-2.5", 520, 2_500 * MB), climbing("climbing-4.5", 546, 4_500 * MB));
    return scenario("memic-1", inTurn(kinds, 15), 3, true);
  }

  /**
   * Scenario 2: 30 jobs of four kinds on 3 hosts.
   *
   * @param seed of their order
   */
  public static Scenario scenario2(long seed) {
    return scenario("memic-2", jobs2(seed), 3, true);
  }

  /**
   * Scenario 2 on hosts that give an instance memory when it touches it, as KVM does: grants do not
   * slow it down. Valid as long as the needs of the instances on a host fit into its memory.
   *
   * @param seed of the order of the jobs
   */
  public static Scenario overcommitted2(long seed) {
    return scenario("memic-2", jobs2(seed), 3, false);
  }

  private static List<Kind> jobs2(long seed) {
    List<Kind> kinds =
        List.of(
            climbing("climbing-4.5", 546, 4_500 * MB),
            flat("flat-3.1", 520, 3_100 * MB),
            flat("flat-2.4", 290, 2_400 * MB),
            flat("flat-1.2", 203, 1_200 * MB));
    return shuffled(inTurn(kinds, 30), seed);
  }

  /** Scenario 4: 35 jobs of three kinds, in turn, on 6 hosts. */
  public static Scenario scenario4() {
    List<Kind> kinds =
        List.of(
            climbing("climbing-4.5", 760, 4_500 * MB),
            plateau("plateau-4", 690, 4_000 * MB),
            front("front-4.5", 365, 4_500 * MB));
    return scenario("memic-4", inTurn(kinds, 35), 6, true);
  }

  /**
   * The applications of PARSEC with the memory needs and run times that the thesis prints (section
   * 6.1, table 6.2): 36 jobs, in turn, on 3 hosts of 12 GB. Ours are the hosts, the number of jobs,
   * when Canneal and Raytrace reach their levels, and where Raytrace begins.
   */
  public static Scenario parsec() {
    List<MemoryProfile.Step> canneal = new ArrayList<>();
    int stairs = (1_461 - 320) / 10; // of 10 MB, in the first half of the run
    for (int i = 0; i <= stairs; i++) {
      canneal.add(
          new MemoryProfile.Step(
              247 * SECOND / 2 * i / stairs, (i == stairs ? 1_461 : 320 + 10 * i) * MB));
    }
    List<MemoryProfile.Step> raytrace =
        List.of(step(0, 400 * MB), step(20, 1_575 * MB), step(138, 1_252 * MB));
    List<MemoryProfile.Step> ferret = List.of(step(0, 460 * MB), step(20, 760 * MB));
    List<Kind> kinds =
        List.of(
            measured("canneal", canneal, 247, 539, 102_273),
            measured("raytrace", raytrace, 345, 350, 430),
            measured("ferret", ferret, 410, 416, 421));
    Scenario large = scenario("memic-parsec", inTurn(kinds, 36), 3, true);
    return new Scenario(
        large.workload(),
        new Infrastructure("3 hosts of 12 GB", Machines.alike("h", 3, Machines.of(24, 12 * GB))),
        UNTIL,
        STARTS,
        NETWORK,
        NETWORK);
  }

  /** Returns a kind with its run times, in seconds, in 2, 1.5 and 1 GB. */
  private static Kind measured(
      String name, List<MemoryProfile.Step> steps, long runTime, long in1500, long in1000) {
    return new Kind(
        name,
        runTime,
        MemoryProfile.of(steps),
        PerformanceMemoryProfile.of(
            List.of(
                new PerformanceMemoryProfile.Point(2_000 * MB, runTime * SECOND),
                new PerformanceMemoryProfile.Point(1_500 * MB, in1500 * SECOND),
                new PerformanceMemoryProfile.Point(1_000 * MB, in1000 * SECOND))));
  }

  /**
   * Like scenario 2 or 4, with random kinds of jobs: three or four, of random shape, peak (1.5 to 5
   * GB) and run time (200 to 700 s); 30 jobs on 3 hosts or 35 on 6.
   */
  public static Scenario random(long seed) {
    Random random = new Random(seed);
    List<Kind> kinds = new ArrayList<>();
    int count = 3 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      long peak = (1_500L + random.nextInt(3_501)) * MB;
      long runTime = 200L + random.nextInt(501);
      String name = "kind-" + (i + 1);
      kinds.add(
          switch (random.nextInt(4)) {
            case 0 -> climbing(name, runTime, peak);
            case 1 -> plateau(name, runTime, peak);
            case 2 -> front(name, runTime, peak);
            default -> flat(name, runTime, peak);
          });
    }
    boolean small = random.nextBoolean();
    return scenario(
        "memic-random-" + seed,
        shuffled(inTurn(kinds, small ? 30 : 35), random.nextLong()),
        small ? 3 : 6,
        true);
  }

  // ---- Kinds

  /** Climbs in 40 steps of equal length from its initial memory to its peak. */
  private static Kind climbing(String name, long runTime, long peak) {
    List<MemoryProfile.Step> steps = new ArrayList<>();
    int stairs = 40;
    long nanos = runTime * SECOND;
    for (int i = 0; i <= stairs; i++) {
      long from = (nanos * i + stairs) / (stairs + 1); // rounded up
      steps.add(new MemoryProfile.Step(from, INITIAL + (peak - INITIAL) * i / stairs));
    }
    return kind(name, runTime, steps);
  }

  /**
   * Soon at its peak, for half of the run; then at the level that gives it the mean of a climbing
   * job.
   */
  private static Kind plateau(String name, long runTime, long peak) {
    return thenLess(name, runTime, peak, runTime / 2, (INITIAL + peak + INITIAL) / 2);
  }

  /** Soon at its peak, for two fifths of the run; then less, for a mean of 55 % of the peak. */
  private static Kind front(String name, long runTime, long peak) {
    return thenLess(name, runTime, peak, runTime * 2 / 5, (INITIAL + peak) / 2);
  }

  /**
   * At its peak from 20 s on until the end of a phase, and after that at the level with which its
   * mean need is the one given, to the byte.
   */
  private static Kind thenLess(String name, long runTime, long peak, long phase, long mean) {
    long rest = (mean * runTime - 20 * INITIAL - (phase - 20) * peak) / (runTime - phase);
    return kind(
        name, runTime, List.of(step(0, INITIAL), step(20, peak), step(phase, Math.max(0, rest))));
  }

  private static Kind flat(String name, long runTime, long peak) {
    return kind(name, runTime, List.of(step(0, INITIAL), step(10, peak * 6 / 10), step(30, peak)));
  }

  private static Kind kind(String name, long runTime, List<MemoryProfile.Step> steps) {
    return Kind.synthetic(name, runTime, MemoryProfile.of(steps));
  }

  private static MemoryProfile.Step step(long second, long need) {
    return new MemoryProfile.Step(second * SECOND, need);
  }

  // ---- Workloads

  private static List<Kind> inTurn(List<Kind> kinds, int count) {
    return IntStream.range(0, count).mapToObj(i -> kinds.get(i % kinds.size())).toList();
  }

  private static List<Kind> shuffled(List<Kind> kinds, long seed) {
    List<Kind> shuffled = new ArrayList<>(kinds);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  /**
   * Returns a scenario.
   *
   * @param granted whether an instance has no memory but its grant
   */
  private static Scenario scenario(String name, List<Kind> jobs, int hosts, boolean granted) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Kind kind = jobs.get(i);
      Request request =
          Request.builder("%s-%s".formatted(number(i + 1), kind.name()), ServiceClasses.BRONZE)
              .demand(DEMAND)
              .guaranteed(GUARANTEED)
              .estimatedRunTime(Duration.ofSeconds(kind.runTime()))
              .memoryProfile(kind.memory())
              .performanceMemoryProfile(kind.performance())
              .build();
      ActualBehaviour behaviour =
          granted
              ? ActualBehaviour.asSaid(request)
              : new ActualBehaviour(Optional.of(kind.memory()), Optional.empty());
      arrivals.add(new Arrival(0, request, kind.runTime() * SECOND, behaviour));
    }
    return new Scenario(
        Workload.of(name, List.of(ServiceClasses.bronze(Duration.ofSeconds(10))), arrivals),
        new Infrastructure(hosts + " hosts of 24 GB", Machines.alike("h", hosts, HOST)),
        UNTIL,
        STARTS,
        NETWORK,
        NETWORK);
  }

  /** Returns a number padded so that ids sort by number. */
  private static String number(int number) {
    return number < 10 ? "job-0" + number : "job-" + number;
  }
}
