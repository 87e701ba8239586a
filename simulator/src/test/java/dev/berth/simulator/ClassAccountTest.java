package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.RequestOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClassAccountTest {

  private static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.9).importance(2).build();

  private final ClassAccount account = new ClassAccount(SILVER, PenaltyTable.PUBLISHED);

  @Test
  void figuresOverNoRequestsAreAbsent() {
    ClassResult result = account.result();

    assertThat(result.name()).isEqualTo("silver");
    assertThat(result.slo()).isEqualTo(0.9);
    assertThat(result.count()).isZero();
    assertThat(result.min()).isEmpty();
    assertThat(result.mean()).isEmpty();
    assertThat(result.max()).isEmpty();
    assertThat(result.fulfilment()).isEmpty();
    assertThat(result.met()).isEmpty();
    assertThat(result.meanDeficit()).isEmpty();
    assertThat(result.maxDeficit()).isEmpty();
    assertThat(result.neverRan()).isZero();
    assertThat(result.waiting()).isEqualTo(ClassResult.WaitingTimes.NONE);
    assertThat(result.restartOverhead()).as("a sum").isZero();
    assertThat(result.served()).as("a sum").isZero();
    assertThat(result.penalty()).as("a sum").isZero();
  }

  @Test
  void waitingTimesHaveMeanAndQuantiles() {
    long service = Duration.ofHours(100).toNanos();
    for (int i = 1; i <= 100; i++) {
      account.add(outcome(service, Duration.ofSeconds(i).toNanos(), 0, true), 0, 0);
    }

    ClassResult result = account.result();
    assertThat(result.waiting().mean().orElseThrow()).isCloseTo(50.5, within(1e-9));
    assertThat(result.waiting().median().orElseThrow()).isCloseTo(50, within(0.05));
    assertThat(result.waiting().p95().orElseThrow()).isCloseTo(95, within(0.1));
    assertThat(result.waiting().max()).hasValue(100);
    assertThat(result.served()).isEqualTo(100 * 360_000.0);
    assertThat(result.penalty()).isZero();
  }

  @Test
  void deficitsCoverRequestsThatMissTheirObjective() {
    account.add(outcome(100, 0, 0, true), 0, 0);
    account.add(outcome(90, 10, 1, true), 0, 0);
    account.add(outcome(80, 20, 2, true), 0, 0);
    account.add(outcome(0, 100, 0, false), 0, 0);

    ClassResult result = account.result();
    assertThat(result.count()).isEqualTo(4);
    assertThat(result.min()).hasValue(0);
    assertThat(result.mean().orElseThrow()).isCloseTo(0.675, within(1e-15));
    assertThat(result.max()).hasValue(1);
    assertThat(result.fulfilment()).hasValue(0.5);
    assertThat(result.met()).as("starts take no time").hasValue(0.5);
    assertThat(result.meanDeficit().orElseThrow()).isCloseTo(0.5, within(1e-15));
    assertThat(result.maxDeficit().orElseThrow()).isCloseTo(0.9, within(1e-15));
    assertThat(result.neverRan()).isEqualTo(1);
    assertThat(result.preemptions()).isEqualTo(3);
  }

  @Test
  void requestThatMeetsItsObjectiveExactlyHasNoDeficit() {
    account.add(outcome(9, 1, 0, true), 0, 0);

    assertThat(account.result().fulfilment()).hasValue(1);
    assertThat(account.result().meanDeficit()).isEmpty();
    assertThat(account.result().maxDeficit()).isEmpty();
  }

  @Test
  void missesItsObjectiveByOneNanosecond() {
    long life =
        1_000_000_000_000_000_000L; // 31 years: a double cannot represent a difference of nine
    // nanoseconds
    assertThat((double) (life / 10 * 9 - 1) / life).isEqualTo(0.9);

    assertThat(SILVER.slo().isMetBy(life / 10 * 9, life)).isTrue();
    assertThat(SILVER.slo().isMetBy(life / 10 * 9 - 1, life)).isFalse();
    account.add(outcome(life / 10 * 9 - 1, life / 10 + 1, 0, true), 0, 0);
    assertThat(account.result().fulfilment()).hasValue(0);
    assertThat(account.result().maxDeficit()).hasValue(0);
  }

  private static RequestOutcome outcome(long service, long waiting, int preemptions, boolean ran) {
    return new RequestOutcome(
        0,
        Request.builder("r", "silver").demand(Resources.none()).build(),
        1,
        RequestOutcome.End.UNFINISHED,
        new InstanceReport("r", SILVER, 0, service + waiting, service, waiting, preemptions, 1, 0),
        OptionalLong.empty(),
        ran ? OptionalLong.of(0) : OptionalLong.empty(),
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }
}
