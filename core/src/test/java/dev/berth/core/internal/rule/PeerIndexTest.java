package dev.berth.core.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Peers are counted as long as a live request refers to them, and as the hosts are now. */
class PeerIndexTest {

  private static final Peers WEB = Peers.ofJob("web");
  private static final Peers DB = Peers.labelled("app", "db");
  private static final Domain ZONE = Domain.of("zone");

  private final ClusterState state =
      new ClusterState(0, List.of(ServiceClass.builder("only").build()));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final HostChanges changes = new HostChanges(state);
  private final PeerRules rules = new PeerRules(state.peers());

  // ---- What is kept

  @Test
  void requestsWithOneRuleShareACountWhileOneOfThemLives() {
    JobRecord web = web("w").job;
    submit("x", it -> it.near(WEB, ZONE));
    submit("y", it -> it.near(WEB, ZONE));
    assertThat(web.tables).hasSize(1);
    PeerTable shared = web.tables.get(0);
    submit("z", it -> it.near(WEB, Domain.HOST));
    assertThat(web.tables).hasSize(2);

    end("z");
    end("x");
    assertThat(web.tables).containsExactly(shared);

    end("y");
    assertThat(web.tables).isEmpty();
  }

  @Test
  void aJobWithoutMembersIsKeptWhileARuleRefersToIt() {
    JobRecord web = web("w1").job;
    submit("x", it -> it.near(WEB, ZONE));
    end("w1");
    assertThat(web("w2").job).isSameAs(web);

    end("w2");
    end("x");
    assertThat(web("w3").job).isNotSameAs(web);
  }

  @Test
  void placesAreKeptUntilAsManyListsWereAskedFor() {
    events.addHost(new HostSpec("h", Resources.none(), Map.of("zone", "a")), 0);
    List<Object> zones = state.peers().places("zone", null);
    for (int i = 1; i < 1023; i++) {
      state.peers().places("attribute" + i, null);
    }
    assertThat(state.peers().places("zone", null)).isSameAs(zones);

    state.peers().places("another", null);

    assertThat(state.peers().places("zone", null)).isEqualTo(zones).isNotSameAs(zones);
  }

  @Test
  void aLabelIsKeptWhileAMemberOrARuleRefersToIt() {
    LabelRecord first = labels(labelled("d1"))[0];
    LabelRecord shared = labels(labelled("d2"))[0];
    assertThat(shared).isSameAs(first);
    end("d1");
    end("d2");
    LabelRecord second = labels(labelled("d3"))[0];
    assertThat(second).isNotSameAs(first);

    submit("x", it -> it.near(DB, ZONE));
    end("d3");
    assertThat(labels(labelled("d4"))[0]).isSameAs(second);

    end("d4");
    end("x");
    assertThat(labels(labelled("d5"))[0]).isNotSameAs(second);
  }

  @Test
  void theAntiAffinityOfAJobNeedsNoCount() {
    Request.Builder request =
        request("a").job("web").placement(PlacementSpec.builder().apart(WEB, Domain.HOST).build());

    InstanceRecord a = submit(request);

    assertThat(a.antiAffinity).isTrue();
    assertThat(a.job.tables).isEmpty();
    assertThat(PeerRules.mayRefuse(a)).isFalse();
    assertThat(submit("b", it -> it.apart(WEB, Domain.HOST)).job).isNull();
    assertThat(a.job.tables).as("the rule of a stranger").hasSize(1);
  }

  // ---- What changes

  @Test
  void onlyInstancesThatOthersMayReferToChangeTheCounts() {
    HostRecord host = addHost("h", Map.of());

    assertThat(isCountedOn(host, submit(request("plain")))).isFalse();
    assertThat(isCountedOn(host, web("w"))).isTrue();
    assertThat(isCountedOn(host, labelled("d"))).isTrue();
    assertThat(isCountedOn(host, submit("x", it -> it.apart(DB, ZONE)))).isTrue();
  }

  /** Returns whether the counts are new when an instance comes to a host, and when it leaves. */
  private boolean isCountedOn(HostRecord host, InstanceRecord instance) {
    long before = state.peers().changes();
    transitions.place(instance, host, instance.wholeDemand);
    long placed = state.peers().changes();
    transitions.preempt(instance);
    assertThat(state.peers().changes() > placed).isEqualTo(placed > before);
    return placed > before;
  }

  @Test
  void aHostDiscouragesWhileItHasASoftTaintAndIsUp() {
    HostSpec plain = new HostSpec("h", Resources.none());
    HostSpec tainted = plain.withTaints(Taint.preferNot("k", "v"));
    events.addHost(plain.withTaints(Taint.noNew("k", "v")), 0);
    assertThat(state.peers().discourage()).isFalse();

    changes.changeHost(tainted, 0);
    assertThat(state.peers().discourage()).isTrue();
    changes.changeHost(plain, 0);
    assertThat(state.peers().discourage()).isFalse();
    changes.changeHost(tainted, 0);
    events.removeHost("h", 0);

    assertThat(state.peers().discourage()).isFalse();
    events.addHost(tainted, 0);
    assertThat(state.peers().discourage()).isTrue();
  }

  @Test
  void spreadForgetsThePlaceOfAHostThatLeft() {
    HostRecord inA = addHost("a", Map.of("zone", "a"));
    addHost("b", Map.of("zone", "b"));
    InstanceRecord w = web("w");
    transitions.place(w, inA, w.wholeDemand);
    InstanceRecord x =
        submit(
            request("x")
                .job("web")
                .placement(PlacementSpec.builder().spread(WEB, ZONE, 1).build()));
    assertThat(rules.refuse(x, inA)).isTrue();

    events.removeHost("b", 0);

    assertThat(rules.refuse(x, inA)).isFalse();
  }

  // ---- Instances that rules and preferences concern

  @Test
  void onlyRulesMayRefuseAHost() {
    InstanceRecord plain = submit(request("plain"));
    InstanceRecord member = web("w");
    InstanceRecord wishes = prefers("wishes", new Preference.Near(WEB, ZONE, 1));
    InstanceRecord obeys = submit("obeys", it -> it.apart(WEB, ZONE));

    assertThat(List.of(plain, member, wishes, obeys))
        .extracting(rules::concern)
        .containsExactly(false, false, true, true);
    assertThat(List.of(plain, member, wishes, obeys))
        .extracting(PeerRules::mayRefuse)
        .containsExactly(false, false, false, true);

    transitions.place(obeys, addHost("h", Map.of("zone", "a")), obeys.wholeDemand);
    assertThat(List.of(plain, member)).extracting(rules::concern).containsExactly(false, true);
    assertThat(PeerRules.mayRefuse(member)).as("kept away").isTrue();

    events.addHost(new HostSpec("t", Resources.none()).withTaints(Taint.preferNot("k", "v")), 0);
    assertThat(rules.concern(plain)).as("discouraged").isTrue();
  }

  @Test
  void aHostIsValuedForThePeersOnItself() {
    HostRecord host = addHost("h", Map.of("zone", "a"));
    HostRecord other = addHost("other", Map.of("zone", "a"));
    InstanceRecord w = web("w");
    transitions.place(w, host, w.wholeDemand);
    InstanceRecord near = prefers("near", new Preference.Near(WEB, Domain.HOST, 1));
    InstanceRecord apart = prefers("apart", new Preference.Apart(WEB, Domain.HOST, 1));
    InstanceRecord byZone =
        prefers("zone", new Preference.Near(WEB, ZONE, 1), new Preference.Apart(WEB, ZONE, 1));

    assertThat(List.of(near, apart, byZone, w))
        .extracting(each -> PeerRules.isValuedForItself(each, host))
        .containsExactly(true, true, false, false);
    assertThat(List.of(near, apart, byZone, w))
        .extracting(each -> PeerRules.isValuedForItself(each, other))
        .containsOnly(false);
  }

  @Test
  void onlyHostsWithPeersObeyANearRuleOnceThereAreAny() {
    HostRecord host = addHost("h", Map.of());
    InstanceRecord near = submit("near", it -> it.near(WEB, Domain.HOST));
    InstanceRecord apart = submit("apart", it -> it.apart(WEB, Domain.HOST));
    InstanceRecord w = web("w");
    assertThat(near.rules().dependOnVictims()).isTrue();
    assertThat(apart.rules().dependOnVictims()).isFalse();
    assertThat(near.rules().onlyHosts()).isNull();

    transitions.place(w, host, w.wholeDemand);
    assertThat(apart.rules().onlyHosts()).isNull();
    assertThat(near.rules().onlyHosts()).isEqualTo(Set.of(host));

    transitions.preempt(w);
    assertThat(w.job.tables).allMatch(each -> each.occupied().isEmpty());
    transitions.place(apart, host, apart.wholeDemand);
    transitions.preempt(apart);
    assertThat(w.job.tables).allMatch(each -> each.occupied().isEmpty());
  }

  private HostRecord addHost(String id, Map<String, String> attributes) {
    return (HostRecord) events.addHost(new HostSpec(id, Resources.none(), attributes), 0);
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "only").demand(Resources.none());
  }

  private InstanceRecord submit(Request.Builder request) {
    return (InstanceRecord) events.submit(request.build(), 0);
  }

  private InstanceRecord submit(String id, UnaryOperator<PlacementSpec.Builder> rules) {
    return submit(request(id).placement(rules.apply(PlacementSpec.builder()).build()));
  }

  private InstanceRecord prefers(String id, Preference... preferences) {
    PlacementSpec.Builder spec = PlacementSpec.builder();
    List.of(preferences).forEach(spec::prefer);
    return submit(request(id).placement(spec.build()));
  }

  private InstanceRecord web(String id) {
    return submit(request(id).job("web"));
  }

  private static LabelRecord[] labels(RuledInstance instance) {
    return Objects.requireNonNull(instance.labels);
  }

  private InstanceRecord labelled(String id) {
    return submit(request(id).label("app", "db"));
  }

  private void end(String id) {
    events.done(id, 0, true, OptionalLong.empty());
  }
}
