package dev.berth.testkit.asserting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** P07: views are only used in their pass and on its thread. */
class KeptViewsTest {

  private static final Reason WHY = new Reason.PolicyChoice("mood", "not now");

  /** Keeps an object in the first pass and uses it in the second. */
  private record Keeper<T>(
      String what, Function<SchedulingPass, T> keeps, Consumer<T> uses, List<T> kept)
      implements Policy {

    static <T> Keeper<T> of(String what, Function<SchedulingPass, T> keeps, Consumer<T> uses) {
      return new Keeper<>(what, keeps, uses, new ArrayList<>());
    }

    @Override
    public void schedule(SchedulingPass pass) {
      kept.forEach(uses);
      kept.add(keeps.apply(pass));
    }

    void useAgain() {
      uses.accept(kept.get(0));
    }
  }

  static Stream<Arguments> keepers() {
    return Stream.of(
            Keeper.of("number() of pass 2", pass -> pass, SchedulingPass::number),
            Keeper.of("now() of pass 2", pass -> pass, SchedulingPass::now),
            Keeper.of("triggers() of pass 2", pass -> pass, SchedulingPass::triggers),
            Keeper.of("random() of pass 2", pass -> pass, SchedulingPass::random),
            Keeper.of("hosts() of pass 2", pass -> pass, SchedulingPass::hosts),
            Keeper.of("host() of pass 2", pass -> pass, pass -> pass.host("h1")),
            Keeper.of("pending() of pass 2", pass -> pass, SchedulingPass::pending),
            Keeper.of("instances() of pass 2", pass -> pass, SchedulingPass::instances),
            Keeper.of("instance() of pass 2", pass -> pass, pass -> pass.instance("b1")),
            Keeper.of("fork() of pass 2", pass -> pass, SchedulingPass::fork),
            Keeper.of("now() of a fork of pass 2", SchedulingPass::fork, SchedulingPass::now),
            Keeper.of("now() of a fork of pass 2", pass -> pass.fork().fork(), SchedulingPass::now),
            Keeper.of("keep() of a fork of pass 2", SchedulingPass::fork, Fork::keep),
            Keeper.of("close() of a fork of pass 2", SchedulingPass::fork, Fork::close),
            Keeper.of("id() of instance b1", KeptViewsTest::b1, Instance::id),
            Keeper.of("request() of instance b1", KeptViewsTest::b1, Instance::request),
            Keeper.of("serviceClass() of instance b1", KeptViewsTest::b1, Instance::serviceClass),
            Keeper.of("state() of instance b1", KeptViewsTest::b1, Instance::state),
            Keeper.of("host() of instance b1", KeptViewsTest::b1, Instance::host),
            Keeper.of("admittedAt() of instance b1", KeptViewsTest::b1, Instance::admittedAt),
            Keeper.of("stateSince() of instance b1", KeptViewsTest::b1, Instance::stateSince),
            Keeper.of("serviceTime() of instance b1", KeptViewsTest::b1, b1 -> b1.serviceTime(9)),
            Keeper.of("waitingTime() of instance b1", KeptViewsTest::b1, b1 -> b1.waitingTime(9)),
            Keeper.of("availability() of instance b1", KeptViewsTest::b1, b1 -> b1.availability(9)),
            Keeper.of("earnedTime() of instance b1", KeptViewsTest::b1, b1 -> b1.earnedTime(9)),
            Keeper.of("preemptions() of instance b1", KeptViewsTest::b1, Instance::preemptions),
            Keeper.of("placements() of instance b1", KeptViewsTest::b1, Instance::placements),
            Keeper.of(
                "restartOverhead() of instance b1", KeptViewsTest::b1, Instance::restartOverhead),
            Keeper.of(
                "preemptionOverhead() of instance b1",
                KeptViewsTest::b1,
                b1 -> b1.preemptionOverhead(9)),
            Keeper.of("instance b1", KeptViewsTest::b1, b1 -> assertThat(b1).hasSameHashCodeAs(b1)),
            Keeper.of("id() of host h1", KeptViewsTest::h1, Host::id),
            Keeper.of("capacity() of host h1", KeptViewsTest::h1, Host::capacity),
            Keeper.of("free() of host h1", KeptViewsTest::h1, Host::free),
            Keeper.of("free() of host h1", KeptViewsTest::h1, h1 -> h1.free(Dimension.CPU)),
            Keeper.of("attributes() of host h1", KeptViewsTest::h1, Host::attributes),
            Keeper.of("attribute() of host h1", KeptViewsTest::h1, h1 -> h1.attribute("zone")),
            Keeper.of("instances() of host h1", KeptViewsTest::h1, Host::instances),
            Keeper.of("host h1", KeptViewsTest::h1, h1 -> assertThat(h1).hasSameHashCodeAs(h1)),
            Keeper.of("state() of host h1", KeptViewsTest::h1, Host::state),
            Keeper.of("pool() of host h1", KeptViewsTest::h1, Host::pool),
            Keeper.of("cluster() of host h1", KeptViewsTest::h1, Host::cluster),
            Keeper.of("expiresAt() of host h1", KeptViewsTest::h1, Host::expiresAt),
            Keeper.of("timeShared() of host h1", KeptViewsTest::h1, Host::timeShared),
            Keeper.of("load() of host h1", KeptViewsTest::h1, Host::load),
            Keeper.of("recentCompletions() of host h1", KeptViewsTest::h1, Host::recentCompletions),
            Keeper.of("history() of host h1", KeptViewsTest::h1, h1 -> h1.history("sort")),
            Keeper.of("version() of host h1", KeptViewsTest::h1, Host::version),
            Keeper.of("bag() of instance b1", KeptViewsTest::b1, Instance::bag),
            Keeper.of("pools() of pass 2", pass -> pass, SchedulingPass::pools),
            Keeper.of("bags() of pass 2", pass -> pass, SchedulingPass::bags),
            Keeper.of("endedBags() of pass 2", pass -> pass, SchedulingPass::endedBags),
            Keeper.of("completions() of pass 2", pass -> pass, SchedulingPass::completions),
            Keeper.of("wakeAt() of pass 2", pass -> pass, pass -> pass.wakeAt(Long.MAX_VALUE)),
            Keeper.of("spec() of pool p", KeptViewsTest::p, Pool::spec),
            Keeper.of("starting() of pool p", KeptViewsTest::p, Pool::starting),
            Keeper.of("up() of pool p", KeptViewsTest::p, Pool::up),
            Keeper.of("stopping() of pool p", KeptViewsTest::p, Pool::stopping),
            Keeper.of("room() of pool p", KeptViewsTest::p, Pool::room),
            Keeper.of("failures() of pool p", KeptViewsTest::p, Pool::failures),
            Keeper.of("lastFailureAt() of pool p", KeptViewsTest::p, Pool::lastFailureAt),
            Keeper.of("pool p", KeptViewsTest::p, p -> assertThat(p).hasSameHashCodeAs(p)),
            Keeper.of("id() of bag t", KeptViewsTest::t, Bag::id),
            Keeper.of("size() of bag t", KeptViewsTest::t, Bag::size),
            Keeper.of("instances() of bag t", KeptViewsTest::t, Bag::instances),
            Keeper.of("completed() of bag t", KeptViewsTest::t, Bag::completed),
            Keeper.of("submittedAt() of bag t", KeptViewsTest::t, Bag::submittedAt),
            Keeper.of("estimatedRunTime() of bag t", KeptViewsTest::t, Bag::estimatedRunTime),
            Keeper.of("cluster() of bag t", KeptViewsTest::t, Bag::cluster),
            Keeper.of("assignedAt() of bag t", KeptViewsTest::t, Bag::assignedAt),
            Keeper.of("expiresAt() of bag t", KeptViewsTest::t, Bag::expiresAt),
            Keeper.of("serviceTime() of bag t", KeptViewsTest::t, t -> t.serviceTime(9)),
            Keeper.of("bag t", KeptViewsTest::t, t -> assertThat(t).hasSameHashCodeAs(t)),
            Keeper.of(
                "starting() of pool p",
                pass -> p(pass).starting(),
                each -> assertThat(each).isEmpty()),
            Keeper.of("id() of instance t1", pass -> t(pass).instances().get(0), Instance::id),
            Keeper.of(
                "hosts() of pass 2", SchedulingPass::hosts, each -> assertThat(each).hasSize(2)),
            Keeper.of("pending() of pass 2", SchedulingPass::pending, each -> each.get(0)),
            Keeper.of("pending() of pass 2", pass -> pass.pending().iterator(), i -> i.next()),
            Keeper.of("instances() of pass 2", SchedulingPass::instances, List::copyOf),
            Keeper.of(
                "instances() of host h1",
                pass -> h1(pass).instances(),
                each -> assertThat(each).isEmpty()),
            Keeper.of(
                "id() of instance b1",
                pass -> h1(pass).instances().iterator().next(),
                Instance::id),
            Keeper.of("id() of host h1", pass -> b1(pass).host().orElseThrow(), Host::id),
            Keeper.of("id() of instance b2", pass -> pass.pending().get(0), Instance::id),
            Keeper.of("id() of host h1", pass -> pass.hosts().get(0), Host::id))
        .map(each -> Arguments.of(Named.of(each.what, each)));
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void detectsUseInALaterPass(Keeper<?> keeper) {
    Stage stage = stageWithPoolAndBag(keeper);
    stage.pass();
    stage.findsInPass(Rule.P07, keeper.what + " is used when pass 2 is over");
  }

  @ParameterizedTest
  @MethodSource("keepers")
  void detectsUseOnAnotherThread(Keeper<?> keeper) {
    String here = Thread.currentThread().getName();
    String what = keeper.what + " is used on thread other, but pass 2 is on thread " + here;
    Stage stage =
        stageWithPoolAndBag(
            pass -> {
              keeper.schedule(pass);
              Stage.isBroken(Stage.elsewhere(keeper::useAgain), Rule.P07, what);
            });
    stage.pass();
    stage.remembers(Rule.P07, what);
  }

  @Test
  void detectsUseBetweenPasses() {
    List<Instance> kept = new ArrayList<>();
    Stage stage = stage(pass -> kept.addAll(pass.pending()));
    stage.pass();
    stage.finds(
        Rule.P07, "state() of instance b2 is used when pass 2 is over", () -> kept.get(0).state());
  }

  /** Acts on a pool or a bag of an earlier pass. */
  private interface PoolOrBagAction {
    void on(SchedulingPass pass, Pool p, Bag t);
  }

  static Stream<Arguments> poolOrBagActions() {
    OptionalLong never = OptionalLong.empty();
    PoolOrBagAction provisions = (pass, p, t) -> pass.provision(p, 1, Optional.empty(), never, WHY);
    PoolOrBagAction assigns = (pass, p, t) -> pass.assign(t, "c", never, WHY);
    PoolOrBagAction cancels = (pass, p, t) -> pass.cancel(t, WHY);
    return Stream.of(
        Arguments.of("pool p", Named.of("provisions", provisions)),
        Arguments.of("bag t", Named.of("assigns", assigns)),
        Arguments.of("bag t", Named.of("cancels", cancels)));
  }

  @ParameterizedTest
  @MethodSource("poolOrBagActions")
  void detectsAnOldPoolOrBagAsArgument(String what, PoolOrBagAction action) {
    List<Pool> pools = new ArrayList<>();
    List<Bag> bags = new ArrayList<>();
    Stage stage =
        stageWithPoolAndBag(
            pass -> {
              if (!pools.isEmpty()) {
                action.on(pass, pools.get(0), bags.get(0));
              }
              pools.add(p(pass));
              bags.add(t(pass));
            });
    stage.pass();
    stage.findsInPass(Rule.P07, what + " is used when pass 2 is over");
  }

  @Test
  void poolsAndBagsHaveOneViewInAPass() {
    Stage stage =
        stageWithPoolAndBag(
            pass -> {
              Pool p = p(pass);
              Bag t = t(pass);
              assertThat(p(pass)).isSameAs(p).isEqualTo(p).hasSameHashCodeAs(p);
              assertThat(t(pass)).isSameAs(t).isEqualTo(t).hasSameHashCodeAs(t);
              assertThat(t.instances()).first().isSameAs(pass.instance("t1").orElseThrow());
              OptionalLong never = OptionalLong.empty();
              try (Fork fork = pass.fork()) {
                assertThat(p(fork)).isSameAs(p);
                assertThat(t(fork)).isSameAs(t);
                assertThat(fork.provision(p, 1, Optional.of("c"), never, WHY).accepted()).isTrue();
                assertThat(fork.assign(t, "c", never, WHY).accepted()).isTrue();
                Host starting = p.starting().get(0);
                assertThat(p.starting()).first().isSameAs(starting);
                assertThat(fork.release(starting, WHY).accepted()).isTrue();
                assertThat(fork.cancel(t, WHY).accepted()).isTrue();
              }
              assertThat(p.starting()).isEmpty();
              assertThat(p).isNotEqualTo("p");
              assertThat(t).isNotEqualTo("t");
            });
    stage.pass();
    stage.findsNothing();
  }

  /** Acts on an instance and a host, one of them of an earlier pass. */
  private interface InstanceOrHostAction {
    void on(SchedulingPass pass, Instance b1, Host h1);
  }

  static Stream<Arguments> instanceOrHostActions() {
    InstanceOrHostAction defers = (pass, b1, h1) -> pass.defer(b1, WHY);
    InstanceOrHostAction places = (pass, b1, h1) -> pass.place(b1(pass), h1);
    InstanceOrHostAction breaksTies = (pass, b1, h1) -> pass.tieBreak(b1(pass), h1);
    InstanceOrHostAction preempts =
        (pass, b1, h1) -> pass.obstacle(b1(pass), h1(pass), List.of(b1));
    return Stream.of(
        Arguments.of("instance b1", Named.of("defers", defers)),
        Arguments.of("host h1", Named.of("places", places)),
        Arguments.of("host h1", Named.of("breaks ties", breaksTies)),
        Arguments.of("instance b1", Named.of("preempts", preempts)));
  }

  @ParameterizedTest
  @MethodSource("instanceOrHostActions")
  void detectsAnOldViewAsArgument(String what, InstanceOrHostAction action) {
    List<Instance> instances = new ArrayList<>();
    List<Host> hosts = new ArrayList<>();
    Stage stage =
        stage(
            pass -> {
              if (!hosts.isEmpty()) {
                action.on(pass, instances.get(0), hosts.get(0));
              }
              instances.add(b1(pass));
              hosts.add(h1(pass));
            });
    stage.pass();
    stage.findsInPass(Rule.P07, what + " is used when pass 2 is over");
  }

  @Test
  void detectsComparisonWithAnOldView() {
    Set<Instance> seen = new HashSet<>();
    Stage stage = stage(pass -> seen.addAll(pass.pending()));
    stage.pass();
    stage.findsInPass(Rule.P07, "instance b2 is used when pass 2 is over");
  }

  @Test
  void recordsViolationsThatThePolicyCatches() {
    List<SchedulingPass> kept = new ArrayList<>();
    Stage stage =
        stage(
            pass -> {
              kept.add(pass);
              try {
                kept.get(0).pending();
              } catch (Throwable caught) {
                pass.defer(pass.pending().get(0), WHY);
              }
            });
    stage.pass();
    assertThat(stage.pass().deferrals()).containsOnlyKeys("b2");
    stage.remembers(Rule.P07, "pending() of pass 2 is used when pass 2 is over");
  }

  @Test
  void recordsTheFirstHundredViolations() {
    List<SchedulingPass> kept = new ArrayList<>();
    Stage stage = stage(kept::add);
    stage.pass();
    for (int i = 0; i < 1000; i++) {
      assertThat(catchThrowable(kept.get(0)::now)).isNotNull();
    }
    assertThat(stage.asserting.violations()).hasSize(100);
  }

  // ---- Correct use

  @Test
  void instancesAndHostsHaveOneViewInAPass() {
    Stage stage =
        stage(
            pass -> {
              Instance b1 = b1(pass);
              Host h1 = h1(pass);
              assertThat(pass.instances()).anyMatch(each -> each == b1);
              assertThat(h1.instances()).anyMatch(each -> each == b1).contains(b1);
              assertThat(b1.host().orElseThrow()).isSameAs(h1).isEqualTo(h1).hasSameHashCodeAs(h1);
              assertThat(pass.hosts()).first().isSameAs(h1);
              try (Fork fork = pass.fork();
                  Fork inner = fork.fork()) {
                assertThat(b1(inner)).isSameAs(b1).isEqualTo(b1).hasSameHashCodeAs(b1);
                assertThat(h1(inner)).isSameAs(h1);
                assertThat(inner.pending()).isEqualTo(pass.pending());
              }
              Instance b2 = pass.pending().get(0);
              assertThat(b2).isNotEqualTo(b1).isNotEqualTo("b2");
              assertThat(h1).isNotEqualTo(pass.hosts().get(1)).isNotEqualTo("h1");
              assertThat(pass.hosts()).hasToString("[host h1, host h2]");
            });
    stage.pass();
    stage.findsNothing();
  }

  @Test
  void whatAPolicyInstanceOrHostActionIsUnderstood() {
    Stage stage =
        stage(
            pass -> {
              Instance b2 = pass.pending().get(0);
              Host h1 = h1(pass);
              assertThat(pass.obstacle(b2, h1, List.of())).isPresent();
              assertThat(pass.obstacle(b2, h1, List.of(b1(pass)))).isEmpty();
              assertThat(pass.defer(b2, WHY).accepted()).isTrue();
              try (Fork fork = pass.fork()) {
                assertThat(fork.place(b2, h1, List.of(b1(pass))).accepted()).isTrue();
                assertThat(b2.host()).containsSame(h1);
              }
              assertThat(b2.host()).isEmpty();
              try (Fork fork = pass.fork()) {
                assertThat(fork.place(b2, fork.hosts().get(1)).accepted()).isTrue();
                fork.keep();
              }
            });
    assertThat(stage.pass().placements()).hasSize(1);
    stage.findsNothing();
  }

  @Test
  void acceptsIdsKeptBetweenPasses() {
    Set<String> seen = new HashSet<>();
    List<Instance> buffer = new ArrayList<>();
    Stage stage =
        stage(
            pass -> {
              buffer.clear();
              buffer.addAll(pass.pending());
              buffer.forEach(each -> seen.add(each.id()));
            });
    stage.pass();
    stage.pass();
    assertThat(seen).containsExactly("b2");
    assertThat(buffer).as("toString is always allowed").hasToString("[instance b2 (PENDING)]");
    stage.findsNothing();
  }

  // ---- Shorthand

  /**
   * From the second pass on a policy has what it has on the other stage, a pool p, and a bag t of
   * t1, who waits.
   */
  private static Stage stageWithPoolAndBag(Policy policy) {
    return stage(policy).offer("p", 1, 1).submitBag("t", 1);
  }

  /** From the second pass on: b1 runs on h1, which is full; b2 is pending; h2 has room. */
  private static Stage stage(Policy policy) {
    Stage stage =
        new Stage(
            context ->
                pass -> {
                  if (pass.number() == 1) {
                    pass.place(b1(pass), h1(pass));
                  } else {
                    policy.schedule(pass);
                  }
                });
    stage.host("h1", 1).host("h2", 1).submit("b1", "bronze", 1).pass();
    return stage.submit("b2", "bronze", 1);
  }

  private static Pool p(SchedulingPass pass) {
    return pass.pool("p").orElseThrow();
  }

  private static Bag t(SchedulingPass pass) {
    return pass.bags().get(0);
  }

  private static Instance b1(SchedulingPass pass) {
    return pass.instance("b1").orElseThrow();
  }

  private static Host h1(SchedulingPass pass) {
    return pass.host("h1").orElseThrow();
  }
}
