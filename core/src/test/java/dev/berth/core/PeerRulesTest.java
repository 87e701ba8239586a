package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Why rules about other instances refuse a host, to the last figure. */
class PeerRulesTest {

  private static final Domain ZONE = Domain.of("zone");
  private static final Peers WEB = Peers.ofJob("web");
  private static final PlacementRule.Near NEAR = new PlacementRule.Near(WEB, ZONE);
  private static final PlacementRule.Apart APART = new PlacementRule.Apart(WEB, ZONE);
  private static final PlacementRule.Spread SPREAD = new PlacementRule.Spread(WEB, ZONE, 1);

  /** Two hosts in zone a, one in zone b, one in none. */
  private final Cluster cluster =
      Cluster.byHand()
          .host("a1", 9, "zone", "a")
          .host("a2", 9, "zone", "a")
          .host("b1", 9, "zone", "b")
          .host("none", 9);

  private static Request.Builder with(String id, UnaryOperator<PlacementSpec.Builder> rules) {
    return request(id, 1).placement(rules.apply(PlacementSpec.builder()).build());
  }

  private static Request.Builder web(String id) {
    return request(id, 1).job("web");
  }

  private Optional<Reason> obstacle(String id, String host, String... victims) {
    Reason[] found = new Reason[1];
    cluster.pass(
        pass ->
            found[0] =
                pass.obstacle(
                        cluster.instance(id),
                        cluster.host(host),
                        Stream.of(victims).map(cluster::instance).toList())
                    .orElse(null));
    return Optional.ofNullable(found[0]);
  }

  @Test
  void nearNeedsAPeerInThePlace() {
    cluster.running(web("w"), "a1").pending(with("x", it -> it.near(WEB, ZONE)));

    assertThat(obstacle("x", "a2")).isEmpty();
    assertThat(obstacle("x", "b1")).contains(new Reason.NotNear(NEAR, Optional.of("b")));
    assertThat(obstacle("x", "none")).contains(new Reason.NotNear(NEAR, Optional.empty()));
    assertThat(obstacle("x", "a1", "w")).contains(new Reason.NotNear(NEAR, Optional.of("a")));
  }

  @Test
  void firstOfItsOwnPeersMayBeginAnywhereInAPlace() {
    cluster.pending(with("x", it -> it.near(WEB, ZONE)).job("web"));

    assertThat(obstacle("x", "b1")).isEmpty();
    assertThat(obstacle("x", "none")).contains(new Reason.NotNear(NEAR, Optional.empty()));
  }

  @Test
  void apartCountsThePeersInThePlace() {
    cluster.running(web("w1"), "a1").running(web("w2"), "a2").running(web("w3"), "none");
    cluster.pending(with("x", it -> it.apart(WEB, ZONE)));

    assertThat(obstacle("x", "a1")).contains(new Reason.KeptApart(APART, "a", 2, false));
    assertThat(obstacle("x", "a1", "w1")).contains(new Reason.KeptApart(APART, "a", 1, false));
    assertThat(obstacle("x", "b1")).isEmpty();
    assertThat(obstacle("x", "none")).isEmpty();
  }

  @Test
  void rulesOfOthersKeepAwayByJobAndByLabel() {
    Peers labelled = Peers.labelled("app", "db");
    PlacementRule.Apart fromLabel = new PlacementRule.Apart(labelled, ZONE);
    cluster.running(with("x", it -> it.apart(WEB, ZONE).apart(labelled, ZONE)), "a1");
    cluster.pending(web("w")).pending(request("db", 1).label("app", "db"));
    cluster.pending(request("other", 1).label("app", "web").job("other"));

    assertThat(obstacle("w", "a2")).contains(new Reason.KeptApart(APART, "a", 1, true));
    assertThat(obstacle("db", "a2")).contains(new Reason.KeptApart(fromLabel, "a", 1, true));
    assertThat(obstacle("w", "b1")).isEmpty();
    assertThat(obstacle("db", "none")).isEmpty();
    assertThat(obstacle("other", "a2")).isEmpty();
    assertThat(obstacle("w", "a1", "x")).isEmpty();
  }

  @Test
  void spreadComparesWithThePlaceThatHasFewest() {
    cluster.running(web("w1"), "a1").running(web("w2"), "a2").running(web("w3"), "b1");
    cluster.pending(with("x", it -> it.spread(WEB, ZONE, 1)).job("web"));
    cluster.pending(with("stranger", it -> it.spread(WEB, ZONE, 1)));

    assertThat(obstacle("x", "a1"))
        .contains(new Reason.Uneven(SPREAD, Optional.of("a"), 3, 1, "b"));
    assertThat(obstacle("x", "a1", "w1")).isEmpty();
    assertThat(obstacle("x", "b1")).isEmpty();
    assertThat(obstacle("stranger", "a1")).isEmpty();
    assertThat(obstacle("x", "none"))
        .contains(new Reason.Uneven(SPREAD, Optional.empty(), 0, 0, ""));
  }

  /** However many instances elsewhere keep the peers away. */
  @Test
  void spreadComparesWithThePresentCounts() {
    Cluster placing = Cluster.of(parts -> parts).host("none", 3);
    placing.host("a1", 1, "zone", "a").host("a2", 1, "zone", "a").host("b1", 1, "zone", "b");
    Stream.of("k1", "k2", "k3")
        .forEach(each -> placing.running(with(each, it -> it.apart(WEB, ZONE)), "none"));
    placing.running(web("w1"), "a1").running(web("w2"), "b1");
    placing.pending(with("x", it -> it.spread(WEB, ZONE, 1)).job("web"));

    assertThat(Plans.placements(placing.pass())).containsExactly("x on a2");
  }

  @Test
  void spreadCountsOnlyPlacesThatTheInstanceMayUse() {
    cluster.running(web("w1"), "a1");
    cluster.pending(
        with("x", it -> it.spread(WEB, ZONE, 1))
            .job("web")
            .constraint(new Constraint.Equal("zone", "a")));

    assertThat(obstacle("x", "a2")).isEmpty();
  }

  @Test
  void ofPlacesWithEquallyFewTheFirstByNameIsNamed() {
    cluster.host("c1", 9, "zone", "c").running(web("w1"), "a1");
    cluster.pending(with("x", it -> it.spread(WEB, ZONE, 1)).job("web"));

    assertThat(obstacle("x", "a2"))
        .contains(new Reason.Uneven(SPREAD, Optional.of("a"), 2, 0, "b"));
  }

  @Test
  void anInstanceThatMigratesDoesNotCountWhereItIs() {
    Request.Builder spread = with("spread", it -> it.spread(WEB, ZONE, 1)).job("web");
    cluster.running(spread, "a1").running(web("w"), "a2");
    assertThat(immovable("spread", "a2"))
        .contains(new Reason.Uneven(SPREAD, Optional.of("a"), 2, 0, "b"));
    assertThat(immovable("spread", "b1")).isEmpty();

    Peers db = Peers.ofJob("db");
    cluster.running(with("near", it -> it.near(db, ZONE)).job("db"), "a1");
    assertThat(immovable("near", "b1")).isEmpty();

    Peers lone = Peers.ofJob("lone");
    cluster.running(with("apart", it -> it.apart(lone, ZONE)).job("lone"), "a1");
    assertThat(immovable("apart", "a2")).isEmpty();
  }

  /** Returns why an instance cannot migrate to a host. */
  private Optional<Reason> immovable(String id, String host) {
    List<Optional<Reason>> found = new ArrayList<>();
    cluster.pass(
        pass -> {
          try (SchedulingPass.Fork fork = pass.fork()) {
            Reason why = new Reason.PolicyChoice("test", "a test");
            found.add(
                fork.migrate(cluster.instance(id), cluster.host(host), Cluster.cores(1), why)
                    .refusal());
          }
        });
    return found.get(0);
  }

  @Test
  void rulesAreCheckedInTurn() {
    cluster.running(web("w1"), "a1").running(web("w2"), "a2");
    cluster.pending(
        with("x", it -> it.near(WEB, ZONE).apart(WEB, Domain.HOST).spread(WEB, ZONE, 1))
            .job("web"));

    assertThat(obstacle("x", "b1")).contains(new Reason.NotNear(NEAR, Optional.of("b")));
    assertThat(obstacle("x", "a1")).contains(new Reason.AntiAffinity("web", "w1"));
    assertThat(obstacle("x", "a1", "w1"))
        .contains(new Reason.Uneven(SPREAD, Optional.of("a"), 2, 0, "b"));
  }
}
