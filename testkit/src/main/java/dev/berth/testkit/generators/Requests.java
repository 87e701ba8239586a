package dev.berth.testkit.generators;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.history.RequestShape;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of requests: most small, a few for all that a generated host has, for more than any
 * has, or for nothing; most without conditions. They shrink to a small request in the first class,
 * without conditions.
 */
public final class Requests {

  /** One more than any host has. */
  private static final int TOO_MUCH = 16;

  private static final List<Constraint> CONSTRAINTS =
      List.of(
          new Constraint.NotEqual("zone", "b"),
          new Constraint.Equal("zone", "a"),
          new Constraint.In("zone", Set.of("a", "b")),
          new Constraint.Exists("level"),
          new Constraint.LessThan("level", 2),
          new Constraint.GreaterThan("level", 0),
          new Constraint.NotEqual("level", "high"));

  private Requests() {}

  /**
   * Returns requests in some service classes, on any of the {@linkplain Clusters#scales scales}.
   * Ids run from r1 to r999 as chance has it, so two may be the same.
   *
   * @param serviceClasses at least one
   */
  public static Arbitrary<Request> of(List<? extends ServiceClass> serviceClasses) {
    List<ServiceClass> classes = List.copyOf(serviceClasses);
    return Combinators.combine(
            shapes(), Clusters.scales(), Arbitraries.integers().between(1, 999).map(n -> "r" + n))
        .as((shape, scale, id) -> shape.request(id, classes, scale));
  }

  /** Returns requests before it is known which classes and dimensions there are. */
  public static Arbitrary<RequestShape> shapes() {
    return Simpler.shrinking(drawn(), Requests::simpler);
  }

  static Arbitrary<RequestShape> drawn() {
    return Combinators.combine(
            Amounts.upTo(5),
            demands(),
            conditions(),
            Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(1, 1), Tuple.of(1, 2), Tuple.of(1, 3)),
            Arbitraries.of(false, true),
            Arbitraries.frequency(Tuple.of(7, false), Tuple.of(1, true)))
        .as(RequestShape::new);
  }

  static Stream<RequestShape> simpler(RequestShape it) {
    return Stream.of(
            with(it, List.of(), 0, false, false),
            Simpler.below(it.serviceClass()).map(each -> in(each, it)),
            Amounts.simpler(it.demand()).map(each -> with(it.serviceClass(), each, it)),
            Simpler.fewer(it.constraints(), 0)
                .flatMap(each -> with(it, each, it.job(), it.antiAffinity(), it.reuseId())),
            Simpler.below(it.job())
                .flatMap(each -> with(it, it.constraints(), each, it.antiAffinity(), it.reuseId())),
            with(it, it.constraints(), it.job(), false, it.reuseId()),
            with(it, it.constraints(), it.job(), it.antiAffinity(), false))
        .flatMap(each -> each);
  }

  /** Returns a request in another service class. */
  static RequestShape in(int serviceClass, RequestShape it) {
    return with(serviceClass, it.demand(), it);
  }

  private static RequestShape with(int serviceClass, List<Integer> demand, RequestShape it) {
    return new RequestShape(
        serviceClass, demand, it.constraints(), it.job(), it.antiAffinity(), it.reuseId());
  }

  /** Returns a request on other conditions; nothing if they are the same. */
  private static Stream<RequestShape> with(
      RequestShape it, List<Constraint> constraints, int job, boolean antiAffinity, boolean reuse) {
    RequestShape other =
        new RequestShape(it.serviceClass(), it.demand(), constraints, job, antiAffinity, reuse);
    return other.equals(it) ? Stream.empty() : Stream.of(other);
  }

  /** Mostly none, else one or two. */
  private static Arbitrary<List<Constraint>> conditions() {
    return Combinators.combine(
            Arbitraries.frequency(Tuple.of(16, 0), Tuple.of(1, 1), Tuple.of(1, 2)),
            constraints(),
            constraints())
        .as((count, one, other) -> List.of(one, other).subList(0, count));
  }

  private static Arbitrary<List<Integer>> demands() {
    return Amounts.of(
        Arbitraries.frequency(
            Tuple.of(8, Form.ALIKE), Tuple.of(3, Form.TWO_ALIKE), Tuple.of(9, Form.ANY)),
        Arbitraries.frequencyOf(
            Tuple.of(24, Arbitraries.of(1, 2, 3, 4)),
            Tuple.of(2, Arbitraries.of(Clusters.CAPACITIES)),
            Tuple.of(1, Arbitraries.of(0, TOO_MUCH))),
        Arbitraries.frequencyOf(
            Tuple.of(24, Amounts.upTo(4)), Tuple.of(1, Amounts.upTo(TOO_MUCH))));
  }

  /** Returns placement constraints over the attributes that generated hosts may have. */
  public static Arbitrary<Constraint> constraints() {
    return Arbitraries.of(CONSTRAINTS);
  }
}
