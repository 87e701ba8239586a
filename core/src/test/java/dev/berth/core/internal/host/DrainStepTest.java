package dev.berth.core.internal.host;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Cluster;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.internal.cluster.HostRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** Which hosts a drain considers, and what it keeps room for. */
class DrainStepTest {

  private final Cluster cluster = Cluster.byHand();

  private HostRecord record(String id) {
    return (HostRecord) cluster.host(id);
  }

  private static List<String> words(Plan plan) {
    return plan.actions().stream().map(Action::describe).toList();
  }

  @Test
  void remembersThatAnInstanceFitsNowhere() {
    cluster.host("h1", 4).running("a", 2, "h1").running("b", 1, "h1");
    cluster.host("h2", 1).drained("h1", Drain.moving());
    assertThat(record("h1").stuckUpTo()).isLessThan(record("h2").version());

    assertThat(words(cluster.pass())).containsExactly("migrate b from h1 to h2 with cpu 1");

    assertThat(record("h1").stuckUpTo())
        .isEqualTo(Math.max(record("h1").version(), record("h2").version()));
  }

  @Test
  void considersOnlyHostsThatHaveChangedSince() {
    cluster.host("h1", 4).running("a", 2, "h1").host("h2", 4).drained("h1", Drain.moving());
    record("h1").isStuck(record("h1").version());
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.host("h3", 4);
    record("h1").isStuck(record("h3").version());
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.host("h4", 4);
    assertThat(words(cluster.pass())).containsExactly("migrate a from h1 to h4 with cpu 2");
  }

  @Test
  void anyHostMayTakeAnInstance() {
    cluster.host("first", 2).host("h1", 4).running("a", 2, "h1").running("b", 2, "h1");
    for (int i = 3; i < 16; i++) { // as many as the table of hosts has room for at first
      cluster.host("small" + i, 1);
    }
    cluster.host("last", 2).drained("h1", Drain.moving());

    assertThat(words(cluster.pass()))
        .containsExactly(
            "migrate a from h1 to first with cpu 2", "migrate b from h1 to last with cpu 2");
  }

  /** Two hosts drain, from each of which an instance of two cores restarts. */
  private Cluster twoRestart(String... jobs) {
    for (int i = 1; i <= 2; i++) {
      cluster.host("h" + i, 2);
      cluster.starting(request("i" + i, 2).job(jobs[i - 1]).antiAffinity(true), "h" + i);
    }
    return cluster.drained("h1", Drain.moving()).drained("h2", Drain.moving());
  }

  @Test
  void evictedInstancesShareAHostIfTheyMay() {
    twoRestart("one", "other").host("h3", cores(4, 4));

    assertThat(words(cluster.pass()))
        .containsExactly("evict i1 from h1: h1 is draining", "evict i2 from h2: h2 is draining");
  }

  @Test
  void evictedInstanceKeepsOthersOfItsJobFromItsNextHost() {
    twoRestart("same", "same").host("h3", 4);

    assertThat(words(cluster.pass())).containsExactly("evict i1 from h1: h1 is draining");
  }

  @Test
  void evictedInstancesShareTheCpuOfATimeSharedHost() {
    twoRestart("one", "other");
    cluster.scheduler().addHost(new HostSpec("h3", cores(2, 4), Map.of(), true), cluster.now());

    assertThat(cluster.pass().actions()).hasSize(2);
  }

  @Test
  void interruptionEndsTheStep() {
    List<String> asked = new ArrayList<>();
    Cluster filtered =
        Cluster.of(
            parts ->
                parts.filter(
                    (instance, host, now) -> {
                      if (host.id().equals("h2")) {
                        asked.add(instance.id());
                        Thread.currentThread().interrupt();
                      }
                      return Optional.empty();
                    }));
    filtered.host("h1", 2).pending("a", 1).pending("b", 1).pass();
    filtered.started("a").started("b").host("h2", 2).drained("h1", Drain.moving());
    try {
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(filtered::pass)
          .withCauseInstanceOf(CancellationException.class);
    } finally {
      Thread.interrupted(); // for the tests that follow
    }
    assertThat(asked).containsExactly("a");
  }
}
