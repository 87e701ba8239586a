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

/**
 * The settings of the queue that all policies of this package share. Each configuration implements
 * this interface with components of these names, so that its JSON stays flat.
 */
interface QueueSettings {

  /** Returns the order of the queue; default fifo. */
  QueueDiscipline queue();

  /** Returns which instances may overtake the head of the queue; default none. */
  Backfill backfill();

  /** Returns whether the head of the queue may be placed on fewer cores; default not. */
  Molding molding();

  /** Returns which requests are served at all; default all. */
  Admission admission();

  /** Returns the request details that these settings depend on, together with others. */
  default Set<RequestDetail> requiredDetails(RequestDetail... others) {
    Set<RequestDetail> details = EnumSet.noneOf(RequestDetail.class);
    Collections.addAll(details, others);
    if (queue() == QueueDiscipline.SJF || queue() == QueueDiscipline.SGF || backfill().reserves()) {
      details.add(RequestDetail.RUN_TIME);
    }
    if (queue() == QueueDiscipline.EDF || queue() == QueueDiscipline.SGF) {
      details.add(RequestDetail.DEADLINE);
    }
    if (admission() == Admission.IN_TIME) {
      details.add(RequestDetail.RUN_TIME);
      details.add(RequestDetail.DEADLINE);
    }
    if (molding().molds()) {
      details.add(RequestDetail.MOLDABILITY);
    }
    return details;
  }

  /** Applies these settings to a pipeline that is being built. */
  default PipelineBuilder applyTo(PipelineBuilder pipeline) {
    return pipeline.queue(queue()).backfill(backfill()).molding(molding()).admission(admission());
  }

  /**
   * Builds a policy from a pipeline, with these settings and with elastic memory. Only the
   * controller makes passes due at regular intervals.
   */
  default Policy build(PipelineBuilder pipeline, Elasticity elasticity) {
    applyTo(pipeline);
    if (elasticity.isActive()) {
      pipeline.oversubscribe(Set.of(Dimension.MEMORY));
    }
    return elasticity.over(pipeline.build());
  }
}
