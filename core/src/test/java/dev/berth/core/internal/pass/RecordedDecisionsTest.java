package dev.berth.core.internal.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Rejection;
import dev.berth.api.plan.Rejection.Undone;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The log forgets exactly what was undone. */
class RecordedDecisionsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private final RecordedDecisions log = new RecordedDecisions(9);

  private Decision placed(long pass, String instance, String... victims) {
    Decision decision = Decision.bare(pass, pass, instance, "h1", List.of(victims));
    log.add(decision);
    return decision;
  }

  private ActionRecord paused(long pass, String instance) {
    ActionRecord record = new ActionRecord(pass, pass, new Action.Pause(instance, "h1"), WHY);
    log.add(record);
    return record;
  }

  private void undo(long pass, Action... actions) {
    log.undo(
        new Rejection(
            new ActionId(pass, 0),
            "cannot",
            List.of(actions).stream().map(each -> new Undone(new ActionId(pass, 0), each)).toList(),
            false));
  }

  private static Action placement(String instance) {
    return new Action.Place(instance, "h1", List.of(), Optional.empty());
  }

  @Test
  void placementOfTheSamePassAndInstance() {
    Decision before = placed(1, "a");
    placed(2, "a");
    Decision beside = placed(2, "b");

    undo(2, placement("a"));

    assertThat(log.all()).containsExactly(before, beside);
  }

  @Test
  void victimsThatAreBackButNotTheOthers() {
    Decision made = placed(2, "a", "v", "w");

    undo(2, placement("a"), new Action.Preempt("v", "h1", "a"));

    assertThat(log.all())
        .containsExactly(Decision.bare(2, 2, "a", "h1", List.of("w")))
        .doesNotContain(made);
  }

  @Test
  void otherActionOfTheSamePassAndInstance() {
    ActionRecord before = paused(1, "a");
    paused(2, "a");
    ActionRecord beside = paused(2, "b");

    undo(2, new Action.Pause("a", "h1"));

    assertThat(log.adjustments()).containsExactly(before, beside);
  }
}
