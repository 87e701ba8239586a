package dev.berth.testkit.generators;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of what a cluster is made of. They prefer few and small values, so that exact fits and
 * ties are frequent, and shrink towards one class, one host, one dimension.
 */
public final class Clusters {

  /** Names of service classes; their alphabetical order is not the order they are used in. */
  private static final List<String> CLASS_NAMES =
      List.of("gold", "silver", "bronze", "copper", "amber", "iron");

  private static final int MOST_HOSTS = 8;
  private static final long BILLION = 1_000_000_000;

  private Clusters() {}

  // ---- Service classes

  /** Returns one to six service classes with distinct names; any may be equally important. */
  public static Arbitrary<List<ServiceClass>> serviceClasses() {
    return Combinators.combine(slos(), Arbitraries.integers().between(1, 4), margins(), limits())
        .as(ClassShape::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(CLASS_NAMES.size())
        .map(
            shapes ->
                IntStream.range(0, shapes.size())
                    .mapToObj(i -> shapes.get(i).named(CLASS_NAMES.get(i)))
                    .toList());
  }

  /** A service class before it has a name. */
  private record ClassShape(double slo, int importance, Duration margin, Optional<Double> limit) {

    ServiceClass named(String name) {
      ServiceClass.Builder builder =
          ServiceClass.builder(name).slo(slo).importance(importance).safetyMargin(margin);
      limit.ifPresent(builder::preemptionOverheadLimit);
      return builder.build();
    }
  }

  /** Returns any objective from 0.001 to 1, with those of the paper and the limits more often. */
  public static Arbitrary<Double> slos() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.of(1.0, 0.9, 0.5)),
        Tuple.of(2, Arbitraries.of(1.0 / 3, 0.999_999_999, 0.001)),
        Tuple.of(
            2,
            Arbitraries.longs()
                .between(BILLION / 1000, BILLION)
                .map(partsPerBillion -> (double) partsPerBillion / BILLION)));
  }

  private static Arbitrary<Duration> margins() {
    return Arbitraries.of(
        Duration.ZERO,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofNanos(1),
        Duration.ofHours(1),
        Duration.ofDays(365));
  }

  /** A preemption-overhead limit, or none for the default. */
  private static Arbitrary<Optional<Double>> limits() {
    return Arbitraries.of(1.0, 0.0, 0.01, 0.1, 0.5).optional(0.8);
  }

  // ---- Hosts

  /**
   * Returns scales of one to four dimensions, some with units so large that sums come close to
   * overflowing.
   */
  public static Arbitrary<Scale> scales() {
    return Combinators.combine(
            Arbitraries.integers().between(1, Scale.DIMENSIONS.size()),
            Arbitraries.frequency(
                Tuple.of(6, 1L), Tuple.of(1, 1_000_000_007L), Tuple.of(1, 1L << 58)))
        .as(Scale::new);
  }

  /** Returns one to eight hosts, h1, h2 and so on, with capacities on a scale and attributes. */
  public static Arbitrary<List<HostSpec>> hosts(Arbitrary<Scale> scales) {
    return Combinators.combine(scales, hostShapes().list().ofMinSize(1).ofMaxSize(MOST_HOSTS))
        .as(Clusters::hosts);
  }

  static List<HostSpec> hosts(Scale scale, List<HostShape> shapes) {
    List<HostSpec> hosts = new ArrayList<>();
    for (HostShape each : shapes) {
      hosts.add(
          new HostSpec(
              "h" + (hosts.size() + 1), scale.resources(each.capacity()), each.attributes()));
    }
    return hosts;
  }

  /** A host before it is known which dimensions there are. */
  record HostShape(List<Integer> capacity, Map<String, String> attributes) {}

  static Arbitrary<List<HostShape>> hostShapeLists() {
    return hostShapes().list().ofMinSize(1).ofMaxSize(MOST_HOSTS);
  }

  private static Arbitrary<HostShape> hostShapes() {
    Arbitrary<Integer> size = Arbitraries.of(4, 6, 10);
    Arbitrary<List<Integer>> any =
        Arbitraries.integers().between(0, 15).list().ofSize(Scale.DIMENSIONS.size());
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(3, size.map(Clusters::alike)),
                Tuple.of(1, size.map(Clusters::inTwoDimensions)),
                Tuple.of(1, any)),
            attributes())
        .as(HostShape::new);
  }

  private static List<Integer> alike(int amount) {
    return Collections.nCopies(Scale.DIMENSIONS.size(), amount);
  }

  /** Leaves the other dimensions for somebody else to be the first to name. */
  private static List<Integer> inTwoDimensions(int amount) {
    return List.of(amount, amount, 0, 0);
  }

  private static Arbitrary<Map<String, String>> attributes() {
    Arbitrary<String> zone = Arbitraries.of("", "a", "b");
    Arbitrary<String> level = Arbitraries.of("", "1", "2", "-3", "high");
    return Combinators.combine(zone, level)
        .as(
            (z, l) -> {
              Map<String, String> attributes = new HashMap<>();
              if (!z.isEmpty()) {
                attributes.put("zone", z);
              }
              if (!l.isEmpty()) {
                attributes.put("level", l);
              }
              return Map.copyOf(attributes);
            });
  }

  // ---- Requests

  /** Returns placement constraints over the attributes that generated hosts may have. */
  public static Arbitrary<Constraint> constraints() {
    return Arbitraries.of(
        new Constraint.NotEqual("zone", "b"),
        new Constraint.Equal("zone", "a"),
        new Constraint.In("zone", Set.of("a", "b")),
        new Constraint.Exists("level"),
        new Constraint.LessThan("level", 2),
        new Constraint.GreaterThan("level", 0),
        new Constraint.NotEqual("level", "high"));
  }

  /**
   * Returns requests: most small, a few that fit hardly anywhere or ask for nothing; most without
   * conditions.
   */
  public static Arbitrary<RequestShape> requests() {
    Arbitrary<Integer> size = Arbitraries.of(2, 1, 3, 4);
    Arbitrary<List<Integer>> small =
        Arbitraries.integers().between(0, 4).list().ofSize(Scale.DIMENSIONS.size());
    Arbitrary<List<Integer>> any =
        Arbitraries.integers().between(0, 16).list().ofSize(Scale.DIMENSIONS.size());
    return Combinators.combine(
            Arbitraries.integers().between(0, CLASS_NAMES.size() - 1),
            Arbitraries.frequencyOf(
                Tuple.of(8, size.map(Clusters::alike)),
                Tuple.of(3, size.map(Clusters::inTwoDimensions)),
                Tuple.of(8, small),
                Tuple.of(1, any)),
            Arbitraries.frequencyOf(
                Tuple.of(5, Arbitraries.just(List.<Constraint>of())),
                Tuple.of(1, constraints().list().ofMaxSize(2))),
            Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(1, 1), Tuple.of(1, 2), Tuple.of(1, 3)),
            Arbitraries.of(false, true),
            Arbitraries.frequency(Tuple.of(7, false), Tuple.of(1, true)))
        .as(RequestShape::new);
  }
}
