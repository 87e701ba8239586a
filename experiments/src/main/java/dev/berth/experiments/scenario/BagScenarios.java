package dev.berth.experiments.scenario;

import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Bags of tasks on provisioned hosts: the two workloads of the thesis on ElasticCluster (section
 * 5.2), and bags found in a log.
 *
 * <p>A task takes one core, and a host has one. Of the 13 s that a host wastes on average (see the
 * policy's settings), 10 s are for starting it and 3 s for stopping it; moving a task takes no
 * time.
 */
public final class BagScenarios {

  /** The name of the pool. */
  public static final String POOL = "vm";

  private static final Duration STARTS = Duration.ofSeconds(10);
  private static final Duration STOPS = Duration.ofSeconds(3);
  private static final Duration UNTIL = Duration.ofDays(3_650);
  private static final int NO_LIMIT = 100_000;
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final int[] TASKS = {400, 150, 600};
  private static final int[] MINUTES = {0, 10, 1}; // 0: from 1 to 5, at random
  private static final int LONGEST_OF_FIRST = 5;

  private BagScenarios() {}

  /**
   * A bag of tasks.
   *
   * @param at when it is submitted, nanoseconds since the start
   * @param runTimes the user's estimates of the run times of its tasks, nanoseconds each
   */
  public record Tasks(long at, List<Long> runTimes) {

    /** Copies the list. */
    public Tasks {
      runTimes = List.copyOf(runTimes);
    }

    /** Returns the sum of the run times, in nanoseconds. */
    public long walltime() {
      return runTimes.stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Returns workload 1: three bags, 20 minutes apart (table 2). */
  public static List<Tasks> workload1(long seed) {
    return bags(1, Duration.ofMinutes(20), seed);
  }

  /** Returns workload 2: ten times the tasks, 5 minutes apart (table 3). */
  public static List<Tasks> workload2(long seed) {
    return bags(10, Duration.ofMinutes(5), seed);
  }

  private static List<Tasks> bags(int times, Duration apart, long seed) {
    Random random = new Random(seed);
    List<Tasks> bags = new ArrayList<>();
    for (int i = 0; i < TASKS.length; i++) {
      List<Long> runTimes = new ArrayList<>();
      for (int task = 0; task < TASKS[i] * times; task++) {
        int minutes = MINUTES[i] == 0 ? 1 + random.nextInt(LONGEST_OF_FIRST) : MINUTES[i];
        runTimes.add(minutes * MINUTE);
      }
      bags.add(new Tasks(apart.toNanos() * i, runTimes));
    }
    return bags;
  }

  /**
   * Finds the bags in a log: jobs on one processor that a user submits with gaps of at most {@code
   * gap}. A single job is not a bag. Time begins with the first bag.
   *
   * @param jobs in order of submission
   * @param gap the longest time between two jobs of a bag
   * @param least least number of jobs of a bag
   */
  public static List<Tasks> inLog(List<LoggedJob> jobs, Duration gap, int least) {
    Map<Integer, List<LoggedJob>> open = new HashMap<>();
    List<List<LoggedJob>> found = new ArrayList<>();
    for (LoggedJob each : jobs) {
      if (each.processors() != 1 || each.user() < 0) {
        continue;
      }
      List<LoggedJob> bag = open.get(each.user());
      if (bag == null || each.submit() - bag.get(bag.size() - 1).submit() > gap.toNanos()) {
        bag = new ArrayList<>();
        open.put(each.user(), bag);
        found.add(bag);
      }
      bag.add(each);
    }
    List<Tasks> bags = new ArrayList<>();
    long start = 0;
    for (List<LoggedJob> each : found) {
      if (each.size() >= least) {
        long complete = each.get(each.size() - 1).submit(); // from then on its tasks are known
        start = bags.isEmpty() ? complete : Math.min(start, complete);
        bags.add(new Tasks(complete, each.stream().map(LoggedJob::runTime).toList()));
      }
    }
    long first = start;
    return bags.stream()
        .map(each -> new Tasks(each.at() - first, each.runTimes()))
        .sorted((one, other) -> Long.compare(one.at(), other.at()))
        .toList();
  }

  /**
   * Returns a scenario.
   *
   * @param name its name in reports
   * @param bags in order of time
   * @param leastShare least ratio of true to estimated run time; the ratio of a task is drawn
   *     between this and 1; 1: estimates are exact
   * @param limit maximum number of hosts; 0: unlimited
   * @param seed of the ratios
   */
  public static Scenario of(
      String name, List<Tasks> bags, double leastShare, int limit, long seed) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      Tasks bag = bags.get(i);
      Optional<Arrival.InBag> inBag =
          Optional.of(new Arrival.InBag("bag-" + (i + 1), Optional.empty()));
      for (int task = 0; task < bag.runTimes().size(); task++) {
        long said = bag.runTimes().get(task);
        double share = leastShare + (1 - leastShare) * random.nextDouble();
        long runs = leastShare == 1 ? said : Math.max(1, Math.round(said * share));
        Request request =
            Request.builder("bag-%s-%05d".formatted(i + 1, task + 1), ServiceClasses.BRONZE)
                .demand(Machines.cores(1))
                .estimatedRunTime(Duration.ofNanos(said))
                .build();
        arrivals.add(new Arrival(bag.at(), request, runs, ActualBehaviour.asSaid(request), inBag));
      }
    }
    return new Scenario(
        Workload.of(name, List.of(ServiceClasses.bronze(Duration.ZERO)), arrivals),
        new Infrastructure(
            limit == 0 ? "any number of hosts" : "up to %s hosts".formatted(limit),
            List.of(),
            List.of(
                new PoolSpec(
                    POOL,
                    Machines.cores(1),
                    Collections.emptyMap(),
                    limit == 0 ? NO_LIMIT : limit,
                    STARTS,
                    STOPS))),
        UNTIL,
        Overheads.none());
  }
}
