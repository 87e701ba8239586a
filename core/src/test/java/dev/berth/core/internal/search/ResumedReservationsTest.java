package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.pipeline.Backfill;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.TransitionListener;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reservations on a single host hold until something happens that they did not foresee.
 * Estimates and times are in nanoseconds.
 *
 * <p>The host has four cores. {@code timed} runs on two of them until 10, {@code endless} is
 * starting on one.
 */
class ResumedReservationsTest {

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final HostRecord host;
  private Backfilling backfilling = new Backfilling(state, Backfill.CONSERVATIVE);
  private Reservations reservations;

  ResumedReservationsTest() {
    state.follow(new Follower());
    host = join("h");
    InstanceRecord timed = pending("timed", 2, 10);
    transitions.place(timed, host, timed.wholeDemand);
    events.started("timed", 0);
    InstanceRecord endless = pending("endless", 1, 0);
    transitions.place(endless, host, endless.wholeDemand);
    reservations = backfilling.reservations();
  }

  private HostRecord join(String id) {
    return (HostRecord) events.addHost(new HostSpec(id, cores(4)), 0);
  }

  /** Submits a request; the estimate 0 means none. */
  private InstanceRecord pending(String id, int cores, long estimate) {
    Request.Builder request = Request.builder(id, "gold").demand(cores(cores));
    if (estimate > 0) {
      request.estimatedRunTime(Duration.ofNanos(estimate));
    }
    return (InstanceRecord) events.submit(request.build(), Math.max(0, state.now()));
  }

  private InstanceRecord reserved(String id, int cores, long from) {
    InstanceRecord instance = pending(id, cores, 5);
    reservations.reserve(host, instance, instance.wholeDemand, from);
    return instance;
  }

  /** Places an instance as the pass decides. */
  private ResumedReservationsTest foreseen(long estimate) {
    InstanceRecord instance = pending("new", 1, estimate);
    reservations.starts(host, instance, instance.wholeDemand);
    transitions.place(instance, host, instance.wholeDemand);
    return this;
  }

  private ResumedReservationsTest started(String id, long at) {
    events.started(id, at);
    return this;
  }

  private ResumedReservationsTest ended(String id, long at) {
    events.done(id, at, true, OptionalLong.empty());
    return this;
  }

  private void halted(String id, long at) {
    events.advanceTo(at);
    transitions.halt((InstanceRecord) state.instance(id).orElseThrow(), InstanceState.PAUSED);
  }

  private boolean hasRoom(InstanceRecord instance) {
    return reservations.hasRoom(host, instance, instance.wholeDemand);
  }

  private static Arguments when(String what, Consumer<ResumedReservationsTest> happens) {
    return arguments(what, happens);
  }

  static Stream<Arguments> foreseen() {
    return Stream.of(
        when("nothing happens", it -> {}),
        when("time passes", it -> it.events.advanceTo(9)),
        when("an instance ends in time", it -> it.ended("timed", 10)),
        when("a request without reservation ends", it -> it.ended("other", 3)),
        when("an instance without estimate starts to run", it -> it.started("endless", 3)),
        when("a placed instance runs at once", it -> it.foreseen(5).started("new", 0)),
        when("one without estimate does", it -> it.foreseen(0).started("new", 0)));
  }

  @ParameterizedTest
  @MethodSource("foreseen")
  void holdAsLongAsAllGoesAsForeseen(String what, Consumer<ResumedReservationsTest> happens) {
    pending("other", 1, 0);
    reserved("next", 3, 10);

    happens.accept(this);

    assertThat(backfilling.resumed()).isSameAs(reservations);
  }

  static Stream<Arguments> unforeseen() {
    return Stream.of(
        when("an instance ends early", it -> it.ended("timed", 9)),
        when("an instance is overdue", it -> it.events.advanceTo(10)),
        when("an instance pauses when it should end", it -> it.halted("timed", 10)),
        when("one without estimate ends", it -> it.started("endless", 1).ended("endless", 2)),
        when("a reservation is overdue", it -> it.ended("timed", 10).events.advanceTo(11)),
        when("its request ends", it -> it.ended("next", 3)),
        when("a placed instance is still starting", it -> it.foreseen(5).events.advanceTo(1)),
        when("a placed instance runs late", it -> it.foreseen(5).started("new", 1)),
        when("a placed instance fails", it -> it.foreseen(5).events.failed("new", 1)),
        when(
            "an instance comes unforeseen",
            it -> {
              InstanceRecord other = it.pending("other", 1, 0);
              it.transitions.place(other, it.host, other.wholeDemand);
            }),
        when(
            "a placement does not happen",
            it -> {
              InstanceRecord other = it.pending("other", 1, 0);
              it.reservations.starts(it.host, other, other.wholeDemand);
            }),
        when("the host closes", it -> new HostChanges(it.state).cordon("h", 1)),
        when("another host joins", it -> it.join("h2")),
        when(
            "a dimension is new",
            it -> it.events.submit(Request.builder("m", "gold").demand(cores(1, 1)).build(), 1)));
  }

  @ParameterizedTest
  @MethodSource("unforeseen")
  void areMadeAnewOnceAnythingElseHappens(String what, Consumer<ResumedReservationsTest> happens) {
    reserved("next", 3, 10);

    happens.accept(this);

    assertThat(backfilling.resumed()).isNull();
  }

  @Test
  void areThoseOfTheLatestPassOnly() {
    InstanceRecord former = reserved("former", 3, 10);
    ended("timed", 10);
    events.advanceTo(11);

    reservations = backfilling.reservations();
    assertThat(hasRoom(former)).isTrue();
    ended("former", 11);

    assertThat(backfilling.resumed()).isSameAs(reservations);
    assertThat(backfilling.withdrawDue()).isEmpty();
  }

  @Test
  void beginFromTheTimeOfTheNextPass() {
    reserved("next", 3, 15);
    ended("timed", 10);
    events.advanceTo(12);

    assertThat(backfilling.resumed()).isSameAs(reservations);

    InstanceRecord three = pending("three", 3, 3);
    assertThat(reservations.earliest(host, three, three.wholeDemand, true)).isEqualTo(12);
    InstanceRecord longer = pending("longer", 3, 4);
    assertThat(reservations.earliest(host, longer, longer.wholeDemand, true)).isEqualTo(20);
  }

  @Test
  void giveBackTheRoomOfThoseThatAreDue() {
    InstanceRecord due = reserved("due", 2, 10);
    reserved("later", 3, 15);
    ended("timed", 10);
    assertThat(backfilling.resumed()).isSameAs(reservations);
    assertThat(hasRoom(pending("two", 2, 5))).isFalse();

    assertThat(backfilling.withdrawDue()).containsExactly(due);

    assertThat(hasRoom(pending("three", 3, 5))).isTrue();
    assertThat(hasRoom(pending("longer", 3, 6))).isFalse();
    assertThat(backfilling.withdrawDue()).isEmpty();
  }

  @Test
  void areMadeAnewIfOneOfTwoHostsLeft() {
    HostRecord second = join("h2");
    reservations = backfilling.reservations();
    InstanceRecord any = pending("any", 2, 5);
    reservations.earliest(host, any, any.wholeDemand, true);
    reservations.earliest(second, any, any.wholeDemand, true);

    events.removeHost("h2", 0);

    assertThat(backfilling.resumed()).isNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> reservations.earliest(second, any, any.wholeDemand, true))
        .withMessage("host h2 has not joined");
  }

  /** The bound of what has room knows the hosts that left, without a look at all hosts. */
  @Test
  void boundExcludesWhatNoHostHasFree() {
    join("h2");
    reservations = backfilling.reservations();
    RoomBound bound = backfilling.bound(reservations);
    assertThat(bound.mayFit(new long[] {4_000_000_000L}, 1)).isTrue();
    assertThat(bound.mayFit(new long[] {4_000_000_001L}, 1)).isFalse();

    events.removeHost("h2", 0);

    assertThat(backfilling.bound(null).mayFit(new long[] {1_000_000_001L}, 1)).isFalse();
  }

  @Test
  void eachChangeOfTheHostsCounts() {
    long before = backfilling.hostSets();
    HostRecord second = join("h2");
    assertThat(backfilling.hostSets()).isEqualTo(before + 1);
    new HostChanges(state).cordon("h2", 0);
    assertThat(backfilling.hostSets()).isEqualTo(before + 2);
    events.removeHost("h2", 0);
    assertThat(backfilling.hostSets()).isEqualTo(before + 3);
    state.returnHost(second);
    assertThat(backfilling.hostSets()).isEqualTo(before + 4);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONSERVATIVE")
  void areOfConservativeBackfillingAlone(Backfill other) {
    backfilling = new Backfilling(state, other);
    backfilling.joined(host);

    assertThat(backfilling.resumed()).isNull();
    assertThat(backfilling.withdrawDue()).isEmpty();
  }

  /** Follows the cluster as a pipeline does. */
  private final class Follower implements TransitionListener {

    @Override
    public void joined(HostRecord joined) {
      backfilling.joined(joined);
    }

    @Override
    public void left(HostRecord left) {
      backfilling.left(left);
    }

    @Override
    public void changed(HostRecord changed) {
      backfilling.changed();
    }

    @Override
    public boolean mayMoveTo(InstanceRecord instance, HostRecord target) {
      return true;
    }

    @Override
    public void rekey(InstanceRecord instance) {}

    @Override
    public void isPending(InstanceRecord instance) {}

    @Override
    public void leavesQueue(InstanceRecord instance) {
      backfilling.leavesQueue(instance);
    }

    @Override
    public void isOnHost(InstanceRecord instance, HostRecord where) {
      backfilling.isOnHost(instance, where);
    }

    @Override
    public void leavesHost(InstanceRecord instance, HostRecord from, InstanceState formerState) {
      backfilling.leavesHost(instance, from, formerState);
    }
  }
}
