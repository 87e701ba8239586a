package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.RequestDetail;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** How those wait who are to be placed, and what surrounds the placing. */
record Queueing(QueueDiscipline queue, Backfill backfill, Molding molding, Admission admission) {

  /** Returns what requests should tell for all this to be of use. */
  Set<RequestDetail> requiredDetails(RequestDetail... others) {
    Set<RequestDetail> details = EnumSet.noneOf(RequestDetail.class);
    Collections.addAll(details, others);
    if (queue == QueueDiscipline.SJF || queue == QueueDiscipline.SGF || backfill.reserves()) {
      details.add(RequestDetail.RUN_TIME);
    }
    if (queue == QueueDiscipline.EDF || queue == QueueDiscipline.SGF) {
      details.add(RequestDetail.DEADLINE);
    }
    if (admission == Admission.IN_TIME) {
      details.add(RequestDetail.RUN_TIME);
      details.add(RequestDetail.DEADLINE);
    }
    if (molding.molds()) {
      details.add(RequestDetail.MOLDABILITY);
    }
    return details;
  }

  Policy around(PipelineBuilder placing, Elasticity elasticity) {
    placing.queue(queue).backfill(backfill).molding(molding).admission(admission);
    if (elasticity.isActive()) {
      placing.oversubscribe(Set.of(Dimension.MEMORY)).watchdog(elasticity.period());
    }
    return elasticity.over(placing.build());
  }
}
