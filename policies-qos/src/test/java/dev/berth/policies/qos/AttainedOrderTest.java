package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of each class but gold, a hundred jobs of 600 s completed, so that a new one is of level 6. */
class AttainedOrderTest {

  private static final long SECOND = 1_000_000_000;
  private static final int LEVELS = ServiceGrid.LEVELS;
  private static final List<ServiceClass> CLASSES =
      List.of(
          serviceClass("gold", 2, 0.5),
          serviceClass("plum", 5, 1),
          serviceClass("silver", 5, 0.5),
          serviceClass("bronze", 7, 0.5));

  /** A new one of silver or bronze is beyond rescue when it has missed its objective by that. */
  private static final long OVERDUE = ServiceGrid.begin(14);

  private static final long UNTIL = 100_000 * SECOND; // of the tables

  private final ServiceHistory history = new ServiceHistory(CLASSES, Estimates.IGNORE);

  private static ServiceClass serviceClass(String name, int importance, double slo) {
    return ServiceClass.builder(name).slo(slo).importance(importance).build();
  }

  @BeforeEach
  void learn() {
    List<Completion> completions = new ArrayList<>();
    for (ServiceClass each : CLASSES.subList(1, 4)) {
      completions.addAll(
          StubPass.completions(100, StubJob.request("done", each, job -> job), each, 600));
    }
    history.observe(StubPass.at(UNTIL - 60 * SECOND, completions));
  }

  private AttainedOrder order(QosUnit unit) {
    return new AttainedOrder(history, CLASSES, new QosMetric(Duration.ZERO, unit), unit);
  }

  private static StubJob pending(int rank) {
    ServiceClass its = CLASSES.get(rank);
    return StubJob.pending(StubJob.request("job", its, job -> job), its, 7);
  }

  @ParameterizedTest(
      name = "{3} ns after {2} of waiting, of rank {0}, served {1} s: {4}, level {5}")
  @CsvSource({
    "2, 0, 0, 0, 4, 6",
    "2, 0, overdue, 0, 4, 6", // it can just meet its objective
    "2, 0, overdue, 1, 5, 6",
    "3, 0, overdue, 0, 7, 6",
    "3, 0, overdue, 1, 8, 6",
    "1, 0, overdue, 1, 4, 6", // an objective of 1 can always be met, as far as is known
    "2, 700, overdue, 1, 4, 7", // nothing is known of such a long one
    "0, 0, 0, 0, 1, 2", // or of its class
    "0, 100, 0, 0, 1, 3",
  })
  void ofAClassThoseThatCanStillMeetTheirObjectivesAreFirstAndThenTheLevelDecides(
      int rank, long served, String waiting, long more, int ofClass, int level) {
    StubJob job = pending(rank).thatServed(served * SECOND);
    long now = 7 + served * SECOND + (waiting.equals("overdue") ? OVERDUE : 0) + more;

    int tier = order(QosUnit.NANOSECOND).tier(job, now);

    assertThat(tier).isEqualTo(ofClass * LEVELS + level);
    assertThat(AttainedOrder.level(tier)).isEqualTo(level);
  }

  @Test
  void theOneThatHasWaitedLongestIsTheFirstOfItsClass() {
    StubJob job = pending(3);
    long now = 7 + 61_000 * SECOND;
    history.observe(StubPass.at(UNTIL, List.of(), job));

    assertThat(order(QosUnit.NANOSECOND).tier(job, now)).isEqualTo(6 * LEVELS);
    assertThat(order(QosUnit.NANOSECOND).tier(pending(2), now)).isEqualTo(5 * LEVELS + 6);
  }

  @Test
  void ofATierTheFirstAdmittedIsFirst() {
    assertThat(order(QosUnit.NANOSECOND).key(pending(0))).isEqualTo(7);
  }

  /** In units of one or eight nanoseconds, of which values are rounded. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aTierHoldsUntilOneIsBeyondRescueOrTheTablesChange(int bits) {
    AttainedOrder order = order(new QosUnit(bits));

    assertThat(order.tierUntil(pending(2), 7)).isBetween(7 + OVERDUE - 1_000, 7 + OVERDUE);
    assertThat(order.tierUntil(pending(2), 7 + OVERDUE + 100)).isEqualTo(UNTIL);
    assertThat(order.tierUntil(pending(1), 7)).isEqualTo(UNTIL);
    assertThat(order(QosUnit.NANOSECOND).tierUntil(pending(2), 7 + OVERDUE)).isEqualTo(7 + OVERDUE);
  }
}
