package dev.berth.core.internal.pipeline;

import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.search.Feasibility;

/** Places instances as {@link Feasibility} chose. */
final class Placement {

  private Placement() {}

  /** Places an instance on the host that the search has just chosen for it. */
  static void carryOut(Pass pass, InstanceRecord instance, Feasibility chosen) {
    Reason refusal =
        pass.actions()
            .place(
                instance,
                chosen.chosenHost(),
                chosen.chosenVictims(),
                chosen.chosenVictimCount(),
                chosen.chosenGrant(),
                chosen.decision());
    if (refusal != null) {
      throw new IllegalStateException(
          "the pipeline chose %s for %s, which the guard refuses: %s"
              .formatted(chosen.chosenHost(), instance, refusal.describe()));
    }
  }
}
