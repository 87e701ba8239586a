package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Views of bags and of hosts of pools, while a pass acts on them. */
class ViewsInAPassTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  /**
   * Has a pool {@code p}. Cluster {@code c} expires at 20 s: {@code p-1} is up, {@code p-2} is
   * starting. Host {@code p-3} of cluster {@code other} is starting, too.
   */
  private final Cluster cluster = Cluster.byHand();

  ViewsInAPassTest() {
    offer(9);
    cluster.pass(
        pass -> {
          provision(pass, 2, "c");
          provision(pass, 1, "other");
        });
    cluster.host("p-1", 2);
  }

  @Test
  void openHostsAreNotCollectedWhileNoHostIsClosed() {
    cluster.pass(pass -> assertThat(pass.openHosts()).isSameAs(pass.hosts()));
  }

  @Test
  void bagIsOverOnceAllItsMembersAreRejected() {
    Bag bag = submitted("a", "b", "c");

    cluster.pass(
        pass -> {
          pass.reject(cluster.instance("a"), WHY);
          pass.reject(cluster.instance("b"), WHY);
          assertThat(bag.remaining()).isEqualTo(1);
          assertThat(bag.instances()).extracting(Instance::id).containsExactly("c");
          assertThat(pass.bags()).containsExactly(bag);

          pass.reject(cluster.instance("c"), WHY);
          assertThat(bag.remaining()).isZero();
          assertThat(pass.bags()).isEmpty();
          assertThat(pass.defer(bag, WHY).accepted()).isFalse();
        });

    assertThat(cluster.scheduler().bags()).isEmpty();
  }

  @Test
  void extendingTheLifeOfHostsChangesTheirVersions() {
    Bag bag = submitted("a");
    cluster.pass(
        pass -> {
          List<Host> own = List.of(cluster.host("p-1"), starting(pass, 0));
          List<Long> before = versions(own);
          List<Long> extended;
          try (Fork fork = pass.fork()) {
            fork.assign(bag, "c", OptionalLong.of(50 * SECOND), WHY);
            extended = versions(own);
            assertAllGrew(before, extended);
          }
          assertAllGrew(extended, versions(own));
          assertThat(own).allMatch(each -> each.expiresAt().getAsLong() == 20 * SECOND);
        });
  }

  @Test
  void assignmentUntilTheExpiryOfTheHostsChangesNone() {
    Bag bag = submitted("a");
    cluster.pass(
        pass -> {
          List<Host> all = List.of(cluster.host("p-1"), starting(pass, 0), starting(pass, 1));
          List<Long> before = versions(all);

          pass.assign(bag, "c", OptionalLong.of(20 * SECOND), WHY);

          assertThat(versions(all)).isEqualTo(before);
        });
  }

  @Test
  void assignmentLeavesHostsOfOtherClustersAlone() {
    Bag bag = submitted("a");
    cluster.pass(pass -> pass.assign(bag, "c", OptionalLong.of(50 * SECOND), WHY));

    cluster.host("p-2", 2).host("p-3", 2);

    assertThat(cluster.host("p-2").expiresAt()).hasValue(50 * SECOND);
    assertThat(cluster.host("p-3").expiresAt()).hasValue(20 * SECOND);
  }

  @Test
  void releaseOfAStartingHostChangesItsVersion() {
    cluster.pass(
        pass -> {
          Host host = starting(pass, 0);
          long before = host.version();
          long released;
          try (Fork fork = pass.fork()) {
            fork.release(host, WHY);
            released = host.version();
            assertThat(released).isGreaterThan(before);
          }
          assertThat(host.version()).isGreaterThan(released);
        });
  }

  @Test
  void changedOfferChangesTheVersionsOfStartingHosts() {
    List<Host> starting = cluster.scheduler().pools().get(0).starting();
    List<Long> before = versions(starting);

    offer(8);

    assertAllGrew(before, versions(starting));
  }

  @Test
  void failedStartAdvancesTheTime() {
    cluster.at(7).removed("p-2");

    assertThat(cluster.scheduler().now()).isEqualTo(7 * SECOND);
  }

  private void offer(int limit) {
    cluster.scheduler().offerPool(new PoolSpec("p", cores(2), limit), cluster.now());
  }

  private static void provision(SchedulingPass pass, int count, String toCluster) {
    OptionalLong expiry = OptionalLong.of(20 * SECOND);
    pass.provision(pass.pools().get(0), count, Optional.of(toCluster), expiry, WHY);
  }

  private Bag submitted(String... members) {
    List<Request> requests = Stream.of(members).map(id -> request(id, 1).build()).toList();
    return cluster.scheduler().submit(new BagSpec("bag", requests), cluster.now());
  }

  private static Host starting(SchedulingPass pass, int number) {
    return pass.pools().get(0).starting().get(number);
  }

  private static List<Long> versions(List<Host> hosts) {
    return hosts.stream().map(Host::version).toList();
  }

  private static void assertAllGrew(List<Long> before, List<Long> after) {
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isGreaterThan(before.get(i));
    }
  }
}
