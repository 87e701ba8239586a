package dev.berth.core.internal.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The log reuses its entries, but keeps neither too many of them nor what they mention. */
class PassLogTest {

  private static final int KEPT = 16_384;

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final PassLog log = new PassLog(state.openActions(), new Transitions(state));
  private final InstanceRecord instance = instance();

  private InstanceRecord instance() {
    return (InstanceRecord)
        new ClusterEvents(state, new Transitions(state))
            .submit(Request.builder("a", "gold").demand(Resources.none()).build(), 0);
  }

  private PassLog.OnInstance commit() {
    PassLog.OnInstance entry = log.about(instance);
    log.add(entry);
    return entry;
  }

  private List<PassLog.OnInstance> commit(int count) {
    List<PassLog.OnInstance> entries = new ArrayList<>(count);
    while (entries.size() < count) {
      entries.add(commit());
    }
    return entries;
  }

  @Test
  void reusesTheEntryOfAnActionThatWasTakenBack() {
    PassLog.OnInstance first = commit();
    PassLog.OnInstance second = commit();

    assertThat(log.removeLast()).isSameAs(second);

    assertThat(commit()).isSameAs(second).isNotSameAs(first);
    assertThat(log.size()).isEqualTo(2);
  }

  @Test
  void takingBackAnotherEntryFreesNoneForReuse() {
    PassLog.OnInstance first = commit();
    UndoLog.Step other = () -> {};
    log.add(other);

    assertThat(log.removeLast()).isSameAs(other);

    assertThat(commit()).isNotSameAs(first);
  }

  @Test
  void clearedEntriesMentionNoInstanceAndNoReason() {
    List<PassLog.OnInstance> entries = commit(2);
    Reason why = new Reason.PolicyChoice("test", "because");
    entries.forEach(each -> each.adjusted(new Action.Pause("a", "h1"), why));
    assertThat(entries.get(1).subject()).isSameAs(instance);

    log.clear();

    assertThat(log.size()).isZero();
    for (PassLog.OnInstance each : entries) {
      assertThat(each.why()).isNull();
      assertThatIllegalStateException()
          .isThrownBy(each::subject)
          .withMessage("this entry of the log has no instance");
    }
  }

  @Test
  void keepsOnlySoManyEntriesForReuse() {
    List<PassLog.OnInstance> before = commit(KEPT + 1);
    log.clear();

    List<PassLog.OnInstance> after = commit(KEPT + 1);

    Set<PassLog.OnInstance> reused = Collections.newSetFromMap(new IdentityHashMap<>());
    reused.addAll(after.subList(0, KEPT));
    assertThat(reused).hasSize(KEPT);
    reused.retainAll(before);
    assertThat(reused).hasSize(KEPT);
    assertThat(before).doesNotContain(after.get(KEPT));
  }

  @Test
  void entryWithoutAHostIsNoAction() {
    PassLog.OnInstance entry = log.about(instance);

    assertThatIllegalStateException()
        .isThrownBy(() -> entry.action(List.of()))
        .withMessage("this entry of the log has no host");
  }

  /** One entry at most is kept for the next action, the others go back to the ledger. */
  @Test
  void entryThatWasNotAddedIsFreeOnceAnotherIsTakenBack() {
    PassLog.OnInstance added = commit();
    PassLog.OnInstance prepared = log.about(instance);

    assertThat(log.removeLast()).isSameAs(added);

    assertThat(commit()).isSameAs(added);
    assertThat(commit()).isSameAs(prepared);
  }
}
