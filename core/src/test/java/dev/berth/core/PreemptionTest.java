package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Plans.hosts;
import static dev.berth.core.Plans.instances;
import static dev.berth.core.Plans.victims;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.LESS_IMPORTANT;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Domain;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.decision.SeededTieBreaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which victims a pipeline preempts on a host. */
class PreemptionTest {

  private static final Map<String, Long> NO_VALUES = Map.of();

  @Test
  void isOffByDefault() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).running("b", "bronze", 1, "h1");

    assertThat(cluster.pending("a", 1).pass().actions()).isEmpty();
  }

  @Test
  void takesVictimsInOrderUntilTheDemandFits() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts.preemption(
                        victimsBy(Map.of("v1", 1L, "v2", 4L, "v3", 3L, "v4", 2L)), ALLOW_ALL))
            .host("h1", 4);
    Stream.of("v1", "v2", "v3", "v4").forEach(id -> cluster.running(id, 1, "h1"));

    Plan plan = cluster.pending("a", 2).pass();

    assertThat(plan.actions())
        .containsExactly(
            new Action.Preempt("v2", "h1", "a"),
            new Action.Preempt("v3", "h1", "a"),
            new Action.Place("a", "h1", List.of("v2", "v3")));
  }

  @Test
  void usesFreeCapacityFirst() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL))
            .host("h1", 3)
            .running("v1", 1, "h1")
            .at(1)
            .running("v2", 1, "h1");

    assertThat(victims(cluster.at(2).pending("a", 2).pass())).containsExactly("v2");
  }

  @Test
  void mergesServiceClassesIntoOneVictimOrder() {
    Map<String, Long> values = Map.of("g1", 10L, "b1", 9L, "s1", 8L, "g2", 7L, "b2", 6L);
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(victimsBy(values), ALLOW_ALL)).host("h1", 5);
    cluster.running("b2", "bronze", 1, "h1").running("g2", "gold", 1, "h1");
    cluster.running("s1", "silver", 1, "h1").running("b1", "bronze", 1, "h1");
    cluster.running("g1", "gold", 1, "h1");

    assertThat(victims(cluster.pending("a", 4).pass())).containsExactly("g1", "b1", "s1", "g2");
  }

  @Test
  void takesHigherTiersBeforeHigherValues() {
    class BronzeFirst implements VictimOrder {
      @Override
      public long key(Instance instance) {
        return instance.id().equals("g") ? 100 : 0;
      }

      @Override
      public long drift(ServiceClass serviceClass, InstanceState state, long now) {
        return 0;
      }

      @Override
      public int tier(ServiceClass serviceClass) {
        return serviceClass.importance();
      }
    }
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(new BronzeFirst(), ALLOW_ALL))
            .host("h1", 3)
            .running("g", "gold", 1, "h1")
            .running("s", "silver", 1, "h1")
            .running("b", "bronze", 1, "h1");

    assertThat(victims(cluster.pending("a", 3).pass())).containsExactly("b", "s", "g");
  }

  @Test
  void comparesClassesByCurrentValueNotKey() {
    VictimOrder silverGrows =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.id().equals("g") ? 5 * SECOND : 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return serviceClass.name().equals("silver") ? now : 0;
          }
        };
    for (int now : List.of(4, 6)) {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(silverGrows, ALLOW_ALL))
              .host("h1", 2)
              .running("g", "gold", 1, "h1")
              .running("s", "silver", 1, "h1");

      assertThat(victims(cluster.at(now).pending("a", 1).pass()))
          .containsExactly(now < 5 ? "g" : "s");
    }
  }

  @Test
  void breaksVictimTiesBySeededHash() {
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().seed(5),
                parts -> parts.preemption(victimsBy(NO_VALUES), ALLOW_ALL))
            .host("h1", 8);
    List<String> ids = IntStream.range(0, 8).mapToObj(i -> "v" + i).toList();
    List<String> classes = List.of("gold", "silver", "bronze");
    IntStream.range(0, 8).forEach(i -> cluster.running("v" + i, classes.get(i % 3), 1, "h1"));

    assertThat(victims(cluster.pending("a", 5).pass()))
        .isEqualTo(
            ids.stream()
                .sorted(
                    Comparator.comparingLong((String id) -> SeededTieBreaker.hash(5, id))
                        .reversed())
                .limit(5)
                .toList());
  }

  @Test
  void passesBothInstancesAndTheirValuesToTheRule() {
    List<String> judged = new ArrayList<>();
    VictimOrder metric =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.id().equals("a") ? 3 : 20;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return (state == InstanceState.PENDING ? -1 : 1) * (now / SECOND);
          }
        };
    PreemptionRule rule =
        pair -> {
          judged.add(
              "%s (class %d, value %d) for %s (class %d, value %d) at %d s"
                  .formatted(
                      pair.victim().id(),
                      pair.victimClassRank(),
                      pair.victimValue(),
                      pair.beneficiary().id(),
                      pair.beneficiaryClassRank(),
                      pair.beneficiaryValue(),
                      pair.now() / SECOND));
          return Verdict.refuse("no", "no");
        };
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(metric, rule))
            .host("h1", 1)
            .running("v", "bronze", 1, "h1");

    cluster.at(7).pending("a", "silver", 1).pass();

    assertThat(judged).containsExactly("v (class 2, value 27) for a (class 1, value -4) at 7 s");
  }

  @Test
  void refuseRestSkipsTheRestOfTheClass() {
    assertThat(judgedWhenRefusedBy(Verdict.refuse("no", "no")))
        .containsExactly("b3", "s2", "b2", "s1", "b1");
    assertThat(judgedWhenRefusedBy(Verdict.refuseRest("no", "no")))
        .containsExactly("b3", "s2", "s1");
  }

  /** Refuses bronze victims with this verdict, and silver victims always. */
  private List<String> judgedWhenRefusedBy(Verdict forBronze) {
    List<String> judged = new ArrayList<>();
    Map<String, Long> values = Map.of("b3", 6L, "s2", 5L, "b2", 4L, "s1", 2L, "b1", 1L);
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts.preemption(
                        victimsBy(values),
                        pair -> {
                          judged.add(pair.victim().id());
                          return pair.victimClassRank() == 2
                              ? forBronze
                              : Verdict.refuse("no", "no");
                        }))
            .host("h1", 5);
    Stream.of("b1", "b2", "b3").forEach(id -> cluster.running(id, "bronze", 1, "h1"));
    Stream.of("s1", "s2").forEach(id -> cluster.running(id, "silver", 1, "h1"));

    assertThat(cluster.pending("a", 1).pass().actions()).isEmpty();
    return judged;
  }

  @Test
  void skipsRefusedVictims() {
    PreemptionRule notTheFirst =
        pair ->
            pair.victim().id().equals("v1")
                ? Verdict.refuse("no", "no")
                : Verdict.allow("yes", "yes");
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(victimsBy(Map.of("v1", 2L, "v2", 1L)), notTheFirst))
            .host("h1", 2)
            .running("v1", 1, "h1")
            .running("v2", 1, "h1");

    assertThat(victims(cluster.pending("a", 1).pass())).containsExactly("v2");
  }

  @Test
  void preemptsNoneIfAllEligibleFreeTooLittle() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
            .host("h1", 3)
            .running("b", "bronze", 1, "h1")
            .running("g", "gold", 2, "h1");

    assertThat(cluster.pending("a", 2).pass().actions()).isEmpty();
    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.RUNNING);
  }

  @Test
  void skipsHostsThatAreTooSmall() {
    PreemptionRule notToBeAsked =
        pair -> {
          throw new AssertionError("asked about " + pair.victim());
        };
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), notToBeAsked))
            .host("h1", 1)
            .running("b", "bronze", 1, "h1");

    assertThat(cluster.pending("a", 2).pass().actions()).isEmpty();
  }

  @Test
  void sparesStartingInstancesByDefault() {
    for (boolean allowed : List.of(false, true)) {
      Cluster cluster =
          Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL).preemptStarting(allowed))
              .host("h1", 1)
              .starting("s", "bronze", 1, "h1");

      assertThat(victims(cluster.at(1).pending("a", 1).pass()))
          .isEqualTo(allowed ? List.of("s") : List.of());
    }
  }

  @Test
  void ordersStartingAndRunningVictimsTogether() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .preemption(
                            victimsBy(Map.of("r1", 4L, "s1", 3L, "r2", 2L, "s2", 1L)), ALLOW_ALL)
                        .preemptStarting(true))
            .host("h1", 4);
    cluster.starting("s2", "bronze", 1, "h1").starting("s1", "bronze", 1, "h1");
    cluster.running("r2", "bronze", 1, "h1").running("r1", "bronze", 1, "h1");

    assertThat(victims(cluster.pending("a", 3).pass())).containsExactly("r1", "s1", "r2");
  }

  @Test
  void appliesDriftOfClassAndState() {
    VictimOrder drifting =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 10L * serviceClass.importance() + (state == InstanceState.STARTING ? 5 : 0);
          }
        };
    List<String> judged = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
                parts ->
                    parts
                        .preemption(
                            drifting,
                            pair -> {
                              judged.add(pair.victim().id() + " " + pair.victimValue());
                              return Verdict.refuse("no", "no");
                            })
                        .preemptStarting(true))
            .host("h1", 6);
    cluster.running("g", "gold", 1, "h1").running("s", "silver", 1, "h1");
    cluster.running("b", "bronze", 1, "h1").starting("g'", "gold", 1, "h1");
    cluster.starting("s'", "silver", 1, "h1").starting("b'", "bronze", 1, "h1");
    judged.clear();

    cluster.at(1).pending("a", 1).pass();

    assertThat(judged).containsExactly("b' 35", "b 30", "s' 25", "s 20", "g' 15", "g 10");
  }

  @Test
  void takesAsManyVictimsAsNeeded() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 40);
    IntStream.range(0, 40).forEach(i -> cluster.at(i).running("v" + i, 1, "h1"));

    assertThat(victims(cluster.at(40).pending("a", 39).pass()))
        .containsExactlyElementsOf(IntStream.range(0, 39).mapToObj(i -> "v" + (39 - i)).toList());
  }

  @Test
  void sparesInstancesPlacedInThisPass() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL).preemptStarting(true))
            .host("h1", 1);

    Plan plan = cluster.pending("a", 1).pending("b", 1).pass();

    assertThat(plan.actions()).containsExactly(new Action.Place("a", "h1", List.of()));
  }

  @Test
  void victimsWaitForTheNextPass() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT)).host("h1", 2);
    cluster.at(1).pending("b1", "bronze", 1).at(2).pending("b2", "bronze", 1).pass();
    cluster.started("b1").started("b2").host("h2", 1).at(3).pending("a", 2);

    Plan first = cluster.pass();

    assertThat(first.preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("b2", "b1");
    assertThat(instances(first)).containsExactly("a");
    Plan second = cluster.pass();
    assertThat(instances(second)).containsExactly("b1");
    assertThat(hosts(second)).containsExactly("h2");
  }

  @Test
  void preemptsEachInstanceOnceAPass() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT))
            .host("h1", 1)
            .running("b", "bronze", 1, "h1");

    Plan plan = cluster.at(1).pending("a", 1).pending("c", 1).pass();

    assertThat(plan.preemptions()).hasSize(1);
    assertThat(instances(plan)).containsExactly("a");
  }

  @Test
  void keepsVictimOrderAsInstancesComeAndGo() {
    Cluster cluster = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL)).host("h1", 6);
    for (int i = 0; i < 6; i++) {
      cluster.at(i).running("v" + i, "bronze", 1, "h1");
    }
    cluster.at(9).completed("v3");
    cluster.cancel("v5");
    cluster.failed("v1");
    cluster.cancel("v1");

    // v0, v2 and v4 remain on a host of 6.
    assertThat(victims(cluster.pending("a", 5).pass())).containsExactly("v4", "v2");
  }

  @Test
  void doesNotPreemptAntiAffineSiblings() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL))
            .host("h1", 1)
            .running(request("b", "bronze", 1).job("j"), "h1");

    assertThat(cluster.pending(request("a", 1).job("j").antiAffinity(true)).pass().actions())
        .isEmpty();
  }

  // ---- For a rule about other instances

  private static final Peers BATCH = Peers.labelled("tier", "batch");

  private final Cluster mixed =
      Cluster.of(parts -> parts.preemption(latestFirst(), LESS_IMPORTANT)).host("h1", 4);

  private static Request.Builder batch(String id) {
    return request(id, "bronze", 1).label("tier", "batch");
  }

  private static PlacementSpec rule(PlacementRule rule) {
    return PlacementSpec.builder().rule(rule).build();
  }

  @Test
  void preemptsInstancesThatARuleKeepsApart() {
    mixed.running(batch("b1"), "h1").at(1).running("other", "bronze", 1, "h1").at(2);
    mixed.running(batch("b2"), "h1").at(3);
    Request.Builder gold =
        request("a", 1).placement(rule(new PlacementRule.Apart(BATCH, Domain.HOST)));

    assertThat(victims(mixed.pending(gold).pass())).containsExactly("b2", "b1");
  }

  @Test
  void preemptsInstancesWhoseRuleKeepsTheBeneficiaryAway() {
    PlacementRule keeper = new PlacementRule.Apart(Peers.labelled("tier", "web"), Domain.HOST);
    mixed.running(request("keeper", "bronze", 1).placement(rule(keeper)), "h1").at(1);
    mixed.running("other", "bronze", 1, "h1").at(2);

    assertThat(victims(mixed.pending(request("a", 1).label("tier", "web")).pass()))
        .containsExactly("keeper");
  }

  @Test
  void preemptsAsManyAsASpreadRequires() {
    mixed.host("small", 0.5);
    mixed.running(batch("b1"), "h1").at(1).running(batch("b2"), "h1").at(2);
    mixed.running(batch("b3"), "h1").at(3);
    PlacementRule spread = new PlacementRule.Spread(BATCH, Domain.HOST, 2);
    Request.Builder gold = request("a", 1).label("tier", "batch").placement(rule(spread));

    assertThat(victims(mixed.pending(gold).pass())).containsExactly("b3", "b2");
  }

  @Test
  void preemptsNothingIfPeersElsewhereKeepTheHost() {
    mixed.host("z1", 4, "zone", "z").host("z2", 4, "zone", "z");
    mixed.running(batch("b1"), "z1").running(batch("b2"), "z2").running(request("g", 4), "h1");
    Request.Builder gold =
        request("a", 1).placement(rule(new PlacementRule.Apart(BATCH, Domain.of("zone"))));

    assertThat(mixed.pending(gold).pass().actions()).isEmpty();
  }

  /** They would only exchange places. */
  @Test
  void membersOfItsJobDoNotLeaveForARule() {
    mixed.running(request("b", "bronze", 1).job("j"), "h1").at(1).host("small", 0.5);
    PlacementRule spread = new PlacementRule.Spread(Peers.ofJob("j"), Domain.HOST, 1);

    assertThat(mixed.pending(request("a", 1).job("j").placement(rule(spread))).pass().actions())
        .isEmpty();
  }
}
