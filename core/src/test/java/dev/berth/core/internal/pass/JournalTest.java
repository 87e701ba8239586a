package dev.berth.core.internal.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The journal reuses its entries, but keeps neither too many of them nor what they mention. */
class JournalTest {

  private static final int KEPT = 16_384;

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Journal journal = new Journal(state.openActions());
  private final InstanceRecord instance = instance();

  private InstanceRecord instance() {
    return (InstanceRecord)
        new ClusterEvents(state, new Transitions(state))
            .submit(Request.builder("a", "gold").demand(Resources.none()).build(), 0);
  }

  private Journal.OnInstance commit() {
    Journal.OnInstance entry = journal.about(instance, state);
    journal.commit(entry);
    return entry;
  }

  private List<Journal.OnInstance> commit(int count) {
    List<Journal.OnInstance> entries = new ArrayList<>(count);
    while (entries.size() < count) {
      entries.add(commit());
    }
    return entries;
  }

  @Test
  void reusesTheEntryOfAnActionThatWasTakenBack() {
    Journal.OnInstance first = commit();
    Journal.OnInstance second = commit();

    assertThat(journal.removeLast()).isSameAs(second);

    assertThat(commit()).isSameAs(second).isNotSameAs(first);
    assertThat(journal.size()).isEqualTo(2);
  }

  @Test
  void takingBackAnotherEntryFreesNoneForReuse() {
    Journal.OnInstance first = commit();
    journal.add(new Journal.Waking(3));

    assertThat(journal.removeLast()).isEqualTo(new Journal.Waking(3));

    assertThat(commit()).isNotSameAs(first);
  }

  @Test
  void clearedEntriesMentionNoInstance() {
    List<Journal.OnInstance> entries = commit(2);
    assertThat(entries.get(1).subject()).isSameAs(instance);

    journal.clear();

    assertThat(journal.size()).isZero();
    for (Journal.OnInstance each : entries) {
      assertThatIllegalStateException()
          .isThrownBy(each::subject)
          .withMessage("this entry of the journal has no instance");
    }
  }

  @Test
  void keepsOnlySoManyEntriesForReuse() {
    List<Journal.OnInstance> before = commit(KEPT + 1);
    journal.clear();

    List<Journal.OnInstance> after = commit(KEPT + 1);

    Set<Journal.OnInstance> reused = Collections.newSetFromMap(new IdentityHashMap<>());
    reused.addAll(after.subList(0, KEPT));
    assertThat(reused).hasSize(KEPT);
    reused.retainAll(before);
    assertThat(reused).hasSize(KEPT);
    assertThat(before).doesNotContain(after.get(KEPT));
  }

  @Test
  void entryWithoutAHostIsNoAction() {
    Journal.OnInstance entry = journal.about(instance, state);

    assertThatIllegalStateException()
        .isThrownBy(() -> entry.action(List.of()))
        .withMessage("this entry of the journal has no host");
  }
}
