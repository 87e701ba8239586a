package dev.berth.policies.memory;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import java.time.Duration;

/**
 * Settings of {@code memic}.
 *
 * @param reservation the grant of an instance on placement, up to the free memory; default its
 *     demand. The controller corrects it, and the prediction ignores it
 * @param patience the largest accepted sum of predicted delays, as a multiple of the estimated run
 *     time of the new instance. The sum counts the delays of the new instance and of the instances
 *     on the host. On a host that exceeds it, the instance is not placed. From 0 to 1,000,000;
 *     default 0: the instance waits until a host has the memory (section 6.3.2). A greater value
 *     fills hosts more and increases interference
 * @param assumedRunTime assumed run time of instances without an estimate; positive; default an
 *     hour
 * @param queue order of the queue; default fifo, as in the experiments
 * @param backfill which instances may overtake the head of the queue; default none (Algorithm 1)
 * @param molding whether the head of the queue may be placed on fewer cores; default no
 * @param admission which requests are served; default all
 * @param elasticity the controller and migration
 */
record MemicConfig(
    @Described("memory that is set aside for an instance when it is placed")
        Reservation reservation,
    @Described(
            value =
                "largest accepted sum of predicted delays, as a multiple of the estimated run time of the new instance; with 0 the instance waits for a host with enough memory",
            range = "from 0 to 1000000")
        double patience,
    @Described(
            value = "assumed run time of instances without an estimate",
            range = "above 0s, at most 36500d")
        Duration assumedRunTime,
    @Described(
            "order of the queue: first in first out, earliest deadline, shortest gap, shortest job or fewest cores first")
        QueueDiscipline queue,
    @Described("instances that may overtake the head of the queue") Backfill backfill,
    Molding molding,
    @Described("requests that are served: all, or those that can meet their deadline")
        Admission admission,
    Elasticity elasticity)
    implements QueueSettings {

  /** Checks the ranges. */
  MemicConfig {
    refuseIf(!(patience >= 0 && patience <= 1_000_000), "patience must be from 0 to 1000000");
    refuseIf(
        assumedRunTime.isNegative() || assumedRunTime.isZero() || assumedRunTime.toDays() > 36_500,
        "assumedRunTime must be positive, and at most 36500d");
  }

  /** Returns settings that differ in the controller and migration. */
  MemicConfig with(Elasticity other) {
    return new MemicConfig(
        reservation, patience, assumedRunTime, queue, backfill, molding, admission, other);
  }
}
