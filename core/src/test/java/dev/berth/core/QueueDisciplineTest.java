package dev.berth.core;

import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of each queue discipline. */
class QueueDisciplineTest {

  @ParameterizedTest
  @CsvSource({"FIFO, abcd", "EDF, cdab", "SGF, dcab", "SJF, bacd", "FCF, dbca"})
  void everyDisciplineSortsAsDefined(QueueDiscipline discipline, String order) {
    Cluster cluster = Cluster.of(parts -> parts.queue(discipline)).host("h1", 20);
    cluster.pending(job("a", 5, 8).deadline(Duration.ofSeconds(100)));
    cluster.at(1).pending(job("b", 2, 3));
    cluster.at(2).pending(job("c", 4, 10).deadline(Duration.ofSeconds(50)));
    cluster.at(3).pending(job("d", 1, 40).deadline(Duration.ofSeconds(60)));

    assertThat(String.join("", instances(cluster.pass()))).isEqualTo(order);
  }

  @Test
  void shortestJobFirstDiffersFromFifo() {
    for (boolean shortest : new boolean[] {true, false}) {
      Cluster cluster =
          Cluster.of(
                  parts ->
                      parts
                          .queue(shortest ? QueueDiscipline.SJF : QueueDiscipline.FIFO)
                          .backfill(Backfill.NONE))
              .host("h1", 1);
      cluster.pending(job("long", 1, 100)).pending(job("unknown", 1, 0));
      cluster.at(1).pending(job("short", 1, 5)).pending(job("middle", 1, 50));
      List<String> started = new ArrayList<>();
      for (int i = 2; i < 6; i++) {
        started.addAll(instances(cluster.at(i).pass()));
        cluster.started(started.get(started.size() - 1));
        cluster.completed(started.get(started.size() - 1));
      }

      assertThat(started)
          .containsExactlyElementsOf(
              shortest
                  ? List.of("short", "middle", "long", "unknown")
                  : List.of("long", "unknown", "middle", "short"));
    }
  }
}
