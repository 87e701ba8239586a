package dev.berth.experiments.scenario;

import dev.berth.api.Request;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A fleet of twelve hosts of 16 cores that web services, builds and batch jobs share, and of which
 * a tenth more is asked in the first four hours than it has.
 *
 * <ul>
 *   <li>{@code service}, SLO .99: for a third of the cores, instances of 1 to 8 cores that begin in
 *       the first ten minutes and do not end.
 *   <li>{@code ci}, SLO .8: builds of 1 to 4 cores that run for 4 minutes on average, for a fifth
 *       of the cores; half an hour many, half an hour few.
 *   <li>{@code batch}, SLO .5: jobs of 1 to 8 cores that run for 20 minutes on average and 4 hours
 *       at most, most of them far shorter than the mean; for the rest.
 * </ul>
 *
 * <p>Run times are log-normal, and requests have no estimates. The run ends after seven hours.
 */
final class MixedFleet {

  static final String NAME = "mixed";

  private static final long SECOND = 1_000_000_000;
  private static final Duration UNTIL = Duration.ofHours(7);
  private static final double ARRIVING = Duration.ofHours(4).toSeconds();
  private static final double LONGEST = Duration.ofHours(4).toSeconds();
  private static final int HOSTS = 12;
  private static final int CORES = 16;
  private static final int SIZES = 4; // 1 to 8 cores
  private static final double SERVICES = 0.33 * HOSTS * CORES;
  private static final Kind CI = new Kind("ci", 0.2, 240, 0.8, 3, 1.8);
  private static final Kind BATCH = new Kind("batch", 0.57, 1_200, 1.6, SIZES, 1);

  private MixedFleet() {}

  /**
   * A kind of jobs.
   *
   * @param load the cores that they ask for on average, as a share of all
   * @param mean of their run times, in seconds
   * @param deviation of the logarithm of these
   * @param sizes how many numbers of cores a job may ask for: 1, 2, 4, …
   * @param rush how much more often than on average they arrive in each first half of an hour
   */
  private record Kind(
      String name, double load, double mean, double deviation, int sizes, double rush) {

    private double runTime(Random random) {
      double drawn = mean * Math.exp(deviation * (random.nextGaussian() - deviation / 2));
      return Math.max(10, Math.min(LONGEST, drawn));
    }

    private void addTo(List<Arrival> all, Random random) {
      double perJob = mean * ((1 << sizes) - 1) / sizes; // in core-seconds
      double rate = load * HOSTS * CORES / perJob; // per second
      int count = 0;
      for (double at = 0; at < ARRIVING; ) {
        count++;
        Request job = request(name, count, 1 << random.nextInt(sizes));
        all.add(new Arrival(Math.round(at * SECOND), job, Math.round(runTime(random) * SECOND)));
        double often = at % 3_600 < 1_800 ? rush : 2 - rush;
        at -= Math.log(1 - random.nextDouble()) / (rate * often);
      }
    }
  }

  /**
   * Returns the scenario.
   *
   * @param seed of all that is random
   * @param safetyMargin φ of all classes
   */
  static Scenario scenario(long seed, Duration safetyMargin) {
    return new Scenario(
        new DrawnWorkload(
            NAME,
            List.of(
                ServiceClasses.of("service", 0.99, 1, safetyMargin),
                ServiceClasses.of(CI.name, 0.8, 2, safetyMargin),
                ServiceClasses.of(BATCH.name, 0.5, 3, safetyMargin)),
            () -> arrivals(seed)),
        new Infrastructure(
            HOSTS + " hosts of " + CORES + " cpu",
            Machines.alike("host-", HOSTS, Machines.cores(CORES))),
        UNTIL,
        Overheads.of(List.of(Duration.ofSeconds(2))));
  }

  private static List<Arrival> arrivals(long seed) {
    Random random = new Random(seed);
    List<Arrival> all = new ArrayList<>();
    for (double left = SERVICES; left > 0; ) {
      int cores = 1 << random.nextInt(SIZES);
      left -= cores;
      all.add(
          new Arrival(
              Math.round(random.nextDouble() * 600 * SECOND),
              request("service", all.size() + 1, cores),
              UNTIL.multipliedBy(2).toNanos()));
    }
    CI.addTo(all, random);
    BATCH.addTo(all, random);
    all.sort(Comparator.comparingLong(Arrival::at));
    return all;
  }

  private static Request request(String name, int number, int cores) {
    return Request.builder(name + "-" + number, name).demand(Machines.cores(cores)).build();
  }
}
