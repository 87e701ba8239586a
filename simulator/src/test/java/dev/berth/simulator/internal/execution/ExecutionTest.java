package dev.berth.simulator.internal.execution;

import static dev.berth.simulator.Cases.arrival;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.batch.InstanceReport;
import dev.berth.simulator.Cases;
import dev.berth.simulator.internal.EventQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutionTest {

  private final Execution execution = new Execution(arrival("r", 100, 50), 0, null);
  private final EventQueue queue = new EventQueue();

  @Test
  void acceptsEqualAccounts() {
    runFrom(110, 115);
    execution.stopped(125, true);
    runFrom(130, 133);

    assertThat(execution.untilNext(133)).isEqualTo(40); // at 133, when its second run began
    assertThatCode(
            () -> execution.check(new InstanceReport("r", Cases.GOLD, 100, 140, 17, 23, 1, 2, 3)))
        .doesNotThrowAnyException();
  }

  @Test
  void differentAccountsAreAnErrorWithBoth() {
    runFrom(110, 115);

    assertThatThrownBy(
            () -> execution.check(new InstanceReport("r", Cases.GOLD, 100, 140, 26, 14, 0, 1, 0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("serviceTime=26, waitingTime=14")
        .hasMessageContaining("serviceTime=25, waitingTime=15");
    assertThatThrownBy(
            () -> execution.check(new InstanceReport("r", Cases.GOLD, 100, 140, 25, 15, 1, 1, 0)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void clearsItsNextEvent() {
    execution.placed("h1", 110);
    EventQueue.Event ready = queue.add(115, EventQueue.Kind.READY, () -> {});
    execution.expect(ready);

    assertThat(execution.expectNothing()).isSameAs(ready);
    assertThat(execution.expectNothing()).isNull();
    execution.stopped(112, false);
    assertThat(execution.wasReadyOn("h1")).isFalse();
    assertThatThrownBy(() -> execution.ready(113)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void remembersEveryHostItWasReadyOn() {
    for (String host : List.of("h1", "h2", "h1", "h3")) {
      execution.placed(host, 110);
      execution.ready(110);
      execution.stopped(110, true);
      assertThat(execution.wasReadyOn(host)).isTrue();
    }
    assertThat(List.of("h1", "h2", "h3")).allMatch(execution::wasReadyOn);
    assertThat(execution.wasReadyOn("h4")).isFalse();
  }

  private void runFrom(long placedAt, long readyAt) {
    execution.placed("h1", placedAt);
    execution.ready(readyAt);
    execution.expect(queue.add(1_000, EventQueue.Kind.COMPLETION, () -> {}));
  }
}
