package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Backoff;
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
import dev.berth.api.Taint;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A fleet reports all that it has; what is believed wrongly is corrected. */
class ReconcileTest {

  private static final HostSpec H1 = new HostSpec("h1", cores(4, 4), Map.of("name", "h1"));
  private static final HostSpec H2 = new HostSpec("h2", cores(4, 4), Map.of("name", "h2"));

  private final Cluster cluster = Cluster.byHand().host("h1", cores(4, 4)).host("h2", cores(4, 4));
  private final Scheduler scheduler = cluster.scheduler();
  private final List<ObservedHost> hosts =
      new ArrayList<>(List.of(new ObservedHost(H1), new ObservedHost(H2)));

  private static Request.Builder demanding(String id, double cores, double memory) {
    return Cluster.request(id, cores).demand(cores(cores, memory));
  }

  private static ObservedInstance running(String id, String host) {
    return new ObservedInstance(id, host, InstanceState.RUNNING);
  }

  private List<String> reconcile(ObservedInstance... instances) {
    return reconcile(Reconciler.DEFAULT, instances);
  }

  private List<String> reconcile(Reconciler reconciler, ObservedInstance... instances) {
    Observation observed = new Observation(hosts, List.of(instances));
    List<String> found = words(scheduler.reconcile(observed, reconciler, cluster.now()));
    assertThat(scheduler.reconcile(observed, reconciler, cluster.now()).isEmpty())
        .as("a second time there is nothing to correct")
        .isTrue();
    return found;
  }

  private static List<String> words(Reconciliation reconciliation) {
    return reconciliation.differences().stream().map(Difference::describe).toList();
  }

  @Test
  void anInstanceFoundRunningIsNotRejectedByThePassThatPreemptsIt() {
    cluster.pending(demanding("a", 4, 1)).pending(demanding("b", 4, 1));
    reconcile(running("a", "h1"));

    cluster.pass(
        pass -> {
          Instance a = pass.instance("a").orElseThrow();
          pass.place(pass.instance("b").orElseThrow(), pass.host("h1").orElseThrow(), List.of(a));
          assertThat(pass.reject(a, new Reason.PolicyChoice("test", "a test")).refusal())
              .contains(
                  new Reason.WrongState("a", "was acted on in this pass, so it is not rejected"));
        });

    assertThat(scheduler.instance("a").orElseThrow().state()).isEqualTo(InstanceState.PENDING);
  }

  private List<ObservedInstance> strays(ObservedInstance... instances) {
    Observation observed = new Observation(hosts, List.of(instances));
    return scheduler.reconcile(observed, Reconciler.DEFAULT, cluster.now()).strays();
  }

  @Test
  void whatIsOnAHostThatCannotBeReachedIsBelieved() {
    cluster.running(demanding("a", 1, 1), "h1").running(demanding("b", 1, 1), "h1");
    hosts.set(0, new ObservedHost(H1.withTaints(Taint.unreachable())));
    Reconciler allEnded =
        new Reconciler() {
          @Override
          public boolean hasEnded(Instance gone) {
            throw new AssertionError("asked about " + gone.id());
          }
        };

    assertThat(reconcile(allEnded, running("b", "h2").inAttempt(1)))
        .containsExactly(
            "host h1 has cpu 4, memory 4 and {name=h1} with taint berth.dev/unreachable (leave), was"
                + " believed to have cpu 4, memory 4 and {name=h1}: changed",
            "instance b is running on host h2, was believed running on host h1: corrected");
    assertThat(cluster.instance("a").host().orElseThrow().id()).isEqualTo("h1");
    assertThat(cluster.instance("b").host().orElseThrow().id()).isEqualTo("h2");

    hosts.set(0, new ObservedHost(H1));
    assertThat(reconcile(running("b", "h2").inAttempt(1)))
        .anySatisfy(each -> assertThat(each).startsWith("instance a is gone"));
  }

  @Test
  void anEarlierAttemptIsAStrayOnceItsHostIsReachedAgain() {
    cluster.running(demanding("a", 1, 1), "h1");
    scheduler.changeHost(H1.withTaints(Taint.unreachable(Duration.ZERO)), cluster.now());
    cluster.pass();
    cluster.place("a", "h2").started("a");
    ObservedInstance zombie = running("a", "h1").inAttempt(1).holding(cores(1, 1));

    assertThat(strays(zombie, running("a", "h2").inAttempt(2))).containsExactly(zombie);
    assertThat(cluster.instance("a").attempt()).isEqualTo(2);
  }

  @Test
  void anEarlierAttemptOnAHostThatReturnsIsAStray() {
    cluster.running(demanding("a", 1, 1), "h1").removed("h1");
    cluster.place("a", "h2").started("a");
    ObservedInstance zombie = running("a", "h1").inAttempt(1).holding(cores(1, 1));
    ObservedInstance present = running("a", "h2").inAttempt(2);

    assertThat(strays(zombie, present)).containsExactly(zombie);

    assertThat(cluster.instance("a").host()).contains(cluster.host("h2"));
    assertThat(cluster.host("h1").foreign()).isEqualTo(cores(1, 1));
    assertThat(strays(present, zombie)).as("until it is gone").containsExactly(zombie);
    assertThat(strays(present)).isEmpty();
    assertThat(cluster.host("h1").foreign()).isEqualTo(Resources.none());
  }

  @Test
  void anEarlierAttemptOnTheSameHostIsAStray() {
    cluster.running(demanding("a", 1, 1), "h1").failed("a").place("a", "h1").started("a");
    ObservedInstance zombie = running("a", "h1").inAttempt(1);

    assertThat(strays(zombie, running("a", "h1").inAttempt(2))).containsExactly(zombie);
    assertThat(cluster.instance("a").attempt()).isEqualTo(2);
  }

  @Test
  void ofTwoAttemptsThatAreBothUnexpectedTheLaterCounts() {
    cluster.running(demanding("a", 1, 1), "h1");
    ObservedInstance third = running("a", "h1").inAttempt(3);

    assertThat(strays(third, running("a", "h2").inAttempt(4))).containsExactly(third);
    assertThat(cluster.instance("a").host()).contains(cluster.host("h2"));
  }

  @Test
  void anInstanceThatWasCancelledIsAStray() {
    cluster.running(demanding("a", 1, 1), "h1").cancel("a");
    cluster.running(demanding("b", 1, 1), "h1").completed("b");
    ObservedInstance a = running("a", "h1");

    assertThat(strays(a, running("b", "h1"), running("c", "h1"))).containsExactly(a);
    assertThat(strays(a.inAttempt(1))).hasSize(1);
    assertThat(strays(a.inAttempt(2))).as("it is of another scheduler").isEmpty();
  }

  @Test
  void anAttemptOfACancelledInstanceIsNotThatOfTheNextWithItsId() {
    cluster.running(demanding("a", 1, 1), "h1").cancel("a");
    cluster.pending(demanding("a", 1, 1));
    ObservedInstance former = running("a", "h1").inAttempt(1);

    assertThat(strays(former)).containsExactly(former);
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);

    cluster.place("a", "h2").started("a");
    assertThat(strays(former, running("a", "h2").inAttempt(2))).containsExactly(former);
    assertThat(strays(former)).containsExactly(former);
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void anInstanceThatWasBelievedDoneIsAdoptedInTheSameAttempt() {
    cluster.running(demanding("a", 1, 1), "h1").completed("a");
    Reconciler adopting =
        new Reconciler() {
          @Override
          public Optional<Adoption> adopt(ObservedInstance unknown) {
            return Optional.of(
                new Adoption(demanding("a", 1, 1).build(), History.since(cluster.now())));
          }
        };

    reconcile(adopting, running("a", "h1").inAttempt(1)); // which compares a second time

    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    scheduler.completed(new Attempt("a", 1), cluster.now(), cluster.now());
    assertThat(scheduler.instance("a")).isEmpty();
  }

  @Test
  void twoAttemptsThatNothingIsKnownOfAreForeignLoad() {
    assertThat(strays(running("x", "h1").inAttempt(1), running("x", "h2").inAttempt(2))).isEmpty();
  }

  @Test
  void nothingDiffers() {
    cluster.running(demanding("a", 1, 1), "h1").pending(demanding("b", 1, 1));
    Snapshot before = cluster.snapshot();

    assertThat(reconcile(running("a", "h1"))).isEmpty();
    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void hostsAppearChangeAndGo() {
    cluster.running(demanding("a", 1, 1), "h2").pass();
    hosts.clear();
    hosts.add(new ObservedHost(new HostSpec("h1", cores(8, 4), Map.of("zone", "a"))));
    hosts.add(new ObservedHost(new HostSpec("h3", cores(2, 2)), cores(1, 0)));

    List<String> found = reconcile();

    assertThat(found)
        .hasSize(5)
        .anyMatch(each -> each.startsWith("host h1 has"))
        .contains(
            "host h3 is up: added",
            "instance a is gone, was believed running on host h2: pending again",
            "host h2 is gone: removed");
    assertThat(scheduler.hosts()).extracting(each -> each.id()).containsExactly("h1", "h3");
    assertThat(cluster.host("h1").capacity()).isEqualTo(cores(8, 4));
    assertThat(cluster.host("h1").attribute("zone")).contains("a");
    assertThat(cluster.host("h3").free()).isEqualTo(cores(1, 2));
    assertThat(cluster.pass().triggers())
        .contains(
            Trigger.HOST_ADDED,
            Trigger.HOST_CHANGED,
            Trigger.HOST_REMOVED,
            Trigger.INSTANCE_FAILED);
  }

  @Test
  void attemptsAreCompared() {
    cluster.running(demanding("a", 1, 1), "h1").failed("a").place("a", "h1").started("a");
    assertThat(reconcile(running("a", "h1").inAttempt(2))).isEmpty();
    cluster.at(5);

    assertThat(reconcile(running("a", "h1").inAttempt(1)))
        .containsExactly(
            "instance a is running on host h1 in attempt 1, was believed running on host h1 in"
                + " attempt 2: corrected");

    assertThat(cluster.instance("a").serviceTime(7 * Cluster.SECOND)).isEqualTo(7 * Cluster.SECOND);
    scheduler.completed(new Attempt("a", 1), cluster.now(), cluster.now());
    assertThat(scheduler.instance("a")).isEmpty();
  }

  @Test
  void presentAttemptIsNoEarlierOne() {
    cluster.starting(demanding("a", 1, 1), "h1");

    assertThat(reconcile(running("a", "h1").inAttempt(1))).hasSize(1);

    assertThat(((InstanceRecord) cluster.instance("a")).earlierAttempt()).isZero();
  }

  @Test
  void aMissingInstanceIsNoFailedStart() {
    Backoff atOnce = new Backoff(Duration.ofSeconds(10), 2, Duration.ofSeconds(10), 1);
    Cluster held =
        Cluster.byHand(Scheduler.builder().hostBackoff(atOnce).instanceBackoff(atOnce))
            .host("h1", cores(4, 4))
            .starting(demanding("a", 1, 1), "h1");

    held.scheduler()
        .reconcile(
            new Observation(List.of(new ObservedHost(H1)), List.of()), Reconciler.DEFAULT, 0);

    assertThat(held.instance("a").state()).isEqualTo(InstanceState.PENDING);
    assertThat(held.host("h1").closed()).isEmpty();
    assertThat(held.scheduler().nextTimerAt()).isEmpty();
  }

  /** The start after a preemption did happen; what follows is no restart. */
  @Test
  void aCorrectionEndsTheRestart() {
    cluster.running(demanding("a", 4, 4), "h1").pending(demanding("b", 4, 4));
    cluster.place("b", "h1", "a").place("a", "h2").at(7);

    reconcile(running("b", "h1"), new ObservedInstance("a", "h2", InstanceState.PAUSED));
    cluster.pass(
        pass ->
            pass.resume(
                cluster.instance("a"), cores(4, 4), new Reason.PolicyChoice("test", "a test")));
    cluster.at(9).started("a");

    assertThat(cluster.instance("a").restartOverhead()).isZero();
  }

  /** It starts again after its preemption, though not on the host where it was sent. */
  @Test
  void aCorrectionDoesNotEndARestartThatIsUnderWay() {
    cluster.running(demanding("a", 4, 4), "h1").pending(demanding("b", 4, 4));
    cluster.place("b", "h1", "a").place("a", "h2").at(7);
    hosts.add(new ObservedHost(new HostSpec("h3", cores(4, 4))));

    reconcile(
        running("b", "h1"), new ObservedInstance("a", "h3", InstanceState.STARTING).inAttempt(2));
    assertThat(cluster.instance("a").restarting()).isTrue();
    cluster.at(9).started("a");

    assertThat(cluster.instance("a").restartOverhead()).isEqualTo(2 * SECOND);
  }

  @Test
  void aHostMayHoldTooMuchAfterACorrection() {
    cluster.running(demanding("a", 3, 3), "h1").running(demanding("b", 3, 3), "h2");

    reconcile(running("a", "h2"), running("b", "h2"));

    assertThat(cluster.host("h2").closed()).containsInstanceOf(Reason.OverCapacity.class);
    cluster.completed("b");
    assertThat(cluster.host("h2").closed()).isEmpty();
  }

  @Test
  void noActionBeforeACorrectionCanBeRejected() {
    cluster.pending(demanding("a", 3, 3));
    Plan plan = cluster.pass(pass -> pass.place(cluster.instance("a"), cluster.host("h1")));
    reconcile(running("a", "h2"));

    assertThatExceptionOfType(StaleReportException.class)
        .isThrownBy(() -> scheduler.rejected(plan.id(0), "no", cluster.now()));
    assertThat(cluster.instance("a").host()).contains(cluster.host("h2"));
  }

  @Test
  void aCorrectedInstanceHasANewPlaceAmongTheVictims() {
    VictimOrder byAttempt =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.attempt();
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    Cluster fleet = Cluster.of(parts -> parts.preemption(byAttempt, TestParts.LESS_IMPORTANT));
    fleet.host("h1", cores(4, 4));
    fleet.running(Cluster.request("a", "bronze", 2), "h1");
    fleet.running(Cluster.request("b", "bronze", 2), "h1");
    fleet
        .scheduler()
        .reconcile(
            new Observation(
                List.of(new ObservedHost(H1)),
                List.of(running("a", "h1").inAttempt(7), running("b", "h1").inAttempt(1))),
            Reconciler.DEFAULT,
            0);
    fleet.pending("c", 2);

    assertThat(Plans.victims(fleet.pass())).containsExactly("a");
  }

  @Test
  void whatIsOnAReleasedHostIsLeftAlone() {
    scheduler.offerPool(new PoolSpec("p", cores(4, 4), 1), 0);
    Reason why = new Reason.PolicyChoice("test", "a test");
    cluster.pass(
        pass ->
            pass.provision(pass.pools().get(0), 1, Optional.empty(), OptionalLong.empty(), why));
    HostSpec released = new HostSpec("p-1", cores(4, 4));
    scheduler.addHost(released, 0);
    cluster.pass(pass -> pass.release(cluster.host("p-1"), why));
    hosts.add(new ObservedHost(released, cores(1, 1)));

    cluster.running(demanding("a", 1, 1), "h1");
    assertThat(reconcile(running("x", "p-1").holding(cores(1, 1)), running("a", "p-1"))).isEmpty();
  }

  @Test
  void amountsThatCannotBeAddedUpAreRefused() {
    Resources most = Resources.of(Dimension.CPU, Long.MAX_VALUE);
    ObservedInstance half =
        running("x", "h1").holding(Resources.of(Dimension.CPU, Long.MAX_VALUE / 2 + 1));
    Observation wrong =
        new Observation(List.of(new ObservedHost(H1, most), new ObservedHost(H2)), List.of(half));
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.reconcile(wrong, Reconciler.DEFAULT, 0))
        .withMessage("host h1 was observed to hold more than 2^63 units of cpu.");
    Adoption how =
        new Adoption(Request.builder("x", "gold").demand(most).build(), History.since(0));
    cluster.running(demanding("a", 4, 4), "h1").foreign("h1", 1);
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.adopt(how, running("x", "h1"), 0))
        .withMessage(
            "instance x is adopted on host h1, which would hold more than 2^63 units of cpu.");
    assertThat(scheduler.instance("x")).isEmpty();
  }

  @Test
  void twoScalesWithinAnObservationAreRefusedAsAWhole() {
    Dimension thousandths = new Dimension("gpu", 1000);
    hosts.add(new ObservedHost(new HostSpec("h3", Resources.of(new Dimension("gpu", 1), 1))));
    hosts.add(new ObservedHost(new HostSpec("h4", Resources.of(thousandths, 1))));

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(this::reconcile)
        .withMessage("host h4 counts gpu on another scale than before: 1 units make one there.");

    assertThat(scheduler.hosts()).hasSize(2);
  }

  @Test
  void aScaleThatTheClusterDoesNotHaveIsRefusedAsAWhole() {
    Dimension thousandths = new Dimension("gpu", 1000);
    cluster.pending(Request.builder("a", "gold").demand(Resources.of(thousandths, 1)));
    hosts.add(new ObservedHost(new HostSpec("h3", cores(1))));
    hosts.set(1, new ObservedHost(H2, Resources.of(new Dimension("gpu", 1), 1)));

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(this::reconcile)
        .withMessage(
            "foreign load of host h2 counts gpu on another scale than before: 1000 units make one"
                + " there.");

    assertThat(scheduler.hosts()).hasSize(2);
  }

  /** Observations that cannot be, with the refusal. */
  static Stream<Arguments> refused() {
    Resources ones = Resources.of(new Dimension("gpu", 1), 1);
    Resources thousandths = Resources.of(new Dimension("gpu", 1000), 1);
    Dimension coarse = new Dimension("cpu", 1000);
    ObservedHost h1 = new ObservedHost(H1);
    ObservedHost h2 = new ObservedHost(H2);
    ObservedHost withOnes = new ObservedHost(new HostSpec("h1", ones, Map.of("name", "h1")));
    ObservedHost shared = new ObservedHost(new HostSpec("h1", cores(4, 4), Map.of(), true));
    Resources half = cpu(Long.MAX_VALUE / 2 + 2);
    Resources most = cpu(Long.MAX_VALUE - 1_500_000_000);
    String scale = " counts gpu on another scale than before: 1 units make one there.";
    String sum = " was observed to hold more than 2^63 units of cpu.";
    return Stream.of(
        refused(
            "host h1 changes, but whether its CPU is time-shared must stay false. Maybe remove it"
                + " first.",
            List.of(shared, h2)),
        refused(
            "host h2" + scale,
            List.of(withOnes, new ObservedHost(new HostSpec("h2", thousandths)))),
        refused(
            "foreign load of host h2" + scale,
            List.of(withOnes, new ObservedHost(H2, thousandths))),
        refused(
            "request n" + scale, List.of(withOnes, h2), running("n", "h2").holding(thousandths)),
        refused(
            "host h2 counts cpu on another scale than before: 1000000000 units make one there.",
            List.of(h1, new ObservedHost(new HostSpec("h2", Resources.of(coarse, 1))))),
        refused(
            "instance n is adopted at 0 ns, admitted at 0 ns and RUNNING since 1 ns, must be in"
                + " this order reversed and from -5184000000000000000 ns on.",
            List.of(h1, h2),
            running("n", "h2").since(1)),
        refused("host h2" + sum, List.of(h1, h2), running("most", "h2")),
        refused("host h2" + sum, List.of(h1, h2), running("n", "h2").holding(most)),
        refused(
            "host h1" + sum,
            List.of(h1, h2),
            running("half1", "h1"),
            running("half2", "h1"),
            running("half3", "h1")),
        refused("host h1" + sum, List.of(new ObservedHost(H1, half), h2), running("half1", "h1")));
  }

  private static Arguments refused(
      String words, List<ObservedHost> hosts, ObservedInstance... instances) {
    List<ObservedHost> withAnother = new ArrayList<>();
    withAnother.add(new ObservedHost(new HostSpec("new", cores(1)))); // to be added first
    withAnother.addAll(hosts);
    return Arguments.of(words, new Observation(withAnother, List.of(instances)));
  }

  /** On h2 are two instances of a core each. Unknown ones are to be adopted. */
  @ParameterizedTest
  @MethodSource
  void refused(String words, Observation observed) {
    cluster.running(demanding("r1", 1, 1), "h2").running(demanding("r2", 1, 1), "h2");
    cluster.pending(Request.builder("most", "gold").demand(cpu(Long.MAX_VALUE - 1_500_000_000)));
    for (String each : List.of("half1", "half2", "half3")) {
      cluster.pending(Request.builder(each, "gold").demand(cpu(Long.MAX_VALUE / 2)));
    }
    Reconciler adopting =
        new Reconciler() {
          @Override
          public Optional<Adoption> adopt(ObservedInstance unknown) {
            return Optional.of(
                new Adoption(request(unknown.id(), unknown.holds()), History.since(0)));
          }
        };
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.reconcile(observed, adopting, cluster.now()))
        .withMessage(words);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  private static Resources cpu(long units) {
    return Resources.of(Dimension.CPU, units);
  }

  /** Its tier depends on the state, as that of instances below their margins. */
  private static final class ByState implements QueueOrder {

    @Override
    public long key(Instance pending) {
      return pending.admittedAt();
    }

    @Override
    public int tier(Instance pending, long now) {
      return pending.state() == InstanceState.RUNNING ? 1 : 0;
    }
  }

  @Test
  void anInstanceLeavesTheQueueFromItsPlaceThere() {
    Cluster queued = Cluster.of(parts -> parts.queue(new ByState()));
    queued.host("h1", cores(4, 4));
    queued
        .pending(demanding("a", 1, 1))
        .pending(demanding("b", 1, 1))
        .pending(demanding("c", 1, 1));

    queued
        .scheduler()
        .reconcile(
            new Observation(List.of(new ObservedHost(H1)), List.of(running("a", "h1"))),
            Reconciler.DEFAULT,
            0);

    assertThat(queued.instance("a").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(queued.pass().placements()).hasSize(2);
  }

  @Test
  void anAdoptedInstanceIsAmongTheVictimsThatAnExplanationNames() {
    Cluster preempting =
        Cluster.of(
            parts -> parts.preemption(TestParts.victimsBy(Map.of()), TestParts.LESS_IMPORTANT));
    preempting.host("h1", cores(4, 4));
    Adoption gold = new Adoption(demanding("a", 4, 4).build(), History.since(0));
    preempting.scheduler().adopt(gold, running("a", "h1"), 0);
    preempting.pending(demanding("b", 4, 4));

    assertThat(preempting.scheduler().explain().whyPending("b", 0).victims())
        .extracting(each -> each.code())
        .doesNotContain("no-candidates");
  }

  /** The start and its report were 2 s and 5 s ago; the report was lost. */
  @Test
  void aLostStartCountsFromItsTime() {
    cluster.starting(demanding("a", 1, 1), "h1");
    long placed = cluster.now();
    cluster.atNanos(placed + 5 * SECOND);

    assertThat(reconcile(running("a", "h1").since(placed + 2 * SECOND)))
        .containsExactly(
            "instance a is running on host h1, was believed starting on host h1: corrected");

    assertThat(cluster.instance("a").serviceTime(cluster.now())).isEqualTo(3 * SECOND);
    assertThat(cluster.instance("a").waitingTime(cluster.now()))
        .isEqualTo(cluster.now() - cluster.instance("a").admittedAt() - 3 * SECOND);
  }

  @Test
  void oneThatWasBelievedElsewhereIsWhereItIs() {
    cluster.running(demanding("a", 3, 3), "h1");
    long since = cluster.now();
    cluster.atNanos(since + 10 * SECOND);

    reconcile(running("a", "h2").since(since + 4 * SECOND));

    Instance a = cluster.instance("a");
    assertThat(a.host().orElseThrow().id()).isEqualTo("h2");
    assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 4));
    assertThat(cluster.host("h2").free()).isEqualTo(cores(1, 1));
    assertThat(a.serviceTime(cluster.now())).isEqualTo(10 * SECOND);
  }

  /** Its preemption was not carried out: it is there in the attempt before. */
  @Test
  void onePendingByBeliefRunsAgain() {
    cluster.running(demanding("a", 4, 4), "h1").pending(demanding("b", 4, 4));
    cluster.place("b", "h1", "a");
    cluster.place("a", "h2"); // attempt 2
    cluster.atNanos(cluster.now() + SECOND);

    List<String> found = reconcile(running("a", "h1").inAttempt(1));

    assertThat(found).hasSize(2).anyMatch(each -> each.startsWith("instance b is gone"));
    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.PENDING);
    assertThat(cluster.host("h1").free()).isEqualTo(cores(0, 0));
    assertThat(cluster.host("h2").free()).isEqualTo(cores(4, 4));
    long now = cluster.now();
    assertThatExceptionOfType(StaleReportException.class)
        .isThrownBy(() -> scheduler.failed(new Attempt("a", 2), now, now));
    scheduler.failed(new Attempt("a", 1), now, now);
    cluster.place("a", "h2");
    assertThat(cluster.instance("a").attempt()).isEqualTo(3);
  }

  @Test
  void aFleetMayBeAheadInAttempts() {
    cluster.running(demanding("a", 1, 1), "h1");

    reconcile(running("a", "h2").inAttempt(7));

    assertThat(cluster.instance("a").attempt()).isEqualTo(7);
  }

  @Test
  void statesAreCorrected() {
    cluster.running(demanding("a", 2, 2), "h1");

    reconcile(new ObservedInstance("a", "h1", InstanceState.SUSPENDED));
    assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 4));
    reconcile(new ObservedInstance("a", "h1", InstanceState.PAUSED));
    assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 2));
    reconcile(running("a", "h1"));
    assertThat(cluster.host("h1").free()).isEqualTo(cores(2, 2));
  }

  @Test
  void oneThatIsGoneIsPendingOrDone() {
    cluster.running(demanding("a", 1, 1), "h1").running(demanding("b", 1, 1), "h1");
    Reconciler endsB =
        new Reconciler() {
          @Override
          public boolean hasEnded(Instance gone) {
            return gone.id().equals("b");
          }
        };

    assertThat(reconcile(endsB))
        .containsExactly(
            "instance a is gone, was believed running on host h1: pending again",
            "instance b is gone, was believed running on host h1: ended");
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
    assertThat(scheduler.instance("b")).isEmpty();
  }

  @Test
  void oneUnderWayIsLeftAlone() {
    cluster.starting(demanding("a", 1, 1), "h1");
    Observation observed = new Observation(hosts, List.of(), Set.of("a"));

    assertThat(scheduler.reconcile(observed, Reconciler.DEFAULT, cluster.now()).isEmpty()).isTrue();
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.STARTING);
    Observation elsewhere = new Observation(hosts, List.of(running("a", "h2")), Set.of("a"));
    assertThat(scheduler.reconcile(elsewhere, Reconciler.DEFAULT, cluster.now()).isEmpty())
        .isTrue();
  }

  @Test
  void oneOfThePastIsRefused() {
    cluster.at(10).pass();
    Observation observed = new Observation(hosts, List.of());

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.reconcile(observed, Reconciler.DEFAULT, 9))
        .withMessageStartingWith("a reconciliation at 9 ns, but time has reached 10000000000 ns.");
  }

  @Test
  void strangersAreForeignLoad() {
    hosts.set(0, new ObservedHost(H1, cores(0.5, 0)));

    assertThat(reconcile(running("x", "h1").holding(cores(1, 2)), running("y", "h2")))
        .hasSize(2)
        .startsWith("instance x on host h1 is unknown: foreign load");
    assertThat(cluster.host("h1").free()).isEqualTo(cores(2.5, 2));
    assertThat(reconcile()).hasSize(1).first().asString().startsWith("others hold");
    assertThat(cluster.host("h1").free()).isEqualTo(cores(3.5, 4));
  }

  private static Reconciler adopting(Adoption how) {
    return new Reconciler() {
      @Override
      public Optional<Adoption> adopt(ObservedInstance unknown) {
        return Optional.of(how);
      }
    };
  }

  private static Request request(String id, Resources demand) {
    return Cluster.request(id, 1).demand(demand).build();
  }

  @Test
  void strangersAreAdopted() {
    long now = cluster.at(100).now();
    Adoption how =
        new Adoption(
            request("x", cores(1, 2)), History.since(10 * SECOND).served(Duration.ofSeconds(20)));

    assertThat(reconcile(adopting(how), running("x", "h1").since(70 * SECOND).inAttempt(3)))
        .containsExactly("instance x on host h1 is unknown: adopted");

    Instance x = cluster.instance("x");
    assertThat(x.admittedAt()).isEqualTo(10 * SECOND);
    assertThat(x.serviceTime(now)).isEqualTo(50 * SECOND);
    assertThat(x.waitingTime(now)).isEqualTo(40 * SECOND);
    assertThat(x.attempt()).isEqualTo(3);
    assertThat(cluster.host("h1").free()).isEqualTo(cores(3, 2));
    assertThat(cluster.host("h1").instances()).containsExactly(x);
    assertThat(scheduler.completed("x", now).serviceTime()).isEqualTo(50 * SECOND);
  }

  @Test
  void anAdoptedInstanceMayExceedTheCapacity() {
    scheduler.adopt(
        new Adoption(request("x", cores(5, 1)), History.since(0)),
        running("x", "h1"),
        cluster.now());

    assertThat(cluster.host("h1").closed().orElseThrow().describe()).contains("more than");
    scheduler.completed("x", cluster.now());
    assertThat(cluster.host("h1").closed()).isEmpty();
  }

  @Test
  void contradictionsAreRefused() {
    long now = cluster.at(100).now();
    ObservedInstance seen = running("x", "h1").since(70 * SECOND);
    assertRefused(
        new Adoption(
            request("x", cores(1, 1)), History.since(10 * SECOND).served(Duration.ofSeconds(61))),
        seen,
        "service of PT1M1S");
    assertRefused(
        new Adoption(request("x", cores(1, 1)), History.since(71 * SECOND)), seen, "admitted at");
    assertRefused(
        new Adoption(request("y", cores(1, 1)), History.since(0)), seen, "must have its id");
    assertRefused(
        new Adoption(request("x", cores(1, 1)), History.since(0)),
        running("x", "h9"),
        "no such host");
    assertRefused(
        new Adoption(request("x", cores(1, 1)), History.since(0)), seen.since(now + 1), "since");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Observation(hosts, List.of(seen, seen)))
        .withMessageContaining("observed twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Observation(hosts, List.of(running("x", "h9"))))
        .withMessageContaining("h9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ObservedInstance("x", "h1", InstanceState.PENDING));
  }

  private void assertRefused(Adoption how, ObservedInstance seen, String message) {
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.adopt(how, seen, cluster.now()))
        .withMessageContaining(message);
    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void timeAdvancesEvenIfNothingDiffers() {
    scheduler.reconcile(new Observation(hosts, List.of()), Reconciler.DEFAULT, 7 * SECOND);

    assertThat(scheduler.now()).isEqualTo(7 * SECOND);
  }

  /** A new instance of the id has not its errors. */
  @Test
  void errorsAboutAnInstanceThatIsGoneAreForgotten() {
    cluster.running(demanding("a", 1, 1), "h1");
    cluster.pass(
        pass -> pass.place(pass.instance("a").orElseThrow(), pass.host("h1").orElseThrow()));
    Reconciler ends =
        new Reconciler() {
          @Override
          public boolean hasEnded(Instance gone) {
            return true;
          }
        };

    reconcile(ends);
    cluster.pending(demanding("a", 1, 1));

    assertThat(scheduler.explain().whyPending("a", cluster.now()).policyErrors()).isEmpty();
  }
}
