package dev.berth.policies.memory;

import dev.berth.api.Described;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;

/**
 * Settings of {@code round-robin}.
 *
 * @param queue order of the queue; default fifo
 * @param backfill which instances may overtake the head of the queue; default none
 * @param molding whether the head of the queue may be placed on fewer cores; default no
 * @param admission which requests are served; default all
 * @param elasticity the controller and migration
 */
record RoundRobinConfig(
    @Described(
            "order of the queue: first in first out, earliest deadline, shortest gap, shortest job or fewest cores first")
        QueueDiscipline queue,
    @Described("instances that may overtake the head of the queue") Backfill backfill,
    Molding molding,
    @Described("requests that are served: all, or those that can meet their deadline")
        Admission admission,
    Elasticity elasticity)
    implements QueueSettings {

  /** Returns settings that differ in the controller and migration. */
  RoundRobinConfig with(Elasticity other) {
    return new RoundRobinConfig(queue, backfill, molding, admission, other);
  }
}
