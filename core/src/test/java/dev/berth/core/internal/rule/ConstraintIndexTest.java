package dev.berth.core.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The hosts that satisfy a list of constraints, as hosts join and leave. */
class ConstraintIndexTest {

  private static final List<Constraint> SSD = List.of(new Constraint.Exists("ssd"));

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final ClusterEvents events = new ClusterEvents(state, new Transitions(state));

  private HostRecord host(String id, boolean ssd) {
    Map<String, String> attributes = ssd ? Map.of("ssd", "yes") : Map.of();
    return (HostRecord) events.addHost(new HostSpec(id, Resources.none(), attributes), 0);
  }

  private ConstraintIndex.Entry ssd() {
    return Objects.requireNonNull(state.constraints().acquire(SSD, state.hostRecords()));
  }

  /** Asserts that a constraint is rare if it holds on one host of 32, and not if on more. */
  private static void assertMatches(ConstraintIndex.Entry entry, int matches) {
    assertThat(entry.areRare(32 * matches)).isTrue();
    assertThat(entry.areRare(32 * matches - 1)).isFalse();
  }

  @Test
  void keepsNoEntryForAnEmptyList() {
    assertThat(state.constraints().acquire(List.of(), state.hostRecords())).isNull();
  }

  @Test
  void countsHostsThatJoinedBeforeAndAfterItsFirstUse() {
    host("h1", true);
    host("h2", false);
    ConstraintIndex.Entry entry = ssd();
    assertMatches(entry, 1);

    host("h3", true);
    HostRecord without = host("h4", false);

    assertMatches(entry, 2);
    assertThat(entry.nextSlot(without.slot())).isEqualTo(-1);
    assertThat(entry.holdsOn(without.slot())).isFalse();
  }

  @Test
  void hostTakesThePlaceOfTheFormerOneInItsSlot() {
    HostRecord former = host("h1", true);
    host("h2", true);
    ConstraintIndex.Entry entry = ssd();

    events.removeHost("h1", 0);
    HostRecord alike = host("h3", true);
    assertThat(alike.slot()).isEqualTo(former.slot());
    assertMatches(entry, 2);

    events.removeHost("h3", 0);
    host("h4", false);

    assertMatches(entry, 1);
    assertThat(entry.holdsOn(former.slot())).isFalse();
  }
}
