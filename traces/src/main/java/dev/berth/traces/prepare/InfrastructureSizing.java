package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sizes infrastructures for a workload (QoS-driven scheduling, section 4.3).
 *
 * <p>The size N is the peak demand of the workload in the dimension where it is largest. Dimensions
 * are compared as multiples of the largest host of a mix, which is the unit of the Google trace and
 * of the paper.
 */
public final class InfrastructureSizing {

  private static final int MOST_HOSTS = 10_000_000;

  private InfrastructureSizing() {}

  /**
   * Returns the dimension in which a demand is the largest multiple of the largest host.
   *
   * @param peak the demand
   * @param mix the hosts to draw from
   * @throws IllegalArgumentException if the demand is zero, or no host of the mix has a demanded
   *     dimension
   */
  public static Dimension driving(Resources peak, Infrastructure mix) {
    Dimension driving = null;
    double most = 0;
    for (Dimension each : peak.dimensions()) {
      long largest = largest(mix, each);
      if (largest == 0) {
        throw noneHas(mix, each, peak.amount(each));
      }
      double multiple = (double) peak.amount(each) / largest;
      if (multiple > most) {
        most = multiple;
        driving = each;
      }
    }
    if (driving == null) {
      throw new IllegalArgumentException(
          "peak demand was 0, must be positive to determine a size.");
    }
    return driving;
  }

  /** Returns the largest capacity of any host of a mix in a dimension. */
  static long largest(Infrastructure mix, Dimension dimension) {
    return mix.hosts().stream()
        .mapToLong(host -> host.capacity().amount(dimension))
        .max()
        .orElse(0);
  }

  private static IllegalArgumentException noneHas(
      Infrastructure mix, Dimension dimension, long amount) {
    return new IllegalArgumentException(
        "%s of %s is needed, but no host of %s has any."
            .formatted(dimension, dimension.format(amount), mix.name()));
  }

  /**
   * Draws hosts from a mix, with replacement, until their capacity reaches a size.
   *
   * @param name the name of the result in reports
   * @param mix the hosts to draw from, all with the same probability
   * @param driving the dimension that determines the size
   * @param size the capacity to reach, in units of the dimension; positive
   * @param seed the random seed
   * @return hosts with the capacities and attributes of the drawn hosts and numbered ids: {@code
   *     m7~1}, {@code m7~2}
   * @throws IllegalArgumentException if no host of the mix has the dimension, or the size requires
   *     more than ten million hosts
   */
  public static Infrastructure drawn(
      String name, Infrastructure mix, Dimension driving, long size, long seed) {
    refuseIf(size <= 0, "size was %s, must be positive.", driving.format(size));
    return drawn(name, List.of(), mix, driving, size, SeededTieBreaker.hash(seed, "hosts drawn"));
  }

  /** Returns hosts followed by drawn ones. */
  private static Infrastructure drawn(
      String name,
      List<HostSpec> first,
      Infrastructure mix,
      Dimension driving,
      long missing,
      long seed) {
    if (largest(mix, driving) == 0) {
      throw noneHas(mix, driving, missing);
    }
    double mean = total(mix, driving).doubleValue() / mix.hosts().size();
    if (missing / mean > MOST_HOSTS) {
      throw new IllegalArgumentException(
          "%s of %s would take more than %s hosts of %s. Maybe their units differ."
              .formatted(driving, driving.format(missing), MOST_HOSTS, mix.name()));
    }
    Random random = new Random(seed);
    Map<String, Integer> copies = new HashMap<>();
    List<HostSpec> hosts = new ArrayList<>(first);
    Set<String> ids = first.stream().map(HostSpec::id).collect(Collectors.toSet());
    long left = missing;
    while (left > 0) {
      HostSpec host = mix.hosts().get(random.nextInt(mix.hosts().size()));
      String id;
      do {
        id = host.id() + "~" + copies.merge(host.id(), 1, Integer::sum);
      } while (!ids.add(id));
      hosts.add(
          new HostSpec(id, host.capacity(), host.attributes(), host.timeShared(), host.taints()));
      left -= host.capacity().amount(driving);
    }
    return new Infrastructure(name, hosts);
  }

  /**
   * Returns hosts of another size: {@linkplain #reduced fewer}, or more, which are {@linkplain
   * #drawn drawn} from a mix.
   *
   * @param name the name of the result in reports
   * @param base the original infrastructure, which does not change
   * @param mix the hosts to draw from, all with the same probability
   * @param driving the dimension that determines the size
   * @param size the capacity to reach, in units of the dimension; positive
   * @param seed the random seed
   * @throws IllegalArgumentException as {@link #drawn}
   */
  public static Infrastructure resized(
      String name,
      Infrastructure base,
      Infrastructure mix,
      Dimension driving,
      long size,
      long seed) {
    BigInteger missing = BigInteger.valueOf(size).subtract(total(base, driving));
    return missing.signum() <= 0
        ? reduced(name, base, driving, size, seed)
        : drawn(
            name,
            base.hosts(),
            mix,
            driving,
            missing.longValueExact(),
            SeededTieBreaker.hash(seed, "hosts added"));
  }

  /** Returns the total capacity of all hosts in a dimension, in units. */
  public static BigInteger total(Infrastructure infrastructure, Dimension dimension) {
    return infrastructure.hosts().stream()
        .map(host -> BigInteger.valueOf(host.capacity().amount(dimension)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * Removes random hosts while the remaining capacity is at least a size.
   *
   * <p>Removal stops at the first host whose removal would leave less, because no published
   * infrastructure has less than its share of the original. For one seed, the hosts that remain for
   * a smaller size are a subset of those for a larger size.
   *
   * @param name the name of the result in reports
   * @param base the original infrastructure, which does not change
   * @param driving the dimension that determines the size
   * @param size the capacity that must remain, in units of the dimension; positive
   * @param seed the random seed
   * @return the remaining hosts, in their original order
   * @throws IllegalArgumentException if the base has less capacity
   */
  public static Infrastructure reduced(
      String name, Infrastructure base, Dimension driving, long size, long seed) {
    BigInteger least = BigInteger.valueOf(size);
    BigInteger left = total(base, driving);
    if (size <= 0 || left.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "size was %s, must be positive and at most the %s %s of %s."
              .formatted(driving.format(size), inWholes(left, driving), driving, base.name()));
    }
    List<HostSpec> order = new ArrayList<>(base.hosts());
    Collections.shuffle(order, new Random(SeededTieBreaker.hash(seed, "hosts removed")));
    Set<String> removed = new HashSet<>();
    for (HostSpec host : order) {
      left = left.subtract(BigInteger.valueOf(host.capacity().amount(driving)));
      if (left.compareTo(least) < 0) {
        break;
      }
      removed.add(host.id());
    }
    return new Infrastructure(
        name, base.hosts().stream().filter(host -> !removed.contains(host.id())).toList());
  }

  private static String inWholes(BigInteger units, Dimension dimension) {
    return units.bitLength() < Long.SIZE ? dimension.format(units.longValueExact()) : "endless";
  }

  /**
   * Returns the number of requests that fit on no host, even an empty one: no host has the
   * capacity, or no host with the capacity meets the placement constraints.
   */
  public static long fitNowhere(Workload workload, Infrastructure infrastructure) {
    HostKinds kinds = new HostKinds(infrastructure);
    long count = 0;
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        count += kinds.fit(source.next().request()) ? 0 : 1;
      }
    }
    return count;
  }

  /**
   * Returns the placement constraints that no host meets, and how many requests have each.
   *
   * @return in the order of the workload
   */
  public static Map<Constraint, Long> metNowhere(Workload workload, Infrastructure infrastructure) {
    Map<Constraint, Boolean> met = new HashMap<>();
    Map<Constraint, Long> counts = new LinkedHashMap<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        for (Constraint each : source.next().request().constraints()) {
          if (!met.computeIfAbsent(each, any -> isMet(any, infrastructure))) {
            counts.merge(each, 1L, Long::sum);
          }
        }
      }
    }
    return counts;
  }

  private static boolean isMet(Constraint constraint, Infrastructure infrastructure) {
    return infrastructure.hosts().stream()
        .anyMatch(host -> constraint.holdsWith(host.attributes()));
  }
}
