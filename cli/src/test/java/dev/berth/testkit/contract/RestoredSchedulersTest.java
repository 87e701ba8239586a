package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Plan;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.json.SnapshotFormat;
import dev.berth.test.TestRun;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.ShrinkingMode;

/**
 * A history is cut anywhere. A scheduler that is restored from a snapshot, through a format, goes
 * on as the one that was not cut: the same plans, digests and explanations.
 */
class RestoredSchedulersTest {

  private static final PolicyRegistry REGISTRY = PolicyRegistry.load(); // looks into all jars

  private static final int HISTORIES =
      TestRun.isFixed() ? 5 : TestRun.cases(150); // of each configuration

  /**
   * A configuration.
   *
   * @param limited whether each pass places few, and failed starts hold hosts and instances back
   */
  record Choice(String policy, String config, boolean limited) {
    @Override
    public String toString() {
      return policy + " " + config + (limited ? " limited" : "");
    }
  }

  @Provide
  Arbitrary<Choice> choices() {
    List<Choice> choices = new ArrayList<>();
    for (String id : REGISTRY.ids()) {
      if (REGISTRY.get(id).getClass().getName().startsWith("dev.berth.policies.")) {
        choices.add(new Choice(id, "{}", false));
      }
    }
    choices.add(new Choice("qos-driven", "{}", true));
    choices.add(new Choice("first-fit", "{}", true));
    choices.add(new Choice("qos-hysteresis", "{\"overload\":\"fulfilment\"}", false));
    choices.add(
        new Choice(
            "qos-hysteresis", "{\"overload\":\"fulfilment\",\"expectedOverhead\":\"10s\"}", true));
    for (String backfill : List.of("aggressive", "easy", "conservative")) {
      choices.add(new Choice("first-fit", "{\"backfill\":\"%s\"}".formatted(backfill), false));
      choices.add(
          new Choice(
              "worst-fit",
              "{\"backfill\":\"%s\",\"queue\":\"edf\",\"admission\":\"in-time\",\"elasticity\":{\"control\":false,\"migration\":false}}"
                  .formatted(backfill),
              false));
      choices.add(
          new Choice("memic", "{\"backfill\":\"%s\",\"patience\":2}".formatted(backfill), false));
      choices.add(new Choice("round-robin", "{\"backfill\":\"%s\"}".formatted(backfill), false));
      choices.add(
          new Choice(
              "best-fit",
              "{\"backfill\":\"%s\",\"elasticity\":{\"control\":false,\"migration\":false}}"
                  .formatted(backfill),
              true));
    }
    return Arbitraries.of(choices);
  }

  @Property(generation = GenerationMode.EXHAUSTIVE, shrinking = ShrinkingMode.OFF)
  void goesOnAsIfItHadNotBeenCut(@ForAll("choices") Choice choice) {
    RandomGenerator<History> usual = HistoryArbitraries.ofUpTo(75).generator(1000, true);
    RandomGenerator<History> limited = HistoryArbitraries.withLimits(75).generator(1000, true);
    RandomGenerator<History> dependent =
        HistoryArbitraries.withDependencies(75).generator(1000, true);
    Random random = new Random(choice.toString().hashCode() * TestRun.seed());
    int cuts = 0;
    int plans = 0;
    for (int i = 0; i < HISTORIES; i++) {
      History history =
          (i % 3 == 0 ? usual : i % 3 == 1 ? limited : dependent).next(random).value();
      Setting setting = Setting.of(history);
      List<RuleCheck.Exchange> record = record(choice, history);
      if (record.isEmpty()) {
        continue;
      }
      int cut = random.nextInt(record.size());
      SnapshotFormat format = i % 2 == 0 ? SnapshotFormat.JSON : SnapshotFormat.CBOR;
      plans += compare(choice, setting, record, cut, format, "history " + i + " cut at " + cut);
      cuts++;
    }
    assertThat(cuts).isGreaterThan(HISTORIES / 2);
    assertThat(plans).as("plans after a cut").isGreaterThan(HISTORIES / 2);
  }

  static List<RuleCheck.Exchange> record(Choice choice, History history) {
    PlanRules laws = new PlanRules(Rule.P22, Capabilities.all(), Duration.ZERO, 1, Set.of());
    RuleCheck check =
        new RuleCheck(
            choice.toString(),
            EventTarget.of(
                builder(choice, Setting.of(history)).build(),
                EnumSet.complementOf(EnumSet.of(EventTarget.Feature.REJECTIONS))),
            history,
            laws);
    return check.play().record();
  }

  static Scheduler.Builder builder(Choice choice, Setting setting) {
    Scheduler.Builder builder =
        Scheduler.builder()
            .registry(REGISTRY)
            .policy(choice.policy(), choice.config())
            .serviceClasses(setting.serviceClasses())
            .seed(setting.seed());
    if (!choice.limited()) {
      return builder;
    }
    Backoff times = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));
    return builder.maxPlacements(2).hostBackoff(times).instanceBackoff(times);
  }

  private static int compare(
      Choice choice,
      Setting setting,
      List<RuleCheck.Exchange> record,
      int cut,
      SnapshotFormat format,
      String name) {
    Scheduler uncut = builder(choice, setting).build();
    Scheduler unasked = builder(choice, setting).build(); // for a digest until the end
    for (RuleCheck.Exchange each : record.subList(0, cut)) {
      each.call().applyTo(EventTarget.of(uncut));
      each.call().applyTo(EventTarget.of(unasked));
      uncut.digest();
    }
    SchedulerSnapshot snapshot = uncut.snapshot();
    SchedulerSnapshot read = format.fromBytes(format.toBytes(snapshot));
    assertThat(read).as(name).isEqualTo(snapshot);
    assertThat(snapshot.digest()).as(name).isEqualTo(uncut.digest());
    Scheduler.Builder settings =
        cut % 2 == 0 && !choice.limited()
            ? Scheduler.builder().registry(REGISTRY) // all as the snapshot says
            : builder(choice, setting);
    Scheduler restored = settings.restore(read).build();
    assertThat(restored.snapshot()).as(name).isEqualTo(snapshot);
    assertSameExplanations(uncut, restored, name);
    int plans = 0;
    for (RuleCheck.Exchange each : record.subList(cut, record.size())) {
      Optional<Record> expected = each.call().applyTo(EventTarget.of(uncut));
      Optional<Record> actual = each.call().applyTo(EventTarget.of(restored));
      each.call().applyTo(EventTarget.of(unasked));
      String where = name + ", " + each.call().describe();
      assertThat(actual).as(where).isEqualTo(expected);
      if (expected.orElse(null) instanceof Plan plan) {
        assertThat(((Plan) actual.orElseThrow()).digest()).isEqualTo(plan.digest());
        plans++;
      }
      if (restored.digest() != uncut.digest()) {
        assertThat(restored.snapshot()).as(where).isEqualTo(uncut.snapshot());
      }
      assertThat(restored.digest()).as(where).isEqualTo(uncut.digest());
      assertThat(restored.nextPassAt()).as(where).isEqualTo(uncut.nextPassAt());
    }
    assertThat(restored.snapshot()).as(name).isEqualTo(uncut.snapshot());
    assertThat(uncut.snapshot().digest()).as(name).isEqualTo(uncut.digest());
    assertThat(unasked.digest()).as(name).isEqualTo(uncut.digest());
    assertSameExplanations(uncut, restored, name);
    return plans;
  }

  static void assertSameExplanations(Scheduler uncut, Scheduler restored, String name) {
    if (uncut.now() == Long.MIN_VALUE) {
      return;
    }
    for (Instance each : uncut.instances()) {
      if (each.state() == InstanceState.PENDING) {
        WhyPending expected = uncut.explain().whyPending(each.id(), uncut.now());
        assertThat(restored.explain().whyPending(each.id(), uncut.now()))
            .as(name)
            .isEqualTo(expected);
      }
    }
  }
}
