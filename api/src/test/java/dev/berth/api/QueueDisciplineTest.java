package dev.berth.api;

import static dev.berth.api.pipeline.QueueDiscipline.EDF;
import static dev.berth.api.pipeline.QueueDiscipline.FCF;
import static dev.berth.api.pipeline.QueueDiscipline.FIFO;
import static dev.berth.api.pipeline.QueueDiscipline.SGF;
import static dev.berth.api.pipeline.QueueDiscipline.SJF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueDisciplineTest {

  private static final long LAST = Long.MAX_VALUE;

  @Test
  void keysMatchTheDiscipline() {
    Instance job = job(100, 7, 30);

    assertThat(FIFO.key(job)).isEqualTo(100);
    assertThat(EDF.key(job)).isEqualTo(130);
    assertThat(SGF.key(job)).isEqualTo(123);
    assertThat(SJF.key(job)).isEqualTo(7);
    assertThat(FCF.key(job)).isEqualTo(3);
  }

  @Test
  void requestsWithoutTheNeededValueGoLast() {
    assertThat(EDF.key(job(100, 7, 0))).isEqualTo(LAST);
    assertThat(SGF.key(job(100, 7, 0))).isEqualTo(LAST);
    assertThat(SGF.key(job(100, 0, 30))).isEqualTo(LAST);
    assertThat(SJF.key(job(100, 0, 30))).isEqualTo(LAST);
    assertThat(FIFO.key(job(100, 0, 0))).isEqualTo(100);
    assertThat(FCF.key(job(100, 0, 0))).isEqualTo(3);
    assertThat(FCF.key(view(Request.builder("b", "gold").demand(Resources.none()).build(), 0)))
        .isZero();
  }

  @Test
  void aGapMayBeNegative() {
    assertThat(SGF.key(job(0, 50, 30))).isEqualTo(-20);
    assertThat(SGF.key(job(-100, 50, 30))).isEqualTo(-120);
  }

  @Test
  void saturatesTimesOutOfRange() {
    assertThat(EDF.key(job(100, 1, Long.MAX_VALUE))).isEqualTo(LAST);
    assertThat(EDF.key(job(LAST, 1, 1))).isEqualTo(LAST);
    assertThat(EDF.key(job(-100, 1, Long.MAX_VALUE))).isEqualTo(LAST - 100);
    assertThat(SGF.key(job(LAST, 1, 3))).isEqualTo(LAST);
    assertThat(SGF.key(job(Long.MIN_VALUE, LAST, 1))).isEqualTo(Long.MIN_VALUE);
    assertThat(SGF.key(job(LAST, 3, 1))).isEqualTo(LAST - 2);
    assertThat(SGF.key(job(LAST, LAST, 1))).isEqualTo(1);
  }

  @Test
  void parseAndPrintTheirNames() {
    assertThat(List.of(QueueDiscipline.values())).hasToString("[fifo, edf, sgf, sjf, fcf]");
    assertThat(List.of(Backfill.values())).hasToString("[none, aggressive, easy, conservative]");
    assertThat(List.of(Admission.values())).hasToString("[all, in-time]");
    assertThat(List.of(TieBreak.values())).hasToString("[seeded, by-id, in-turn]");
  }

  @Test
  void onlyEasyAndConservativeReserve() {
    assertThat(Backfill.values())
        .filteredOn(Backfill::reserves)
        .containsExactly(Backfill.EASY, Backfill.CONSERVATIVE);
  }

  /** A job of three units of CPU; zero: without estimate, without deadline. */
  private static Instance job(long admittedAt, long estimate, long deadline) {
    Request.Builder request =
        Request.builder("a", "gold").demand(Resources.of(Dimension.CPU, 3, Dimension.MEMORY, 9));
    if (estimate > 0) {
      request.estimatedRunTime(Duration.ofNanos(estimate));
    }
    if (deadline > 0) {
      request.deadline(Duration.ofNanos(deadline));
    }
    return view(request.build(), admittedAt);
  }

  private static Instance view(Request request, long admittedAt) {
    return new Instance() {
      @Override
      public Request request() {
        return request;
      }

      @Override
      public ServiceClass serviceClass() {
        return ServiceClass.builder("gold").build();
      }

      @Override
      public InstanceState state() {
        return InstanceState.PENDING;
      }

      @Override
      public Optional<Host> host() {
        return Optional.empty();
      }

      @Override
      public long admittedAt() {
        return admittedAt;
      }

      @Override
      public long stateSince() {
        return admittedAt;
      }

      @Override
      public long serviceTime(long now) {
        return 0;
      }

      @Override
      public long earnedTime(long now) {
        return 0;
      }

      @Override
      public int preemptions() {
        return 0;
      }

      @Override
      public int placements() {
        return 0;
      }

      @Override
      public long restartOverhead() {
        return 0;
      }
    };
  }
}
