package dev.berth.policies.memory;

import dev.berth.api.Admission;
import dev.berth.api.Backfill;
import dev.berth.api.Dimension;
import dev.berth.api.Molding;
import dev.berth.api.PipelineBuilder;
import dev.berth.api.Policy;
import dev.berth.api.QueueDiscipline;
import java.util.Set;

/** How those wait who are to be placed, and what surrounds the placing. */
record Queueing(QueueDiscipline queue, Backfill backfill, Molding molding, Admission admission) {

  Policy around(PipelineBuilder placing, Elasticity elasticity) {
    placing.queue(queue).backfill(backfill).molding(molding).admission(admission);
    if (elasticity.control()) {
      placing.oversubscribe(Set.of(Dimension.MEMORY)).watchdog(elasticity.period());
    }
    Policy policy = placing.build();
    if (!elasticity.control()) {
      return policy;
    }
    if (elasticity.migration()) {
      policy = new Migration(elasticity.migrationRoom()).before(policy);
    }
    return new ElasticityController(elasticity).over(policy);
  }
}
