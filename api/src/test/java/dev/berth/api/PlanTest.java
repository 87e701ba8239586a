package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Action.Place;
import dev.berth.api.plan.Action.Preempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Plan.PolicyError;
import dev.berth.api.plan.Trigger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static final Preempt B_LEAVES = new Preempt("b", "h1", "a");
  private static final Place A_COMES = new Place("a", "h1", List.of("b"));
  private static final Place C_COMES = new Place("c", "h2", List.of());

  @Test
  void placementsAndPreemptionsKeepPlanOrder() {
    Plan plan = planOf(C_COMES, B_LEAVES, A_COMES);

    assertThat(plan.placements()).containsExactly(C_COMES, A_COMES);
    assertThat(plan.preemptions()).containsExactly(B_LEAVES);
    assertThat(plan.isEmpty()).isFalse();
  }

  @Test
  void planWithoutActionsIsEmptyDespiteDeferrals() {
    Plan plan =
        new Plan(
            1,
            0,
            Set.of(Trigger.EMBEDDER),
            List.of(),
            Map.of("a", new PolicyChoice("x", "y")),
            List.of());

    assertThat(plan.isEmpty()).isTrue();
  }

  @Test
  void equalDecisionsMakeEqualPlans() {
    assertThat(planOf(B_LEAVES, A_COMES))
        .isEqualTo(planOf(B_LEAVES, A_COMES))
        .isNotEqualTo(planOf(A_COMES));
  }

  @Test
  void copiesItsArguments() {
    List<Action> actions = new ArrayList<>(List.of(C_COMES));
    List<String> victims = new ArrayList<>(List.of("b"));
    Set<Trigger> triggers = EnumSet.of(Trigger.WATCHDOG);
    Plan plan = new Plan(1, 0, triggers, actions);
    Place place = new Place("a", "h1", victims);

    actions.clear();
    victims.clear();
    triggers.clear();

    assertThat(plan.actions()).containsExactly(C_COMES).isUnmodifiable();
    assertThat(plan.triggers()).containsExactly(Trigger.WATCHDOG);
    assertThat(place.victims()).containsExactly("b");
  }

  @Test
  void textOrderIsDeterministic() {
    Set<Trigger> triggers = new HashSet<>(Set.of(Trigger.values()));
    Map<String, Reason> deferrals = new LinkedHashMap<>();
    IntStream.range(10, 30).forEach(i -> deferrals.put("i" + (39 - i), new PolicyChoice("x", "y")));

    Plan plan = new Plan(1, 0, triggers, List.of(), deferrals, List.of());

    assertThat(plan.triggers()).containsExactly(Trigger.values()).isUnmodifiable();
    assertThat(plan.deferrals().keySet())
        .containsExactlyElementsOf(new TreeSet<>(deferrals.keySet()));
    assertThat(plan.deferrals()).isUnmodifiable();
  }

  @Test
  void planWithOnlyPolicyErrorsIsEmpty() {
    PolicyError error = new PolicyError("a", new Reason.Unknown("host", "h9"));
    Plan plan = new Plan(1, 0, Set.of(Trigger.EMBEDDER), List.of(), Map.of(), List.of(error));

    assertThat(plan.isEmpty()).isTrue();
    assertThat(plan.policyErrors()).containsExactly(error);
  }

  private static Plan planOf(Action... actions) {
    return new Plan(7, 100, Set.of(Trigger.REQUEST_ADMITTED), List.of(actions));
  }
}
