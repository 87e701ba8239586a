package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanDifferencesTest {

  private static final Reason WHY = new Reason.PolicyChoice("whim", "not today");

  private static Action.Place place(String instance, String host, String... victims) {
    return new Action.Place(instance, host, List.of(victims), Optional.empty());
  }

  private static Plan plan(Action... actions) {
    return new Plan(3, 0, Set.of(Trigger.HOST_ADDED), List.of(actions));
  }

  private static Plan deferring(String instance) {
    return new Plan(3, 0, Set.of(Trigger.HOST_ADDED), List.of(), Map.of(instance, WHY), List.of());
  }

  private static String differences(Record now, Record before) {
    return PlanDifferences.of(Optional.of(now), Optional.of(before));
  }

  @Test
  void namesOnlyThePlacementThatDiffers() {
    assertThat(
            differences(
                plan(place("r6", "h1"), place("r7", "h2")),
                plan(place("r6", "h1"), place("r7", "h5"))))
        .isEqualTo("r7 goes to h2, before to h5");
  }

  @Test
  void namesWhatHappensInOnePlanOnly() {
    assertThat(
            differences(
                deferring("r7"),
                plan(new Action.Preempt("r1", "h1", "r7"), place("r7", "h1", "r1"))))
        .isEqualTo(
            "r1 is not preempted, before: leaves h1 for r7; "
                + "r7 is deferred (not today), before: goes to h1 in place of r1");
    assertThat(differences(deferring("r7"), plan()))
        .isEqualTo("r7 is deferred (not today), before: is not deferred");
    assertThat(differences(plan(), plan(place("r7", "h1"))))
        .isEqualTo("r7 is not placed, before: goes to h1");
  }

  @Test
  void namesTheOrderOfActions() {
    assertThat(
            differences(
                plan(place("r6", "h1"), place("r7", "h2")),
                plan(place("r7", "h2"), place("r6", "h1"))))
        .isEqualTo("the order of actions is [r6, r7], before: [r7, r6]");
  }

  @Test
  void countsTheRestOfManyDifferences() {
    assertThat(
            differences(
                plan(place("a", "h1"), place("b", "h1"), place("c", "h1"), place("d", "h1")),
                plan(place("a", "h2"), place("b", "h2"), place("c", "h2"), place("d", "h2"))))
        .isEqualTo(
            "a goes to h1, before to h2; b goes to h1, before to h2; c goes to h1, before to h2;"
                + " and 1 more");
  }

  @Test
  void namesThePartsThatDifferOtherwise() {
    assertThat(
            differences(
                plan(place("a", "h1")),
                new Plan(3, 0, Set.of(Trigger.WAKE_UP), List.of(place("a", "h1")))))
        .isEqualTo("triggers [HOST_ADDED], before [WAKE_UP]");
    assertThat(PlanDifferences.of(Optional.empty(), Optional.of(plan())))
        .startsWith("nothing, before: Plan[");
  }
}
