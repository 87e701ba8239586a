package dev.berth.policies.memory;

import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import java.time.Duration;

/**
 * Settings of {@code memic}.
 *
 * @param reservation what instances are granted when they are placed, as far as there is so much;
 *     default their demand. The controller corrects it, and the prediction does not look at it
 * @param patience how long the delays that placing an instance on a host is predicted to bring to
 *     it and to those who are there may be, summed, in shares of its estimated run time: on a host
 *     where they are longer it is not placed, but waits. From 0 to 1,000,000; default 0: it waits
 *     until some host has the memory (section 6.3.2). Greater: fuller hosts, more interference
 * @param assumedRunTime how long instances are predicted to run of which nobody says so; positive;
 *     default an hour
 * @param queue who goes first; default fifo, as in the experiments
 * @param backfill who may go before the head of the queue; default none (Algorithm 1)
 * @param molding whether the head of the queue may be placed on fewer cores; default not
 * @param admission which requests are served at all; default all
 * @param elasticity the controller and migration
 */
record MemicConfig(
    Reservation reservation,
    double patience,
    Duration assumedRunTime,
    QueueDiscipline queue,
    Backfill backfill,
    Molding molding,
    Admission admission,
    Elasticity elasticity)
    implements QueueSettings {

  /** Checks the ranges. */
  MemicConfig {
    if (!(patience >= 0 && patience <= 1_000_000)) {
      throw new IllegalArgumentException("patience must be from 0 to 1000000");
    }
    if (assumedRunTime.isNegative()
        || assumedRunTime.isZero()
        || assumedRunTime.toDays() > 36_500) {
      throw new IllegalArgumentException("assumedRunTime must be positive, and at most 36500d");
    }
  }
}
