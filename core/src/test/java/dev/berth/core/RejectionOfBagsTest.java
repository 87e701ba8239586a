package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.StaleReportException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rejected actions on bags, groups and pools: what returns, what depends on it, what is stale. */
class RejectionOfBagsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");
  private static final OptionalLong NEVER = OptionalLong.empty();

  private final Cluster cluster = Cluster.byHand();
  private final Scheduler scheduler = cluster.scheduler();

  /** Two hosts of clusters k1 and k2, and a third one of the pool that joins later. */
  @BeforeEach
  void provision() {
    scheduler.offerPool(new PoolSpec("p", cores(4), 9), cluster.now());
    pass(
        pass -> {
          for (String each : List.of("k1", "k2")) {
            pass.provision(pass.pools().get(0), 1, Optional.of(each), NEVER, WHY);
          }
        });
    cluster.host("p-1", 4).host("p-2", 4);
  }

  private Plan pass(Consumer<SchedulingPass> actions) {
    return cluster.pass(actions);
  }

  private List<String> rejected(ActionId id) {
    return scheduler.rejected(id, "cannot", cluster.now()).undone().stream()
        .map(Rejection.Undone::action)
        .map(each -> each.describe())
        .toList();
  }

  private void assertStale(ActionId id) {
    long digest = scheduler.digest();
    assertThatExceptionOfType(StaleReportException.class).isThrownBy(() -> rejected(id));
    assertThat(scheduler.digest()).isEqualTo(digest);
  }

  private void submit(String bag, String... members) {
    scheduler.submit(
        new BagSpec(bag, Stream.of(members).map(each -> request(each, 1).build()).toList()),
        cluster.now());
  }

  private Plan assigned(String bag, String to) {
    return pass(pass -> pass.assign(scheduler.bag(bag).orElseThrow(), to, NEVER, WHY));
  }

  @Test
  void assignmentTakesLaterOnesAndTheirStartsWithIt() {
    submit("bag", "a", "b");
    submit("other", "c");
    assigned("bag", "k1");
    Plan plan =
        pass(
            pass -> {
              pass.assign(scheduler.bag("bag").orElseThrow(), "k2", NEVER, WHY);
              pass.place(cluster.instance("a"), cluster.host("p-2"), List.of());
              pass.assign(scheduler.bag("other").orElseThrow(), "k2", NEVER, WHY);
              pass.place(cluster.instance("c"), cluster.host("p-2"), List.of());
              pass.assign(scheduler.bag("bag").orElseThrow(), "k1", NEVER, WHY);
            });
    assertThat(plan.actions()).hasSize(5);

    assertThat(rejected(plan.id(0)))
        .containsExactly(
            "assign bag bag to cluster k1", "place a on p-2", "assign bag bag to cluster k2");

    assertThat(scheduler.bag("bag").orElseThrow().cluster()).contains("k1");
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
    assertThat(cluster.instance("c").host()).contains(cluster.host("p-2"));
  }

  @Test
  void firstAssignmentLeavesStartsThatNeededNone() {
    submit("bag", "a");
    Plan plan =
        pass(
            pass -> {
              pass.assign(scheduler.bag("bag").orElseThrow(), "k1", NEVER, WHY);
              pass.place(cluster.instance("a"), cluster.host("p-1"), List.of());
            });

    assertThat(rejected(plan.id(0))).containsExactly("assign bag bag to cluster k1");
    assertThat(cluster.instance("a").host()).contains(cluster.host("p-1"));
    assertThat(scheduler.bag("bag").orElseThrow().cluster()).isEmpty();
  }

  @Test
  void assignmentOfABagThatEndedIsStale() {
    submit("bag", "a");
    Plan plan = assigned("bag", "k1");
    cluster.cancel("a");
    submit("bag", "b");

    assertStale(plan.id(0));
  }

  @Test
  void cancellationBringsTheBagBackWhereItsMembersWere() {
    submit("bag", "a", "b");
    submit("later", "c");
    pass(pass -> pass.place(cluster.instance("a"), cluster.host("p-1"), List.of()));
    cluster.started("a");
    Plan plan = pass(pass -> pass.cancel(scheduler.bag("bag").orElseThrow(), WHY));
    assertThat(scheduler.bags()).hasSize(1);

    assertThat(rejected(plan.id(0))).hasSize(1);

    assertThat(scheduler.bags()).extracting(each -> each.id()).containsExactly("bag", "later");
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(cluster.host("p-1").free()).isEqualTo(cores(3));
    assertThat(scheduler.pendingCount()).isEqualTo(2);
  }

  @Test
  void cancellationTakesWithItWhatTookTheRoomOfItsMembers() {
    submit("bag", "a", "b");
    cluster.place("a", "p-1").place("b", "p-1").started("a").started("b");
    cluster.pending("c", 2).pending("d", 2);
    Plan plan =
        pass(
            pass -> {
              pass.cancel(scheduler.bag("bag").orElseThrow(), WHY);
              pass.place(cluster.instance("c"), cluster.host("p-1"));
              pass.place(cluster.instance("d"), cluster.host("p-1"));
            });

    assertThat(rejected(plan.id(0))).hasSize(2).first().isEqualTo("place d on p-1");
    assertThat(cluster.host("p-1").free()).isEqualTo(cores(0));
    assertThat(cluster.host("p-1").closed()).isEmpty();
  }

  @Test
  void rejectedMemberIsAmongTheOthersAgain() {
    List<Request> members = List.of(request("m", 1).build(), request("n", 1).build());
    scheduler.submit(new GroupSpec("g", members), cluster.now());
    Plan plan = pass(pass -> pass.reject(cluster.instance("m"), WHY));

    rejected(plan.id(0));

    assertThat(scheduler.cancelGroup("g", cluster.now()))
        .extracting(InstanceReport::id)
        .containsExactly("m", "n");
  }

  @Test
  void cancellationIsStaleOnceItsPlaceIsTaken() {
    submit("bag", "a", "b");
    pass(pass -> pass.place(cluster.instance("a"), cluster.host("p-1"), List.of()));
    cluster.started("a");
    ActionId cancelled = pass(pass -> pass.cancel(scheduler.bag("bag").orElseThrow(), WHY)).id(0);

    submit("bag", "c");
    assertStale(cancelled); // another bag of that id
    cluster.cancel("c");
    cluster.pending("b", 1);
    assertStale(cancelled); // another instance of that id
    cluster.cancel("b");
    cluster.removed("p-1");
    assertStale(cancelled); // its host has left
  }

  @Test
  void rejectedRequestThatWasTheLastOfItsBagBringsTheBagBack() {
    submit("bag", "a");
    Plan plan = pass(pass -> pass.reject(cluster.instance("a"), WHY));
    assertThat(scheduler.bags()).isEmpty();

    rejected(plan.id(0));

    assertThat(scheduler.bag("bag").orElseThrow().remaining()).isEqualTo(1);
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
    cluster.cancel("a");
    assertThat(scheduler.bags()).isEmpty();
  }

  @Test
  void rejectedRequestThatWasTheLastOfItsGroupBringsTheGroupBack() {
    scheduler.submit(new GroupSpec("g", List.of(request("a", 1).build())), cluster.now());
    Plan plan = pass(pass -> pass.reject(cluster.instance("a"), WHY));
    assertThat(scheduler.groups()).isEmpty();

    rejected(plan.id(0));

    assertThat(scheduler.group("g").orElseThrow().pending()).isEqualTo(1);
    cluster.cancel("a");
    assertThat(scheduler.groups()).isEmpty();
  }

  @Test
  void rejectedRequestIsStaleOnceItsBagOrGroupHasAnother() {
    submit("bag", "a");
    scheduler.submit(new GroupSpec("g", List.of(request("m", 1).build())), cluster.now());
    Plan plan =
        pass(
            pass -> {
              pass.reject(cluster.instance("a"), WHY);
              pass.reject(cluster.instance("m"), WHY);
            });
    submit("bag", "b");
    scheduler.submit(new GroupSpec("g", List.of(request("n", 1).build())), cluster.now());

    assertStale(plan.id(0));
    assertStale(plan.id(1));
  }

  @Test
  void requestOfAHostTakesItsReleaseWithIt() {
    Plan asked = pass(pass -> pass.provision(pass.pools().get(0), 2, Optional.empty(), NEVER, WHY));
    pass(pass -> pass.release(pass.pools().get(0).starting().get(0), WHY));

    assertThat(rejected(asked.id(0)))
        .containsExactly("release p-3 to p", "provision 2 hosts, p-3 to p-4 from p");

    assertThat(scheduler.pools().get(0).starting()).isEmpty();
    assertThat(scheduler.pools().get(0).room()).isEqualTo(7);
  }
}
