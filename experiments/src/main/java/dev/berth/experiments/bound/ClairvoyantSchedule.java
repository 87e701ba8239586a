package dev.berth.experiments.bound;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import dev.berth.report.Numbers;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * A schedule that knows all requests, their lives and the end of the run. It shows what can be
 * reached, beside the {@link FluidBound}, which cannot be exceeded.
 *
 * <p>It exists where all places are alike: every request has the same demand, and none has
 * placement constraints or anti-affinity. Then the schedule only decides which requests run when.
 *
 * <p><b>Need.</b> As in the bound, a request with objective σ needs {@code σ · L} of service in its
 * first {@code L}. At the end of {@code L} it has its <em>deadline</em>. Its <em>laxity</em> is the
 * time that it can still wait and meet the objective.
 *
 * <p><b>Selection.</b> Requests are kept in order of importance, then of need, while the needs, the
 * starts and one restart for each place fit into the time of the places. The others are guests, and
 * get what is left over.
 *
 * <p><b>Rule.</b> A kept request waits until a place is free, until another request has all that it
 * needs, or until its laxity is 0. Then it takes the place of the request with the greatest laxity,
 * and keeps it until it has what it needs. If all requests are there from the beginning to the end
 * of the run and no start takes time, this meets the objectives of all that are kept.
 *
 * <p>The schedule is simulated like any policy, with the same starts. It meets as many objectives
 * as it can; it does not minimize penalties.
 */
public final class ClairvoyantSchedule {

  /** The name in tables and messages. */
  public static final String NAME = "clairvoyant";

  /** A pass of the schedule looks at each request. */
  static final int MOST_REQUESTS = 2_000;

  private static final long ROUNDINGS = 1_000; // ns, of all requests that share a place

  private final Optional<String> obstacle;
  private final Map<String, Need> needs;
  private final long start; // the longest, nanoseconds

  private ClairvoyantSchedule(Optional<String> obstacle, Map<String, Need> needs, long start) {
    this.obstacle = obstacle;
    this.needs = Map.copyOf(needs);
    this.start = start;
  }

  /**
   * What a request needs.
   *
   * @param importance of its class
   * @param at its admission
   * @param deadline when it must have its service
   * @param service time in service
   */
  record Need(String id, int importance, long at, long deadline, long service) {}

  /** Returns the schedule of a scenario, or why there is none. */
  public static ClairvoyantSchedule of(Scenario scenario) {
    Optional<String> ofHosts = FluidBound.obstacle(scenario.infrastructure());
    if (ofHosts.isPresent()) {
      return none(ofHosts.get());
    }
    long until = scenario.until().toNanos();
    long shortest =
        scenario.overheads().cold().stream().mapToLong(Duration::toNanos).min().orElseThrow();
    Map<String, ServiceClass> classes = new HashMap<>();
    scenario.workload().serviceClasses().forEach(each -> classes.put(each.name(), each));
    List<Need> needs = new ArrayList<>();
    Optional<Resources> demand = Optional.empty();
    try (ArrivalSource source = scenario.workload().open()) {
      while (source.hasNext()) {
        Arrival arrival = source.next();
        if (arrival.at() >= until) {
          break;
        }
        Request request = arrival.request();
        Optional<String> obstacle = obstacle(arrival, demand.orElse(request.demand()));
        if (obstacle.isPresent()) {
          return none(obstacle.get());
        }
        if (needs.size() == MOST_REQUESTS) {
          return none("there are more than %s requests".formatted(Numbers.grouped(MOST_REQUESTS)));
        }
        demand = Optional.of(request.demand());
        ServiceClass its = Objects.requireNonNull(classes.get(request.serviceClass()));
        needs.add(need(arrival, its, until, shortest));
      }
    }
    if (demand.isEmpty()) {
      return none("there is no request");
    }
    return new ClairvoyantSchedule(
        Optional.empty(),
        kept(needs, places(scenario, demand.get()), until, scenario.overheads().mean().toNanos()),
        scenario.overheads().cold().stream().mapToLong(Duration::toNanos).max().orElseThrow());
  }

  private static ClairvoyantSchedule none(String obstacle) {
    return new ClairvoyantSchedule(Optional.of(obstacle), Map.of(), 0);
  }

  private static Optional<String> obstacle(Arrival arrival, Resources demand) {
    Request request = arrival.request();
    if (!request.demand().equals(demand)) {
      return Optional.of("the demands of requests differ");
    }
    return !request.constraints().isEmpty() || request.antiAffinity()
        ? Optional.of("requests choose among hosts")
        : FluidBound.obstacle(arrival);
  }

  private static Need need(Arrival arrival, ServiceClass its, long until, long shortest) {
    double slo = its.slo().share();
    double span = Math.min((double) (until - arrival.at()), (double) arrival.serviceTime() / slo);
    double service = Math.max(0, Math.min(slo * span, span - shortest));
    return new Need(
        arrival.request().id(),
        its.importance(),
        arrival.at(),
        arrival.at() + (long) span,
        Math.min(arrival.serviceTime(), (long) Math.ceil(service)));
  }

  /** Returns how many requests the hosts have room for. */
  private static long places(Scenario scenario, Resources demand) {
    long places = 0;
    for (HostSpec host : scenario.infrastructure().hosts()) {
      long most = Long.MAX_VALUE;
      for (Dimension each : demand.dimensions()) {
        if (demand.amount(each) > 0) {
          most = Math.min(most, host.capacity().amountOf(each.name()) / demand.amount(each));
        }
      }
      places += most;
    }
    return places;
  }

  private static Map<String, Need> kept(List<Need> needs, long places, long until, long meanStart) {
    List<Need> ordered = new ArrayList<>(needs);
    ordered.sort(
        Comparator.comparingInt(Need::importance)
            .thenComparingLong(Need::service)
            .thenComparing(Need::id));
    long[] times =
        needs.stream()
            .flatMapToLong(each -> LongStream.of(each.at(), each.at() + each.service() + meanStart))
            .toArray();
    double[] left = new double[times.length]; // of the places, after each time
    for (int i = 0; i < times.length; i++) {
      left[i] = (double) places * (double) Math.max(0, until - times[i]);
    }
    Map<String, Need> kept = new HashMap<>();
    for (Need each : ordered) {
      double restarts = kept.size() < places ? 0 : (double) places * (double) meanStart;
      if (fits(each, meanStart, times, left, restarts)) {
        for (int i = 0; i < times.length; i++) {
          left[i] -= after(each, meanStart, times[i]);
        }
        kept.put(each.id(), each);
      }
    }
    return kept;
  }

  /**
   * Returns whether another request fits. If all deadlines are the end of the run, requests can be
   * served exactly if, after each time, no more is left to do than the places can: the greatest
   * flow from requests to times is the least cut. What is left changes its slope at these times.
   */
  private static boolean fits(
      Need need, long meanStart, long[] times, double[] left, double restarts) {
    for (int i = 0; i < times.length; i++) {
      double after = after(need, meanStart, times[i]);
      if (after > 0 && after + restarts > left[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns how long a request must have a place after a time. */
  private static double after(Need need, long meanStart, long time) {
    long all = Math.min(need.deadline() - need.at(), need.service() + meanStart + ROUNDINGS);
    return (double) Math.max(0, all - Math.max(0, time - need.at()));
  }

  /** Returns why there is no schedule, a clause without a period; empty if there is one. */
  public Optional<String> obstacle() {
    return obstacle;
  }

  /** Returns how many requests are kept at their objectives. */
  int kept() {
    return needs.size();
  }

  /**
   * Simulates the schedule.
   *
   * @param settings returns the simulation of the scenario for a scheduler with this schedule
   * @throws IllegalStateException if there is no schedule
   */
  public RunResult simulate(Function<Scheduler.Builder, Simulation.Builder> settings) {
    if (obstacle.isPresent()) {
      throw new IllegalStateException("There is no schedule: " + obstacle.get() + ".");
    }
    Scheduler.Builder scheduler =
        Scheduler.builder()
            .policy(NAME, context -> new ClairvoyantPolicy(needs, start))
            .decisionLog(0);
    try (Simulation simulation = settings.apply(scheduler).build()) {
      return simulation.run();
    }
  }
}
