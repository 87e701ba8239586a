package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.SchedulingPass.Fork;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What actions of an open pass do to bags of tasks. */
class BagActionsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private final Cluster cluster = Cluster.byHand().host("h1", 4);

  private Bag submit(String id, String... members) {
    return cluster
        .scheduler()
        .submit(
            new BagSpec(id, Stream.of(members).map(each -> request(each, 1).build()).toList()),
            cluster.now());
  }

  @Test
  void planTellsWhyTheBagsThatGoOnWereDeferred() {
    Bag goesOn = submit("on", "a");
    Bag ends = submit("ends", "b");

    Plan plan =
        cluster.pass(
            pass -> {
              assertThat(pass.defer(goesOn, WHY).accepted()).isTrue();
              pass.defer(ends, WHY);
              pass.cancel(ends, WHY);
            });

    assertThat(plan.bagDeferrals()).isEqualTo(Map.of("on", WHY));
    assertThat(plan.deferrals()).isEmpty();
  }

  @Test
  void discardedForkDropsTheDeferralOfABag() {
    Bag bag = submit("bag", "a");

    Plan plan =
        cluster.pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                fork.defer(bag, WHY);
              }
            });

    assertThat(plan.bagDeferrals()).isEmpty();
  }

  @Test
  void bagThatHasEndedIsUnknownToAllActions() {
    Bag bag = submit("bag", "a");
    Reason unknown = new Reason.Unknown("bag", "bag");

    Plan plan =
        cluster.pass(
            pass -> {
              pass.cancel(bag, WHY);
              Stream.of(
                      pass.assign(bag, "c", OptionalLong.empty(), WHY),
                      pass.defer(bag, WHY),
                      pass.cancel(bag, WHY))
                  .map(Outcome::refusal)
                  .forEach(each -> assertThat(each).contains(unknown));
            });

    assertThat(plan.policyErrors())
        .extracting(Plan.PolicyError::why)
        .containsExactly(unknown, unknown, unknown);
    assertThat(plan.bagDeferrals()).isEmpty();
  }

  @Test
  void assignedBagMayExpireAtOnce() {
    Bag bag = submit("bag", "a");
    cluster.at(3);

    cluster.pass(
        pass ->
            assertThat(pass.assign(bag, "c", OptionalLong.of(3 * SECOND), WHY).accepted())
                .isTrue());

    assertThat(bag.expiresAt()).hasValue(3 * SECOND);
    assertThat(cluster.pass().endedBags()).hasSize(1);
  }

  @Test
  void membersOfACancelledBagWereActedOn() {
    Bag bag = submit("bag", "a", "b");
    Instance placed = cluster.place("a", "h1").started("a").instance("a");

    cluster.pass(
        pass -> {
          pass.cancel(bag, WHY);
          assertThat(pass.pause(placed, WHY).refusal())
              .contains(
                  new Reason.WrongState(
                      "a", "was acted on in this pass, so it waits for the next"));
        });
  }

  @Test
  void bagIsOverOnceItsLastMemberIsRejected() {
    Bag bag = submit("bag", "a", "b", "c");
    cluster.place("c", "h1").started("c").completed("c");

    Plan plan =
        cluster.pass(
            pass -> {
              assertThat(bag.remaining()).isEqualTo(2);
              pass.reject(cluster.instance("a"), WHY);
              assertThat(bag.remaining()).isEqualTo(1);
              try (Fork fork = pass.fork()) {
                fork.reject(cluster.instance("b"), WHY);
                assertThat(bag.remaining()).isZero();
                assertThat(fork.bags()).isEmpty();
              }
              assertThat(pass.bags()).containsExactly(bag);
              pass.reject(cluster.instance("b"), WHY);
            });

    assertThat(plan.endedBags()).hasSize(1);
    assertThat(cluster.scheduler().bags()).isEmpty();
  }

  @Test
  void textNamesTheBag() {
    assertThat(submit("some", "a")).hasToString("bag some");
  }
}
