package dev.berth.core.internal.pipeline;

import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.core.Cluster;
import dev.berth.core.Scheduler;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.search.Backfilling;
import dev.berth.core.internal.search.Reservations;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * What a queue in order keeps from one pass to the next, so that it need not find it out again.
 * Each test changes what is kept, since plans are the same without it.
 */
class InOrderMemoryTest {

  private final Pipeline[] made = new Pipeline[1];
  private final Cluster cluster =
      Cluster.withPolicy(
          Scheduler.builder(),
          context -> {
            made[0] =
                (Pipeline)
                    context
                        .pipeline()
                        .queue(QueueDiscipline.FIFO)
                        .backfill(Backfill.CONSERVATIVE)
                        .build();
            return made[0];
          });

  private static Request.Builder job(String id, double cores, int seconds) {
    return request(id, cores).estimatedRunTime(Duration.ofSeconds(seconds));
  }

  private InstanceRecord record(String id) {
    return (InstanceRecord) cluster.instance(id);
  }

  private Backfilling backfilling() {
    try {
      Field field = Pipeline.class.getDeclaredField("backfilling");
      field.setAccessible(true);
      return (Backfilling) field.get(made[0]);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("no backfilling", impossible);
    }
  }

  @Test
  void reservationsOfThePassBeforeHold() {
    cluster.host("h1", 6).running(job("r", 4, 10), "h1").at(1);
    cluster.pending(job("due", 4, 5)).at(2).pending(job("wide", 6, 5));
    cluster.at(3).pending(job("long", 2, 20)).pass(); // has room, but not beside them
    Reservations kept = backfilling().resumed();
    assertThat(kept).isNotNull();
    kept.reserve(
        (HostRecord) cluster.host("h1"),
        record("long"),
        record("long").wholeDemand,
        11 * Cluster.SECOND);

    cluster.at(10).completed("r");
    cluster.pending(job("short", 2, 5));

    assertThat(cluster.pass().placements())
        .as("which leave no room for the short job")
        .extracting(Action.Place::instance)
        .containsExactly("due");
  }

  @Test
  void requestThatFitsNoHostIsNotTriedUntilTheHostsChange() {
    cluster.host("h1", 4).host("h2", 1).running(job("r", 2, 10), "h1").at(1);
    cluster.pending(job("head", 4, 5)).at(2).pending(job("giant", 9, 5)).pass();
    long hopelessAt = WaitingQueue.entry(record("giant")).hopelessAt;
    assertThat(hopelessAt).isNotNegative();
    cluster.at(3).pending(job("small", 1, 1));
    WaitingQueue.entry(record("small")).hopelessAt = hopelessAt;

    assertThat(cluster.pass().placements()).isEmpty();

    assertThat(cluster.host("h3", 1).pass().placements())
        .extracting(Action.Place::instance)
        .containsExactly("small");
  }
}
