package dev.berth.experiments.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * Jobs that end, on seven hosts of 16 cores.
 *
 * <p>A job asks for .5, 1, 2 or 4 cores with equal probability; a fifth of them are gold, three
 * tenths silver and half bronze. They run for 570 s on average and 4 h at most, arrive in the first
 * 4 h, and the run ends after 6 h. Starting a job takes 2 s. Each has an estimate: its run time, or
 * what users make of it, the run time times a factor from 1 to 10 (its logarithm is uniform),
 * rounded up to a usual limit.
 *
 * @param runTimes their distribution
 * @param arrivals when they arrive
 * @param load the cores that they ask for on average while they arrive, as a share of all
 * @param known whether the estimates are right
 */
public record GeneratedJobs(RunTimes runTimes, Arrivals arrivals, double load, boolean known) {

  /** The longest time between two passes that suits these jobs, and the safety margin. */
  public static final Duration WATCHDOG = Duration.ofSeconds(10);

  private static final Duration ARRIVING = Duration.ofHours(4);
  private static final Duration UNTIL = Duration.ofHours(6);
  private static final Duration START = Duration.ofSeconds(2);
  private static final int HOSTS = 7;
  private static final int CORES = 16;
  private static final double[] DEMANDS = {0.5, 1, 2, 4};
  private static final double MEAN_DEMAND = 1.875;
  private static final double MEDIAN = Math.exp(5.5); // s, where the deviation is 1.3
  private static final double MEAN = MEDIAN * Math.exp(1.3 * 1.3 / 2);
  private static final double LONGEST = Duration.ofHours(4).toSeconds();
  private static final double[] LIMITS = {60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800};
  private static final double GREATEST_FACTOR = 10;
  private static final double BURST = 1_800; // s, as long as the calm after it
  private static final double CALM = 0.2; // of the load, in the calm
  private static final double SHARE_OF_SERVICES = 0.5; // of the cores
  private static final double SECOND = 1e9;

  /** A distribution of run times. */
  public enum RunTimes {
    /** All are equal. */
    CONSTANT(random -> MEAN),
    /** Exponential. */
    EXPONENTIAL(random -> -MEAN * Math.log(1 - random.nextDouble())),
    /** Log-normal with σ = 0.5. */
    LOG_NORMAL_05(random -> logNormal(random, 0.5)),
    /** Log-normal with σ = 1.3. */
    LOG_NORMAL_13(random -> logNormal(random, 1.3)),
    /** Log-normal with σ = 2. */
    LOG_NORMAL_20(random -> logNormal(random, 2)),
    /** Pareto with exponent 1.5. */
    PARETO(random -> MEAN / 3 * Math.pow(1 - random.nextDouble(), -1 / 1.5)),
    /** Nine of ten are short, the tenth is 24 times as long. */
    BIMODAL(random -> MEAN * (random.nextDouble() < 0.9 ? 0.3 : 7.3));

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<Random> draw;

    RunTimes(ToDoubleFunction<Random> draw) {
      this.draw = draw;
    }

    private static double logNormal(Random random, double deviation) {
      return MEAN * Math.exp(deviation * random.nextGaussian() - deviation * deviation / 2);
    }

    private double seconds(Random random) {
      return Math.max(1, Math.min(LONGEST, draw.applyAsDouble(random)));
    }
  }

  /** When jobs arrive. */
  public enum Arrivals {
    /** At random, equally often all the time. */
    POISSON,
    /** Half an hour 1.8 times as often, half an hour a fifth as often. */
    BURSTS,
    /** All jobs of an hour at once, at the beginning. */
    AT_ONCE,
    /**
     * As {@link #POISSON}, and half of the load are services that begin in the first ten minutes
     * and do not end.
     */
    BESIDE_SERVICES
  }

  /** Returns a short name: {@code "log-normal-13-poisson-1.1"}. */
  public String name() {
    String name = "%s-%s-%s".formatted(runTimes, arrivals, load) + (known ? "-known" : "");
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the scenario.
   *
   * @param name its name in reports
   * @param safetyMargin φ of all classes
   * @param seed of all that is random
   */
  public Scenario scenario(String name, Duration safetyMargin, long seed) {
    return new Scenario(
        new DrawnWorkload(
            name, ServiceClasses.goldSilverBronze(safetyMargin), () -> arrivals(seed)),
        new Infrastructure(
            HOSTS + " hosts of " + CORES + " cpu", Machines.alike("host-", HOSTS, cores(CORES))),
        UNTIL,
        Overheads.of(List.of(START)));
  }

  private List<Arrival> arrivals(long seed) {
    Random random = new Random(seed);
    List<Arrival> all = new ArrayList<>();
    double ofJobs = load;
    if (arrivals == Arrivals.BESIDE_SERVICES) {
      ofJobs = load * (1 - SHARE_OF_SERVICES);
      services(random, all);
    }
    double rate = ofJobs * HOSTS * CORES / (MEAN_DEMAND * MEAN); // per second
    double at = 0;
    double end =
        arrivals == Arrivals.AT_ONCE ? Duration.ofHours(1).toSeconds() : ARRIVING.toSeconds();
    while (at < end) {
      double seconds = runTimes.seconds(random);
      long runTime = Math.round(seconds * SECOND);
      Request job =
          request("job-" + all.size(), random)
              .estimatedRunTime(Duration.ofNanos(known ? runTime : estimate(seconds, random)))
              .build();
      long arrival = arrivals == Arrivals.AT_ONCE ? 0 : Math.round(at * SECOND);
      all.add(new Arrival(arrival, job, runTime));
      at += gap(at, random) / rate;
    }
    all.sort(Comparator.comparingLong(Arrival::at));
    return all;
  }

  /** Returns the time to the next arrival, in mean times between two. */
  private double gap(double at, Random random) {
    double gap = -Math.log(1 - random.nextDouble());
    if (arrivals != Arrivals.BURSTS) {
      return gap;
    }
    return gap / (at % (2 * BURST) < BURST ? 2 - CALM : CALM);
  }

  private void services(Random random, List<Arrival> all) {
    double left = load * SHARE_OF_SERVICES * HOSTS * CORES;
    while (left > 0) {
      Request service = request("service-" + all.size(), random).build();
      left -= (double) service.demand().amount(Dimension.CPU) / Dimension.CPU.unitsPerWhole();
      all.add(
          new Arrival(
              Math.round(random.nextDouble() * 600 * SECOND),
              service,
              UNTIL.multipliedBy(2).toNanos()));
    }
  }

  private static Request.Builder request(String id, Random random) {
    String serviceClass = serviceClass(random);
    return Request.builder(id, serviceClass).demand(cores(DEMANDS[random.nextInt(DEMANDS.length)]));
  }

  /** Draws gold with probability 0.2, silver with 0.3, bronze with 0.5. */
  static String serviceClass(Random random) {
    double which = random.nextDouble();
    return which < 0.2
        ? ServiceClasses.GOLD
        : which < 0.5 ? ServiceClasses.SILVER : ServiceClasses.BRONZE;
  }

  private static long estimate(double seconds, Random random) {
    double guess = seconds * Math.pow(GREATEST_FACTOR, random.nextDouble());
    for (double each : LIMITS) {
      if (each >= guess) {
        return Math.round(each * SECOND);
      }
    }
    return Math.round(guess * SECOND);
  }

  private static Resources cores(double count) {
    return Resources.of(Dimension.CPU, Math.round(count * Dimension.CPU.unitsPerWhole()));
  }
}
