package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.TestParts.ALLOW_ALL;
import static dev.berth.core.TestParts.latestFirst;
import static dev.berth.core.TestParts.victimsBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constraints, anti-affinity and late dimensions while hosts join and leave. */
class PipelineConstraintsTest {

  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final Constraint ZONE_A = new Constraint.Equal("zone", "a");
  private static final Constraint NO_SSD = new Constraint.NotEqual("ssd", "yes");

  private final Cluster cluster = Cluster.of(parts -> parts);

  // ---- Constraints

  @Test
  void placesOnlyWhereAllConstraintsHold() {
    cluster.host("h1", 9, "zone", "a", "ssd", "yes").host("h2", 9).host("h3", 9, "zone", "b");
    cluster.pending(request("a", 1).constraint(ZONE_A).constraint(NO_SSD));
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.host("h4", 9, "zone", "a");

    assertThat(hosts(cluster.pass())).containsExactly("h4");
  }

  @Test
  void checksConstraintsOfWaitingRequestsOnANewHost() {
    cluster.pending(request("a", 1).constraint(ZONE_A));
    cluster.host("h1", 9, "zone", "b").host("h2", 9, "zone", "a");

    assertThat(hosts(cluster.pass())).containsExactly("h2");
  }

  @Test
  void hostInAReusedSlotIsCheckedByItsOwnAttributes() {
    cluster.pending(request("a", 1).constraint(ZONE_A));
    cluster.host("h1", 9, "zone", "a").removed("h1").host("h2", 9, "zone", "b");
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.removed("h2").host("h3", 9, "zone", "a");

    assertThat(hosts(cluster.pass())).containsExactly("h3");
  }

  @Test
  void reusedConstraintsAreCheckedAfresh() {
    cluster.host("h1", 9, "zone", "a").pending(request("a", 1).constraint(ZONE_A));
    cluster.cancel("a");
    cluster.removed("h1").host("h2", 9, "zone", "b").host("h3", 9, "zone", "a");

    cluster.pending(request("b", 1).constraint(ZONE_A));

    assertThat(hosts(cluster.pass())).containsExactly("h3");
  }

  @Test
  void cancellingOneRequestKeepsSharedConstraints() {
    cluster.host("h1", 9, "zone", "b");
    cluster.pending(request("a", 1).constraint(ZONE_A)).pending(request("b", 1).constraint(ZONE_A));
    cluster.cancel("a");

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(hosts(cluster.host("h2", 9, "zone", "a").pass())).containsExactly("h2");
  }

  @Test
  void preemptsOnlyWhereConstraintsHold() {
    Cluster preempting = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL));
    preempting.host("h1", 1, "zone", "b").host("h2", 1, "zone", "a");
    preempting.running("v1", "bronze", 1, "h1").running("v2", "bronze", 1, "h2");

    Plan plan = preempting.pending(request("a", 1).constraint(ZONE_A)).pass();

    assertThat(plan.preemptions()).extracting(Action.Preempt::instance).containsExactly("v2");
  }

  @Property(tries = 200)
  void placesExactlyIfAHostFitsAfterAnyHostChanges(
      @ForAll @Size(max = 40) List<@IntRange(max = 11) Integer> toggles) {
    Cluster changing = Cluster.of(parts -> parts);
    changing.pending(request("early", 1).constraint(ZONE_A).constraint(NO_SSD));
    for (int host : toggles) {
      String id = "h" + host;
      if (changing.scheduler().host(id).isPresent()) {
        changing.removed(id);
      } else {
        changing.host(
            id, 9, "zone", host % 3 == 0 ? "a" : "b", "ssd", host % 2 == 0 ? "yes" : "no");
      }
    }
    changing.pending(request("late", 1).constraint(NO_SSD).constraint(ZONE_A));

    List<String> suitable =
        changing.scheduler().hosts().stream()
            .filter(each -> ZONE_A.holdsOn(each) && NO_SSD.holdsOn(each))
            .map(Host::id)
            .toList();
    Plan plan = changing.pass();

    assertThat(plan.placements()).hasSize(suitable.isEmpty() ? 0 : 2);
    assertThat(suitable).containsAll(hosts(plan));
  }

  // ---- Jobs

  @Test
  void antiAffinitySpreadsAJobOverHosts() {
    cluster.host("h1", 9).host("h2", 9).host("h3", 9);
    IntStream.range(0, 4)
        .forEach(i -> cluster.pending(request("i" + i, 1).job("j").antiAffinity(true)));

    Plan plan = cluster.pass();

    assertThat(hosts(plan)).containsExactlyInAnyOrder("h1", "h2", "h3");
    assertThat(cluster.instance("i3").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void hostIsOpenAgainAfterTheSiblingLeft() {
    cluster.host("h1", 9);
    cluster.pending(request("a", 1).job("j").antiAffinity(true)).pass();
    cluster.pending(request("b", 1).job("j").antiAffinity(true));
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.cancel("a");

    assertThat(hosts(cluster.pass())).containsExactly("h1");
  }

  @Test
  void siblingsWithoutAntiAffinityShareAHost() {
    cluster.host("h1", 9).running(request("a", 1).job("j"), "h1");

    cluster.pending(request("b", 1).job("j")).pending(request("c", 1).job("j"));

    assertThat(hosts(cluster.pass())).containsExactly("h1", "h1");
  }

  @Test
  void antiAffineInstanceAvoidsHostsOfItsJob() {
    cluster.host("h1", 9).running(request("b", 1).job("j"), "h1");
    cluster.pending(request("a", 1).job("j").antiAffinity(true));
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.host("h2", 9);

    assertThat(hosts(cluster.pass())).containsExactly("h2");
  }

  @Test
  void siblingAvoidsHostOfAnAntiAffineInstance() {
    cluster.host("h1", 9).running(request("b", 1).job("j").antiAffinity(true), "h1");
    cluster.pending(request("a", 1).job("j"));
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.host("h2", 9);

    assertThat(hosts(cluster.pass())).containsExactly("h2");
  }

  // ---- Dimensions

  @Test
  void requestMayNameADimensionNoHostHas() {
    cluster.host("h1", cores(4, 4));
    cluster.pending(request("a", 0).demand(Resources.of(Dimension.CPU, 1, GPU, 2)));
    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(cluster.host("h1").free(GPU)).isZero();

    cluster.host("h2", Resources.of(Dimension.CPU, 1, GPU, 2));

    assertThat(hosts(cluster.pass())).containsExactly("h2");
    assertThat(cluster.host("h2").free(GPU)).isZero();
    assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 4));
  }

  @Test
  void lateDimensionKeepsHeldAmounts() {
    cluster.host("h1", cores(4, 4)).running(request("a", 0).demand(cores(1, 2)), "h1");

    for (int i = 0; i < 9; i++) {
      cluster.host("x" + i, Resources.of(new Dimension("d" + i, 1), i + 1));
    }

    assertThat(cluster.host("h1").free()).isEqualTo(cores(3, 2));
    cluster.completed("a");
    assertThat(cluster.host("h1").free()).isEqualTo(cores(4, 4));
    for (int i = 0; i < 9; i++) {
      assertThat(cluster.host("x" + i).free(new Dimension("d" + i, 1))).isEqualTo(i + 1);
    }
  }

  @Test
  void countsVictimsInLaterDimensions() {
    Cluster preempting = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL));
    preempting.host("h1", 2).running("v1", "bronze", 1, "h1").running("v2", "bronze", 1, "h1");
    preempting.host("h2", Resources.of(Dimension.CPU, 1, GPU, 1));
    preempting.pending(request("g", 0).demand(Resources.of(GPU, 1)));
    assertThat(hosts(preempting.pass())).containsExactly("h2");

    assertThat(preempting.pending("a", 2).pass().preemptions()).hasSize(2);
  }

  @Test
  void instanceUsesNothingOfALaterDimension() {
    List<String> seen = new ArrayList<>();
    Cluster scored =
        Cluster.of(
            parts ->
                parts
                    .preemption(latestFirst(), ALLOW_ALL)
                    .allocationScore(
                        fit -> {
                          seen.add(fit.instance().id() + " makes " + fit.used(1) + " used");
                          return 0;
                        }));
    scored.pending("v", "bronze", 1).host("h1", Resources.of(Dimension.CPU, SECOND, GPU, 2));

    scored.pass();
    scored
        .started("v")
        .pending(request("a", 0).demand(Resources.of(Dimension.CPU, SECOND, GPU, 1)))
        .pass();

    assertThat(seen).containsExactly("v makes 0 used", "a makes 1 used");
    assertThat(scored.instance("v").preemptions()).isEqualTo(1);
  }

  @Test
  void sparesVictimsOlderThanADimension() {
    Cluster preempting =
        Cluster.of(parts -> parts.preemption(victimsBy(Map.of("v1", 2L, "v2", 1L)), ALLOW_ALL));
    preempting.pending("v1", 1).pending("v2", 2);
    preempting.host("h1", Resources.of(Dimension.CPU, 3 * SECOND, GPU, 1)).pass();
    preempting.started("v1").started("v2");

    // v1 is taken first, then v2. The cores of v2 suffice without those of v1.
    preempting.pending(request("a", 0).demand(Resources.of(Dimension.CPU, 2 * SECOND, GPU, 1)));

    assertThat(preempting.pass().preemptions())
        .extracting(Action.Preempt::instance)
        .containsExactly("v2");
  }

  @Test
  void dimensionOfAnotherScaleHasNoFreeAmount() {
    Host h1 = cluster.host("h1", Resources.of(GPU, 4)).host("h1");

    assertThat(h1.free(GPU)).isEqualTo(4);
    assertThat(h1.free(new Dimension("gpu", 1000))).isZero();
  }

  @Test
  void emptyDemandFitsAnyHost() {
    cluster.host("h1", Resources.none()).pending(request("a", 0));

    assertThat(hosts(cluster.pass())).containsExactly("h1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 32}) // the engine makes room for 16 hosts at first
  void evaluatesTheLastHostWithAndWithoutPreemption(int hosts) {
    Cluster preempting = Cluster.of(parts -> parts.preemption(latestFirst(), ALLOW_ALL));
    for (int i = 1; i < hosts; i++) {
      preempting.host("small" + i, 0.5);
    }
    preempting.host("last", 1);

    assertThat(hosts(preempting.pending("v", "bronze", 1).pass())).containsExactly("last");
    preempting.started("v").pending("a", 1);
    assertThat(hosts(preempting.pass())).containsExactly("last");
  }

  @Test
  void reusedSlotsKeepCapacitiesApart() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 50; i++) {
        cluster.host("h" + i, i + 1);
      }
      for (int i = 0; i < 50; i++) {
        assertThat(cluster.host("h" + i).free()).isEqualTo(cores(i + 1));
        if (i % 3 != round) {
          cluster.removed("h" + i);
        }
      }
      for (int i = 0; i < 50; i++) {
        if (i % 3 == round) {
          assertThat(cluster.host("h" + i).free()).isEqualTo(cores(i + 1));
          cluster.removed("h" + i);
        }
      }
    }
    assertThat(cluster.scheduler().hosts()).isEmpty();
  }

  private static List<String> hosts(Plan plan) {
    return plan.placements().stream().map(Action.Place::host).toList();
  }
}
