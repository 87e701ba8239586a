package dev.berth.policies.memory;

import dev.berth.api.Described;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;

/**
 * Settings of {@code dedicated}.
 *
 * @param queue order of the queue; default fifo
 * @param backfill which instances may overtake the head of the queue; default none
 * @param admission which requests are served; default all
 */
record DedicatedConfig(
    @Described(
            "order of the queue: first in first out, earliest deadline, shortest gap, shortest job or fewest cores first")
        QueueDiscipline queue,
    @Described("instances that may overtake the head of the queue") Backfill backfill,
    @Described("requests that are served: all, or those that can meet their deadline")
        Admission admission)
    implements QueueSettings {

  /** Returns none: an instance has a whole host. */
  @Override
  public Molding molding() {
    return Molding.NONE;
  }
}
