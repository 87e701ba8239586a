package dev.berth.core.internal.state;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.Cluster;
import dev.berth.core.event.Event;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.snapshot.SnapshotWriter;
import dev.berth.core.internal.snapshot.StateDigest;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is supposed is as if it had happened, until it is undone. */
class HypothesesTest {

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final UndoLog log = new UndoLog();

  private Hypotheses begun() {
    return new Hypotheses(Events.of(state, transitions), log);
  }

  private static List<Request> requests(String... ids) {
    return Stream.of(ids)
        .map(each -> Request.builder(each, "gold").demand(cores(1)).job("job").build())
        .toList();
  }

  private void running(String... ids) {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", cores(ids.length)), 0);
    for (String each : ids) {
      transitions.place(state.instanceRecord(each), host, state.instanceRecord(each).wholeDemand);
      events.started(each, 0);
    }
  }

  private static Event<?> completed(String instance) {
    return new Event.CompletedNow(instance, Optional.empty());
  }

  static Stream<Event<?>> ofBagsAndGroups() {
    return Stream.of(
        new Event.BagSubmitted(new BagSpec("new", requests("n1", "n2"))),
        new Event.GroupSubmitted(new GroupSpec("new", requests("n1", "n2"))),
        completed("t1"),
        completed("m1"));
  }

  @ParameterizedTest
  @MethodSource("ofBagsAndGroups")
  void digestFollowsWhatIsSupposedAndUndone(Event<?> event) {
    events.submit(new BagSpec("bag", requests("t1", "t2")), 0, new UndoLog());
    events.submit(new GroupSpec("group", requests("m1", "m2")), 0, new UndoLog());
    running("t1", "t2", "m1", "m2");
    StateDigest digest = new StateDigest(state, new SnapshotWriter(state));
    long before = digest.sum();

    begun().suppose(event);
    assertThat(digest.sum()).isNotEqualTo(before);
    log.undoTo(0);

    assertThat(digest.sum()).isEqualTo(before);
  }

  @Test
  void digestLacksAnInstanceWhoseIdIsInUseAgain() {
    requests("a", "b").forEach(each -> events.submit(each, 0));
    running("a", "b");
    StateDigest digest = new StateDigest(state, new SnapshotWriter(state));
    Hypotheses supposed = begun();
    supposed.suppose(completed("b"));
    supposed.suppose(new Event.Submitted(requests("b").get(0)));
    long afresh = digest.sum();
    log.undoTo(0);

    supposed = begun();
    supposed.suppose(completed("b"));
    digest.sum();
    supposed.suppose(new Event.Submitted(requests("b").get(0)));

    assertThat(digest.sum()).isEqualTo(afresh);
  }

  @Test
  void expiryOfABagIsThatOfTheOthersOnceItIsUndone() {
    events.advanceTo(0);
    begun()
        .suppose(
            new Event.BagSubmitted(
                new BagSpec("new", requests("n1"), Optional.of(Duration.ofNanos(10)))));
    assertThat(state.nextExpiry(0)).isLessThan(Long.MAX_VALUE);

    log.undoTo(0);

    assertThat(state.nextExpiry(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void budgetsAreSettledOnceItIsUndone() {
    state.budgets().set("job", DisruptionBudget.maxDown(1), 0);
    requests("a", "b").forEach(each -> events.submit(each, 0));
    running("a", "b");

    begun().suppose(new Event.BudgetSet("job", DisruptionBudget.maxDown(0)));
    log.undoTo(0);

    assertThat(state.budgets().isUnsettled()).isFalse();
  }
}
