package dev.berth.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.reference.ReferencePlacement.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Taints, rules and preferences in the reference model, worked out by hand. */
class ReferencePlacementTest {

  private static final Dimension CPU = new Dimension("cpu", 1);
  private static final Domain ZONE = Domain.of("zone");
  private static final Peers WEB = Peers.ofJob("web");

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  private final ReferenceScheduler scheduler =
      new ReferenceScheduler(
          PriorityBased.PAPER, List.of(GOLD, BRONZE), 7, Optional.of(Duration.ofSeconds(10)));
  private int requests;

  // ---- Taints

  @Test
  void taintsKeepOffThoseThatDoNotTolerateThem() {
    scheduler.apply(
        new Event.HostAdded(spec("h1", 9, "a").withTaints(Taint.noNew("disk", "full"))), 0);
    scheduler.apply(new Event.HostAdded(spec("h2", 9, "a").withTaints(leave())), 0);

    assertThat(refusal("h1", PlacementSpec.NONE)).contains(Refusal.TAINT);
    assertThat(refusal("h2", PlacementSpec.NONE)).contains(Refusal.TAINT);
    assertThat(refusal("h1", tolerating(Toleration.of("disk", "full")))).isEmpty();
    assertThat(refusal("h1", tolerating(Toleration.of("disk", "half")))).contains(Refusal.TAINT);
    assertThat(refusal("h2", tolerating(Toleration.ALL))).isEmpty();
    assertThat(host(PlacementSpec.NONE)).isEmpty();
    assertThat(host(tolerating(Toleration.of("disk")))).contains("h1");
  }

  private static Taint leave() {
    return Taint.leaveAfter("gpu", "", Duration.ofSeconds(1));
  }

  /** h1 would be better for its score, as it has the most room. */
  @Test
  void discouragingTaintsDecideBeforePreferencesAndScores() {
    scheduler.apply(
        new Event.HostAdded(
            spec("h1", 90, "a")
                .withTaints(Taint.preferNot("disk", ""), Taint.preferNot("gpu", ""))),
        0);
    scheduler.apply(
        new Event.HostAdded(spec("h2", 60, "b").withTaints(Taint.preferNot("disk", ""))), 0);
    scheduler.apply(new Event.HostAdded(spec("h3", 2, "b")), 0);

    assertThat(host(PlacementSpec.NONE)).contains("h3");
    assertThat(host(prefers(onHost("a", 1000)))).contains("h3"); // which is full now
    assertThat(host(PlacementSpec.NONE)).contains("h2");
    assertThat(host(tolerating(Toleration.of("disk")))).contains("h2");
    assertThat(host(tolerating(Toleration.ALL))).contains("h1");
  }

  @Test
  void aHostWithADiscouragingTaintComesBeforePreemption() {
    scheduler.apply(new Event.HostAdded(spec("h1", 1, "a")), 0);
    assertThat(host(PlacementSpec.NONE, BRONZE)).contains("h1");
    scheduler.apply(new Event.StartedNow("r1"), 0);
    scheduler.apply(
        new Event.HostAdded(spec("h2", 1, "a").withTaints(Taint.preferNot("disk", ""))), 0);

    assertThat(host(PlacementSpec.NONE)).contains("h2");
  }

  @Test
  void tellsWhenInstancesMustLeave() {
    ReferenceInstance plain = pending(PlacementSpec.NONE);
    ReferenceInstance forEver = pending(tolerating(Toleration.of("gpu")));
    ReferenceInstance forATime =
        pending(
            PlacementSpec.builder()
                .tolerate(Toleration.ALL)
                .tolerate(atMost(30))
                .tolerate(atMost(20))
                .build());

    assertThat(ReferencePlacement.mustLeaveAt(plain, Taint.noNew("gpu", ""), 5)).isEmpty();
    assertThat(ReferencePlacement.mustLeaveAt(plain, leave(), 5)).hasValue(1_000_000_005L);
    assertThat(ReferencePlacement.mustLeaveAt(plain, leave(), Long.MAX_VALUE - 5))
        .hasValue(Long.MAX_VALUE);
    assertThat(ReferencePlacement.mustLeaveAt(forEver, leave(), 5)).isEmpty();
    assertThat(ReferencePlacement.mustLeaveAt(forATime, leave(), 5)).hasValue(25);
  }

  @Test
  void aTaintRepelsInstancesThatItWouldEvict() {
    ReferenceInstance forATime =
        pending(PlacementSpec.builder().tolerate(Toleration.ALL).tolerate(atMost(30)).build());
    HostSpec host = spec("h1", 1, "a");

    assertThat(ReferencePlacement.repels(host.withTaints(leave()), forATime)).isTrue();
    assertThat(ReferencePlacement.repels(host.withTaints(Taint.noNew("gpu", "")), forATime))
        .isFalse();
  }

  private static Toleration atMost(long nanos) {
    return new Toleration(
        Optional.of("gpu"),
        Optional.empty(),
        Optional.empty(),
        Optional.of(Duration.ofNanos(nanos)));
  }

  // ---- Apart

  @Test
  void theRuleThatKeepsAJobApartByHostIsItsAntiAffinity() {
    ReferenceInstance plain = pending(PlacementSpec.NONE);
    ReferenceInstance alone = pending(apart(Peers.ofJob("other"), Domain.HOST));

    assertThat(ReferencePlacement.mayShare(plain, alone)).isFalse();
    assertThat(ReferencePlacement.mayShare(alone, plain)).isFalse();
    assertThat(ReferencePlacement.mayShare(plain, pending(apart(Peers.ofJob("other"), ZONE))))
        .isTrue();
    assertThat(ReferencePlacement.mayShare(plain, pending(apart(Peers.ofJob("web"), Domain.HOST))))
        .isTrue();
  }

  private static PlacementSpec apart(Peers peers, Domain domain) {
    return PlacementSpec.builder().apart(peers, domain).build();
  }

  // ---- Near

  @Test
  void theFirstOfSeveralPeersMayStartInAnyPlace() {
    zones();
    PlacementSpec near = PlacementSpec.builder().near(WEB, ZONE).build();

    assertThat(refusal("a1", near, "other")).contains(Refusal.NEAR);
    assertThat(refusal("a1", near, "web")).isEmpty();
    assertThat(refusal("none", near, "web")).contains(Refusal.NO_PLACE);

    place("b1", PlacementSpec.NONE, "web");

    assertThat(refusal("a1", near, "web")).contains(Refusal.NEAR);
    assertThat(refusal("b1", near, "web")).isEmpty();
    assertThat(refusal("b2", near, "other")).isEmpty();
  }

  @Test
  void aPeerInNoPlaceIsNearNothing() {
    zones();
    place("none", PlacementSpec.NONE, "web");
    PlacementSpec near = PlacementSpec.builder().near(WEB, ZONE).build();

    assertThat(refusal("a1", near, "web")).contains(Refusal.NEAR);
    assertThat(refusal("none", near, "web")).contains(Refusal.NO_PLACE);
    assertThat(refusal("none", PlacementSpec.builder().near(WEB, Domain.HOST).build(), "web"))
        .isEmpty();
  }

  /** The only peer is on the only host, and would have to leave. */
  @Test
  void doesNotPreemptTheOnlyPeer() {
    scheduler.apply(new Event.HostAdded(spec("h1", 1, "a")), 0);
    scheduler.apply(new Event.Submitted(request(PlacementSpec.NONE, "web", BRONZE)), 0);
    scheduler.schedule(0);
    scheduler.apply(new Event.StartedNow("r1"), 0);

    PlacementSpec near = PlacementSpec.builder().near(WEB, ZONE).build();
    scheduler.apply(new Event.Submitted(request(near, "other", GOLD)), 0);
    assertThat(scheduler.schedule(1).actions()).isEmpty();
    assertThat(scheduler.coverage().of(CaseCoverage.Mark.REFUSAL_BY_LOST_PEER)).isEqualTo(1);

    scheduler.apply(
        new Event.Submitted(request(near, "web", GOLD)),
        1); // the first of its peers once it has left
    assertThat(scheduler.schedule(2).preemptions()).hasSize(1);
  }

  // ---- Apart

  @Test
  void apartHoldsInBothDirections() {
    zones();
    PlacementSpec apart = PlacementSpec.builder().apart(WEB, ZONE).build();
    place("a1", PlacementSpec.NONE, "web");
    place("b1", apart, "batch");

    assertThat(refusal("a2", apart, "batch")).contains(Refusal.APART);
    assertThat(refusal("b2", apart, "batch")).isEmpty();
    assertThat(refusal("none", apart, "batch")).isEmpty();
    assertThat(refusal("b2", PlacementSpec.NONE, "web")).contains(Refusal.KEPT_AWAY);
    assertThat(refusal("b2", PlacementSpec.NONE, "batch")).isEmpty();
    assertThat(refusal("none", PlacementSpec.NONE, "web")).isEmpty();
  }

  @Test
  void apartFromTheOwnJobByHostIsAntiAffinity() {
    zones();
    PlacementSpec apart = PlacementSpec.builder().apart(WEB, Domain.HOST).build();
    place("a1", apart, "web");

    assertThat(refusal("a1", apart, "web")).contains(Refusal.APART);
    assertThat(refusal("a1", PlacementSpec.NONE, "web")).contains(Refusal.KEPT_AWAY);
    assertThat(refusal("a2", apart, "web")).isEmpty();
    assertThat(refusal("a1", PlacementSpec.NONE, "other")).isEmpty();
  }

  @Test
  void anInstanceInNoPlaceKeepsNoneAway() {
    zones();
    place("none", PlacementSpec.builder().apart(WEB, ZONE).build(), "batch");

    for (String each : List.of("a1", "b1", "none")) {
      assertThat(refusal(each, PlacementSpec.NONE, "web")).isEmpty();
    }
  }

  @Test
  void victimsLiftARefusal() {
    scheduler.apply(new Event.HostAdded(spec("h1", 1, "a")), 0);
    scheduler.apply(new Event.Submitted(request(PlacementSpec.NONE, "web", BRONZE)), 0);
    scheduler.schedule(0);
    scheduler.apply(new Event.StartedNow("r1"), 0);
    PlacementSpec apart = PlacementSpec.builder().apart(WEB, ZONE).build();
    scheduler.apply(new Event.Submitted(request(apart, "batch", GOLD)), 0);

    ReferencePlacement placement = new ReferencePlacement(scheduler.cluster());
    List<ReferenceInstance> victims = List.of(scheduler.cluster().instance("r1").orElseThrow());
    ReferenceInstance beneficiary = scheduler.cluster().instance("r2").orElseThrow();
    assertThat(placement.refusal(beneficiary, hostSpec("h1"), List.of())).contains(Refusal.APART);
    assertThat(placement.refusal(beneficiary, hostSpec("h1"), victims)).isEmpty();
    assertThat(scheduler.schedule(1).preemptions())
        .containsExactly(new Action.Preempt("r1", "h1", "r2"));
  }

  // ---- Spread

  /** Zones a, b and c: two, one and no peer. */
  @Test
  void spreadComparesWithThePlaceThatHasTheFewest() {
    zones();
    place("a1", PlacementSpec.NONE, "web");
    place("a2", PlacementSpec.NONE, "web");
    place("b1", PlacementSpec.NONE, "web");

    assertThat(refusal("a1", spread(2), "web")).contains(Refusal.SPREAD); // 3 against 0
    assertThat(refusal("a1", spread(3), "web")).isEmpty();
    assertThat(refusal("b1", spread(1), "web")).contains(Refusal.SPREAD); // 2 against 0
    assertThat(refusal("b2", spread(2), "web")).isEmpty();
    assertThat(refusal("c1", spread(1), "web")).isEmpty(); // 1 against 0
    assertThat(refusal("none", spread(9), "web")).contains(Refusal.NO_PLACE);
    assertThat(refusal("b1", spread(1), "other")).isEmpty(); // 1 against 0
    assertThat(refusal("a1", spread(1), "other")).contains(Refusal.SPREAD); // 2 against 0
  }

  private static PlacementSpec spread(int maxSkew) {
    return PlacementSpec.builder().spread(WEB, ZONE, maxSkew).build();
  }

  @Test
  void onlyPlacesWhereTheConstraintsHoldAreCompared() {
    zones();
    place("a1", PlacementSpec.NONE, "web");
    scheduler.apply(new Event.HostCordoned("c1"), 0);

    assertThat(refusal("a1", spread(1), "web")).contains(Refusal.SPREAD); // closed places count
    scheduler.apply(
        new Event.Submitted(
            Request.builder("picky", "gold")
                .demand(Resources.of(CPU, 1))
                .job("web")
                .placement(spread(1))
                .constraint(new Constraint.Equal("zone", "a"))
                .build()),
        0);
    assertThat(refusal("a1", "picky")).isEmpty();
  }

  @Test
  void spreadsAJobEvenly() {
    zones();
    for (int i = 0; i < 6; i++) {
      scheduler.apply(new Event.Submitted(request(spread(1), "web", GOLD)), 0);
    }

    Plan plan = scheduler.schedule(0);

    assertThat(plan.placements().stream().map(each -> each.host().substring(0, 1)))
        .containsExactlyInAnyOrder("a", "a", "b", "b", "c", "c");
  }

  // ---- Preferences

  @Test
  void addsUpWhatPreferencesAreWorth() {
    zones();
    place("a1", PlacementSpec.NONE, "web");
    place("a2", PlacementSpec.NONE, "web");
    place("b1", PlacementSpec.NONE, "web");

    assertThat(worth("a1", onHost("a", 5), onHost("a", 2), onHost("b", 100))).isEqualTo(7);
    Preference near = new Preference.Near(WEB, ZONE, 3);
    assertThat(worth("a1", near)).isEqualTo(3);
    assertThat(worth("c1", near)).isZero();
    assertThat(worth("none", near)).isZero();
    Preference apart = new Preference.Apart(WEB, ZONE, 3);
    assertThat(worth("a1", apart)).isEqualTo(-6);
    assertThat(worth("b2", apart)).isEqualTo(-3);
    assertThat(worth("c1", apart)).isZero();
    assertThat(worth("none", apart)).isEqualTo(-6);
    assertThat(worth("a2", new Preference.Apart(WEB, Domain.HOST, 3))).isEqualTo(-3);
    assertThat(worth("a1", near, apart, onHost("a", 2))).isEqualTo(-1);
  }

  @Test
  void choosesTheHostThatIsWorthTheMost() {
    scheduler.apply(new Event.HostAdded(spec("h1", 90, "a")), 0);
    scheduler.apply(new Event.HostAdded(spec("h2", 2, "b")), 0);

    assertThat(host(PlacementSpec.NONE)).contains("h1");
    assertThat(host(prefers(onHost("b", 1)))).contains("h2");
    assertThat(host(prefers(onHost("b", 1)))).contains("h2");
    assertThat(host(prefers(onHost("b", 1)))).contains("h1"); // as h2 is full
    assertThat(scheduler.coverage().of(CaseCoverage.Mark.DECISION_BY_PREFERENCE)).isEqualTo(2);
  }

  @Test
  void theCostOfPreemptionComesBeforePreferences() {
    scheduler.apply(new Event.HostAdded(spec("h1", 2, "a")), 0);
    for (int i = 0; i < 2; i++) {
      assertThat(host(PlacementSpec.NONE, BRONZE)).contains("h1");
    }
    scheduler.apply(new Event.HostAdded(spec("h2", 2, "b")), 0);
    scheduler.apply(
        new Event.Submitted(
            Request.builder("large", "bronze").demand(Resources.of(CPU, 2)).build()),
        0);
    scheduler.schedule(0);
    for (String each : List.of("r1", "r2", "large")) {
      scheduler.apply(new Event.StartedNow(each), 0);
    }
    scheduler.apply(
        new Event.Submitted(
            Request.builder("j", "gold")
                .demand(Resources.of(CPU, 2))
                .placement(prefers(onHost("a", 1000)))
                .build()),
        0);

    assertThat(scheduler.schedule(1).placements().get(0).victims()).containsExactly("large");
  }

  // ---- Drains

  @Test
  void drainedInstancesObeyRulesAsIfTheyHadLeft() {
    scheduler.apply(new Event.HostAdded(spec("a1", 4, "a")), 0);
    PlacementSpec apart = PlacementSpec.builder().apart(WEB, ZONE).build();
    assertThat(host(apart, GOLD, "web")).contains("a1");
    scheduler.apply(new Event.StartedNow("r1"), 0);
    scheduler.apply(new Event.HostAdded(spec("b1", 4, "b")), 0);
    assertThat(host(PlacementSpec.NONE, GOLD, "web")).contains("b1");
    scheduler.apply(new Event.HostAdded(spec("a2", 1, "a").withTaints(Taint.noNew("gpu", ""))), 0);
    scheduler.apply(new Event.HostAdded(spec("a3", 3, "a")), 0);

    scheduler.apply(new Event.HostDrained("a1", Drain.moving()), 1);

    assertThat(scheduler.schedule(1).actions())
        .singleElement()
        .extracting(Object::toString)
        .asString()
        .contains("Migrate", "host=a3");
  }

  // ---- Shorthand

  private void zones() {
    for (String each : List.of("a1", "a2", "b1", "b2", "c1")) {
      scheduler.apply(new Event.HostAdded(spec(each, 100, each.substring(0, 1))), 0);
    }
    scheduler.apply(new Event.HostAdded(new HostSpec("none", Resources.of(CPU, 1))), 0);
  }

  private static HostSpec spec(String id, int cpu, String zone) {
    return new HostSpec(id, Resources.of(CPU, cpu), Map.of("zone", zone));
  }

  private HostSpec hostSpec(String id) {
    return scheduler.cluster().host(id).orElseThrow();
  }

  private static PlacementSpec tolerating(Toleration toleration) {
    return PlacementSpec.builder().tolerate(toleration).build();
  }

  private static PlacementSpec prefers(Preference preference) {
    return PlacementSpec.builder().prefer(preference).build();
  }

  private static Preference onHost(String zone, int weight) {
    return new Preference.OnHost(new Constraint.Equal("zone", zone), weight);
  }

  private Request request(PlacementSpec placement, String job, ServiceClass serviceClass) {
    return Request.builder("r" + ++requests, serviceClass.name())
        .demand(Resources.of(CPU, 1))
        .job(job)
        .placement(placement)
        .build();
  }

  private ReferenceInstance pending(PlacementSpec placement) {
    scheduler.apply(new Event.Submitted(request(placement, "other", GOLD)), 0);
    return scheduler.cluster().instance("r" + requests).orElseThrow();
  }

  /** Places an instance on a host, whatever its rules say. */
  private void place(String host, PlacementSpec placement, String job) {
    Adoption how = new Adoption(request(placement, job, GOLD), History.since(0));
    scheduler.apply(
        new Event.Adopted(
            how, new ObservedInstance(how.request().id(), host, InstanceState.STARTING)),
        0);
  }

  /** Submits a request, and returns the host on which the next pass places it. */
  private Optional<String> host(PlacementSpec placement) {
    return host(placement, GOLD);
  }

  private Optional<String> host(PlacementSpec placement, ServiceClass serviceClass) {
    return host(placement, serviceClass, "other");
  }

  private Optional<String> host(PlacementSpec placement, ServiceClass serviceClass, String job) {
    Request request = request(placement, job, serviceClass);
    scheduler.apply(new Event.Submitted(request), 0);
    Optional<String> host =
        scheduler.schedule(0).placements().stream()
            .filter(each -> each.instance().equals(request.id()))
            .map(each -> each.host())
            .findFirst();
    if (host.isEmpty()) {
      scheduler.apply(new Event.Cancelled(request.id()), 0);
    }
    return host;
  }

  private Optional<Refusal> refusal(String host, PlacementSpec placement) {
    return refusal(host, placement, "other");
  }

  private Optional<Refusal> refusal(String host, PlacementSpec placement, String job) {
    scheduler.apply(new Event.Submitted(request(placement, job, GOLD)), 0);
    Optional<Refusal> refusal = refusal(host, "r" + requests);
    scheduler.apply(new Event.Cancelled("r" + requests), 0);
    return refusal;
  }

  private Optional<Refusal> refusal(String host, String instance) {
    return new ReferencePlacement(scheduler.cluster())
        .refusal(scheduler.cluster().instance(instance).orElseThrow(), hostSpec(host), List.of());
  }

  private long worth(String host, Preference... preferences) {
    PlacementSpec.Builder spec = PlacementSpec.builder();
    for (Preference each : preferences) {
      spec.prefer(each);
    }
    scheduler.apply(new Event.Submitted(request(spec.build(), "other", GOLD)), 0);
    long worth =
        new ReferencePlacement(scheduler.cluster())
            .worth(scheduler.cluster().instance("r" + requests).orElseThrow(), hostSpec(host));
    scheduler.apply(new Event.Cancelled("r" + requests), 0);
    return worth;
  }
}
