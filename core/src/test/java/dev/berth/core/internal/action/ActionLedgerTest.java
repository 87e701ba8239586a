package dev.berth.core.internal.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.core.internal.action.OpenAction.Kind;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.OpenActions;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Open actions are found in their order, and those that are closed take no room. */
class ActionLedgerTest {

  private final ActionLedger ledger = new ActionLedger();

  private OpenAction release(long pass, int index) {
    OpenAction entry = new OpenAction();
    entry.decided(pass, index, new Action.Release("h", "p"));
    ledger.add(entry);
    return entry;
  }

  @Test
  void aFullLedgerMakesRoomOfClosedEntries() {
    List<OpenAction> entries = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      entries.add(release(1 + i / 8, i % 8));
    }
    assertThat(ledger.after(63)).isNull();
    assertThat(ledger.before(1)).isSameAs(entries.get(0));
    for (int i = 0; i < 64; i += 2) {
      ledger.close(entries.get(i));
    }

    OpenAction last = release(9, 0);

    assertThat(ledger.size()).isEqualTo(33);
    assertThat(ledger.end()).isEqualTo(33);
    for (int i = 0; i < 64; i++) {
      OpenAction each = entries.get(i);
      assertThat(ledger.find(each.pass, each.index)).isEqualTo(i % 2 == 0 ? null : each);
    }
    assertThat(ledger.before(ledger.end())).isSameAs(last);
    entries.forEach(ledger::close);
    ledger.close(last);
    assertThat(ledger.end()).isZero();
  }

  @Test
  void laterIsALaterPassOrALaterActionOfTheSame() {
    OpenAction first = release(1, 1);

    assertThat(first.isLaterThan(first)).isFalse();
    assertThat(release(1, 2).isLaterThan(first)).isTrue();
    assertThat(release(2, 0).isLaterThan(first)).isTrue();
    assertThat(first.isLaterThan(release(1, 2))).isFalse();
    assertThat(first.isLaterThan(release(2, 0))).isFalse();
  }

  @Test
  void kindsSayWhatConfirmsThem() {
    assertThat(Kind.values())
        .filteredOn(Kind::starts)
        .containsExactly(Kind.PLACE, Kind.RESUME, Kind.MIGRATE);
    assertThat(Kind.values())
        .filteredOn(Kind::isUnconfirmed)
        .containsExactly(Kind.RESIZE, Kind.PAUSE, Kind.SUSPEND);
    assertThat(Kind.values())
        .filteredOn(Kind::endsWithTheNextPass)
        .containsExactly(Kind.REJECT, Kind.STOP, Kind.ASSIGN, Kind.CANCEL);
  }

  @Test
  void onlyEntriesOfInstancesAreUsedAgain() {
    ClusterState state = new ClusterState(0, List.of(ServiceClass.builder("only").build()));
    Transitions transitions = new Transitions(state);
    ClusterEvents events = new ClusterEvents(state, transitions);
    Request request = Request.builder("a", "only").demand(Resources.none()).build();
    InstanceRecord instance = (InstanceRecord) events.submit(request, 0);
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", Resources.none()), 0);
    OpenAction placed = OpenActions.place(state, transitions, instance, host);

    ledger.close(release(1, 0)); // hosts may still know it
    assertThat(ledger.takeSpare()).isNull();
    events.started("a", 0);

    assertThat(state.openActions().takeSpare()).isSameAs(placed);
    assertThat(state.openActions().takeSpare()).isNull();
  }
}
