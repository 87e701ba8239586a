package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RequestOutcome.End;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOutcomeTest {

  /** The bound on an infinite host is {@code service / (service + start)}. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "undisturbed,                        1,   100, COMPLETED,  100, 2,  2, true",
    "waited for one nanosecond,          1,   100, COMPLETED,  100, 3,  2, false",
    "no start,                           1,   100, COMPLETED,  100, 0,  0, true",
    "no start and waited,                1,   100, COMPLETED,  100, 1,  0, false",
    "slowed down,                        1,   100, COMPLETED,  120, 2,  2, true",
    "short and undisturbed,              0.9, 5,   COMPLETED,  5,   1,  1, true",
    "short and disturbed,                0.9, 5,   COMPLETED,  5,   2,  1, false",
    "disturbed but reaches its SLO,      0.9, 100, COMPLETED,  100, 11, 2, true",
    "runs at the end,                    1,   100, UNFINISHED, 8,   2,  2, true",
    "runs at the end and waited,         1,   100, UNFINISHED, 7,   3,  2, false",
    "the end precedes the end of a start, 1,  100, UNFINISHED, 0,   2,  3, true",
    "the end is the end of a start,      1,   100, UNFINISHED, 0,   2,  2, true",
    "not placed at once,                 1,   100, UNFINISHED, 0,   3,  2, false",
    "cancelled,                          1,   100, CANCELLED,  8,   2,  2, true",
    "rejected,                           1,   100, REFUSED,    0,   1,  2, false"
  })
  void isMetByTheLesserOfObjectiveAndAvailabilityOnAnInfiniteHost(
      String what,
      double slo,
      long work,
      End end,
      long service,
      long wait,
      long start,
      boolean met) {
    ServiceClass its = ServiceClass.builder("its").slo(slo).importance(1).build();
    RequestOutcome outcome =
        new RequestOutcome(
            0,
            Request.builder("r", "its").demand(Resources.none()).build(),
            work,
            end,
            new InstanceReport("r", its, 0, service + wait, service, wait, 0, 1, 0),
            OptionalLong.empty(),
            OptionalLong.empty(),
            start,
            0,
            Optional.empty(),
            Optional.empty());
    assertThat(outcome.met()).as(what).isEqualTo(met);
  }
}
