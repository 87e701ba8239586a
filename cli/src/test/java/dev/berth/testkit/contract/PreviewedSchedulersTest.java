package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.WhatIf;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import dev.berth.core.internal.state.Hypotheses;
import dev.berth.json.SnapshotFormat;
import dev.berth.test.TestRun;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Questions are asked anywhere in a history. Each preview is the plan of a scheduler in the same
 * state to which the events really happen, and the questions change nothing: the same digests,
 * plans and explanations follow as without them.
 */
class PreviewedSchedulersTest {

  private static final int HISTORIES =
      TestRun.isFixed() ? 3 : TestRun.cases(18); // of each configuration
  private static final int MOST_EVENTS = 4;

  private static final Map<Event.Kind, Integer> COUNTS = new EnumMap<>(Event.Kind.class);
  private static int previews;

  @Provide
  Arbitrary<RestoredSchedulersTest.Choice> choices() {
    return new RestoredSchedulersTest().choices();
  }

  @Property(generation = GenerationMode.EXHAUSTIVE, shrinking = ShrinkingMode.OFF)
  void isThePlanOfTheActualEventsAndChangesNothing(
      @ForAll("choices") RestoredSchedulersTest.Choice choice) {
    RandomGenerator<History> usual = HistoryArbitraries.ofUpTo(60).generator(1000, true);
    RandomGenerator<History> limited = HistoryArbitraries.withLimits(60).generator(1000, true);
    RandomGenerator<History> dependent =
        HistoryArbitraries.withDependencies(60).generator(1000, true);
    Random random = new Random(choice.toString().hashCode() * TestRun.seed());
    for (int i = 0; i < HISTORIES; i++) {
      History history =
          (i % 3 == 0 ? usual : i % 3 == 1 ? limited : dependent).next(random).value();
      run(choice, history, new Random(random.nextLong()), "history " + i + " of " + choice);
    }
  }

  @AfterContainer
  static void asksOfEachKind() {
    assertThat(previews).isGreaterThan(20 * HISTORIES);
    assertThat(COUNTS.keySet())
        .containsExactlyElementsOf(
            Stream.of(Event.Kind.values()).filter(Hypotheses::canBe).toList());
  }

  private void run(
      RestoredSchedulersTest.Choice choice, History history, Random random, String name) {
    Setting setting = Setting.of(history);
    Scheduler asked = RestoredSchedulersTest.builder(choice, setting).build();
    Scheduler left = RestoredSchedulersTest.builder(choice, setting).build();
    for (RuleCheck.Exchange each : RestoredSchedulersTest.record(choice, history)) {
      String where = name + ", before: " + each.call().describe();
      if (random.nextInt(3) == 0 && asked.now() != Long.MIN_VALUE) {
        ask(choice, setting, asked, random, where);
        assertSame(asked, left, where);
      }
      Optional<Record> expected = each.call().applyTo(EventTarget.of(left));
      Optional<Record> actual = each.call().applyTo(EventTarget.of(asked));
      assertThat(actual).as(where).isEqualTo(expected);
      assertSame(asked, left, where);
      assertThat(asked.nextPassAt()).as(where).isEqualTo(left.nextPassAt());
    }
    RestoredSchedulersTest.assertSameExplanations(left, asked, name);
  }

  private static void assertSame(Scheduler asked, Scheduler left, String where) {
    if (asked.digest() != left.digest()) {
      assertThat(text(asked)).as(where).isEqualTo(text(left)); // shows the difference
    }
    assertThat(asked.digest()).as(where).isEqualTo(left.digest());
  }

  private static String text(Scheduler scheduler) {
    return new String(SnapshotFormat.JSON.toBytes(scheduler.snapshot()), StandardCharsets.UTF_8);
  }

  private void ask(
      RestoredSchedulersTest.Choice choice,
      Setting setting,
      Scheduler asked,
      Random random,
      String where) {
    long now = asked.now();
    Scheduler actual =
        RestoredSchedulersTest.builder(choice, setting).restore(asked.snapshot()).build();
    WhatIf question = asked.whatIf();
    List<Event.Kind> kinds = new ArrayList<>();
    boolean refused = false;
    for (int i = random.nextInt(MOST_EVENTS + 1); i > 0 && !refused; i--) {
      Event<?> event = draw(actual, random);
      kinds.add(event.kind());
      COUNTS.merge(event.kind(), 1, Integer::sum);
      question.suppose(event);
      try {
        apply(event, actual, now);
      } catch (EventRefusedException expected) {
        refused = true;
      }
    }
    String what = where + ", supposed: " + kinds;
    if (refused) {
      assertThatExceptionOfType(EventRefusedException.class)
          .as(what)
          .isThrownBy(() -> question.plan(now));
    } else {
      Plan plan = actual.schedule(now);
      assertThat(question.plan(now).plan()).as(what).isEqualTo(plan);
      for (Instance each : actual.instances()) {
        if (each.state() == InstanceState.PENDING && random.nextInt(4) == 0) {
          assertThat(question.whyPending(each.id(), now))
              .as(what)
              .isEqualTo(actual.explain().whyPending(each.id(), now));
        }
      }
      previews++;
    }
  }

  private static Event<?> draw(Scheduler state, Random random) {
    List<Host> hosts = state.hosts();
    List<Instance> instances = List.copyOf(state.instances());
    Host host = hosts.isEmpty() ? null : hosts.get(random.nextInt(hosts.size()));
    String id = host == null ? "nowhere" : host.id();
    Instance instance =
        instances.isEmpty() ? null : instances.get(random.nextInt(instances.size()));
    return switch (random.nextInt(14)) {
      case 0 -> new Event.HostAdded(spec("new" + random.nextInt(3), hosts, random));
      case 1 -> new Event.HostRemoved(id);
      case 2 -> new Event.HostChanged(spec(id, hosts, random));
      case 3 ->
          new Event.ForeignLoadReported(
              id,
              host == null || random.nextInt(3) == 0 ? Resources.none() : half(host.capacity()));
      case 4 -> new Event.HostCordoned(id);
      case 5 -> new Event.HostUncordoned(id);
      case 6 ->
          new Event.HostDrained(
              id, random.nextBoolean() ? Drain.moving() : Drain.waiting().until(state.now()));
      case 7 ->
          new Event.LimitSet(
              RequestOptions.LIMITS.get(random.nextInt(RequestOptions.LIMITS.size())),
              random.nextInt(4));
      case 8 -> new Event.Submitted(request("new" + random.nextInt(3), instance, state, random));
      case 9 ->
          new Event.BagSubmitted(
              new BagSpec(
                  "bag" + random.nextInt(2),
                  List.of(request("new" + random.nextInt(3), instance, state, random))));
      case 10 ->
          new Event.GroupSubmitted(
              new GroupSpec(
                  "group" + random.nextInt(2),
                  List.of(request("new" + random.nextInt(3), instance, state, random))));
      case 11 -> new Event.BudgetSet("j1", DisruptionBudget.maxDown(random.nextInt(2)));
      case 12 -> new Event.BudgetRemoved("j1");
      default ->
          instance != null && instance.state() == InstanceState.RUNNING && random.nextInt(4) > 0
              ? new Event.CompletedNow(instance.id(), Optional.empty())
              : new Event.Cancelled(instance == null ? "nothing" : instance.id());
    };
  }

  /** Applies an event, but of hosts only to those that are up. */
  private static void apply(Event<?> event, Scheduler scheduler, long now) {
    if (event instanceof Event.HostRemoved removed && scheduler.host(removed.host()).isEmpty()) {
      throw new EventRefusedException(
          EventRefusedException.Code.UNKNOWN_HOST, removed.host(), "not up");
    }
    scheduler.apply(event, now);
  }

  private static HostSpec spec(String id, List<Host> hosts, Random random) {
    Host like = hosts.isEmpty() ? null : hosts.get(random.nextInt(hosts.size()));
    if (like == null) {
      return new HostSpec(id, Resources.none());
    }
    Resources capacity = random.nextBoolean() ? like.capacity() : half(like.capacity());
    List<Taint> taints = random.nextInt(3) == 0 ? List.of() : like.taints();
    return new HostSpec(id, capacity, like.attributes(), like.timeShared(), taints);
  }

  private static Resources half(Resources amounts) {
    Resources.Builder half = Resources.builder();
    amounts.dimensions().forEach(each -> half.put(each, amounts.amount(each) / 2));
    return half.build();
  }

  private static Request request(String id, Instance like, Scheduler state, Random random) {
    String serviceClass =
        state.serviceClasses().get(random.nextInt(state.serviceClasses().size())).name();
    Request.Builder request = Request.builder(id, serviceClass);
    return like == null
        ? request.demand(Resources.none()).build()
        : request.demand(like.request().demand()).placement(like.request().placement()).build();
  }
}
