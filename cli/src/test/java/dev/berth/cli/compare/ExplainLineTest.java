package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.store.RequestLife;
import dev.berth.simulator.result.RequestOutcome.End;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExplainLineTest {

  private static final Duration UNTIL = Duration.ofMinutes(10);

  @Test
  void asksAtTheEndAboutAnUnfinishedRequest() {
    assertThat(ExplainLine.time(job(10, 20, -1, 50), UNTIL)).isEqualTo(UNTIL);
  }

  @Test
  void asksWithinTheFirstWaitIfMostOfTheWaitingWasThat() {
    assertThat(ExplainLine.time(job(10, 70, 200, 62), UNTIL)).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void asksBeforeTheEndIfPreemptionsMadeTheRequestWait() {
    assertThat(ExplainLine.time(job(10, 11, 200, 90), UNTIL)).isEqualTo(Duration.ofSeconds(199));
    assertThat(ExplainLine.time(job(10, 10, 200, 0), UNTIL)).isEqualTo(Duration.ofSeconds(199));
  }

  private static RequestLife job(long submitted, long placed, long ended, long waiting) {
    return new RequestLife(
        "a",
        "gold",
        Optional.empty(),
        nanos(submitted),
        OptionalLong.of(nanos(placed)),
        OptionalLong.of(nanos(placed + 2)),
        ended < 0 ? OptionalLong.empty() : OptionalLong.of(nanos(ended)),
        Optional.of("h"),
        1,
        0,
        nanos(100),
        nanos(waiting),
        Optional.empty(),
        ended < 0 ? End.UNFINISHED : End.COMPLETED);
  }

  private static long nanos(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }
}
