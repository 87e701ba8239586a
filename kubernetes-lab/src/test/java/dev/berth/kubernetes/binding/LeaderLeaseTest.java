package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaderLeaseTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final LeaderLease.Times SHORT =
      new LeaderLease.Times(
          Duration.ofSeconds(4),
          Duration.ofSeconds(3),
          Duration.ofMillis(500),
          Duration.ofSeconds(1));

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  /** Counts how often it leads. */
  private static final class Counting implements LeaderLease.Work {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Override
    public void begin(BooleanSupplier mayWrite) {
      begun.incrementAndGet();
    }

    @Override
    public void end() {
      ended.incrementAndGet();
    }
  }

  @Test
  void oneLeadsAndAnotherFollowsWhenItEnds() {
    Counting first = new Counting();
    Counting second = new Counting();
    LeaderLease one = start("handover", "one", first);
    Eventually.holds("one leads", SOON, one::mayWrite);
    LeaderLease two = start("handover", "two", second);
    Eventually.pause(Duration.ofSeconds(2));
    assertThat(two.mayWrite()).isFalse();
    assertThat(second.begun.get()).isZero();

    one.close();

    Eventually.holds("two leads", SOON, two::mayWrite);
    assertThat(one.mayWrite()).isFalse();
    assertThat(first.ended.get()).isEqualTo(1);
    Eventually.holds("the work of two has begun", SOON, () -> second.begun.get() == 1);
  }

  @Test
  void aLeaderThatCannotRenewStopsWritingBeforeItsLeaseEnds() throws IOException {
    Counting work = new Counting();
    LeaderLease lease = start("fenced", "one", work);
    Eventually.holds("it leads", SOON, lease::mayWrite);

    LIVE.controlPlane().stopApiServer();
    long stopped = System.nanoTime();
    try {
      Eventually.holds("it may not write", SOON, () -> !lease.mayWrite());
      assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(SHORT.lease());
      Eventually.holds("its work has ended", SOON, () -> work.ended.get() == 1);
    } finally {
      LIVE.controlPlane().startApiServer();
    }

    Eventually.holds("it leads again", SOON, lease::mayWrite);
    Eventually.holds("its work has begun again", SOON, () -> work.begun.get() == 2);
  }

  @Test
  void aCandidateWhoseClockIsAheadWaitsForTheLease() {
    LeaderLease behind = start("clocks", "behind", new Counting(), clockAt(Duration.ofHours(-1)));
    Eventually.holds("the first one leads", SOON, behind::mayWrite);
    LeaderLease ahead = start("clocks", "ahead", new Counting(), clockAt(Duration.ofHours(1)));

    for (int i = 0; i < 12; i++) { // for longer than a lease
      Eventually.pause(Duration.ofMillis(500));
      assertThat(ahead.isLeading()).isFalse();
    }

    assertThat(behind.mayWrite()).isTrue();
  }

  @Test
  void aClockThatJumpsChangesNothing() {
    Clock jumping =
        new Clock() {
          private int times;

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            times++;
            return Instant.now().plus(Duration.ofHours(times % 2 == 0 ? 5 : -5));
          }
        };
    Counting work = new Counting();
    LeaderLease lease = start("jumps", "one", work, jumping);
    Eventually.holds("it leads", SOON, lease::mayWrite);
    LeaderLease other = start("jumps", "other", new Counting());

    for (int i = 0; i < 12; i++) {
      Eventually.pause(Duration.ofMillis(500));
      assertThat(lease.mayWrite()).isTrue();
      assertThat(other.isLeading()).isFalse();
    }

    assertThat(work.begun.get()).isEqualTo(1);
  }

  @Test
  void aLeaseThatIsNotRenewedIsTakenWhateverItsTimesSay() {
    ZonedDateTime tomorrow = ZonedDateTime.now(ZoneOffset.UTC).plusDays(1);
    LIVE.client()
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("left")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("gone")
                .withLeaseDurationSeconds(3)
                .withAcquireTime(tomorrow)
                .withRenewTime(tomorrow)
                .withLeaseTransitions(4)
                .endSpec()
                .build())
        .create();
    long begun = System.nanoTime();

    LeaderLease lease = start("left", "one", new Counting());

    Eventually.holds("it leads", SOON, lease::mayWrite);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(3));
    LeaseSpec taken =
        LIVE.client().leases().inNamespace("default").withName("left").get().getSpec();
    assertThat(taken.getHolderIdentity()).isEqualTo("one");
    assertThat(taken.getLeaseTransitions()).isEqualTo(5);
    assertThat(taken.getRenewTime()).isBefore(tomorrow);
  }

  @Test
  void aClosedLeaderGivesItsLeaseUp() {
    LeaderLease lease = start("closed", "one", new Counting());
    Eventually.holds("it leads", SOON, lease::mayWrite);

    lease.close();

    assertThat(lease.mayWrite()).isFalse();
    assertThat(
            LIVE.client()
                .leases()
                .inNamespace("default")
                .withName("closed")
                .get()
                .getSpec()
                .getHolderIdentity())
        .isEmpty();
  }

  @Test
  void workThatCannotBeginGivesTheLeaseUp() {
    AtomicInteger tries = new AtomicInteger();
    LeaderLease lease =
        start(
            "failing",
            "one",
            new LeaderLease.Work() {
              @Override
              public void begin(BooleanSupplier mayWrite) throws IOException {
                if (tries.incrementAndGet() == 1) {
                  throw new IOException("not yet");
                }
              }

              @Override
              public void end() {}
            });
    Eventually.holds("it leads the second time", SOON, () -> tries.get() == 2 && lease.mayWrite());
  }

  private static LeaderLease start(String name, String identity, LeaderLease.Work work) {
    return start(name, identity, work, Clock.systemUTC());
  }

  private static LeaderLease start(
      String name, String identity, LeaderLease.Work work, Clock timeOfDay) {
    return LIVE.closing(
        LeaderLease.start(LIVE.client(), "default", name, identity, SHORT, work, timeOfDay));
  }

  private static Clock clockAt(Duration offset) {
    return Clock.offset(Clock.systemUTC(), offset);
  }
}
