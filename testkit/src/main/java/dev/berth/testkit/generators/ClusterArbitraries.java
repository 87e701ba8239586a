package dev.berth.testkit.generators;

import static dev.berth.testkit.generators.Shrinker.with;

import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of the parts of a cluster. They prefer few and small values, so that exact fits and
 * ties are frequent.
 */
public final class ClusterArbitraries {

  private static final long BILLION = 1_000_000_000;

  /** Names of service classes; their alphabetical order is not the order they are used in. */
  private static final List<String> CLASS_NAMES =
      List.of("gold", "silver", "bronze", "copper", "amber", "iron");

  private static final List<Double> SLOS =
      List.of(1.0, 0.9, 0.5, 1.0 / 3, (BILLION - 1.0) / BILLION, 0.001);

  private static final List<Duration> MARGINS = Amounts.lengths("0s 10s 30s 1ns 1h 365d 36500d");

  /** Preemption-overhead limits; the default first. */
  private static final List<Optional<Double>> LIMITS =
      List.of(
          Optional.empty(),
          Optional.of(1.0),
          Optional.of(0.0),
          Optional.of(0.01),
          Optional.of(0.1),
          Optional.of(0.5));

  /** Units of scales; with the last one, 7 is the maximum of a {@code long}. */
  private static final List<Long> UNITS = List.of(Scale.WHOLE, 1L, 1L << 58, Long.MAX_VALUE / 7);

  /** Usual capacities in each dimension; some requests demand all of it. */
  static final List<Integer> CAPACITIES = List.of(4, 6, 10);

  /** Start delays of pools. */
  private static final Duration START = Duration.ofSeconds(30);

  /** Stop delays of pools. */
  private static final Duration STOP = Duration.ofSeconds(2);

  /** Numbers of hosts; small ones are frequent because they fill up soon. */
  private static final int[] HOST_COUNTS = {
    0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8
  };

  /** Attributes of hosts; none first. */
  private static final List<Map<String, String>> ATTRIBUTES = attributes();

  /** Numbers of hosts with places; with fewer than two, rules decide nothing. */
  private static final int[] PLACED_COUNTS = {1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8};

  /** Taints of hosts. */
  private static final List<Taint> TAINTS =
      List.of(
          Taint.preferNot("disk", "half"),
          Taint.preferNot("gpu", ""),
          Taint.noNew("disk", "full"),
          Taint.noNew("gpu", ""),
          Taint.leaveAfter("gpu", "broken", Duration.ofSeconds(10)),
          Taint.leaveAfter("disk", "full", Duration.ZERO),
          Taint.unreachable(Duration.ofSeconds(20)));

  private ClusterArbitraries() {}

  // ---- Service classes

  /** How the service classes of one cluster compare in importance. */
  public enum Importance {
    /** At random; some may be equally important. */
    ANY,
    /** No two are equally important. */
    DISTINCT,
    /** All are equally important. */
    EQUAL
  }

  /** Returns one to six service classes; some may be equally important. */
  public static Arbitrary<List<ServiceClass>> serviceClasses() {
    return serviceClasses(Importance.ANY);
  }

  /**
   * Returns one to six service classes with distinct names, any {@linkplain #slos objectives},
   * safety margins from zero to a century, and preemption-overhead limits from 0 to 1 or the
   * default. Shrinks to one class of objective 1 and importance 1, without a margin.
   */
  public static Arbitrary<List<ServiceClass>> serviceClasses(Importance importance) {
    return Shrinker.shrinking(
            classShapes(),
            shapes ->
                Stream.concat(
                    Shrinker.fewer(shapes, 1), Shrinker.each(shapes, ClassShape::simpler)))
        .map(shapes -> serviceClasses(shapes, importance));
  }

  /** A service class before it has a name. */
  record ClassShape(double slo, int importance, Duration margin, Optional<Double> limit) {

    ServiceClass build(String name, int rank) {
      ServiceClass.Builder builder =
          ServiceClass.builder(name).slo(slo).importance(rank).safetyMargin(margin);
      limit.ifPresent(builder::preemptionOverheadLimit);
      return builder.build();
    }

    Stream<ClassShape> simpler() {
      return Shrinker.all(
          with(this, "slo", Shrinker.before(slo, SLOS)),
          with(this, "importance", Shrinker.below(importance - 1).map(it -> it + 1)),
          with(this, "margin", Shrinker.before(margin, MARGINS)),
          with(this, "limit", Shrinker.before(limit, LIMITS)));
    }
  }

  static Arbitrary<List<ClassShape>> classShapes() {
    Arbitrary<Integer> importance =
        Arbitraries.frequency(
            Tuple.of(6, 1),
            Tuple.of(6, 2),
            Tuple.of(6, 3),
            Tuple.of(6, 4),
            Tuple.of(1, Integer.MAX_VALUE));
    Arbitrary<Duration> margins =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.of(MARGINS.subList(0, 5))),
            Tuple.of(2, Arbitraries.of(MARGINS.subList(5, 7))));
    Arbitrary<ClassShape> shapes =
        Combinators.combine(slos(), importance, margins, Arbitraries.of(LIMITS))
            .as(ClassShape::new);
    return ElementRun.lists(shapes, 1, 2, 3, 4, 5, 6);
  }

  static List<ServiceClass> serviceClasses(List<ClassShape> shapes, Importance importance) {
    UnaryOperator<Integer> rank =
        switch (importance) {
          case ANY -> i -> shapes.get(i).importance();
          case EQUAL -> i -> shapes.get(0).importance();
          case DISTINCT -> {
            List<Integer> inOrder =
                IntStream.range(0, shapes.size())
                    .boxed()
                    .sorted(Comparator.comparingInt(i -> shapes.get(i).importance()))
                    .toList();
            yield i -> inOrder.indexOf(i) + 1;
          }
        };
    return IntStream.range(0, shapes.size())
        .mapToObj(i -> shapes.get(i).build(CLASS_NAMES.get(i), rank.apply(i)))
        .toList();
  }

  /**
   * Returns any objective from 0.001 to 1, more often an objective of the paper or an end of the
   * range. Shrinks to 1.
   */
  public static Arbitrary<Double> slos() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.of(SLOS.subList(0, 3))),
        Tuple.of(1, Arbitraries.of(SLOS.subList(3, 6))),
        Tuple.of(
            1,
            Arbitraries.longs()
                .between(BILLION / 1000, BILLION)
                .shrinkTowards(BILLION)
                .map(partsPerBillion -> (double) partsPerBillion / BILLION)));
  }

  // ---- Hosts

  /**
   * Returns scales of one to four dimensions: most in wholes, some with units so small that they
   * are nearly nothing, or so large that a host holds nearly or exactly as much as a {@code long}
   * can count. Shrinks to one dimension and wholes.
   */
  public static Arbitrary<Scale> scales() {
    return Combinators.combine(
            Arbitraries.of(1, 2, 3, 4),
            Arbitraries.frequency(
                Tuple.of(12, UNITS.get(0)),
                Tuple.of(2, UNITS.get(1)),
                Tuple.of(1, UNITS.get(2)),
                Tuple.of(1, UNITS.get(3))))
        .as(Scale::new);
  }

  static Stream<Scale> simpler(Scale scale) {
    return Stream.concat(
        with(scale, "dimensions", IntStream.range(1, scale.dimensions()).boxed()),
        with(scale, "unit", Shrinker.before(scale.unit(), UNITS)));
  }

  /**
   * Returns up to eight hosts, h1, h2 and so on, alike or not, with attributes or without; now and
   * then without capacity in some dimensions or in all; rarely no host at all. Shrinks to few small
   * hosts without attributes.
   */
  public static Arbitrary<List<HostSpec>> hosts(Arbitrary<Scale> scales) {
    return Combinators.combine(
            scales, Shrinker.shrinking(hostShapes(), ClusterArbitraries::simplerHosts))
        .as(ClusterArbitraries::hosts);
  }

  static List<HostSpec> hosts(Scale scale, List<HostShape> shapes) {
    return IntStream.range(0, shapes.size())
        .mapToObj(i -> shapes.get(i).build("h" + (i + 1), scale))
        .toList();
  }

  /** A host, before its dimensions are known. */
  record HostShape(
      List<Integer> capacity,
      Map<String, String> attributes,
      boolean timeShared,
      List<Taint> taints) {

    HostShape(List<Integer> capacity, Map<String, String> attributes) {
      this(capacity, attributes, false, List.of());
    }

    HostSpec build(String id, Scale scale) {
      return new HostSpec(id, scale.resources(capacity), attributes, timeShared, taints);
    }

    /** Returns a host with these amounts less, if it has them. */
    Stream<HostShape> without(List<Integer> amounts) {
      List<Integer> left =
          IntStream.range(0, capacity.size())
              .mapToObj(d -> capacity.get(d) - amounts.get(d))
              .toList();
      return left.stream().allMatch(each -> each >= 0)
          ? Stream.of(new HostShape(left, attributes, timeShared, taints))
          : Stream.empty();
    }

    Stream<HostShape> simpler() {
      return Shrinker.all(
          with(this, "timeShared", Stream.of(false).filter(it -> timeShared)),
          with(this, "taints", Shrinker.fewer(taints, 0)),
          with(this, "attributes", Shrinker.before(attributes, ATTRIBUTES)),
          with(this, "capacity", Amounts.simpler(capacity)));
    }
  }

  /** An offer of a provider, before its dimensions are known. */
  record PoolShape(HostShape host, int limit) {

    PoolSpec build(String name, Scale scale) {
      return new PoolSpec(
          name, scale.resources(host.capacity()), host.attributes(), limit, START, STOP);
    }

    Stream<PoolShape> simpler() {
      return Stream.concat(
          with(this, "host", host.simpler()), with(this, "limit", Shrinker.below(limit)));
    }
  }

  /** Mostly none, else one or two, of few hosts; now and then of none. */
  static Arbitrary<List<PoolShape>> poolShapes() {
    Arbitrary<PoolShape> shapes =
        Combinators.combine(
                capacities(), Arbitraries.of(ATTRIBUTES), Arbitraries.of(0, 1, 1, 2, 2, 3, 5))
            .as(
                (capacity, attributes, limit) ->
                    new PoolShape(new HostShape(capacity, attributes), limit));
    return ElementRun.lists(shapes, 0, 0, 0, 1, 1, 2);
  }

  static List<PoolSpec> pools(Scale scale, List<PoolShape> shapes) {
    return IntStream.range(0, shapes.size())
        .mapToObj(i -> shapes.get(i).build("p" + (i + 1), scale))
        .toList();
  }

  /** Makes some hosts time-shared: mostly none, otherwise about half of them. */
  static Arbitrary<List<HostShape>> anyHostShapes() {
    return Combinators.combine(
            hostShapes(), Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(1, 1), Tuple.of(1, 2)))
        .as(
            (shapes, sharers) ->
                IntStream.range(0, shapes.size())
                    .mapToObj(
                        i ->
                            new HostShape(
                                shapes.get(i).capacity(),
                                shapes.get(i).attributes(),
                                sharers > 0 && (i + sharers) % 2 == 0,
                                List.of()))
                    .toList());
  }

  /** Returns one to eight hosts in few zones and racks, many of them with taints. */
  static Arbitrary<List<HostShape>> placedHostShapes() {
    Arbitrary<HostShape> shapes =
        Combinators.combine(
                capacities(),
                Arbitraries.of("a", "a", "b", "b", "c", ""),
                Arbitraries.of("1", "1", "2", ""),
                Arbitraries.of("", "", "1", "2"),
                taints(),
                Arbitraries.frequency(Tuple.of(12, false), Tuple.of(1, true)))
            .as(
                (capacity, zone, rack, level, taints, shared) -> {
                  Map<String, String> attributes = new HashMap<>();
                  put(attributes, "zone", zone);
                  put(attributes, "rack", rack);
                  put(attributes, "level", level);
                  return new HostShape(capacity, Map.copyOf(attributes), shared, taints);
                });
    return ElementRun.lists(
        List.of(ElementRun.of(3, shapes), ElementRun.ofTwins(1, shapes)), PLACED_COUNTS);
  }

  private static void put(Map<String, String> attributes, String name, String value) {
    if (!value.isEmpty()) {
      attributes.put(name, value);
    }
  }

  /** Mostly none, otherwise one or two. */
  private static Arbitrary<List<Taint>> taints() {
    return ElementRun.lists(Arbitraries.of(TAINTS), 0, 0, 0, 0, 0, 0, 1, 1, 1, 2)
        .map(taints -> ElementRun.distinct(taints, each -> List.of(each.key(), each.effect())));
  }

  static Arbitrary<List<HostShape>> hostShapes() {
    Arbitrary<HostShape> shapes =
        Combinators.combine(capacities(), Arbitraries.of(ATTRIBUTES)).as(HostShape::new);
    return ElementRun.lists(
        List.of(ElementRun.of(4, shapes), ElementRun.ofTwins(1, shapes)), HOST_COUNTS);
  }

  static Stream<List<HostShape>> simplerHosts(List<HostShape> shapes) {
    return Stream.concat(Shrinker.fewer(shapes, 0), Shrinker.each(shapes, HostShape::simpler));
  }

  private static Arbitrary<List<Integer>> capacities() {
    return Amounts.of(
        Arbitraries.frequency(
            Tuple.of(18, Form.ALIKE),
            Tuple.of(6, Form.TWO_ALIKE),
            Tuple.of(6, Form.ANY),
            Tuple.of(1, Form.ZERO)),
        Arbitraries.of(CAPACITIES),
        Amounts.upTo(15));
  }

  private static List<Map<String, String>> attributes() {
    List<Map<String, String>> all = new ArrayList<>();
    for (String zone : List.of("", "a", "b")) {
      for (String level : List.of("", "1", "2", "-3", "high")) {
        Map<String, String> attributes = new HashMap<>();
        put(attributes, "zone", zone);
        put(attributes, "level", level);
        all.add(Map.copyOf(attributes));
      }
    }
    return List.copyOf(all);
  }
}
