package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** P23: parts answer the same when they are asked twice, with numbers, and keep nothing. */
class PurePartsTest {

  private static final VictimOrder OLDEST_FIRST = Stage.victimsBy(each -> -each.admittedAt());
  private static final Verdict ALLOWED = Verdict.allow("any", "any victim");
  private static final PreemptionRule ALLOW_ALL = pair -> ALLOWED;

  // ---- Different answers

  @Test
  void detectsAChangingQueueKey() {
    Ticker ticker = new Ticker();
    Stage stage = contendedStage(each -> each.queue(instance -> ticker.next()));
    ticker.start();
    stage.finds(
        Rule.P23,
        "QueueOrder.key of g2 answered 1, and asked again 2",
        () -> stage.submit("g2", "gold", 1));
    assertThat(stage.scheduler.instance("g2")).as("the event is refused").isEmpty();
  }

  @Test
  void detectsAChangingVictimKey() {
    Ticker ticker = new Ticker();
    VictimOrder order = Stage.victimsBy(instance -> ticker.next());
    Stage stage = contendedStage(each -> each.preemption(order, ALLOW_ALL));
    ticker.start();
    stage.finds(
        Rule.P23,
        "VictimOrder.key of g2 answered 1, and asked again 2",
        () -> stage.submit("g2", "gold", 1));
  }

  /** Parts whose constants change; the pipeline reads them when it is built or used first. */
  static Stream<Arguments> changingConstants() {
    Ticker ticker = new Ticker();
    ticker.start();
    QueueOrder queue = new TieredQueue(ticker::next);
    return Stream.of(
        Arguments.of("QueueOrder.tier of b1", part(each -> each.queue(queue))),
        Arguments.of(
            "VictimOrder.tier of gold",
            part(each -> each.preemption(victims(now -> 0, ticker::next), ALLOW_ALL))),
        Arguments.of(
            "PreemptionCost.width of 2 classes",
            part(each -> each.preemptionCost(cost(ticker::next, tuple -> {}, tuple -> {})))));
  }

  @ParameterizedTest
  @MethodSource("changingConstants")
  void detectsAChangingConstant(String what, UnaryOperator<PipelineBuilder> parts) {
    assertThat(catchThrowable(() -> contendedStage(parts)))
        .hasMessageMatching("P23 partsArePure: " + what + " answered \\d+, and asked again \\d+");
  }

  static Stream<Arguments> changingAnswers() {
    return Stream.of(
        changing(
            "VictimOrder.drift of gold, RUNNING, at 7 ns answered 1, and asked again 2",
            (each, ticker) -> each.preemption(victims(now -> ticker.next(), () -> 0), ALLOW_ALL)),
        changing(
            "PreemptionRule.judge of b1 for g1 answered "
                + Verdict.refuse("odd", "odd")
                + ", and asked again "
                + ALLOWED,
            (each, ticker) ->
                each.preemption(
                    OLDEST_FIRST,
                    pair -> ticker.next() % 2 == 1 ? Verdict.refuse("odd", "odd") : ALLOWED)),
        changing(
            "PreemptionCost.add of b1 for g1 answered [1.0], and asked again [2.0]",
            (each, ticker) ->
                each.preemptionCost(cost(() -> 1, tuple -> tuple[0] += ticker.next(), t -> {}))),
        changing(
            "PreemptionCost.finish of [3.0] answered [4.0], and asked again [5.0]",
            (each, ticker) ->
                each.preemptionCost(
                    cost(() -> 1, tuple -> tuple[0] = 3, tuple -> tuple[0] += ticker.next()))),
        changing(
            "AllocationScore.score of g1 on h1 answered 1.0, and asked again 2.0",
            (each, ticker) -> each.allocationScore(fit -> ticker.next())));
  }

  @ParameterizedTest
  @MethodSource("changingAnswers")
  void detectsAChangingAnswer(String what, BiConsumer<PipelineBuilder, Ticker> misbehaves) {
    Ticker ticker = new Ticker();
    Stage stage = contendedStage(part(each -> misbehaves.accept(each, ticker)));
    ticker.start();
    stage.findsInPass(Rule.P23, what);
  }

  // ---- Answers that are not numbers

  static Stream<Arguments> notNumbers() {
    return Stream.of(
        changing(
            "PreemptionCost.add of b1 for g1 makes [NaN], which are not all numbers",
            (each, ticker) ->
                each.preemptionCost(
                    cost(() -> 1, tuple -> tuple[0] /= 0 * ticker.next(), tuple -> {}))),
        changing(
            "PreemptionCost.finish of [0.0, 1.0] makes [NaN, 1.0], which are not all numbers",
            (each, ticker) ->
                each.preemptionCost(
                    cost(() -> 2, tuple -> tuple[1]++, tuple -> tuple[0] /= tuple[0]))),
        changing(
            "AllocationScore.score of g1 on h1 is not a number",
            (each, ticker) -> each.allocationScore(fit -> ticker.isRunning() ? Double.NaN : 0)));
  }

  @ParameterizedTest
  @MethodSource("notNumbers")
  void detectsAnswersThatAreNotNumbers(
      String what, BiConsumer<PipelineBuilder, Ticker> misbehaves) {
    detectsAChangingAnswer(what, misbehaves);
  }

  @Test
  void acceptsInfinity() {
    PreemptionCost cost = cost(() -> 1, tuple -> tuple[0]--, tuple -> tuple[0] /= 0);
    Stage stage =
        contendedStage(
            each -> each.preemptionCost(cost).allocationScore(fit -> Double.POSITIVE_INFINITY));
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.findsNothing();
  }

  // ---- Kept views

  private static final String JUDGE = "is used when the call of PreemptionRule.judge is over";
  private static final String SCORE = "is used when the call of AllocationScore.score is over";

  static Stream<Arguments> keptPairs() {
    return Stream.of(
        keeping("now() of the pair", each -> each, PreemptionPair::now),
        keeping("beneficiary() of the pair", each -> each, PreemptionPair::beneficiary),
        keeping(
            "beneficiaryClassRank() of the pair",
            each -> each,
            PreemptionPair::beneficiaryClassRank),
        keeping("beneficiaryValue() of the pair", each -> each, PreemptionPair::beneficiaryValue),
        keeping("victim() of the pair", each -> each, PreemptionPair::victim),
        keeping("victimClassRank() of the pair", each -> each, PreemptionPair::victimClassRank),
        keeping("victimValue() of the pair", each -> each, PreemptionPair::victimValue),
        keeping("state() of instance b1", PreemptionPair::victim, Instance::state),
        keeping("id() of host h1", PurePartsTest::hostOf, Host::id),
        keeping(
            "instances() of host h1",
            each -> hostOf(each).instances(),
            each -> assertThat(each).isNotEmpty()));
  }

  private static Host hostOf(PreemptionPair pair) {
    return pair.victim().host().orElseThrow();
  }

  private static <T> Arguments keeping(
      String what, Function<PreemptionPair, T> keeps, Consumer<T> uses) {
    return Arguments.of(what, Named.of("keeper", new Keeper<>(keeps, uses, new ArrayList<>())));
  }

  private record Keeper<V, T>(Function<V, T> keeps, Consumer<T> uses, List<T> kept) {

    void keep(V shown) {
      kept.add(keeps.apply(shown));
    }

    void use() {
      uses.accept(kept.get(0));
    }
  }

  @ParameterizedTest
  @MethodSource("keptPairs")
  void detectsUseOfAPairInALaterCall(String what, Keeper<PreemptionPair, ?> keeper) {
    PreemptionRule rule =
        pair -> {
          keeper.keep(pair);
          keeper.use();
          return ALLOWED;
        };
    Stage stage = contendedStage(each -> each.preemption(OLDEST_FIRST, rule));
    stage.findsInPass(Rule.P23, what + " " + JUDGE);
  }

  @ParameterizedTest
  @MethodSource("keptPairs")
  void detectsUseOfAPairOnAnotherThread(String what, Keeper<PreemptionPair, ?> keeper) {
    String expected =
        "%s is used on thread other, but the call of PreemptionRule.judge is on thread %s"
            .formatted(what, Thread.currentThread().getName());
    PreemptionRule rule =
        pair -> {
          if (keeper.kept.isEmpty()) {
            keeper.keep(pair);
            Stage.isBroken(Stage.elsewhere(keeper::use), Rule.P23, expected);
          }
          return ALLOWED;
        };
    Stage stage = contendedStage(each -> each.preemption(OLDEST_FIRST, rule));
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.remembers(Rule.P23, expected);
  }

  static Stream<Arguments> keptFits() {
    return Stream.of(
        keepingFit("dimensions() of the fit", each -> each, each -> each.dimensions()),
        keepingFit("capacity() of the fit", each -> each, each -> each.capacity(0)),
        keepingFit("used() of the fit", each -> each, each -> each.used(0)),
        keepingFit("dimension() of the fit", each -> each, each -> each.dimension(0)),
        keepingFit("host() of the fit", each -> each, AllocationScore.Fit::host),
        keepingFit("instance() of the fit", each -> each, AllocationScore.Fit::instance),
        keepingFit("id() of host h1", AllocationScore.Fit::host, Host::id),
        keepingFit("id() of instance b1", AllocationScore.Fit::instance, Instance::id));
  }

  private static <T> Arguments keepingFit(
      String what, Function<AllocationScore.Fit, T> keeps, Consumer<T> uses) {
    return Arguments.of(what, Named.of("keeper", new Keeper<>(keeps, uses, new ArrayList<>())));
  }

  @ParameterizedTest
  @MethodSource("keptFits")
  void detectsUseOfAFitAfterItsCall(String what, Keeper<AllocationScore.Fit, ?> keeper) {
    AllocationScore score =
        fit -> {
          keeper.keep(fit);
          return 0;
        };
    Stage stage = contendedStage(each -> each.allocationScore(score));
    stage.finds(Rule.P23, what + " " + SCORE, keeper::use);
  }

  @Test
  void detectsUseOfAnInstanceAfterItsKey() {
    List<Instance> kept = new ArrayList<>();
    QueueOrder order =
        instance -> {
          kept.add(instance);
          return kept.get(0).admittedAt();
        };
    Stage stage = new Stage(context -> context.pipeline().queue(order).build());
    stage.finds(
        Rule.P23,
        "admittedAt() of instance b1 is used when the call of QueueOrder.key is over",
        () -> stage.submit("b1", "bronze", 1));
  }

  @Test
  void recordsViolationsThatAPartCatches() {
    List<PreemptionPair> kept = new ArrayList<>();
    PreemptionRule rule =
        pair -> {
          kept.add(pair);
          if (kept.size() == 2) {
            assertThat(catchThrowable(kept.get(0)::now)).isNotNull();
          }
          return ALLOWED;
        };
    Stage stage = contendedStage(each -> each.preemption(OLDEST_FIRST, rule));
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.remembers(Rule.P23, "now() of the pair " + JUDGE);
  }

  // ---- Correct use

  @Test
  void instancesAndHostsHaveOneViewInACall() {
    PreemptionRule rule =
        pair -> {
          assertThat(pair.victim()).isSameAs(pair.victim()).isNotEqualTo(pair.beneficiary());
          assertThat(hostOf(pair)).isSameAs(hostOf(pair)).isEqualTo(hostOf(pair));
          assertThat(hostOf(pair).instances()).contains(pair.victim());
          return ALLOWED;
        };
    AllocationScore score =
        fit -> {
          assertThat(fit.host()).isSameAs(fit.host());
          assertThat(fit.instance()).isSameAs(fit.instance());
          return 0;
        };
    Stage stage =
        contendedStage(each -> each.preemption(OLDEST_FIRST, rule).allocationScore(score));
    assertThat(stage.pass().preemptions()).hasSize(1);
    stage.findsNothing();
  }

  /** A hand-written policy may inspect the pass and then run a pipeline. */
  @Test
  void partsGetTheViewsOfThePass() {
    List<Instance> sacred = new ArrayList<>();
    PreemptionRule rule =
        pair ->
            sacred.get(0) == pair.victim() && sacred.contains(pair.victim())
                ? Verdict.refuse("sacred", "sacred")
                : ALLOWED;
    Stage stage =
        new Stage(
            context -> {
              var pipeline = context.pipeline().preemption(OLDEST_FIRST, rule).build();
              return pass -> {
                pass.instance("b1").ifPresent(sacred::add);
                pipeline.schedule(pass);
                sacred.clear();
              };
            });
    stage.host("h1", 2).running(2).submit("g1", "gold", 1);
    assertThat(stage.pass().preemptions())
        .extracting(each -> each.instance())
        .containsExactly("b2");
    stage.findsNothing();
  }

  /** P27 tests whether the order matters. */
  @Test
  void bothCallsSeeTheSameOrder() {
    AllocationScore score =
        fit -> Double.parseDouble(fit.host().instances().iterator().next().id().substring(1));
    Stage stage =
        new Stage(
            OptionalLong.of(3),
            context ->
                context
                    .pipeline()
                    .preemption(OLDEST_FIRST, ALLOW_ALL)
                    .allocationScore(fit -> fit.host().instances().isEmpty() ? 0 : score.score(fit))
                    .build());
    stage.host("h1", 9).running(9);
    for (int i = 0; i < 20; i++) {
      stage.submit("g" + i, "gold", 1);
    }
    stage.pass();
    stage.findsNothing();
  }

  // ---- Shorthand

  /** Counts up after its start; returns 0 before. */
  private static final class Ticker {
    private boolean running;
    private int ticks;

    void start() {
      running = true;
    }

    boolean isRunning() {
      return running;
    }

    int next() {
      return running ? ++ticks : 0;
    }
  }

  /** b1 and b2 run on h1, which is full; g1 is pending. */
  private static Stage contendedStage(UnaryOperator<PipelineBuilder> parts) {
    Stage stage =
        new Stage(
            context -> parts.apply(context.pipeline().preemption(OLDEST_FIRST, ALLOW_ALL)).build());
    return stage.host("h1", 2).running(2).submit("g1", "gold", 1);
  }

  private static UnaryOperator<PipelineBuilder> part(Consumer<PipelineBuilder> sets) {
    return builder -> {
      sets.accept(builder);
      return builder;
    };
  }

  private static Arguments changing(String what, BiConsumer<PipelineBuilder, Ticker> misbehaves) {
    return Arguments.of(what, Named.of("part", misbehaves));
  }

  private static VictimOrder victims(Function<Long, Integer> drift, IntSupplier tier) {
    return new TieredVictims(drift, tier);
  }

  private record TieredQueue(IntSupplier tiers) implements QueueOrder {
    @Override
    public long key(Instance pending) {
      return 0;
    }

    @Override
    public int tier(Instance pending, long now) {
      return tiers.getAsInt();
    }
  }

  private record TieredVictims(Function<Long, Integer> drifts, IntSupplier tiers)
      implements VictimOrder {
    @Override
    public long key(Instance instance) {
      return -instance.admittedAt();
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return drifts.apply(now);
    }

    @Override
    public int tier(ServiceClass serviceClass) {
      return tiers.getAsInt();
    }
  }

  private static PreemptionCost cost(
      IntSupplier width, Consumer<double[]> add, Consumer<double[]> finish) {
    return new PreemptionCost() {
      @Override
      public int width(int classes) {
        return width.getAsInt();
      }

      @Override
      public void add(PreemptionPair pair, double[] tuple) {
        add.accept(tuple);
      }

      @Override
      public void finish(double[] tuple) {
        finish.accept(tuple);
      }
    };
  }
}
