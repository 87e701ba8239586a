package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Moldability;
import dev.berth.api.Moldability.Point;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.Molding;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an instance would be granted on an empty host, or with fewer cores. */
class GrantFinderTest {

  private static final Molding TWICE = new Molding(2);
  private static final Dimension WHOLE_CORES = new Dimension("cpu", 1);

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));

  private HostRecord host(Resources capacity) {
    return (HostRecord) events.addHost(new HostSpec("h", capacity), 0);
  }

  private InstanceRecord pending(Request.Builder request) {
    return (InstanceRecord) events.submit(request.build(), 0);
  }

  private static Request.Builder request(Resources demand) {
    return Request.builder("a", "gold").demand(demand);
  }

  private GrantFinder finder(@Nullable AllocationRule rule, Dimension... oversubscribed) {
    return new GrantFinder(state.table(), rule, Set.of(oversubscribed));
  }

  // ---- Refusals

  @Test
  void grantWithAnUnknownDimensionIsRefused() {
    HostRecord host = host(cores(4));
    InstanceRecord instance = pending(request(cores(1)));
    Resources odd = Resources.of(Dimension.CPU, 1_000_000_000, new Dimension("gpu", 1), 1);
    GrantFinder finder = finder((any, where) -> odd);

    assertThat(finder.on(instance, host)).isNull();
    assertThat(finder.refusal(instance, host)).isEqualTo(new Reason.Unknown("dimension", "gpu"));
  }

  @Test
  void demandIsNeverRefused() {
    HostRecord host = host(cores(4));

    assertThat(finder(null).refusal(pending(request(cores(9))), host)).isNull();
  }

  // ---- Empty hosts

  @Test
  void noGrantOnAHostWhereConstraintsDoNotHold() {
    HostRecord host = host(cores(4));
    InstanceRecord instance =
        pending(request(cores(1)).constraint(new Constraint.Equal("zone", "a")));

    assertThat(finder(null).ifEmpty(instance, host, Molding.NONE)).isNull();
  }

  @Test
  void ruleThatGrantsLessOnAFullHostCountsAsTheDemand() {
    HostRecord host = host(cores(4, 8));
    InstanceRecord instance = pending(request(cores(2, 6)).guaranteed(cores(2, 1)));
    GrantFinder finder = finder((any, where) -> cores(2, 3), Dimension.MEMORY);

    Grant whole = finder.ifEmpty(instance, host, Molding.NONE);

    assertThat(whole).isNotNull();
    assertThat(whole.amounts()).isEqualTo(instance.demand);
    assertThat(whole.resources()).isEqualTo(cores(2, 6));
  }

  @Test
  void ruleThatGrantsMoreThanTheDemandIsFollowed() {
    HostRecord host = host(cores(4, 8));
    InstanceRecord instance = pending(request(cores(2, 6)));

    Grant whole = finder((any, where) -> cores(3, 6)).ifEmpty(instance, host, Molding.NONE);

    assertThat(whole).isNotNull();
    assertThat(whole.resources()).isEqualTo(cores(3, 6));
  }

  /** The guarantee fills the host exactly. */
  @Test
  void oversubscribedDemandIsCutToTheCapacity() {
    HostRecord host = host(cores(4, 8));
    InstanceRecord instance = pending(request(cores(2, 9)).guaranteed(cores(2, 8)));

    AllocationRule rule = (any, where) -> cores(2, 8);

    Grant whole = finder(rule, Dimension.MEMORY).ifEmpty(instance, host, Molding.NONE);

    assertThat(whole).isNotNull();
    assertThat(whole.resources()).isEqualTo(cores(2, 8));
    assertThat(finder(rule).ifEmpty(instance, host, Molding.NONE))
        .as("without oversubscription")
        .isNull();
  }

  @Test
  void guaranteeBeyondTheCapacityFitsNoEmptyHost() {
    HostRecord host = host(cores(4, 8));
    InstanceRecord instance = pending(request(cores(2, 9)).guaranteed(cores(2, 8.5)));

    GrantFinder finder = finder((any, where) -> cores(2, 8.5), Dimension.MEMORY);

    assertThat(finder.ifEmpty(instance, host, Molding.NONE)).isNull();
  }

  // ---- Molding

  @Test
  void nothingIsMoldedUnlessThePolicyMolds() {
    host(cores(8));
    InstanceRecord instance = pending(request(cores(4)).moldability(Moldability.LINPACK));

    assertThat(finder(null).moldedTo(instance, instance.demand[0], Molding.NONE)).isZero();
    assertThat(finder(null).moldedTo(instance, instance.demand[0], TWICE))
        .isEqualTo(instance.demand[0]);
  }

  /** 0.07 of 100 cores is a little more than 7, as a product of doubles. */
  @Test
  void leastShareMayBeMissedByARoundingError() {
    InstanceRecord instance = moldable(100, 0.07);

    assertThat(0.07 * 100).isGreaterThan(7);
    assertThat(finder(null).moldedTo(instance, 7, TWICE)).isEqualTo(7);
    assertThat(finder(null).moldedTo(instance, 6, TWICE)).isZero();
  }

  @Test
  void roundingErrorIsAtMostATrillionth() {
    InstanceRecord instance = moldable(2_000_000_000_000L, 0.5);

    assertThat(finder(null).moldedTo(instance, 999_999_999_999L, TWICE))
        .isEqualTo(999_999_999_999L);
    assertThat(finder(null).moldedTo(instance, 999_999_999_998L, TWICE)).isZero();
  }

  /** Returns an instance that runs half as fast on its least share. */
  private InstanceRecord moldable(long cores, double leastShare) {
    host(Resources.of(WHOLE_CORES, cores));
    return pending(
        request(Resources.of(WHOLE_CORES, cores))
            .moldability(new Moldability(List.of(new Point(1, 1), new Point(leastShare, 2)))));
  }
}
