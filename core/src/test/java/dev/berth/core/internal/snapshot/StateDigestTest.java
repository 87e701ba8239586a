package dev.berth.core.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.ActionId;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Events;
import dev.berth.core.internal.state.OpenActions;
import dev.berth.core.internal.state.Rejections;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A digest costs what has changed, counted in records whose hash was computed. */
class StateDigestTest {

  private static final Resources ONE = Resources.of(Dimension.CPU, 1_000_000_000);

  private final ClusterState state =
      new ClusterState(1, List.of(ServiceClass.builder("gold").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final StateDigest digest = new StateDigest(state, new SnapshotWriter(state));

  private void fill(int hosts, int instances) {
    for (int i = 0; i < hosts; i++) {
      events.addHost(new HostSpec("h" + i, ONE), 0);
    }
    for (int i = 0; i < instances; i++) {
      events.submit(request("r" + i), 0);
    }
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(ONE).build();
  }

  private long rehashed(Runnable change) {
    long before = digest.rehashed();
    change.run();
    digest.sum();
    return digest.rehashed() - before;
  }

  @Test
  void rehashesWhatChanged() {
    fill(1000, 5000);

    assertThat(rehashed(() -> {})).isEqualTo(6000);
    assertThat(rehashed(() -> {})).isZero();
    assertThat(rehashed(() -> events.loadReported("h7", 1, 1))).isEqualTo(1);
    assertThat(rehashed(() -> events.submit(request("new"), 2))).isEqualTo(1);
    assertThat(rehashed(() -> events.done("r3", 3, true, OptionalLong.empty())))
        .isZero(); // it is gone
    assertThat(
            rehashed(
                () -> {
                  events.loadReported("h7", 2, 4);
                  events.loadReported("h7", 3, 5);
                  events.removeHost("h8", 6);
                }))
        .isEqualTo(1);
  }

  @Test
  void aChangeThatIsUndoneRestoresTheSum() {
    fill(3, 5);
    long before = digest.sum();

    events.submit(request("guest"), 0);
    assertThat(digest.sum()).isNotEqualTo(before);
    events.done("guest", 0, true, OptionalLong.empty());

    assertThat(digest.sum()).isEqualTo(before);
  }

  @Test
  void aRejectionThatIsUndoneRestoresTheSum() {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", ONE), 0);
    events.submit(new BagSpec("b", List.of(request("t"), request("u"))), 0, new UndoLog());
    InstanceRecord task = Objects.requireNonNull(state.instanceRecord("t"));
    transitions.place(task, host, task.wholeDemand);
    events.started("t", 0);
    events.advanceTo(5);
    transitions.evict(task); // its service counts for the bag once it is done
    long before = digest.sum();

    OpenActions.reject(state, transitions, task);
    assertThat(digest.sum()).isNotEqualTo(before);
    new Rejections(Events.of(state, transitions)).rejected(new ActionId(1, 0), "no", 5);

    assertThat(digest.sum()).isEqualTo(before);
  }

  /**
   * Otherwise a scheduler that was asked for one digest would keep all instances ever done. It
   * forgets once they are twice as many as the records there are, and hashes all of these anew.
   */
  @Test
  void forgetsWhatChangedLongAgo() {
    fill(300, 1);
    for (int i = 0; i < 300; i++) {
      events.submit(new BagSpec("b" + i, List.of(request("t" + i))), 0, new UndoLog());
      events.submit(new GroupSpec("g" + i, List.of(request("m" + i))), 0, new UndoLog());
    }
    int records = 300 + 1 + 300 * 4;
    assertThat(rehashed(() -> {})).isEqualTo(records);

    assertThat(rehashed(() -> comeAndGo(2 * records))).isZero();
    assertThat(rehashed(() -> comeAndGo(2 * records + 2))).isEqualTo(records);
  }

  private void comeAndGo(int guests) {
    for (int i = 0; i < guests; i++) {
      events.submit(request("guest"), 0);
      events.done("guest", 0, true, OptionalLong.empty());
    }
  }

  @Test
  void theSumIsThatOfAllRecords() {
    fill(1, 1);
    digest.sum();
    events.submit(request("guest"), 0);
    events.done("r0", 0, true, OptionalLong.empty());
    events.removeHost("h0", 0);

    assertThat(digest.sum()).isEqualTo(new SnapshotWriter(state).instances().get(0).digest());
  }
}
