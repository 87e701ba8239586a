package acme.farm;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.TimeLimits;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The statements of the guides on failures, maintenance and restarts, one case each. */
class ResilientFarmTest implements ResilientFarm.Machines, ResilientFarm.Archive {

  private static final long SECOND = 1_000_000_000L;

  private final List<String> calls = new ArrayList<>();
  private final Map<String, ActionId> ids = new HashMap<>(); // by the words of the action
  private final Set<String> rendered = new HashSet<>();
  private final Map<String, Adoption> known = new HashMap<>();
  private long now = 1_000 * SECOND;
  private ResilientFarm farm = ResilientFarm.begin(this, this, () -> now);

  // ---- The machines and the archive

  @Override
  public void carryOut(ActionId id, Action action) {
    calls.add(action.describe());
    ids.put(action.describe(), id);
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    calls.add("take back: " + action.describe());
  }

  @Override
  public void stop(String frame, String host) {
    calls.add("stop %s on %s".formatted(frame, host));
  }

  @Override
  public boolean isRendered(String frame) {
    return rendered.contains(frame);
  }

  @Override
  public Optional<Adoption> adoption(String frame) {
    return Optional.ofNullable(known.get(frame));
  }

  // ---- Helpers

  private static Resources cores(int cores) {
    return Resources.of(CPU, CPU.whole(cores));
  }

  private static HostSpec host(String id, int cores) {
    return new HostSpec(id, cores(cores));
  }

  private static Request frame(String id, String serviceClass, int cores) {
    return Request.builder(id, serviceClass).demand(cores(cores)).build();
  }

  private static ObservedInstance running(String frame, String host) {
    return new ObservedInstance(frame, host, InstanceState.RUNNING);
  }

  private static Observation observed(List<HostSpec> hosts, ObservedInstance... instances) {
    return new Observation(
        hosts.stream().map(ObservedHost::new).toList(), Arrays.asList(instances));
  }

  /** Lets a second pass, and returns what the farm has called since the last time. */
  private List<String> afterStep() {
    now += SECOND;
    farm.step();
    return calls();
  }

  private List<String> calls() {
    List<String> since = List.copyOf(calls);
    calls.clear();
    return since;
  }

  private Instance instance(String frame) {
    return farm.scheduler().instance(frame).orElseThrow();
  }

  private Optional<Reason> closed(String host) {
    return farm.scheduler().host(host).flatMap(Host::closed);
  }

  private long service(String frame) {
    return instance(frame).serviceTime(now) / SECOND;
  }

  private static Attempt attempt(String frame, int number) {
    return new Attempt(frame, number);
  }

  @BeforeEach
  void batchFrameRunsOnTheFirstOfTwoHosts() {
    farm.hostJoined(host("h1", 4));
    farm.submit(frame("b", "batch", 3));
    assertThat(afterStep()).containsExactly("place b on h1");
    farm.ready(attempt("b", 1), now);
    farm.hostJoined(host("h2", 4));
    assertThat(afterStep()).isEmpty();
  }

  private void preemptB() {
    farm.submit(frame("u", "urgent", 4));
    farm.submit(frame("v", "urgent", 4));
    assertThat(afterStep()).contains("preempt b on h1 for " + onFirst());
  }

  private String onFirst() {
    return farm.scheduler().host("h1").orElseThrow().instances().iterator().next().id();
  }

  /** What goes wrong on the way of a message. */
  @Nested
  class Messages {

    @Test
    void lateStartOfAnEarlierAttemptDoesNotStartTheLatest() {
      farm.crashed(attempt("b", 1), now);
      farm.hostLost("h1");
      assertThat(afterStep()).containsExactly("place b on h2");

      farm.ready(attempt("b", 1), now);

      assertThat(instance("b").state()).isEqualTo(InstanceState.STARTING);
      assertThat(farm.scheduler().stats().staleReports()).isEqualTo(1);
    }

    @Test
    void lateReportCountsFromItsTime() {
      farm.submit(frame("c", "batch", 1));
      assertThat(afterStep()).hasSize(1);
      now += 60 * SECOND;

      farm.ready(attempt("c", 1), now - 50 * SECOND);

      assertThat(service("c")).isEqualTo(50);
    }

    @Test
    void timeAheadOfTheFarmCountsAsNow() {
      farm.crashed(attempt("b", 1), now + SECOND);

      assertThat(instance("b").stateSince()).isEqualTo(now);
    }

    @Test
    void secondReportChangesNothing() {
      farm.rendered(attempt("b", 1), now);
      farm.rendered(attempt("b", 1), now);
      farm.crashed(attempt("b", 1), now);

      assertThat(farm.scheduler().instances()).isEmpty();
      assertThat(farm.scheduler().stats().eventsRefused()).isZero();
      assertThat(farm.scheduler().stats().staleReports()).isEqualTo(2);
    }

    @Test
    void finishWhoseStartWasLostHasNoServiceOfThatAttempt() {
      farm.submit(frame("c", "batch", 1));
      assertThat(afterStep()).hasSize(1);
      farm.rendered(attempt("c", 1), now);

      assertThat(farm.scheduler().instance("c")).isEmpty();
    }

    @Test
    void finishDuringAPreemptionCounts() {
      preemptB();
      farm.rendered(attempt("b", 1), now);

      assertThat(farm.scheduler().instance("b")).isEmpty();
      assertThat(calls()).isEmpty();
    }

    @Test
    void resultOfAnEarlierAttemptEndsTheLatest() {
      farm.crashed(attempt("b", 1), now);
      assertThat(afterStep()).hasSize(1);
      String host = instance("b").host().orElseThrow().id();

      farm.rendered(attempt("b", 1), now);

      assertThat(calls()).containsExactly("stop b on " + host);
      assertThat(farm.scheduler().instance("b")).isEmpty();
    }

    @Test
    void lostReportsAreFoundByReconciling() {
      rendered.add("b");

      assertThat(farm.reconcile(observed(List.of(host("h1", 4), host("h2", 4)))))
          .containsExactly("instance b is gone, was believed running on host h1: ended");
      assertThat(farm.scheduler().instance("b")).isEmpty();
    }
  }

  /** What the machines cannot do. */
  @Nested
  class Actions {

    @Test
    void rejectedPreemptionKeepsItsVictimAndTakesThePlacementBack() {
      preemptB();
      String beneficiary = onFirst();

      farm.cannot(ids.get("preempt b on h1 for " + beneficiary), "b does not stop");

      assertThat(calls()).containsExactly("take back: place %s on h1".formatted(beneficiary));
      assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(instance("b").preemptions()).isZero();
      assertThat(service("b")).isEqualTo(2);
      assertThat(instance(beneficiary).state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void rejectedPlacementLeavesItsVictimPreempted() {
      preemptB();
      String beneficiary = onFirst();

      farm.cannot(ids.get("place %s on h1".formatted(beneficiary)), "no image");

      assertThat(calls()).isEmpty();
      assertThat(instance("b").state()).isEqualTo(InstanceState.PENDING);
      assertThat(instance("b").preemptions()).isEqualTo(1);
    }

    @Test
    void rejectionAfterTheStartChangesNothing() {
      farm.cannot(ids.get("place b on h1"), "too late");

      assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(farm.scheduler().stats().staleReports()).isEqualTo(1);
    }

    @Test
    void hostThatRejectsAStartIsHeldBack() {
      farm.submit(frame("c", "batch", 4));
      assertThat(afterStep()).containsExactly("place c on h2");

      farm.cannot(ids.get("place c on h2"), "disk full");

      assertThat(closed("h2")).containsInstanceOf(Reason.HeldBack.class);
      assertThat(instance("c").attempt()).isZero();
      assertThat(afterStep()).isEmpty();
      assertThat(farm.whyPending("c"))
          .startsWith("0 of 2 hosts: 1 full (cpu short by 3), 1 held back after failed starts");
      now += 10 * SECOND;
      assertThat(afterStep()).containsExactly("place c on h2");
    }

    @Test
    void crashOfARunningFrameHoldsNothingBack() {
      farm.crashed(attempt("b", 1), now);

      assertThat(closed("h1")).isEmpty();
    }

    @Test
    void frameThatStartsNowhereIsHeldBackAfterThreeFailures() {
      farm.crashed(attempt("b", 1), now);
      for (int number = 2; number <= 3; number++) {
        now += 600 * SECOND;
        assertThat(afterStep()).hasSize(1);
        farm.crashed(attempt("b", number), now);
      }
      assertThat(afterStep()).isEmpty();
      assertThat(farm.whyPending("b")).contains("after 3 failures in a row");
    }
  }

  @Nested
  class Maintenance {

    private void urgentFrameRunsOnFirst() {
      farm.submit(frame("u", "urgent", 1));
      assertThat(afterStep()).hasSize(1);
      farm.ready(attempt("u", 1), now);
      if (instance("u").host().orElseThrow().id().equals("h2")) {
        farm.reconcile(
            observed(
                List.of(host("h1", 4), host("h2", 4)), running("b", "h1"), running("u", "h1")));
      }
      assertThat(afterStep()).isEmpty();
    }

    @Test
    void closedHostKeepsItsFramesAndTakesNoOthers() {
      farm.close("h1");
      farm.close("h2");
      farm.submit(frame("c", "batch", 1));

      assertThat(afterStep()).isEmpty();
      assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(farm.whyPending("c")).isEqualTo("0 of 2 hosts: 2 cordoned");

      farm.open("h2");
      assertThat(afterStep()).containsExactly("place c on h2");
    }

    @Test
    void drainMovesUrgentFramesAndRestartsBatchFrames() {
      urgentFrameRunsOnFirst();
      List<String> expected =
          List.of("migrate u from h1 to h2 with cpu 1", "evict b from h1: h1 is draining");
      assertThat(farm.ifEmptied("h1", Duration.ofHours(1))).isEqualTo(expected);
      assertThat(closed("h1")).isEmpty();

      farm.empty("h1", Duration.ofHours(1));

      assertThat(farm.isEmpty("h1")).isFalse();
      assertThat(afterStep()).isEqualTo(expected);
      assertThat(farm.isEmpty("h1")).isTrue();
      assertThat(instance("u").state()).isEqualTo(InstanceState.STARTING);
      assertThat(instance("b").preemptions()).isZero();
      assertThat(afterStep()).containsExactly("place b on h2");
      assertThat(farm.scheduler().explain().whyAdjusted("b").orElseThrow().why().describe())
          .isEqualTo("h1 is draining");
    }

    @Test
    void drainMovesOneMemberAfterTheOtherIfTheJobMustStayUp() {
      farm.close("h1");
      for (String each : List.of("w1", "w2")) {
        farm.submit(Request.builder(each, "urgent").job("web").demand(cores(1)).build());
      }
      assertThat(afterStep()).containsExactly("place w1 on h2", "place w2 on h2");
      farm.ready(attempt("w1", 1), now);
      farm.ready(attempt("w2", 1), now);
      farm.hostJoined(host("h3", 4));
      farm.keepUp("web", 1);
      farm.empty("h2", Duration.ofHours(1));

      assertThat(afterStep()).containsExactly("migrate w1 from h2 to h3 with cpu 1");
      assertThat(afterStep()).isEmpty();
      farm.ready(attempt("w1", 2), now);
      assertThat(afterStep()).containsExactly("migrate w2 from h2 to h3 with cpu 1");
    }

    @Test
    void sizeOfWhatIsMissing() {
      HostSpec kind = new HostSpec("more", farm.scheduler().hosts().get(0).capacity());

      assertThat(farm.hostsMissing(kind, frame("s", "batch", 4), frame("t", "batch", 4)))
          .hasValue(1);
      assertThat(farm.hostsMissing(kind, frame("s", "batch", 100))).isEmpty();
      assertThat(farm.scheduler().instance("s")).isEmpty();
    }

    @Test
    void finishDuringAnEvictionCounts() {
      farm.empty("h1", Duration.ofHours(1));
      assertThat(afterStep()).containsExactly("evict b from h1: h1 is draining");

      farm.rendered(attempt("b", 1), now);

      assertThat(farm.scheduler().instance("b")).isEmpty();
    }

    @Test
    void hostThatReturnsIsOpen() {
      farm.close("h1");
      farm.hostLost("h1");
      farm.hostJoined(host("h1", 4));

      assertThat(closed("h1")).isEmpty();
    }

    @Test
    void whatFitsNowhereStaysUntilTheDeadline() {
      farm.submit(frame("c", "batch", 3));
      assertThat(afterStep()).containsExactly("place c on h2");
      farm.empty("h1", Duration.ofSeconds(60));
      assertThat(afterStep()).isEmpty();
      now += 58 * SECOND;
      assertThat(afterStep())
          .containsExactly("evict b from h1: the drain of h1 has reached its deadline");
      assertThat(farm.isEmpty("h1")).isTrue();
      assertThat(instance("b").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void openingEndsADrain() {
      farm.submit(frame("c", "batch", 3));
      assertThat(afterStep()).hasSize(1);
      farm.empty("h1", Duration.ofSeconds(60));
      assertThat(afterStep()).isEmpty();

      farm.open("h1");
      now += 120 * SECOND;

      assertThat(afterStep()).isEmpty();
      assertThat(closed("h1")).isEmpty();
    }

    @Test
    void rejectedMoveLeavesTheFrameOnItsHost() {
      urgentFrameRunsOnFirst();
      farm.empty("h1", Duration.ofHours(1));
      assertThat(afterStep()).hasSize(2);

      farm.cannot(ids.get("migrate u from h1 to h2 with cpu 1"), "no route");

      assertThat(instance("u").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(instance("u").host().orElseThrow().id()).isEqualTo("h1");
      assertThat(closed("h1")).containsInstanceOf(Reason.Draining.class);
      assertThat(closed("h2")).containsInstanceOf(Reason.HeldBack.class);
    }

    @Test
    void shrunkHostTakesNothingUntilItFits() {
      farm.close("h2");
      farm.hostChanged(host("h1", 2));
      farm.submit(frame("c", "batch", 1));

      assertThat(afterStep()).isEmpty();
      assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
      assertThat(closed("h1")).containsInstanceOf(Reason.OverCapacity.class);

      farm.rendered(attempt("b", 1), now);
      assertThat(afterStep()).containsExactly("place c on h1");
    }

    @Test
    void foreignLoadTakesRoomThatNoPreemptionFrees() {
      farm.close("h2");
      farm.othersHold("h1", cores(2));
      farm.submit(frame("u", "urgent", 3));

      assertThat(closed("h1")).containsInstanceOf(Reason.OverCapacity.class);
      assertThat(afterStep()).isEmpty();

      farm.rendered(attempt("b", 1), now);
      assertThat(afterStep()).isEmpty();
      assertThat(farm.whyPending("u"))
          .isEqualTo("0 of 2 hosts: 1 beside foreign load (cpu short by 1), 1 cordoned");

      farm.othersHold("h1", Resources.none());
      assertThat(afterStep()).containsExactly("place u on h1");
    }
  }

  @Nested
  class Restarting {

    private final List<HostSpec> hosts = List.of(host("h1", 4), host("h2", 4));

    private void resume(byte[] saved, ObservedInstance... instances) {
      farm =
          ResilientFarm.resume(
              saved,
              observed(hosts, instances),
              ResilientFarmTest.this,
              ResilientFarmTest.this,
              () -> now);
    }

    @Test
    void continuesWhereItStopped() {
      farm.submit(frame("c", "batch", 4));
      byte[] saved = farm.save();
      long digest = farm.scheduler().digest();

      resume(saved, running("b", "h1"));

      assertThat(farm.scheduler().digest()).isEqualTo(digest);
      now += 30 * SECOND;
      assertThat(service("b")).isEqualTo(31);
      assertThat(afterStep()).containsExactly("place c on h2");
    }

    @Test
    void clockThatWasSetBackDoesNotMatter() {
      byte[] saved = farm.save();
      now -= 500 * SECOND;

      resume(saved, running("b", "h1"));
      farm.submit(frame("c", "batch", 4));

      assertThat(farm.scheduler().now()).isGreaterThan(now);
      assertThat(afterStep()).containsExactly("place c on h2");
    }

    @Test
    void backoffsAreSetAgain() {
      farm.submit(frame("c", "batch", 4));
      assertThat(afterStep()).containsExactly("place c on h2");
      farm.cannot(ids.get("place c on h2"), "disk full");
      byte[] saved = farm.save();

      resume(saved, running("b", "h1"));

      assertThat(closed("h2")).containsInstanceOf(Reason.HeldBack.class);
      now += 10 * SECOND;
      assertThat(afterStep()).containsExactly("place c on h2");
      farm.cannot(ids.get("place c on h2"), "disk full");
      assertThat(((Reason.HeldBack) closed("h2").orElseThrow()).failures()).isEqualTo(2);
    }

    @Test
    void actionsBeforeTheSnapshotAreNoLongerOpen() {
      farm.submit(frame("c", "batch", 4));
      assertThat(afterStep()).containsExactly("place c on h2");
      ActionId placement = ids.get("place c on h2");
      byte[] saved = farm.save();
      ObservedInstance starting = new ObservedInstance("c", "h2", InstanceState.STARTING);
      resume(saved, running("b", "h1"), starting);

      farm.cannot(placement, "disk full");
      assertThat(instance("c").state()).isEqualTo(InstanceState.STARTING);
      assertThat(farm.scheduler().stats().staleReports()).isEqualTo(1);

      farm.crashed(attempt("c", 1), now);
      assertThat(instance("c").state()).isEqualTo(InstanceState.PENDING);
    }

    @Test
    void whatHappenedSinceIsFound() {
      farm.submit(frame("c", "batch", 1));
      farm.submit(frame("d", "batch", 4));
      byte[] saved = farm.save(); // b runs; c and d wait
      assertThat(afterStep()).isNotEmpty();
      now += 60 * SECOND;
      rendered.add("b"); // it ended on its host
      rendered.add("c"); // it was placed and ended
      Adoption late =
          new Adoption(
              frame("e", "batch", 2),
              History.since(now - 20 * SECOND).served(Duration.ofSeconds(5)));
      known.put("e", late); // submitted and started
      resume(saved, running("e", "h1").since(now - 10 * SECOND).inAttempt(1));

      assertThat(farm.scheduler().instances())
          .extracting(Instance::id)
          .containsExactlyInAnyOrder("d", "e");
      assertThat(service("e")).isEqualTo(15);
      assertThat(afterStep()).containsExactly("place d on h2");
    }

    @Test
    void strangersAreForeignLoad() {
      byte[] saved = farm.save();

      resume(saved, running("b", "h1"), running("x", "h2").holding(cores(1)));

      assertThat(farm.scheduler().host("h2").orElseThrow().foreign()).isEqualTo(cores(1));
    }

    @Test
    void withoutASnapshotInstancesAreAdopted() {
      known.put("b", new Adoption(frame("b", "batch", 3), History.since(now - 100 * SECOND)));
      farm = ResilientFarm.begin(ResilientFarmTest.this, ResilientFarmTest.this, () -> now);

      assertThat(farm.reconcile(observed(hosts, running("b", "h1").since(now - 40 * SECOND))))
          .containsExactly(
              "host h1 is up: added",
              "host h2 is up: added",
              "instance b on host h1 is unknown: adopted");
      assertThat(service("b")).isEqualTo(40);
    }

    @Test
    void aFrameGoesToAnotherFarm() {
      now += 30 * SECOND;
      Request frame = instance("b").request();
      History history = farm.giveUp(instance("b"));
      farm = ResilientFarm.begin(ResilientFarmTest.this, ResilientFarmTest.this, () -> now);
      farm.takeOver(frame, history);

      assertThat(History.of(instance("b"), now)).isEqualTo(history);
      assertThat(history.served()).isPositive();
    }

    @Test
    void timeOfDeathIsReportedBeforeReconciling() {
      now += 30 * SECOND;
      farm.crashed(attempt("b", 1), now - 20 * SECOND);
      farm.reconcile(observed(hosts));

      assertThat(service("b")).isEqualTo(11);
    }

    @Test
    void instanceOnTwoHostsIsRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> observed(hosts, running("b", "h1"), running("b", "h2")))
          .withMessageContaining("observed twice");
    }

    @Test
    void instancesUnderWayAreLeftAlone() {
      farm.submit(frame("c", "batch", 4));
      assertThat(afterStep()).containsExactly("place c on h2");
      Observation whileItStarts =
          new Observation(
              hosts.stream().map(ObservedHost::new).toList(),
              List.of(running("b", "h1")),
              Set.of("c"));

      assertThat(farm.reconcile(whileItStarts)).isEmpty();
      assertThat(instance("c").state()).isEqualTo(InstanceState.STARTING);
    }

    @Test
    void laterAttemptOnTheSameHostIsLearnt() {
      byte[] saved = farm.save();
      resume(saved, running("b", "h1").inAttempt(2)); // it failed and was placed there again since

      farm.crashed(attempt("b", 1), now);
      assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
      farm.rendered(attempt("b", 2), now);
      assertThat(farm.scheduler().instance("b")).isEmpty();
    }

    @Test
    void planThatWasNotCarriedOutIsDecidedAgain() {
      farm.submit(frame("c", "batch", 4));
      assertThat(afterStep()).containsExactly("place c on h2");
      byte[] saved = farm.save(); // and stopped before any machine began

      resume(saved, running("b", "h1"));

      assertThat(instance("c").state()).isEqualTo(InstanceState.PENDING);
      now += 10 * SECOND; // a start that is gone counts as one that failed
      assertThat(afterStep()).containsExactly("place c on h2");
      assertThat(instance("c").attempt()).isEqualTo(2);
    }

    @Test
    void wallClockIsWithinTheLimits() {
      assertThat(ResilientFarm.wallClock()).isBetween(0L, TimeLimits.LATEST);
    }
  }
}
