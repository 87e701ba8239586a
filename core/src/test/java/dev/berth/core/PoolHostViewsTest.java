package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The hosts of a pool as a policy sees them, and the versions by which it notices changes. */
class PoolHostViewsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong EXPIRY = OptionalLong.of(20 * SECOND);
  private static final OptionalLong LATER = OptionalLong.of(50 * SECOND);

  private final Cluster cluster = Cluster.byHand();
  private final Pool pool;
  private final Bag bag =
      cluster.scheduler().submit(new BagSpec("bag", List.of(request("a", 1).build())), 0);
  private final Host up; // of cluster c
  private final Host starting; // of cluster c
  private final Host startingElsewhere; // of cluster d

  PoolHostViewsTest() {
    PoolSpec offer =
        new PoolSpec("p", cores(2, 8), Map.of("zone", "a"), 9, Duration.ZERO, Duration.ZERO);
    cluster.scheduler().offerPool(offer, 0);
    pool = cluster.scheduler().pools().get(0);
    cluster.pass(
        pass -> {
          pass.provision(pool, 2, Optional.of("c"), EXPIRY, WHY);
          pass.provision(pool, 1, Optional.of("d"), EXPIRY, WHY);
        });
    cluster.host("p-1", cores(2, 8));
    up = cluster.host("p-1");
    starting = pool.starting().get(0);
    startingElsewhere = pool.starting().get(1);
  }

  private void assign(SchedulingPass pass, OptionalLong expiresAt) {
    assertThat(pass.assign(bag, "c", expiresAt, WHY).accepted()).isTrue();
  }

  @Test
  void startingHostLooksLikeItsOffer() {
    assertThat(starting.capacity()).isEqualTo(cores(2, 8));
    assertThat(starting.free()).isEqualTo(cores(2, 8));
    assertThat(starting.free(Dimension.MEMORY)).isEqualTo(8 * SECOND);
    assertThat(starting.attributes()).isEqualTo(Map.of("zone", "a"));
    assertThat(starting.pool()).contains("p");
    assertThat(starting.cluster()).contains("c");
    assertThat(starting.expiresAt()).isEqualTo(EXPIRY);
    assertThat(starting.instances()).isEmpty();
    assertThat(starting).hasToString("host p-2 (STARTING)");
    assertThat(pool).hasToString("pool p");
  }

  @Test
  void assignmentExtendsOnlyHostsOfTheSameCluster() {
    cluster.pass(pass -> assign(pass, LATER));

    assertThat(up.expiresAt()).isEqualTo(LATER);
    assertThat(starting.expiresAt()).isEqualTo(LATER);
    assertThat(startingElsewhere.expiresAt()).isEqualTo(EXPIRY);
  }

  @Test
  void versionsChangeWhenAnExpiryIsExtendedAndWhenThatIsUndone() {
    cluster.pass(
        pass -> {
          long upBefore = up.version();
          long startingBefore = starting.version();
          long upWithin;
          long startingWithin;
          try (Fork fork = pass.fork()) {
            assign(fork, LATER);
            upWithin = up.version();
            startingWithin = starting.version();
          }
          assertThat(upWithin).isGreaterThan(upBefore);
          assertThat(up.version()).isGreaterThan(upWithin);
          assertThat(startingWithin).isGreaterThan(startingBefore);
          assertThat(starting.version()).isGreaterThan(startingWithin);
        });
  }

  @Test
  void hostThatIsNeededAsLongAlreadyKeepsItsVersion() {
    long upBefore = up.version();
    long startingBefore = starting.version();

    cluster.pass(pass -> assign(pass, EXPIRY));

    assertThat(up.version()).isEqualTo(upBefore);
    assertThat(starting.version()).isEqualTo(startingBefore);
  }

  @Test
  void versionOfAStartingHostChangesWhenItIsReleasedAndWhenThatIsUndone() {
    cluster.pass(
        pass -> {
          long before = starting.version();
          long within;
          try (Fork fork = pass.fork()) {
            assertThat(fork.release(starting, WHY).accepted()).isTrue();
            within = starting.version();
            assertThat(starting).hasToString("host p-2 (STOPPING)");
          }
          assertThat(within).isGreaterThan(before);
          assertThat(starting.version()).isGreaterThan(within);
        });
  }
}
