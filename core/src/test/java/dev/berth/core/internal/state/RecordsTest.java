package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.ElasticActions;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.rule.ConstraintIndex;
import dev.berth.core.internal.rule.JobRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the records of a cluster keep, and how they name themselves. */
class RecordsTest {

  private static final Dimension MEMORY = new Dimension("memory", 1);
  private static final Dimension CPU = Dimension.CPU;
  private static final Constraint SSD = new Constraint.Equal("ssd", "yes");

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);

  // ---- Constraints

  @Test
  void constraintsThatHoldOnOneHostInThirtyTwoAreRare() {
    addHosts(62, "no");
    addHosts(2, "yes");
    ConstraintIndex.Entry entry = submit("a", Resources.none(), SSD).constraints;

    assertThat(entry.areRare(64)).isTrue();
    assertThat(entry.areRare(63)).isFalse();

    addHosts(1, "yes");
    assertThat(entry.areRare(65)).isFalse();
  }

  @Test
  void hostInTheSlotOfAnotherReplacesItsMatch() {
    addHosts(62, "no");
    List<String> fast = addHosts(3, "yes");
    ConstraintIndex.Entry entry = submit("a", Resources.none(), SSD).constraints;

    events.removeHost(fast.get(0), 0);
    addHosts(1, "yes");
    assertThat(entry.areRare(65)).isFalse();
    assertThat(entry.areRare(96)).isTrue();

    events.removeHost(fast.get(1), 0);
    addHosts(1, "no");
    assertThat(entry.areRare(65)).isTrue();
  }

  // ---- Jobs

  @Test
  void instanceThatAllowsSiblingsJoinsOthersThatDo() {
    JobRecord job = new JobRecord("j");
    HostRecord shared = addHost("shared");
    HostRecord exclusive = addHost("exclusive");
    job.arrived(shared, false);
    job.arrived(exclusive, true);

    assertThat(job.admits(shared, false)).isTrue();
    assertThat(job.admits(shared, true)).isFalse();
    assertThat(job.admits(exclusive, false)).isFalse();
    assertThat(job.admits(addHost("empty"), true)).isTrue();
  }

  @Test
  void jobLeavesOnlyAHostItIsOn() {
    HostRecord host = addHost("h");

    assertThatIllegalStateException()
        .isThrownBy(() -> new JobRecord("j").left(host, false))
        .withMessage("job j is not on host h");
  }

  @Test
  void conflictNamesTheSiblingAdmittedFirst() {
    HostRecord host = addHost("h");
    InstanceRecord first = sibling("first", false);
    InstanceRecord second = sibling("second", false);
    InstanceRecord third = sibling("third", true);
    for (InstanceRecord each : List.of(second, first)) {
      transitions.place(each, host, each.wholeDemand);
    }

    assertThat(PlacementRules.antiAffinity(third, host, new InstanceRecord[] {second}, 1))
        .isEqualTo(new Reason.AntiAffinity("j", "first"));
    assertThat(PlacementRules.antiAffinity(third, host, new InstanceRecord[0], 0))
        .isEqualTo(new Reason.AntiAffinity("j", "first"));
    assertThat(PlacementRules.antiAffinity(third, host, new InstanceRecord[] {first}, 1))
        .isEqualTo(new Reason.AntiAffinity("j", "second"));
  }

  @Test
  void conflictIsWithTheSiblingThatRefusesOthers() {
    HostRecord host = addHost("h");
    InstanceRecord tolerant = sibling("tolerant", false);
    InstanceRecord refusing = sibling("refusing", true);
    for (InstanceRecord each : List.of(tolerant, refusing)) {
      transitions.place(each, host, each.wholeDemand);
    }

    assertThat(PlacementRules.antiAffinity(sibling("third", false), host, new InstanceRecord[0], 0))
        .isEqualTo(new Reason.AntiAffinity("j", "refusing"));
  }

  @Test
  void onlySiblingsThatBothAllowItMayShareAHost() {
    InstanceRecord plain = submit("plain", Resources.none());
    InstanceRecord tolerant = sibling("tolerant", false);
    InstanceRecord refusing = sibling("refusing", true);

    assertThat(PlacementRules.mayShare(plain, submit("other", Resources.none()))).isTrue();
    assertThat(PlacementRules.mayShare(refusing, plain)).isTrue();
    assertThat(PlacementRules.mayShare(tolerant, sibling("third", false))).isTrue();
    assertThat(PlacementRules.mayShare(tolerant, refusing)).isFalse();
    assertThat(PlacementRules.mayShare(refusing, tolerant)).isFalse();
  }

  // ---- Grants

  @Test
  void grantWithTheSameAmountIsTheSameGrant() {
    Grant whole = submit("a", Resources.of(CPU, 4)).wholeDemand;

    assertThat(whole.withAmount(0, 4, state.table())).isSameAs(whole);
    assertThat(whole.withAmount(0, 3, state.table()).resources()).isEqualTo(Resources.of(CPU, 3));
  }

  /** Its amounts end before the number of the CPU, which the cluster knew later. */
  @Test
  void pausedInstanceWithoutCoresKeepsItsWholeGrant() {
    InstanceRecord old = submit("old", Resources.of(MEMORY, 4));
    InstanceRecord busy = submit("busy", Resources.of(MEMORY, 4, CPU, 2));
    InstanceRecord idle = submit("idle", Resources.of(MEMORY, 4));
    HostRecord host =
        (HostRecord) events.addHost(new HostSpec("h", Resources.of(MEMORY, 12, CPU, 2)), 0);
    for (InstanceRecord each : List.of(old, idle, busy)) {
      transitions.place(each, host, each.wholeDemand);
      events.started(each.id(), 0);
      transitions.halt(each, InstanceState.PAUSED);
    }

    assertThat(old.held()).containsExactly(4);
    assertThat(idle.held()).containsExactly(4, 0);
    assertThat(idle.held()).isSameAs(idle.grantedAmounts());
    assertThat(busy.held()).containsExactly(4, 0);
    assertThat(busy.grantedAmounts()).containsExactly(4, 2);
  }

  // ---- Hosts

  @Test
  void hostForgetsCompletionsBeforeTheWindow() {
    long window = HostLoad.WINDOW.toNanos();
    HostRecord host = addHost("h");
    for (long time : new long[] {0, 0, window / 2, window, window + 1}) {
      host.ended(time);
    }
    assertThat(host.recentCompletions()).containsExactly(window / 2, window, window + 1);

    host.ended(2 * window);

    assertThat(host.recentCompletions()).containsExactly(window, window + 1, 2 * window);
    // Those of the window that ended with the completion before.
    assertThat(host.completionsKept()).isEqualTo(4);
  }

  @Test
  void hostForgetsCompletionsThatAreUndone() {
    HostRecord host = addHost("h");
    for (long time : new long[] {5, 6, 7}) {
      host.ended(time);
    }
    host.removeCompletion(6);
    assertThat(host.recentCompletions()).containsExactly(5L, 7L);
    host.removeCompletion(7);
    host.removeCompletion(7);
    assertThat(host.recentCompletions()).containsExactly(5L);
    host.ended(8);

    host.removeCompletion(5);
    host.removeCompletion(5);

    assertThat(host.recentCompletions()).containsExactly(8L);
  }

  @Test
  void hostThatStartsIsEmptyAndLikeItsPool() {
    PoolSpec spec =
        new PoolSpec(
            "p",
            Resources.of(CPU, 2, MEMORY, 8),
            Map.of("zone", "a"),
            4,
            Duration.ZERO,
            Duration.ZERO);
    events.offerPool(spec, 0);
    List<String> ids = new ArrayList<>();
    new ElasticActions(state, state.pools(), List::of)
        .provision(state.pools().get("p"), 1, Optional.of("c"), OptionalLong.empty(), ids);
    ProvidedHost starting = state.pools().provided(ids.get(0));

    assertThat(starting.free()).isEqualTo(spec.capacity());
    assertThat(starting.free(MEMORY)).isEqualTo(8);
    assertThat(starting.attributes()).isEqualTo(Map.of("zone", "a"));
    assertThat(starting.pool()).contains("p");
    assertThat(starting.cluster()).contains("c");
    assertThat(starting).hasToString("host p-1 (STARTING)");
    assertThat(state.pools().get("p")).hasToString("pool p");

    events.addHost(spec.host("p-1"), 0);
    assertThat(state.host("p-1").orElseThrow().cluster()).contains("c");
  }

  @Test
  void bagNamesItself() {
    BagSpec spec =
        new BagSpec("b", List.of(Request.builder("a", "only").demand(Resources.none()).build()));

    assertThat(new BagRecord(spec, 0, 0)).hasToString("bag b");
  }

  private HostRecord addHost(String id) {
    return (HostRecord) events.addHost(new HostSpec(id, Resources.none()), 0);
  }

  /** Adds hosts with this value of the attribute; returns their ids. */
  private List<String> addHosts(int count, String ssd) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add("h" + state.joins());
      events.addHost(new HostSpec(ids.get(i), Resources.none(), Map.of("ssd", ssd)), 0);
    }
    return ids;
  }

  private InstanceRecord submit(String id, Resources demand, Constraint... constraints) {
    Request.Builder request = Request.builder(id, "only").demand(demand);
    for (Constraint each : constraints) {
      request.constraint(each);
    }
    return (InstanceRecord) events.submit(request.build(), 0);
  }

  private InstanceRecord sibling(String id, boolean antiAffinity) {
    return (InstanceRecord)
        events.submit(
            Request.builder(id, "only")
                .demand(Resources.none())
                .job("j")
                .antiAffinity(antiAffinity)
                .build(),
            0);
  }
}
