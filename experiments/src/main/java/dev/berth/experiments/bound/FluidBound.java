package dev.berth.experiments.bound;

import com.google.common.primitives.ImmutableDoubleArray;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.report.Numbers;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.traces.prepare.HostKinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What any policy can at best achieve in a scenario, if the hosts were a fluid: one pool of each
 * resource that can be divided at will and without restarts.
 *
 * <p><b>Need.</b> A request meets its objective σ exactly if it is in service for {@code σ · L} in
 * its first {@code L}, the time to the end of the run or, if that is earlier, to the latest
 * completion that meets σ. It starts at least once, in the shortest cold start. So it needs a host
 * for {@code σ · L} and that start. What exceeds {@code L} is missed under any policy.
 *
 * <p><b>Contended time.</b> For any set of instants A: outside A, grant each request all that it
 * can use. The rest of its need must be met in A, where no more than {@code capacity · |A|} exists.
 * Divide that amount where it reduces the figure most for each unit. No schedule does better, for
 * any A and any resource. The bound is the best over the sets that {@link ContendedTime} proposes.
 *
 * <p><b>Classes.</b> The penalty is bounded for all requests together. The figures of a class are
 * those that remain possible if the more important classes get their whole need first. A policy
 * that gives them less can exceed the figures of a less important class.
 *
 * <p>A request that fits on no host, even an empty one, is not served. Otherwise the bound ignores
 * fragmentation, placement constraints, restarts, failures of hosts and the times of passes. So it
 * may be unreachable.
 *
 * @param obstacle why there is no bound, a clause without a period; empty if there is one
 * @param penalty the least penalty in core-hours
 * @param classes classes with requests, the most important first
 */
public record FluidBound(
    Optional<String> obstacle, OptionalDouble penalty, List<ClassBound> classes) {

  /** The requests of a larger workload are not all held in memory. */
  static final int MOST_REQUESTS = 300_000;

  private static final double NANOS_PER_HOUR = 3600e9;

  /** Differences below are errors of rounding. */
  private static final double HAIR = 1e-9;

  /** Copies the list. */
  public FluidBound {
    classes = List.copyOf(classes);
  }

  /**
   * The bound of a service class.
   *
   * @param name of the class
   * @param shortfall the least mean, over all requests, of what the availability lacks to the
   *     objective
   * @param fulfilment the greatest share of requests whose availability reaches the objective
   * @param met the greatest share of requests that {@linkplain
   *     dev.berth.simulator.result.RequestOutcome#met meet} it as far as it can be met
   */
  public record ClassBound(String name, double shortfall, double fulfilment, double met) {}

  /** Returns the bound with the published penalties. Cost O(n log n) for each set of instants. */
  public static FluidBound of(Scenario scenario) {
    return of(scenario, PenaltyTable.PUBLISHED);
  }

  /**
   * Returns the bound, or why there is none. It needs lives and demands that no policy can change:
   * there is none for requests that can run with less than they demand, that start after others or
   * that lose their progress, and for hosts that share their CPU or are provisioned.
   *
   * @param penalties the penalties for violated objectives
   */
  public static FluidBound of(Scenario scenario, PenaltyTable penalties) {
    return obstacle(scenario.infrastructure())
        .map(FluidBound::none)
        .orElseGet(() -> new Reading(scenario, penalties).bound());
  }

  /** Returns why there is no bound on some hosts; empty if there is one. */
  static Optional<String> obstacle(Infrastructure infrastructure) {
    if (!infrastructure.pools().isEmpty()) {
      return Optional.of("hosts can be provisioned");
    }
    return infrastructure.hosts().stream().anyMatch(HostSpec::timeShared)
        ? Optional.of("instances share the CPU of a host")
        : Optional.empty();
  }

  /** Returns why there is no bound with a request; empty if there is one. */
  static Optional<String> obstacle(Arrival arrival) {
    Request request = arrival.request();
    if (request.moldability().isPresent()
        || arrival.behaviour().performance().isPresent()
        || !request.guaranteed().equals(request.demand())) {
      return Optional.of("requests can run with less than they demand");
    }
    if (!request.after().isEmpty()) {
      return Optional.of("requests start after others");
    }
    return arrival.behaviour().keepsProgress()
        ? Optional.empty()
        : Optional.of("requests can lose their progress");
  }

  private static FluidBound none(String obstacle) {
    return new FluidBound(Optional.of(obstacle), OptionalDouble.empty(), List.of());
  }

  // ---- What the requests need

  private static final class Reading {

    private final Scenario scenario;
    private final PenaltyTable penalties;
    private final long until;
    private final long start; // the shortest
    private final long meanStart;
    private final List<Dimension> dimensions;
    private final Map<String, ServiceClass> known = new HashMap<>();
    private final HostKinds kinds;

    Reading(Scenario scenario, PenaltyTable penalties) {
      this.scenario = scenario;
      this.penalties = penalties;
      this.until = scenario.until().toNanos();
      this.start =
          scenario.overheads().cold().stream().mapToLong(Duration::toNanos).min().orElseThrow();
      this.meanStart = scenario.overheads().meanCold().toNanos();
      this.dimensions =
          scenario.infrastructure().hosts().stream()
              .flatMap(each -> each.capacity().dimensions().stream())
              .distinct()
              .sorted()
              .toList();
      scenario.workload().serviceClasses().forEach(each -> known.put(each.name(), each));
      this.kinds = new HostKinds(scenario.infrastructure());
    }

    FluidBound bound() {
      List<Claim> claims = new ArrayList<>();
      try (ArrivalSource source = scenario.workload().open()) {
        while (source.hasNext()) {
          Arrival arrival = source.next();
          if (arrival.at() >= until) {
            break;
          }
          Optional<String> obstacle = obstacle(arrival);
          if (obstacle.isPresent()) {
            return none(obstacle.get());
          }
          if (claims.size() == MOST_REQUESTS) {
            return none(
                "there are more than %s requests".formatted(Numbers.grouped(MOST_REQUESTS)));
          }
          claims.add(claim(arrival));
        }
      }
      Best best = new Best(claims);
      for (int i = 0; i < dimensions.size(); i++) {
        Dimension dimension = dimensions.get(i);
        double capacity =
            scenario.infrastructure().hosts().stream()
                .mapToDouble(each -> whole(dimension, each.capacity().amount(dimension)))
                .sum();
        for (ContendedTime each : ContendedTime.of(claims, i, capacity)) {
          best.improve(i, each);
        }
      }
      return best.bound();
    }

    private Claim claim(Arrival arrival) {
      ServiceClass serviceClass =
          Objects.requireNonNull(known.get(arrival.request().serviceClass()));
      double slo = serviceClass.slo().share();
      double work = arrival.serviceTime();
      double left = (double) (until - arrival.at());
      double span = Math.min(left, work / slo); // L
      boolean lasts = work / slo > left; // at most to the end of the run
      double service = slo * span;
      boolean fits = kinds.fit(arrival.request());
      double possible = fits ? Math.max(0, Math.min(service, span - start)) : 0;
      double least = lasts ? (service - possible) / span : late(slo, work, work - possible);
      double most = lasts ? slo : late(slo, work, work);
      double cores =
          (double) arrival.request().demand().amount(Dimension.CPU) / Dimension.CPU.unitsPerWhole();
      return new Claim(
          serviceClass,
          arrival.at(),
          Math.min(until, arrival.at() + (long) Math.ceil(span)),
          possible == 0 ? 0 : possible + start,
          service - possible <= HAIR * span,
          fits || left <= meanStart,
          ConvexCost.identity(possible == 0 ? most : least, most),
          ConvexCost.ofPenalty(
              penalties,
              serviceClass,
              possible == 0 ? most : least,
              most,
              Math.min(work, left) / NANOS_PER_HOUR * cores),
          demand(arrival.request()));
    }

    /** Returns the least deficit of a request that lacks service when it should be done. */
    private static double late(double slo, double work, double missing) {
      return slo - work / (work / slo + missing);
    }

    private ImmutableDoubleArray demand(Request request) {
      return ImmutableDoubleArray.copyOf(
          dimensions.stream()
              .mapToDouble(each -> whole(each, request.demand().amountOf(each.name()))));
    }

    private static double whole(Dimension dimension, long amount) {
      return (double) amount / dimension.unitsPerWhole();
    }
  }

  /**
   * The need of one request.
   *
   * @param from its admission, nanoseconds
   * @param to the end of its L, nanoseconds
   * @param need the time that it needs a host in between, nanoseconds; 0 if it cannot be served
   * @param canReach whether its availability can reach the objective
   * @param canMeet whether it can reach the objective or, if that is less, its availability on an
   *     infinite host
   * @param deficit from the one it has if it gets its need, to one that it has at least if it gets
   *     nothing; linear in between
   * @param penalty of these deficits
   * @param demand by dimension
   */
  record Claim(
      ServiceClass serviceClass,
      long from,
      long to,
      double need,
      boolean canReach,
      boolean canMeet,
      ConvexCost deficit,
      ConvexCost penalty,
      ImmutableDoubleArray demand) {

    int importance() {
      return serviceClass.importance();
    }
  }

  // ---- The best over all sets of instants

  private static final class Best {

    private final List<Claim> claims;
    private final List<ServiceClass> classes; // with requests, most important first
    private final Map<String, List<Integer>> byClass = new HashMap<>();
    private final List<Integer> all = new ArrayList<>();
    private final double[] shortfalls;
    private final long[] reached;
    private final long[] met;
    private double penalty;

    Best(List<Claim> claims) {
      this.claims = claims;
      for (int i = 0; i < claims.size(); i++) {
        all.add(i);
        byClass
            .computeIfAbsent(claims.get(i).serviceClass().name(), name -> new ArrayList<>())
            .add(i);
      }
      TreeSet<ServiceClass> sorted =
          new TreeSet<>(
              Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name));
      claims.forEach(each -> sorted.add(each.serviceClass()));
      this.classes = List.copyOf(sorted);
      this.shortfalls = new double[classes.size()];
      this.reached = new long[classes.size()];
      this.met = new long[classes.size()];
      for (int i = 0; i < classes.size(); i++) {
        List<Integer> its = of(classes.get(i));
        shortfalls[i] = its.stream().mapToDouble(each -> claims.get(each).deficit().least()).sum();
        reached[i] = its.stream().filter(each -> claims.get(each).canReach()).count();
        met[i] = its.stream().filter(each -> claims.get(each).canMeet()).count();
      }
      this.penalty = claims.stream().mapToDouble(each -> each.penalty().least()).sum();
    }

    private List<Integer> of(ServiceClass serviceClass) {
      return byClass.getOrDefault(serviceClass.name(), List.of());
    }

    void improve(int dimension, ContendedTime time) {
      Knapsack knapsack = new Knapsack(dimension, time);
      penalty = Math.max(penalty, knapsack.least(all, time.amount(), Claim::penalty));
      for (int i = 0; i < classes.size(); i++) {
        int importance = classes.get(i).importance();
        double promised =
            classes.stream()
                .filter(each -> each.importance() < importance)
                .flatMap(each -> of(each).stream())
                .mapToDouble(knapsack::rest)
                .sum();
        double amount = Math.max(0, time.amount() - promised);
        shortfalls[i] =
            Math.max(shortfalls[i], knapsack.least(of(classes.get(i)), amount, Claim::deficit));
        reached[i] =
            Math.min(reached[i], knapsack.most(of(classes.get(i)), amount, Claim::canReach));
        met[i] = Math.min(met[i], knapsack.most(of(classes.get(i)), amount, Claim::canMeet));
      }
    }

    FluidBound bound() {
      List<ClassBound> bounds = new ArrayList<>();
      for (int i = 0; i < classes.size(); i++) {
        double count = of(classes.get(i)).size();
        bounds.add(
            new ClassBound(
                classes.get(i).name(), shortfalls[i] / count, reached[i] / count, met[i] / count));
      }
      return new FluidBound(Optional.empty(), OptionalDouble.of(penalty), bounds);
    }

    /**
     * A part of a need.
     *
     * @param amount of the resource
     * @param gain by how much a unit of the resource reduces the cost
     */
    private record Piece(double amount, double gain) {}

    /** Divides the amount of a resource in contended time among the requests. */
    private final class Knapsack {

      private final int dimension;
      private final double[] rests; // of each request, what it needs in contended time

      Knapsack(int dimension, ContendedTime time) {
        this.dimension = dimension;
        this.rests = new double[claims.size()];
        for (int i = 0; i < rests.length; i++) {
          Claim claim = claims.get(i);
          rests[i] = claim.demand().get(dimension) * Math.max(0, claim.need() - time.outside(i));
        }
      }

      double rest(int claim) {
        return rests[claim];
      }

      /**
       * Returns the least sum of costs.
       *
       * @param cost of a request by its deficit
       */
      double least(List<Integer> indices, double amount, Function<Claim, ConvexCost> cost) {
        double sum = 0;
        List<Piece> pieces = new ArrayList<>();
        for (int i : indices) {
          ConvexCost its = cost.apply(claims.get(i));
          sum += its.least();
          if (rests[i] > 0) {
            addPieces(pieces, i, its);
          }
        }
        pieces.sort(Comparator.comparingDouble(each -> -each.gain()));
        double left = amount;
        for (Piece each : pieces) {
          double got = Math.min(each.amount(), left);
          left -= got;
          sum += (each.amount() - got) * each.gain();
        }
        return sum;
      }

      /** Adds what a request needs in contended time, cut where the slope of its cost changes. */
      private void addPieces(List<Piece> pieces, int i, ConvexCost cost) {
        Claim claim = claims.get(i);
        double first = cost.from(0);
        double range = cost.from(cost.pieces()) - first;
        double whole = claim.demand().get(dimension) * claim.need();
        double last = first + range * rests[i] / whole; // if it gets nothing in contended time
        for (int k = 0; k < cost.pieces() && cost.from(k) < last; k++) {
          double width = Math.min(cost.from(k + 1), last) - cost.from(k);
          pieces.add(new Piece(width / range * whole, cost.slope(k) * range / whole));
        }
      }

      /** Returns the greatest number of requests, of those that can, that get their need. */
      long most(List<Integer> indices, double amount, Predicate<Claim> can) {
        double[] ascending =
            indices.stream()
                .filter(i -> can.test(claims.get(i)))
                .mapToDouble(i -> rests[i])
                .sorted()
                .toArray();
        double used = 0;
        int count = 0;
        while (count < ascending.length && used + ascending[count] <= amount * (1 + HAIR) + 1) {
          used += ascending[count];
          count++;
        }
        return count;
      }
    }
  }
}
