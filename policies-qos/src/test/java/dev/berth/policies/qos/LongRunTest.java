package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.test.TestRun;
import dev.berth.testkit.contract.DifferentialRun;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.QosDriven.Cost;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The engine gives the plans of the reference model through one long run. State that it keeps
 * sorted, and slots and ids that it reuses, stay consistent.
 */
class LongRunTest {

  private static final int EVENTS = TestRun.cases(8_750);

  /** The number of instances varies between these. */
  private static final int FEWEST = 30;

  private static final int MOST = 160;

  static Stream<Arguments> runs() {
    QosDriven ruthless =
        new QosDriven(2_370_000_000L, new ReferenceScore(0.3, 1.7), Cost.AS_PRINTED, false, true);
    return Stream.of(
        Arguments.of(QosDriven.PAPER, 1, 12),
        Arguments.of(ruthless, 2, 10),
        Arguments.of(PriorityBased.PAPER, 3, 20), // more than the engine has slots at first
        Arguments.of(new PriorityBased(new ReferenceScore(1, 0), false, true), 4, 12));
  }

  @ParameterizedTest
  @MethodSource("runs")
  void reproducesKnownPlans(ReferencePolicy policy, long seed, int hosts) {
    SplittableRandom random = new SplittableRandom(seed * TestRun.seed());
    History cluster = cluster(seed, hosts);
    DifferentialRun run =
        new DifferentialRun(
            Policies.start(policy, Setting.of(cluster)),
            cluster,
            policy,
            Optional.of(Policies.WATCHDOG),
            Plan::equals);
    ReferenceCluster alive = run.cluster();
    run.begin();
    boolean growing = true;
    while (run.events() < EVENTS) {
      int count = alive.instances().size();
      growing = growing ? count < MOST : count < FEWEST;
      run.play(step(alive, random, hosts, growing));
    }
    assertThat(run.coverage().of(Mark.PASS_PREEMPTING)).isGreaterThan(EVENTS / 500);
  }

  private static History cluster(long seed, int count) {
    List<ServiceClass> classes =
        List.of(
            ServiceClass.builder("gold").slo(1).importance(1).build(),
            ServiceClass.builder("silver").slo(0.9).importance(2).build(),
            ServiceClass.builder("bronze").slo(0.5).importance(3).build(),
            ServiceClass.builder("copper")
                .slo(1.0 / 3)
                .importance(3)
                .safetyMargin(Duration.ofMinutes(2))
                .preemptionOverheadLimit(0.05)
                .build());
    Scale scale = new Scale(2, 375_000_000);
    List<HostSpec> hosts =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    new HostSpec(
                        "h" + i,
                        scale.resources(i % 4 == 3 ? List.of(24, 12) : List.of(16, 16)),
                        Map.of("zone", i % 3 == 0 ? "a" : "b", "level", Integer.toString(i))))
            .toList();
    return new History(seed, 0, classes, scale, hosts, count, List.of());
  }

  private static Step step(
      ReferenceCluster cluster, SplittableRandom random, int hosts, boolean growing) {
    int pick = random.nextInt(1 << 20);
    int dice = random.nextInt(100);
    if (dice < 9) {
      return new Step.Pass();
    } else if (dice < 20) {
      return new Step.Elapse(pause(random));
    } else if (dice < 50) {
      return new Step.Start(pick);
    } else if (dice < 52) {
      return new Step.Fail(pick);
    } else if (dice < 54) {
      return new Step.Cancel(pick);
    } else if (dice < 56) {
      return cluster.hosts().size() > hosts / 2 ? new Step.RemoveHost(pick) : new Step.Pass();
    } else if (dice < 60) {
      return new Step.AddOtherHost(pick, random.nextInt(hosts));
    } else if (dice < (growing ? 70 : 90)) {
      return new Step.Complete(pick);
    }
    return new Step.Submit(request(random, hosts));
  }

  private static Duration pause(SplittableRandom random) {
    return random.nextInt(4) == 0
        ? Duration.ofNanos(random.nextLong(Duration.ofSeconds(40).toNanos()))
        : Duration.ofSeconds(random.nextInt(8));
  }

  private static RequestShape request(SplittableRandom random, int hosts) {
    int size = random.nextInt(40) == 0 ? 14 : 1 + random.nextInt(random.nextBoolean() ? 1 : 4);
    boolean alike = random.nextInt(3) > 0;
    List<Constraint> constraints = new ArrayList<>();
    if (random.nextInt(5) == 0) {
      constraints.add(
          random.nextBoolean()
              ? new Constraint.Equal("zone", "a")
              : new Constraint.LessThan("level", random.nextInt(2, hosts)));
    }
    return new RequestShape(
        random.nextInt(4),
        List.of(size, alike ? size : random.nextInt(6)),
        constraints,
        random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 0,
        random.nextBoolean(),
        random.nextInt(3) == 0);
  }
}
