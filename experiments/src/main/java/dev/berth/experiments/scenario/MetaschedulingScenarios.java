package dev.berth.experiments.scenario;

import com.google.common.collect.ImmutableList;
import dev.berth.api.Constraint;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Slowdown;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The experiments on metascheduling (Rodrigues et al., section 4): 40 jobs of one application on
 * ten sites of one core each, which time-share.
 *
 * <p>Sites are of four types: r1 is 2, 4 and 8 times as fast as r2, r3 and r4. A job takes 60 s on
 * r1, up to 10 % more or less, evenly distributed. Simulate them under {@link #SHARING}.
 *
 * <p>The paper leaves open whether sites had run the application before. If not, policies that use
 * history know nothing until the first jobs end. By then, jobs that arrive at once are all placed.
 * So there are two kinds of scenarios: {@linkplain #of warm}, in which each site has run the
 * application once and then been idle until its reported load is zero; and {@linkplain #cold cold}.
 */
public final class MetaschedulingScenarios {

  /** The number of jobs. */
  public static final int JOBS = 40;

  /** Running jobs share the core; each site has its own slowness. */
  public static final ExecutionModel SHARING =
      ExecutionModel.sharing(host -> Slowdown.of(slowness(host)));

  private static final String APPLICATION = "linpack";
  private static final String SLOWNESS = "slowness";
  private static final String SITE = "site";
  private static final String WARM_UP = "warm-up-";

  private static final Duration UNTIL = Duration.ofDays(1);
  private static final long SECOND = 1_000_000_000L;
  private static final long WORK = 60 * SECOND;
  private static final double VARIATION = 0.1;

  /**
   * The arrival time of the first job: 66 s of work on r4, the minute over which the load is
   * averaged, and 15 s between two reports, rounded up.
   */
  private static final long START = 900 * SECOND;

  private static final Resources ONE_CORE = Machines.cores(1);

  private MetaschedulingScenarios() {}

  /** The ten sites of a grid by type (table 1). */
  public enum Grid {
    /** Homogeneous: r1 only. */
    RH(10, 0, 0, 0),
    /** Little heterogeneity, as many fast ones as slow ones. */
    RBU(5, 5, 0, 0),
    /** Little heterogeneity, few fast ones. */
    RBD(2, 8, 0, 0),
    /** Little heterogeneity, few slow ones. */
    RBE(8, 2, 0, 0),
    /**
     * Great heterogeneity, all types alike. The paper has "2 of each", which is 8; the missing two
     * are taken from the middle types, one r2 and one r3.
     */
    RAU(2, 3, 3, 2),
    /**
     * Great heterogeneity, mostly medium ones: "4 of r2 and r3 and 2 of r4 and r1", which makes ten
     * with 4 of each of the first two and 1 of each of the others.
     */
    RAB(1, 4, 4, 1),
    /** Great heterogeneity, few fast ones. */
    RAD(2, 0, 0, 8),
    /** Great heterogeneity, few slow ones; printed "RBE" a second time. */
    RAE(8, 0, 0, 2);

    private final ImmutableList<Integer> slowness;

    Grid(int r1, int r2, int r3, int r4) {
      slowness =
          ImmutableList.<Integer>builder()
              .addAll(Collections.nCopies(r1, 1))
              .addAll(Collections.nCopies(r2, 2))
              .addAll(Collections.nCopies(r3, 4))
              .addAll(Collections.nCopies(r4, 8))
              .build();
    }

    /** Returns how many times slower than r1 each site is, in the order of the hosts. */
    public List<Integer> slowness() {
      return slowness;
    }

    /** Returns whether all sites are alike. */
    public boolean isHomogeneous() {
      return this == RH;
    }

    /** Returns whether the paper says that the grid has great heterogeneity. */
    public boolean isVeryHeterogeneous() {
      return compareTo(RAU) >= 0;
    }
  }

  /**
   * Returns a scenario in which each site has run the application once, alone, before.
   *
   * @param interval between two jobs; zero: all arrive at one instant
   * @param seed of the work of the jobs
   */
  public static Scenario of(Grid grid, Duration interval, long seed) {
    return scenario(grid, interval, seed, true);
  }

  /** As {@link #of}, but no site has run the application before. */
  public static Scenario cold(Grid grid, Duration interval, long seed) {
    return scenario(grid, interval, seed, false);
  }

  /** Returns whether a request is one of the jobs, rather than a warm-up run. */
  public static boolean isJob(Request request) {
    return !request.id().startsWith(WARM_UP);
  }

  private static Scenario scenario(Grid grid, Duration interval, long seed, boolean warm) {
    Random random = new Random(seed);
    List<HostSpec> hosts = new ArrayList<>();
    List<Arrival> arrivals = new ArrayList<>();
    for (int slowness : grid.slowness()) {
      String id = "site-" + number(hosts.size());
      hosts.add(
          new HostSpec(id, ONE_CORE, Map.of(SLOWNESS, Integer.toString(slowness), SITE, id), true));
      Request.Builder first = request(WARM_UP + id).constraint(new Constraint.Equal(SITE, id));
      Arrival run = new Arrival(0, first.build(), work(random)); // drawn in any case: same jobs
      if (warm) {
        arrivals.add(run);
      }
    }
    for (int job = 0; job < JOBS; job++) {
      long at = START + job * interval.toNanos();
      arrivals.add(new Arrival(at, request("job-" + number(job)).build(), work(random)));
    }
    return new Scenario(
        Workload.of(
            "meta-" + grid, List.of(ServiceClasses.bronze(Duration.ofSeconds(10))), arrivals),
        new Infrastructure(grid + ": ten sites", hosts),
        UNTIL,
        Overheads.none());
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, ServiceClasses.BRONZE).demand(ONE_CORE).application(APPLICATION);
  }

  private static long work(Random random) {
    return Math.round(WORK * (1 - VARIATION + 2 * VARIATION * random.nextDouble()));
  }

  /** Returns how many times slower than r1 a site of these scenarios is. */
  private static double slowness(Host host) {
    return host.attribute(SLOWNESS).map(Double::parseDouble).orElse(1.0);
  }

  /** Returns a number from 1, padded so that ids sort by number. */
  private static String number(int index) {
    return index < 9 ? "0" + (index + 1) : Integer.toString(index + 1);
  }
}
