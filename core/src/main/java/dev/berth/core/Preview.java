package dev.berth.core;

import dev.berth.api.plan.Plan;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import java.util.List;

/**
 * What a pass would decide; see {@link WhatIf}. Immutable.
 *
 * @param plan the plan that the pass would return. Its actions are not to be carried out, and their
 *     ids mean nothing
 * @param decisions how each placement was decided, in order; empty for a policy that decides
 *     without a pipeline
 * @param actions all other actions with their reasons, in order
 */
public record Preview(Plan plan, List<Decision> decisions, List<ActionRecord> actions) {

  /** Copies the lists. */
  public Preview {
    decisions = List.copyOf(decisions);
    actions = List.copyOf(actions);
  }
}
