package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Instance;
import dev.berth.api.TimeLimits;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.error.EventRefusedException;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times that no scheduler lives to see are refused, so that accounting never overflows. */
class TimeLimitsTest {

  private static final long LIFE = TimeLimits.LONGEST_LIFE.toNanos();

  @ParameterizedTest
  @ValueSource(
      longs = {Long.MIN_VALUE, TimeLimits.EARLIEST - 1, TimeLimits.LATEST + 1, Long.MAX_VALUE})
  void refusesAFirstEventOutsideTheLimits(long time) {
    Scheduler scheduler = Cluster.byHand().scheduler();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.schedule(time))
        .withMessage(
            "a pass at %s ns, must be from -5184000000000000000 to 5184000000000000000 ns:"
                + " within 60000 days of the epoch.",
            time);
    assertThat(scheduler.now()).isEqualTo(Long.MIN_VALUE);
    scheduler.schedule(TimeLimits.EARLIEST);
  }

  @ParameterizedTest
  @ValueSource(longs = {TimeLimits.EARLIEST, -3_153_600_000_000_000_000L, 0, SECOND})
  void refusesALifeBeyondACentury(long first) {
    Cluster cluster = Cluster.byHand().atNanos(first).host("h1", 1);
    Instance a = cluster.running("a", 1, "h1").instance("a");
    cluster.atNanos(first + 1).pass();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> cluster.scheduler().schedule(first + LIFE + 1))
        .withMessageEndingWith(
            "must be from %s to %s ns: within 60000 days of the epoch and 36500 days of the first"
                + " event.",
            first + 1, first + LIFE);
    cluster.atNanos(first + LIFE).pass();
    assertThat(cluster.scheduler().explain().whyPending("a", first + LIFE).host()).contains("h1");
    assertThat(a.serviceTime(first + LIFE)).isEqualTo(LIFE);
    assertThat(a.availability(first + LIFE)).hasValue(1);
  }

  @Test
  void aLifeEndsAtTheLatestTime() {
    Cluster cluster = Cluster.byHand().atNanos(TimeLimits.LATEST - 1).host("h1", 1);
    cluster.atNanos(TimeLimits.LATEST).pass();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> cluster.scheduler().schedule(TimeLimits.LATEST + 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 3_153_600_000_000_000_001L, Long.MAX_VALUE})
  void accountingAtImpossibleTimesIsRefused(long time) {
    Instance a = Cluster.byHand().atNanos(0).host("h1", 1).running("a", 1, "h1").instance("a");

    for (LongFunction<?> each :
        List.<LongFunction<?>>of(
            a::serviceTime,
            a::waitingTime,
            a::availability,
            a::earnedTime,
            now -> InstanceReport.of(a, now))) {
      assertThatIllegalArgumentException().isThrownBy(() -> each.apply(time));
    }
    assertThat(a.serviceTime(LIFE)).isEqualTo(LIFE);
    assertThat(a.waitingTime(LIFE)).isZero();
  }

  @Test
  void reportsOfImpossibleTimesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new InstanceReport(
                    "a", Cluster.GOLD, Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 0, 0, 0))
        .withMessage("report of instance a: waiting time was -1, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InstanceReport("a", Cluster.GOLD, 2, 1, 0, 0, 0, 0, 0))
        .withMessageContaining("it ended at 1 ns, must not be before its admission at 2 ns");
  }

  @Test
  void explanationsEndWithTheScheduler() {
    Cluster cluster = Cluster.byHand().atNanos(0).pending("a", 1);

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> cluster.scheduler().explain().whyPending("a", LIFE + 1))
        .withMessageContaining("times end at " + LIFE);
  }
}
