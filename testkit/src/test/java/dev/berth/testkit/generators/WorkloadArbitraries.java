package dev.berth.testkit.generators;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Generators of workloads and what they run on. They use few distinct times, so that ties are
 * frequent: several arrivals at one instant, arrivals just when something else completes, and the
 * same request several times.
 */
final class WorkloadArbitraries {

  private static final List<Duration> GAPS = Amounts.lengths("0s 1ns 1s 10s 30s 10m 1d");

  private static final List<Long> SERVICE_TIMES =
      List.of(
          1L,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(30).toNanos(),
          Duration.ofMinutes(10).toNanos(),
          Duration.ofHours(1).plusNanos(1).toNanos(),
          Duration.ofDays(1).toNanos(),
          Long.MAX_VALUE);

  /** The smallest objective allows for some weeks in service. */
  private static final long LAST_ARRIVAL = Duration.ofDays(14).toNanos();

  private WorkloadArbitraries() {}

  /**
   * Returns workloads of up to so many arrivals in any {@linkplain
   * ClusterArbitraries#serviceClasses service classes}.
   *
   * @param arrivals not negative
   */
  static Arbitrary<Workload> ofUpTo(int arrivals) {
    return ofUpTo(arrivals, ClusterArbitraries.serviceClasses());
  }

  /**
   * Returns workloads of up to so many arrivals in some service classes. Quantities are on any of
   * the {@linkplain ClusterArbitraries#scales scales}.
   *
   * <p>All arrive within two weeks. A service takes from a nanosecond to a day, or is endless: its
   * time is {@link Long#MAX_VALUE}, and its simulation needs an end. Shrinks to few arrivals of
   * small requests, all at the start, for a nanosecond each.
   *
   * @param arrivals not negative
   * @param serviceClasses lists of at least one
   */
  static Arbitrary<Workload> ofUpTo(
      int arrivals, Arbitrary<? extends List<ServiceClass>> serviceClasses) {
    return Combinators.combine(
            Shrinker.shrinking(
                ElementRun.lists(runs(), IntStream.rangeClosed(0, arrivals).toArray()),
                WorkloadArbitraries::simpler),
            serviceClasses,
            ClusterArbitraries.scales())
        .as(WorkloadArbitraries::workload);
  }

  /** Returns infrastructures of any {@linkplain ClusterArbitraries#hosts hosts}, possibly none. */
  static Arbitrary<Infrastructure> infrastructures() {
    return ClusterArbitraries.hosts(ClusterArbitraries.scales())
        .map(hosts -> new Infrastructure("generated", hosts));
  }

  /**
   * An arrival relative to the one before.
   *
   * @param gap time since the one before
   */
  private record ArrivalShape(Duration gap, RequestShape request, long serviceTime) {

    Stream<ArrivalShape> simpler() {
      return Shrinker.all(
          Shrinker.with(this, "gap", Shrinker.before(gap, GAPS)),
          Shrinker.with(this, "serviceTime", Shrinker.before(serviceTime, SERVICE_TIMES)),
          Shrinker.with(this, "request", RequestArbitraries.simpler(request)));
    }
  }

  private static Stream<List<ArrivalShape>> simpler(List<ArrivalShape> shapes) {
    return Shrinker.all(
        Shrinker.fewer(shapes, 0),
        Shrinker.each(shapes, ArrivalShape::simpler),
        Shrinker.withoutTwo(shapes, shapes.size(), Shrinker::without));
  }

  private static Workload workload(
      List<ArrivalShape> shapes, List<ServiceClass> serviceClasses, Scale scale) {
    List<Arrival> arrivals = new ArrayList<>();
    long at = 0;
    for (ArrivalShape each : shapes) {
      at = Math.min(at + each.gap().toNanos(), LAST_ARRIVAL);
      String id = "r" + (arrivals.size() + 1);
      arrivals.add(
          new Arrival(at, each.request().request(id, serviceClasses, scale), each.serviceTime()));
    }
    return Workload.of("generated", serviceClasses, arrivals);
  }

  private static List<ElementRun<ArrivalShape>> runs() {
    Arbitrary<ArrivalShape> sometime = arrivals(Arbitraries.of(GAPS));
    Arbitrary<ArrivalShape> atOnce = arrivals(Arbitraries.just(Duration.ZERO));
    return List.of(
        ElementRun.of(6, sometime),
        ElementRun.of(2, sometime, atOnce),
        ElementRun.of(1, sometime, atOnce, atOnce, atOnce),
        ElementRun.ofTwins(1, atOnce));
  }

  private static Arbitrary<ArrivalShape> arrivals(Arbitrary<Duration> gaps) {
    return Combinators.combine(gaps, RequestArbitraries.unshrunk(), Arbitraries.of(SERVICE_TIMES))
        .as(ArrivalShape::new);
  }
}
