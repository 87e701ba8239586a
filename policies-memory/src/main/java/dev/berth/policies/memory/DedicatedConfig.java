package dev.berth.policies.memory;

import dev.berth.api.Admission;
import dev.berth.api.Backfill;
import dev.berth.api.QueueDiscipline;

/**
 * Settings of {@code dedicated}.
 *
 * @param queue who goes first; default fifo
 * @param backfill who may go before the head of the queue; default none
 * @param admission which requests are served at all; default all
 */
public record DedicatedConfig(QueueDiscipline queue, Backfill backfill, Admission admission) {}
