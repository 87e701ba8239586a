package dev.berth.core.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which hosts the siblings of a job leave open to another instance of it. */
class JobRecordTest {

  private static final boolean REFUSES = true;
  private static final boolean SHARES = false;

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));
  private final HostRecord h1 = host("h1");
  private final HostRecord h2 = host("h2");
  private final HostRecord h3 = host("h3");
  private final JobRecord job = new JobRecord("j");

  private HostRecord host(String id) {
    return (HostRecord) events.addHost(new HostSpec(id, Resources.none()), 0);
  }

  @Test
  void instanceThatSharesMayJoinSiblingsThatShare() {
    job.arrived(h1, REFUSES);
    job.arrived(h2, SHARES);

    assertThat(job.admits(h1, SHARES)).isFalse();
    assertThat(job.admits(h2, SHARES)).isTrue();
    assertThat(job.admits(h3, SHARES)).isTrue();
  }

  @Test
  void instanceThatRefusesNeedsAHostWithoutSiblings() {
    job.arrived(h1, REFUSES);
    job.arrived(h2, SHARES);

    assertThat(job.admits(h1, REFUSES)).isFalse();
    assertThat(job.admits(h2, REFUSES)).isFalse();
    assertThat(job.admits(h3, REFUSES)).isTrue();
  }

  @Test
  void hostIsOpenAgainAfterItsLastSiblingLeft() {
    job.arrived(h1, SHARES);
    job.arrived(h1, SHARES);
    job.left(h1, SHARES);
    assertThat(job.admits(h1, REFUSES)).isFalse();

    job.left(h1, SHARES);

    assertThat(job.admits(h1, REFUSES)).isTrue();
  }

  /** While none refuses, an instance that shares is admitted without a look at the host. */
  @Test
  void countsTheInstancesThatRefuse() {
    job.arrived(h1, REFUSES);
    job.arrived(h2, REFUSES);
    job.arrived(h3, SHARES);
    assertThat(job.refusals).isEqualTo(2);

    job.left(h3, SHARES);
    job.left(h1, REFUSES);
    assertThat(job.refusals).isEqualTo(1);
    assertThat(job.admits(h1, SHARES)).isTrue();
    assertThat(job.admits(h2, SHARES)).isFalse();

    job.left(h2, REFUSES);

    assertThat(job.refusals).isZero();
    assertThat(job.admits(h2, SHARES)).isTrue();
  }

  @Test
  void instanceLeavesOnlyAHostOfItsJob() {
    job.arrived(h1, SHARES);

    assertThatIllegalStateException()
        .isThrownBy(() -> job.left(h2, SHARES))
        .withMessage("job j is not on host h2");
  }
}
