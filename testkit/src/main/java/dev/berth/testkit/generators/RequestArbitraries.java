package dev.berth.testkit.generators;

import static dev.berth.testkit.generators.Shrinker.with;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.LimitUse;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.testkit.generators.Amounts.Form;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Generators of requests. Most are small; a few demand all of a host, more than any host has, or
 * nothing. Most have no constraints. Some have guaranteed resources, an estimated run time, a
 * deadline, a longest run time, a moldability, memory profiles, or an application. They shrink to a
 * small request in the first class without constraints and options.
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

  private static final List<Duration> ESTIMATES = Amounts.lengths("10s 30s 1ns 10m 36500d");

  /** Deadlines and longest run times. */
  private static final List<Duration> LIMITS = Amounts.lengths("30s 10s 1ns 1h 36500d");

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

  /**
   * Returns requests most of which are of the first class, estimate a length, and name an
   * application; a few estimate another length.
   */
  static Arbitrary<RequestShape> jobs(Duration length, int application) {
    List<Optional<Duration>> estimates =
        new ArrayList<>(Collections.nCopies(16, Optional.of(length)));
    estimates.addAll(Collections.nCopies(3, Optional.empty()));
    estimates.add(Optional.of(length.multipliedBy(6)));
    return Combinators.combine(
            unshrunk(),
            Arbitraries.of(true, true, true, true, false),
            Arbitraries.of(estimates),
            Arbitraries.of(0, application, application))
        .as(
            (shape, first, estimate, known) ->
                new RequestShape(
                    first ? 0 : shape.serviceClass(),
                    shape.demand(),
                    List.of(),
                    0,
                    false,
                    shape.reuseId(),
                    new RequestOptions(
                        List.of(), estimate, Optional.empty(), false, List.of(), false, known)));
  }

  /** Returns requests most of which belong to a job; few refuse to share a host with it. */
  static Arbitrary<RequestShape> ofJobs() {
    return Combinators.combine(
            unshrunk(),
            Arbitraries.frequency(Tuple.of(1, 0), Tuple.of(4, 1), Tuple.of(2, 2), Tuple.of(1, 3)),
            Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true)))
        .as(RequestShape::ofJob);
  }

  /**
   * Returns requests of which most belong to a job or a tier and have tolerations, rules or
   * preferences, for hosts with {@linkplain ClusterArbitraries#placedHostShapes places and taints}.
   */
  static Arbitrary<RequestShape> placed() {
    return Combinators.combine(unshrunk(), Amounts.upTo(3), Amounts.upTo(2), placements())
        .as(
            (shape, job, tier, placement) ->
                shape
                    .ofJob(job, shape.antiAffinity() && shape.job() > 0)
                    .with(shape.options().placed(tier, placement.of(job, tier))));
  }

  /** Returns the same requests, most of which also use counted limits. */
  static Arbitrary<RequestShape> limited() {
    return Combinators.combine(placed(), limitUses())
        .as(
            (shape, uses) -> {
              PlacementSpec spec = shape.options().placement();
              return shape.placed(
                  new PlacementSpec(spec.tolerations(), spec.rules(), spec.preferences(), uses));
            });
  }

  /** Returns requests of which half are to start after others. */
  static Arbitrary<RequestShape> dependent() {
    return Combinators.combine(unshrunk(), Arbitraries.of(0, 0, 0, 1, 1, 2))
        .as((shape, others) -> shape.with(shape.options().after(others)));
  }

  /**
   * The first limit counts instances, the second one hosts. Requests do not agree about the third.
   */
  private static Arbitrary<List<LimitUse>> limitUses() {
    Arbitrary<LimitUse> use =
        Combinators.combine(
                Arbitraries.of(0, 0, 1, 1, 2),
                Arbitraries.of(LimitUse.Kind.class),
                Arbitraries.of(1, 1, 1, 2, 3))
            .as(
                (number, kind, amount) ->
                    switch (number) {
                      case 0 -> limitUse(0, LimitUse.Kind.PER_INSTANCE, Math.min(2, amount));
                      case 1 -> limitUse(1, LimitUse.Kind.PER_HOST, 1);
                      default -> limitUse(2, kind, amount);
                    });
    return ElementRun.lists(use, 0, 0, 1, 1, 1, 1, 2)
        .map(uses -> ElementRun.distinct(uses, LimitUse::limit));
  }

  private static LimitUse limitUse(int number, LimitUse.Kind kind, long amount) {
    return new LimitUse(RequestOptions.LIMITS.get(number), kind, amount);
  }

  // ---- Tolerations, rules and preferences

  /** Something that depends on the job and the tier of its request. */
  private interface Choice<T> {
    T of(int job, int tier);
  }

  private static final List<Toleration> TOLERATIONS =
      List.of(
          Toleration.of("disk"),
          Toleration.of("disk", "full"),
          Toleration.of("gpu"),
          tolerating(Taint.Effect.NO_NEW),
          tolerating(Taint.Effect.PREFER_NOT),
          new Toleration(
              Optional.of("gpu"),
              Optional.empty(),
              Optional.of(Taint.Effect.LEAVE),
              Optional.of(Duration.ofSeconds(30))),
          Toleration.of(Taint.UNREACHABLE),
          new Toleration(
              Optional.of(Taint.UNREACHABLE),
              Optional.empty(),
              Optional.empty(),
              Optional.of(Duration.ofSeconds(5))),
          Toleration.ALL);

  private static final List<Domain> DOMAINS =
      List.of(Domain.of("zone"), Domain.HOST, Domain.of("rack"), Domain.of("zone"));

  private static Toleration tolerating(Taint.Effect effect) {
    return new Toleration(
        Optional.empty(), Optional.empty(), Optional.of(effect), Optional.empty());
  }

  private static Arbitrary<Choice<PlacementSpec>> placements() {
    Arbitrary<List<Toleration>> tolerations =
        ElementRun.lists(Arbitraries.of(TOLERATIONS), 0, 0, 0, 0, 1, 1, 1, 2);
    Arbitrary<List<Choice<PlacementRule>>> rules =
        ElementRun.lists(rules(), 0, 0, 0, 0, 1, 1, 1, 1, 2);
    Arbitrary<List<Choice<Preference>>> wishes = ElementRun.lists(wishes(), 0, 0, 0, 0, 1, 1, 2, 3);
    return Combinators.combine(tolerations, rules, wishes)
        .as(
            (tolerated, chosen, wished) ->
                (job, tier) ->
                    new PlacementSpec(
                        tolerated,
                        chosen.stream().map(each -> each.of(job, tier)).toList(),
                        wished.stream().map(each -> each.of(job, tier)).toList()));
  }

  /** The own job or tier, mostly, or any. */
  private static Arbitrary<Choice<Peers>> peers() {
    return Combinators.combine(Amounts.upTo(5), Amounts.upTo(2))
        .as(
            (kind, number) ->
                (job, tier) ->
                    switch (kind) {
                      case 0, 1, 2 -> Peers.ofJob("j" + (job > 0 ? job : number + 1));
                      case 3 -> Peers.ofJob("j" + (number + 1));
                      case 4 -> Peers.labelled("tier", "t" + (tier > 0 ? tier : 1));
                      default -> Peers.labelled("tier", "t" + (number > 0 ? number : 1));
                    });
  }

  private static Arbitrary<Choice<PlacementRule>> rules() {
    return Combinators.combine(
            Amounts.upTo(4), peers(), Arbitraries.of(DOMAINS), Arbitraries.of(1, 1, 2, 3))
        .as(
            (kind, peers, domain, skew) ->
                (job, tier) ->
                    switch (kind) {
                      case 0 -> new PlacementRule.Near(peers.of(job, tier), domain);
                      case 1, 2 -> new PlacementRule.Apart(peers.of(job, tier), domain);
                      default -> new PlacementRule.Spread(peers.of(job, tier), domain, skew);
                    });
  }

  private static Arbitrary<Choice<Preference>> wishes() {
    return Combinators.combine(
            Amounts.upTo(2),
            peers(),
            Arbitraries.of(DOMAINS),
            constraints(),
            Arbitraries.of(1, 1, 2, 5, Preference.MAX_WEIGHT))
        .as(
            (kind, peers, domain, constraint, weight) ->
                (job, tier) ->
                    switch (kind) {
                      case 0 -> new Preference.OnHost(constraint, weight);
                      case 1 -> new Preference.Near(peers.of(job, tier), domain, weight);
                      default -> new Preference.Apart(peers.of(job, tier), domain, weight);
                    });
  }

  /** Returns specifications with one element less. */
  private static Stream<PlacementSpec> simplerPlacement(PlacementSpec it) {
    return it.isEmpty()
        ? Stream.empty()
        : Shrinker.all(
            Stream.of(PlacementSpec.NONE),
            with(it, "tolerations", Shrinker.fewer(it.tolerations(), 0)),
            with(it, "rules", Shrinker.fewer(it.rules(), 0)),
            with(it, "preferences", Shrinker.fewer(it.preferences(), 0)),
            with(it, "limits", Shrinker.fewer(it.limits(), 0)));
  }

  /**
   * Mostly no options; otherwise each may be present, a longest run time only without a deadline.
   */
  private static Arbitrary<RequestOptions> options() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.just(RequestOptions.NONE)),
        Tuple.of(
            1,
            Combinators.combine(
                    Arbitraries.of(GUARANTEED),
                    Arbitraries.of(ESTIMATES),
                    Arbitraries.of(LIMITS),
                    Arbitraries.of(false, true),
                    Arbitraries.of(MEMORY),
                    Arbitraries.of(false, true),
                    Arbitraries.of(PRESENT),
                    Arbitraries.of(0, 1, 2))
                .as(
                    (guaranteed, estimate, limit, moldable, memory, less, present, application) ->
                        new RequestOptions(
                                present.get(0) ? guaranteed : List.of(),
                                Optional.of(estimate).filter(each -> present.get(1)),
                                Optional.of(limit).filter(each -> present.get(2)),
                                moldable,
                                present.get(3) ? memory : List.of(),
                                less,
                                application)
                            .running(
                                Optional.of(limit).filter(each -> moldable && !present.get(2))))));
  }

  /**
   * Returns simpler demands: those of smaller amounts; for one of nothing, the smallest usual one.
   */
  private static Stream<List<Integer>> demands(List<Integer> demand) {
    return Collections.max(demand) == 0
        ? Stream.of(Collections.nCopies(demand.size(), 1))
        : Amounts.simpler(demand);
  }

  static Stream<RequestShape> simpler(RequestShape it) {
    return Shrinker.all(
            Stream.of(new RequestShape(it.serviceClass(), it.demand(), List.of(), 0, false, false)),
            with(it, "serviceClass", Shrinker.below(it.serviceClass())),
            with(it, "demand", demands(it.demand())),
            with(it, "constraints", Shrinker.fewer(it.constraints(), 0)),
            with(it, "job", Shrinker.below(it.job())),
            with(it, "antiAffinity", Stream.of(false)),
            with(it, "reuseId", Stream.of(false)),
            with(it, "options", Stream.of(RequestOptions.NONE)),
            with(it, "options", simpler(it.options())))
        .filter(each -> !each.equals(it));
  }

  private static Stream<RequestOptions> simpler(RequestOptions it) {
    return Shrinker.all(
            with(it, "guaranteed", simpler(it.guaranteed(), GUARANTEED)),
            with(it, "estimate", Shrinker.simpler(it.estimate(), ESTIMATES)),
            with(it, "deadline", Shrinker.simpler(it.deadline(), LIMITS)),
            with(it, "maxRunTime", Shrinker.simpler(it.maxRunTime(), LIMITS)),
            with(it, "memory", simpler(it.memory(), MEMORY)),
            with(it, "placement", simplerPlacement(it.placement())),
            with(it, "tier", Shrinker.below(it.tier())),
            with(it, "after", Shrinker.below(it.after())),
            with(it, "moldable", Stream.of(false)),
            with(it, "worksWithLess", Stream.of(false)),
            with(it, "application", Stream.of(0)))
        .filter(each -> !each.equals(it));
  }

  private static Stream<List<Integer>> simpler(List<Integer> value, List<List<Integer>> usual) {
    return value.isEmpty()
        ? Stream.empty()
        : Stream.concat(Stream.of(List.of()), Shrinker.before(value, usual));
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
