package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.rule.LimitRecord;
import dev.berth.core.internal.rule.Limits;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of limits, and what searches ask of them before they look at hosts. */
class LimitRecordsTest {

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private int submitted;

  @Test
  void aLimitIsKeptWhileItIsSetOrUsed() {
    InstanceRecord a = using(PlacementSpec.builder().use("l", 1));
    InstanceRecord b = using(PlacementSpec.builder().use("l", 1));
    LimitRecord first = a.limits()[0];
    assertThat(b.limits()[0]).isSameAs(first);
    end(a);
    assertThat(limitOfNext()).as("used by b").isSameAs(first);
    end(b);
    LimitRecord second = limitOfNext();
    assertThat(second).isNotSameAs(first);

    events.setLimit("l", 1, 0);
    LimitRecord third = limitOfNext();
    assertThat(limitOfNext()).as("set").isSameAs(third);

    events.setLimit("l", 0, 0);
    assertThat(limitOfNext()).isNotSameAs(third);
  }

  @Test
  void holdersAreTheHostsOfInstancesThatUseIt() {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", Resources.none()), 0);
    InstanceRecord a = using(PlacementSpec.builder().use("l", 1));
    InstanceRecord b = using(PlacementSpec.builder().usePerHost("l", 1));
    LimitRecord limit = a.limits()[0];
    for (InstanceRecord each : List.of(a, b)) {
      transitions.place(each, host, each.wholeDemand);
    }
    assertThat(limit.holders()).containsExactly(host);
    assertThat(limit).hasToString("limit l: 2 of 0 used");

    end(a);
    assertThat(limit.holders()).containsExactly(host);
    end(b);
    assertThat(limit.holders()).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> state.limits().left(b, host))
        .withMessage("limit l is not used on host h");
  }

  /** Returns the limit that the next request uses, which ends at once. */
  private LimitRecord limitOfNext() {
    InstanceRecord next = using(PlacementSpec.builder().use("l", 1));
    LimitRecord limit = next.limits()[0];
    end(next);
    return limit;
  }

  /**
   * The limit {@code l} is 3; one instance on a host uses some of it, by instance or by host. The
   * next one needs victims if what is left is too little on every host, and might be placed there
   * if it would do once all have left that host; so with victims, or elsewhere.
   */
  @ParameterizedTest
  @CsvSource({
    "instance, 3, instance, 1, true,  true,  false",
    "instance, 2, instance, 1, false, true,  true",
    "instance, 3, instance, 3, true,  true,  false",
    "instance, 3, instance, 4, true,  false, false",
    "instance, 3, host,     3, false, true,  false",
    "instance, 4, host,     1, true,  true,  false",
    "host,     3, host,     3, false, true,  false",
    "host,     1, host,     2, false, true,  true",
  })
  void whatIsLeftTellsWhetherOthersMustLeave(
      String firstBy,
      long used,
      String nextBy,
      long needed,
      boolean needsVictims,
      boolean couldBeThere,
      boolean couldBeElsewhere) {
    events.setLimit("l", 3, 0);
    HostRecord there = (HostRecord) events.addHost(new HostSpec("h1", Resources.none()), 0);
    HostRecord elsewhere = (HostRecord) events.addHost(new HostSpec("h2", Resources.none()), 0);
    InstanceRecord first = using(uses(firstBy, used));
    transitions.place(first, there, first.wholeDemand);

    InstanceRecord next = using(uses(nextBy, needed));

    assertThat(Limits.needsVictims(next)).isEqualTo(needsVictims);
    assertThat(Limits.couldBeCovered(next, there)).isEqualTo(couldBeThere);
    assertThat(Limits.couldBeCovered(next, elsewhere)).isEqualTo(couldBeElsewhere);
  }

  private static PlacementSpec.Builder uses(String by, long amount) {
    return by.equals("host")
        ? PlacementSpec.builder().usePerHost("l", amount)
        : PlacementSpec.builder().use("l", amount);
  }

  private InstanceRecord using(PlacementSpec.Builder placement) {
    String id = "r" + submitted++;
    return (InstanceRecord)
        events.submit(
            Request.builder(id, "only")
                .demand(Resources.none())
                .placement(placement.build())
                .build(),
            0);
  }

  private void end(InstanceRecord instance) {
    events.done(instance.id(), 0, true, OptionalLong.empty());
  }
}
