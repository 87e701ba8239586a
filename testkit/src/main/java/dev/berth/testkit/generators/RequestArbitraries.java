package dev.berth.testkit.generators;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of requests. Most are small; a few demand all of a host, more than any host has, or
 * nothing. Most have no constraints. Some have guaranteed resources, an estimated run time, a
 * deadline, a moldability, memory profiles, or an application. They shrink to a small request in
 * the first class without constraints and options.
 */
public final class RequestArbitraries {

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

  /** Guaranteed shares: none, all but the memory, all but the CPU, half of everything. */
  private static final List<List<Integer>> GUARANTEED =
      List.of(List.of(0, 0, 0, 0), List.of(8, 0, 8, 8), List.of(0, 8, 8, 8), List.of(4, 4, 4, 4));

  private static final List<Duration> ESTIMATES =
      List.of(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofNanos(1),
          Duration.ofMinutes(10),
          Duration.ofDays(36_500));

  private static final List<Duration> DEADLINES =
      List.of(
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofNanos(1),
          Duration.ofHours(1),
          Duration.ofDays(36_500));

  /** Eighths of the demand over time: all of it; growing; varying; falling. */
  private static final List<List<Integer>> MEMORY =
      List.of(List.of(8), List.of(2, 8), List.of(1, 8, 3, 6), List.of(7, 4, 0));

  /** Which of the four optional values are present: each with probability 1/2. */
  private static final List<List<Boolean>> PRESENT =
      IntStream.range(0, 16)
          .mapToObj(bits -> IntStream.range(0, 4).mapToObj(i -> (bits >> i & 1) == 1).toList())
          .toList();

  private RequestArbitraries() {}

  /**
   * Returns requests in some service classes, on any of the {@linkplain ClusterArbitraries#scales
   * scales}. Ids are random from r1 to r999, so two may be equal.
   *
   * @param serviceClasses at least one
   */
  public static Arbitrary<Request> of(List<? extends ServiceClass> serviceClasses) {
    List<ServiceClass> classes = List.copyOf(serviceClasses);
    return Combinators.combine(
            shapes(),
            ClusterArbitraries.scales(),
            Arbitraries.integers().between(1, 999).map(n -> "r" + n))
        .as((shape, scale, id) -> shape.request(id, classes, scale));
  }

  /** Returns requests that do not depend on classes and dimensions. */
  public static Arbitrary<RequestShape> shapes() {
    return Shrinker.shrinking(unshrunk(), RequestArbitraries::simpler);
  }

  static Arbitrary<RequestShape> unshrunk() {
    return Combinators.combine(
            Amounts.upTo(5),
            demands(),
            conditions(),
            Arbitraries.frequency(Tuple.of(6, 0), Tuple.of(1, 1), Tuple.of(1, 2), Tuple.of(1, 3)),
            Arbitraries.of(false, true),
            Arbitraries.frequency(Tuple.of(7, false), Tuple.of(1, true)),
            options())
        .as(RequestShape::new);
  }

  /** Returns requests most of which belong to a job; few refuse to share a host with it. */
  static Arbitrary<RequestShape> ofJobs() {
    return Combinators.combine(
            unshrunk(),
            Arbitraries.frequency(Tuple.of(1, 0), Tuple.of(4, 1), Tuple.of(2, 2), Tuple.of(1, 3)),
            Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true)))
        .as(
            (it, job, antiAffinity) ->
                new RequestShape(
                    it.serviceClass(),
                    it.demand(),
                    it.constraints(),
                    job,
                    antiAffinity,
                    it.reuseId(),
                    it.options()));
  }

  /** Mostly no options; otherwise each may be present. */
  private static Arbitrary<RequestOptions> options() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.just(RequestOptions.NONE)),
        Tuple.of(
            1,
            Combinators.combine(
                    Arbitraries.of(GUARANTEED),
                    Arbitraries.of(ESTIMATES),
                    Arbitraries.of(DEADLINES),
                    Arbitraries.of(false, true),
                    Arbitraries.of(MEMORY),
                    Arbitraries.of(false, true),
                    Arbitraries.of(PRESENT),
                    Arbitraries.of(0, 1, 2))
                .as(
                    (guaranteed,
                        estimate,
                        deadline,
                        moldable,
                        memory,
                        less,
                        present,
                        application) ->
                        new RequestOptions(
                            present.get(0) ? guaranteed : List.of(),
                            Optional.of(estimate).filter(each -> present.get(1)),
                            Optional.of(deadline).filter(each -> present.get(2)),
                            moldable,
                            present.get(3) ? memory : List.of(),
                            less,
                            application))));
  }

  static Stream<RequestShape> simpler(RequestShape it) {
    return Stream.of(
            with(it, List.of(), 0, false, false, RequestOptions.NONE),
            Shrinker.below(it.serviceClass()).map(each -> in(each, it)),
            Amounts.simpler(it.demand()).map(each -> with(it.serviceClass(), each, it)),
            Shrinker.fewer(it.constraints(), 0)
                .flatMap(
                    each ->
                        with(it, each, it.job(), it.antiAffinity(), it.reuseId(), it.options())),
            Shrinker.below(it.job())
                .flatMap(
                    each ->
                        with(
                            it,
                            it.constraints(),
                            each,
                            it.antiAffinity(),
                            it.reuseId(),
                            it.options())),
            with(it, it.constraints(), it.job(), false, it.reuseId(), it.options()),
            with(it, it.constraints(), it.job(), it.antiAffinity(), false, it.options()),
            with(
                it,
                it.constraints(),
                it.job(),
                it.antiAffinity(),
                it.reuseId(),
                RequestOptions.NONE),
            simpler(it.options())
                .flatMap(
                    each ->
                        with(
                            it, it.constraints(), it.job(), it.antiAffinity(), it.reuseId(), each)))
        .flatMap(each -> each);
  }

  /** Returns options with one value less, or with a more usual value. */
  private static Stream<RequestOptions> simpler(RequestOptions it) {
    return Stream.of(
            simplerLists(it.guaranteed(), GUARANTEED)
                .map(each -> changed(it, options -> options.guaranteed = each)),
            simplerTimes(it.estimate(), ESTIMATES)
                .map(each -> changed(it, options -> options.estimate = each)),
            simplerTimes(it.deadline(), DEADLINES)
                .map(each -> changed(it, options -> options.deadline = each)),
            simplerLists(it.memory(), MEMORY)
                .map(each -> changed(it, options -> options.memory = each)),
            Stream.of(
                    changed(it, options -> options.moldable = false),
                    changed(it, options -> options.worksWithLess = false),
                    changed(it, options -> options.application = 0))
                .filter(each -> !each.equals(it)))
        .flatMap(each -> each);
  }

  private static RequestOptions changed(RequestOptions it, Consumer<MutableOptions> change) {
    MutableOptions options = new MutableOptions(it);
    change.accept(options);
    return options.copy();
  }

  private static final class MutableOptions {
    private List<Integer> guaranteed;
    private Optional<Duration> estimate;
    private Optional<Duration> deadline;
    private boolean moldable;
    private List<Integer> memory;
    private boolean worksWithLess;
    private int application;

    MutableOptions(RequestOptions options) {
      this.guaranteed = options.guaranteed();
      this.estimate = options.estimate();
      this.deadline = options.deadline();
      this.moldable = options.moldable();
      this.memory = options.memory();
      this.worksWithLess = options.worksWithLess();
      this.application = options.application();
    }

    RequestOptions copy() {
      return new RequestOptions(
          guaranteed, estimate, deadline, moldable, memory, worksWithLess, application);
    }
  }

  private static Stream<List<Integer>> simplerLists(
      List<Integer> value, List<List<Integer>> usual) {
    return value.isEmpty()
        ? Stream.empty()
        : Stream.concat(Stream.of(List.of()), Shrinker.before(value, usual));
  }

  private static Stream<Optional<Duration>> simplerTimes(
      Optional<Duration> value, List<Duration> usual) {
    return value.stream()
        .flatMap(
            time ->
                Stream.concat(
                    Stream.of(Optional.empty()), Shrinker.before(time, usual).map(Optional::of)));
  }

  /** Returns a request in another service class. */
  static RequestShape in(int serviceClass, RequestShape it) {
    return with(serviceClass, it.demand(), it);
  }

  private static RequestShape with(int serviceClass, List<Integer> demand, RequestShape it) {
    return new RequestShape(
        serviceClass,
        demand,
        it.constraints(),
        it.job(),
        it.antiAffinity(),
        it.reuseId(),
        it.options());
  }

  /** Returns a request with other conditions; empty if they are the same. */
  private static Stream<RequestShape> with(
      RequestShape it,
      List<Constraint> constraints,
      int job,
      boolean antiAffinity,
      boolean reuse,
      RequestOptions options) {
    RequestShape other =
        new RequestShape(
            it.serviceClass(), it.demand(), constraints, job, antiAffinity, reuse, options);
    return other.equals(it) ? Stream.empty() : Stream.of(other);
  }

  /** Mostly none, otherwise one or two. */
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
            Tuple.of(2, Arbitraries.of(ClusterArbitraries.CAPACITIES)),
            Tuple.of(1, Arbitraries.of(0, TOO_MUCH))),
        Arbitraries.frequencyOf(
            Tuple.of(24, Amounts.upTo(4)), Tuple.of(1, Amounts.upTo(TOO_MUCH))));
  }

  /** Returns placement constraints over the attributes that generated hosts may have. */
  public static Arbitrary<Constraint> constraints() {
    return Arbitraries.of(CONSTRAINTS);
  }
}
