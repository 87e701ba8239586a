package acme;

import static dev.berth.testkit.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Action;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The policy of the guide preempts the instances that lose the least work. */
class LeastLostTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TestCluster cluster =
      TestCluster.withPolicy(new LeastLost(), new LeastLost.Config(Duration.ofHours(1)))
          .host("h1", cpu(2))
          .host("h2", cpu(2));

  private Iterable<String> victims() {
    return cluster.pass().actions(Action.Preempt.class).stream()
        .map(Action.Preempt::instance)
        .toList();
  }

  @Test
  void latestStartOfTheHostThatLosesLeastIsPreempted() {
    cluster.running("b1", "bronze", cpu(2), "h1").after(MINUTE);
    cluster.running("b2", "bronze", cpu(1), "h2").after(MINUTE);
    cluster.running("b3", "bronze", cpu(1), "h2").after(MINUTE);

    cluster.pending("g1", "gold", cpu(1));
    assertThat(victims()).containsExactly("b3");
    cluster.pending("g2", "gold", cpu(1));
    assertThat(victims()).containsExactly("b2");
  }

  @Test
  void longRunsAndEquallyImportantInstancesAreNot() {
    cluster.running("b1", "bronze", cpu(2), "h1").after(Duration.ofMinutes(61));
    cluster.running("s1", "silver", cpu(2), "h2").after(MINUTE);

    cluster.pending("s2", "silver", cpu(1));

    assertThat(victims()).isEmpty();
    assertThat(cluster.scheduler().explain().whyPending("s2", cluster.now()).describe())
        .contains("1 with work to lose", "1 as important");
  }
}
