package dev.berth.core.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.TestParts;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.elastic.ElasticActions;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.undo.UndoLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bounds of events, which refusal comes first, and what a failed event leaves. */
class ClusterEventsTest {

  private static final long LIFE = TimeLimits.LONGEST_LIFE.toNanos();
  private static final long EARLIEST = TimeLimits.EARLIEST;
  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final Dimension X = new Dimension("x", 1);
  private static final Dimension Y = new Dimension("y", 1);

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);

  // ---- Times of a history

  /** When an instance was admitted, since when it runs, the time of the event; and a refusal. */
  static Stream<Arguments> lives() {
    return Stream.of(
        life(5, 5, 5, ""),
        life(5, 6, 5, "adopted at 5 ns, admitted at 5 ns and RUNNING since 6 ns, must be in this"),
        life(6, 5, 7, "adopted at 7 ns, admitted at 6 ns and RUNNING since 5 ns, must be in this"),
        life(6, 6, 5, "admitted at 6 ns"),
        life(EARLIEST, EARLIEST, EARLIEST, ""),
        life(EARLIEST - 1, EARLIEST, EARLIEST, "from " + EARLIEST + " ns"),
        life(0, LIFE, LIFE, ""),
        life(-1, LIFE, LIFE, "36500 days before."));
  }

  private static Arguments life(long admittedAt, long since, long time, String refusal) {
    return Arguments.of(admittedAt, since, time, refusal);
  }

  @ParameterizedTest
  @MethodSource("lives")
  void adoptedInstanceHasAPossibleLife(long admittedAt, long since, long time, String refusal) {
    events.addHost(new HostSpec("h", Resources.none()), time);

    assertAccepted(
        () -> adopt(request("a"), History.since(admittedAt), running("a").since(since), time),
        refusal);
  }

  @ParameterizedTest
  @MethodSource("lives")
  void submittedHistoryHasAPossibleLife(long admittedAt, long since, long time, String refusal) {
    assertAccepted(
        () -> events.submit(request("a").build(), History.since(admittedAt), time),
        since == time || admittedAt > time ? refusal : ""); // it does not say since when
  }

  private static void assertAccepted(Runnable event, String refusal) {
    if (refusal.isEmpty()) {
      event.run();
    } else {
      assertThatExceptionOfType(EventRefusedException.class)
          .isThrownBy(event::run)
          .withMessageContaining(refusal);
    }
  }

  @Test
  void adoptedServiceMustFitIntoItsTime() {
    events.addHost(new HostSpec("h", Resources.none()), 0);
    History served = History.since(0).served(Duration.ofNanos(3));

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> adopt(request("a"), served, running("a").since(2), 5))
        .withMessage(
            "instance a is adopted with a service of PT0.000000003S, but it was admitted only"
                + " PT0.000000002S before it was RUNNING.");
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(
            () ->
                adopt(
                    request("a"),
                    served.restartOverhead(Duration.ofNanos(1)),
                    running("a").since(3),
                    5))
        .withMessageContaining("a service of PT0.000000003S and restarts of PT0.000000001S, but");
    adopt(request("a"), served, running("a").since(3), 5);
  }

  @Test
  void adoptionShortensTheLifeOfTheScheduler() {
    events.addHost(new HostSpec("h", Resources.none()), 100);
    assertThat(state.latest()).isEqualTo(100 + LIFE);

    adopt(request("a"), History.since(10), running("a"), 100);

    assertThat(state.latest()).isEqualTo(10 + LIFE);
    assertThat(state.instanceRecord("a").attempt()).as("so that reports can name it").isEqualTo(1);
  }

  // ---- Refusals

  /** Events at 10 ns, or at 9 ns, which is the past. */
  static Stream<Arguments> refused() {
    String past = " at 9 ns, but time has reached 10 ns.";
    String known = "request a is submitted, but an instance of that id is not done.";
    return Stream.of(
        event(it -> it.adopt(request("a"), History.since(0), running("a"), 10), known),
        event(
            it -> it.adopt(request("b"), History.since(0), running("b"), 9),
            "instance b is adopted" + past),
        event(it -> it.events.submit(request("a").build(), History.since(99), 10), known),
        event(
            it -> it.events.submit(request("b").build(), History.since(99), 9),
            "request b is submitted" + past),
        event(it -> it.events.removeHost("p-1", 9), "host p-1 leaves" + past),
        event(it -> it.events.cancelGroup("g", 9), "group g is cancelled" + past),
        event(it -> it.events.cancelBag("bag", WHY, 9), "bag bag is cancelled" + past));
  }

  private static Arguments event(Consumer<ClusterEventsTest> event, String refusal) {
    return Arguments.of(event, refusal);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theFirstThatIsWrongIsNamed(Consumer<ClusterEventsTest> event, String refusal) {
    events.addHost(new HostSpec("h", Resources.none()), 0);
    events.offerPool(new PoolSpec("p", Resources.none(), 1), 0);
    new ElasticActions(state, state.pools(), List::of)
        .provision(
            state.pools().get("p"), 1, Optional.empty(), OptionalLong.empty(), new ArrayList<>());
    events.submit(new GroupSpec("g", List.of(request("m").build())), 0, new UndoLog());
    events.submit(new BagSpec("bag", List.of(request("t").build())), 0, new UndoLog());
    events.submit(request("a").build(), 10);

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> event.accept(this))
        .withMessageStartingWith(refusal);

    assertThat(state.now()).isEqualTo(10);
    assertThat(state.openChanges()).isZero();
  }

  @Test
  void adoptedAmountsMustBeCountable() {
    events.addHost(new HostSpec("h", Resources.none()), 0);
    adopt(demanding("a", Long.MAX_VALUE), History.since(0), running("a"), 0);

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> adopt(demanding("b", 1), History.since(0), running("b"), 0))
        .withMessage(
            "instance b is adopted on host h, which would hold more than 2^63 units of x.");
  }

  @Test
  void whatAHostHoldsMustBeCountableOnceItChanges() {
    HostChanges changes = new HostChanges(state);
    Resources most = Resources.of(X, Long.MAX_VALUE);
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", most), 0);
    adopt(demanding("a", Long.MAX_VALUE), History.since(0), running("a"), 0);
    changes.foreignLoad("h", Resources.of(X, 2), 0);

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> changes.changeHost(new HostSpec("h", Resources.of(Y, 1)), 0))
        .withMessage(
            "foreign load of host h and what its instances hold are more than 2^63 units"
                + " together.");
    assertThat(host.capacity()).isEqualTo(most);
    assertThat(state.table().numberOf(Y)).isEqualTo(-1);
  }

  @Test
  void foreignLoadTakesNoCpuOfATimeSharedHost() {
    Resources two = Resources.of(Dimension.CPU, 2, X, 2);
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", two, Map.of(), true), 0);

    new HostChanges(state).foreignLoad("h", Resources.of(Dimension.CPU, 1, X, 1), 0);

    assertThat(host.free()).isEqualTo(Resources.of(Dimension.CPU, 2, X, 1));
  }

  /** Events at 10 ns. */
  static Stream<Consumer<ClusterEventsTest>> later() {
    return Stream.of(
        it -> it.events.offerPool(new PoolSpec("p", Resources.none(), 1), 10),
        it -> it.adopt(request("b"), History.since(0), running("b"), 10),
        it ->
            new InstanceEvents(it.state, it.transitions)
                .usageReported("a", Resources.none(), Resources.none(), 10));
  }

  @ParameterizedTest
  @MethodSource("later")
  void timeIsThatOfTheLatestEvent(Consumer<ClusterEventsTest> event) {
    events.addHost(new HostSpec("h", Resources.none()), 0);
    adopt(request("a"), History.since(0), running("a"), 0);
    assertThat(state.admissions()).isEqualTo(1);

    event.accept(this);

    assertThat(state.now()).isEqualTo(10);
  }

  @Test
  void hostThatDoesNotStartNoLongerExpires() {
    events.offerPool(new PoolSpec("p", Resources.none(), 1), 0);
    new ElasticActions(state, state.pools(), List::of)
        .provision(
            state.pools().get("p"), 1, Optional.empty(), OptionalLong.of(10), new ArrayList<>());
    assertThat(state.nextExpiry(0)).isEqualTo(10);

    events.removeHost("p-1", 5);

    assertThat(state.nextExpiry(0)).isEqualTo(Long.MAX_VALUE);
  }

  // ---- Failures and open actions

  @Test
  void failedAdoptionChangesNothing() {
    Pipeline.builder(state)
        .preemption(
            new VictimOrder() {
              @Override
              public long key(Instance instance) {
                if (instance.id().equals("bad")) {
                  throw new IllegalStateException("no");
                }
                return 0;
              }

              @Override
              public long drift(ServiceClass serviceClass, InstanceState inState, long now) {
                return 0;
              }
            },
            TestParts.ALLOW_ALL)
        .build();
    events.addHost(new HostSpec("h", Resources.none()), 0);

    assertThatIllegalStateException()
        .isThrownBy(() -> adopt(demanding("bad", 1).job("j"), History.since(0), running("bad"), 5))
        .withMessage("no");

    assertThat(state.now()).isZero();
    assertThat(state.openChanges()).isZero();
    assertThat(state.table().dimensions()).isZero();
    assertThat(state.peers().job("j")).isNull();
    assertThat(adopt(demanding("good", 1), History.since(0), running("good"), 5).host())
        .contains(state.hostRecord("h"));
  }

  @Test
  void failedSubmissionOfABagChangesNothing() {
    Pipeline.builder(state)
        .queue(
            instance -> {
              if (instance.id().equals("bad")) {
                throw new IllegalStateException("no");
              }
              return 0;
            })
        .build();
    List<Request> requests = List.of(request("good").build(), request("bad").build());

    assertThatIllegalStateException()
        .isThrownBy(() -> events.submit(new BagSpec("bag", requests), 5, new UndoLog()))
        .withMessage("no");

    assertThat(state.now()).isEqualTo(Long.MIN_VALUE);
    assertThat(state.admissions()).isZero();
    assertThat(state.instanceRecords()).isEmpty();
  }

  @Test
  void cancelledBagClosesTheActionsOnItsTasks() {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", Resources.none()), 0);
    events.submit(new BagSpec("bag", List.of(request("t").build())), 0, new UndoLog());
    OpenActions.place(state, transitions, state.instanceRecord("t"), host);

    events.cancelBag("bag", WHY, 0);

    assertThat(state.openActions().size()).isZero();
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "only").demand(Resources.none());
  }

  private static Request.Builder demanding(String id, long amount) {
    return Request.builder(id, "only").demand(Resources.of(X, amount));
  }

  private static ObservedInstance running(String id) {
    return new ObservedInstance(id, "h", InstanceState.RUNNING);
  }

  private Instance adopt(
      Request.Builder request, History history, ObservedInstance seen, long time) {
    return events.adopt(new Adoption(request.build(), history), seen, time);
  }
}
