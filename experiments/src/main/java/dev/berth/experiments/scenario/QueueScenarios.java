package dev.berth.experiments.scenario;

import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The experiments on queue disciplines (MEMiC thesis, chapter 4): jobs of a real log, all submitted
 * at once, on one pool of cores.
 */
public final class QueueScenarios {

  private static final Duration UNTIL = Duration.ofDays(3_650);

  private QueueScenarios() {}

  /**
   * Returns a scenario.
   *
   * <p>The estimated run time of a job is its true run time. Its deadline is this time multiplied
   * by a random factor from 3 to 6. Its moldability is {@link Moldability#LINPACK}. A job that asks
   * for more cores than exist asks for all cores.
   *
   * @param name its name in reports
   * @param jobs in the order of the queue
   * @param cores number of cores
   * @param seed of the deadlines
   */
  public static Scenario of(String name, List<LoggedJob> jobs, int cores, long seed) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      LoggedJob job = jobs.get(i);
      double factor = 3 + 3 * random.nextDouble();
      Request request =
          Request.builder(id(i, jobs.size()), ServiceClasses.BRONZE)
              .demand(Machines.cores(Math.min(job.processors(), cores)))
              .estimatedRunTime(Duration.ofNanos(job.runTime()))
              .deadline(Duration.ofNanos(Math.round(job.runTime() * factor)))
              .moldability(Moldability.LINPACK)
              .build();
      arrivals.add(new Arrival(0, request, job.runTime()));
    }
    return new Scenario(
        Workload.of(name, List.of(ServiceClasses.bronze(Duration.ZERO)), arrivals),
        Machines.pool(cores),
        UNTIL,
        Overheads.none());
  }

  /** Returns an id that sorts in the order of the queue. */
  private static String id(int index, int count) {
    String number = Integer.toString(index + 1);
    int width = Integer.toString(count).length();
    return "job-" + "0".repeat(width - number.length()) + number;
  }
}
