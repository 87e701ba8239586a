package dev.berth.experiments.scenario;

import dev.berth.api.Request;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The jobs of a log at the times of the log, on one pool of so many cores that they are loaded as
 * wanted on average. Jobs that ask for more cores are left out. A fifth of the users are gold,
 * three tenths silver and half bronze; jobs without a user are bronze. Starting a job takes 2 s.
 *
 * @param name its name in reports
 * @param jobs in order of submission, at least one
 * @param cores the cores of the pool
 * @param load the cores that the jobs use on average, as a share of those
 */
public record ReplayedLog(String name, List<LoggedJob> jobs, int cores, double load) {

  /** Copies the list. */
  public ReplayedLog {
    jobs = List.copyOf(jobs);
  }

  /**
   * Chooses the cores.
   *
   * @param all jobs of the log in order of submission, at least two at different times
   * @param load about the load of the pool: it has whole cores
   */
  public static ReplayedLog of(String name, List<LoggedJob> all, double load) {
    double span = (double) (all.get(all.size() - 1).submit() - all.get(0).submit());
    int cores = Integer.MAX_VALUE;
    int next = cores(all, cores, span * load);
    while (next < cores) { // fewer cores leave out more jobs
      cores = next;
      next = cores(all, cores, span * load);
    }
    int chosen = cores;
    return new ReplayedLog(
        "%s at load %s".formatted(name, load),
        all.stream().filter(each -> each.processors() <= chosen).toList(),
        cores,
        load);
  }

  /** Returns how many cores are busy for a time with the jobs of at most so many cores. */
  private static int cores(List<LoggedJob> jobs, int most, double nanos) {
    double work =
        jobs.stream()
            .filter(each -> each.processors() <= most)
            .mapToDouble(each -> (double) each.runTime() * each.processors())
            .sum();
    return (int) Math.max(1, Math.ceil(work / nanos));
  }

  /**
   * Returns the scenario. It ends a day after the last job arrives.
   *
   * @param safetyMargin φ of all classes
   * @param seed of the classes of the users
   */
  public Scenario scenario(Duration safetyMargin, long seed) {
    long last = jobs.get(jobs.size() - 1).submit() - jobs.get(0).submit();
    return new Scenario(
        new DrawnWorkload(
            name, ServiceClasses.goldSilverBronze(safetyMargin), () -> arrivals(seed)),
        Machines.pool(cores),
        Duration.ofNanos(last).plusDays(1),
        Overheads.of(List.of(Duration.ofSeconds(2))));
  }

  private List<Arrival> arrivals(long seed) {
    Random random = new Random(seed);
    Map<Integer, String> classes = new HashMap<>();
    long first = jobs.get(0).submit();
    List<Arrival> arrivals = new ArrayList<>();
    for (LoggedJob each : jobs) {
      String serviceClass =
          each.user() < 0
              ? ServiceClasses.BRONZE
              : classes.computeIfAbsent(each.user(), user -> GeneratedJobs.serviceClass(random));
      Request.Builder request =
          Request.builder("job-" + each.number(), serviceClass)
              .demand(Machines.cores(each.processors()));
      if (each.user() >= 0) {
        request.user("user-" + each.user());
      }
      if (each.estimate() > 0) {
        request.estimatedRunTime(Duration.ofNanos(each.estimate()));
      }
      arrivals.add(new Arrival(each.submit() - first, request.build(), each.runTime()));
    }
    return arrivals;
  }
}
