package acme.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes wrong between a scheduler and a fleet, one case each. */
class RenderFarmTest implements Fleet {

  private final List<String> calls = new ArrayList<>();
  private long now;
  private final RenderFarm farm =
      new RenderFarm(this, () -> now, (frame, outcome) -> calls.add(frame + " " + outcome));

  @Override
  public void start(String frame, int attempt, String host) {
    calls.add("start %s %s on %s".formatted(frame, attempt, host));
  }

  @Override
  public void stop(String frame, String host) {
    calls.add("stop %s on %s".formatted(frame, host));
  }

  /** Lets a second pass, and returns what the farm has called since the last time. */
  private List<String> afterStep() throws InterruptedException {
    now += 1_000_000_000L;
    farm.step(0);
    List<String> since = List.copyOf(calls);
    calls.clear();
    return since;
  }

  @BeforeEach
  void batchFrameRuns() throws InterruptedException {
    farm.hostJoined("h1", 4, 16);
    farm.submit("b", "batch", 4, 8);
    assertThat(afterStep()).containsExactly("start b 1 on h1");
    farm.started("b", 1);
    assertThat(afterStep()).isEmpty();
  }

  private void preemptB() throws InterruptedException {
    farm.submit("u", "urgent", 4, 8);
    assertThat(afterStep()).containsExactly("stop b on h1", "start u 1 on h1");
  }

  @Test
  void frameFinishes() throws InterruptedException {
    farm.finished("b", 1);
    assertThat(afterStep()).containsExactly("b done");
  }

  @Test
  void secondReportOfTheSameEndIsIgnored() throws InterruptedException {
    farm.finished("b", 1);
    farm.finished("b", 1);
    farm.failed("b", 1, "late");
    assertThat(afterStep()).containsExactly("b done");
  }

  @Test
  void finishWithoutStartCounts() throws InterruptedException {
    farm.finished("b", 1);
    farm.submit("c", "batch", 4, 8);
    assertThat(afterStep()).containsExactly("b done", "start c 1 on h1");
    farm.finished("c", 1);
    farm.started("c", 1);
    assertThat(afterStep()).containsExactly("c done");
  }

  @Test
  void finishWhileItIsBeingStoppedCounts() throws InterruptedException {
    preemptB();
    farm.finished("b", 1);
    assertThat(afterStep()).containsExactly("b done");
  }

  @Test
  void finishOfAnEarlierAttemptStopsTheLatest() throws InterruptedException {
    preemptB();
    farm.hostJoined("h2", 4, 16);
    assertThat(afterStep()).containsExactly("start b 2 on h2");
    farm.finished("b", 1);
    assertThat(afterStep()).containsExactly("stop b on h2", "b done");
  }

  @Test
  void lateReportsOfAnEarlierAttemptAreIgnored() throws InterruptedException {
    farm.failed("b", 1, "crashed");
    assertThat(afterStep()).containsExactly("start b 2 on h1");
    farm.started("b", 1);
    farm.failed("b", 1, "crashed");
    assertThat(afterStep()).isEmpty();
    farm.started("b", 2);
    farm.finished("b", 2);
    assertThat(afterStep()).containsExactly("b done");
  }

  @Test
  void frameThatFailsThreeTimesIsGivenUp() throws InterruptedException {
    farm.failed("b", 1, "crashed");
    assertThat(afterStep()).containsExactly("start b 2 on h1");
    farm.failed("b", 2, "crashed");
    assertThat(afterStep()).containsExactly("start b 3 on h1");
    farm.failed("b", 3, "crashed");
    assertThat(afterStep()).containsExactly("b given up: crashed");
  }

  @Test
  void onlyFailuresInARowCount() throws InterruptedException {
    farm.failed("b", 1, "crashed");
    assertThat(afterStep()).containsExactly("start b 2 on h1");
    farm.failed("b", 2, "crashed");
    assertThat(afterStep()).containsExactly("start b 3 on h1");
    farm.started("b", 3);
    assertThat(afterStep()).isEmpty();
    now += Duration.ofMinutes(10).toNanos();
    farm.failed("b", 3, "crashed");
    assertThat(afterStep()).containsExactly("start b 4 on h1");
  }

  @Test
  void framesOfALostHostStartElsewhere() throws InterruptedException {
    farm.hostJoined("h2", 4, 16);
    farm.hostLost("h1");
    assertThat(afterStep()).containsExactly("start b 2 on h2");
  }

  @Test
  void cancelledFrameIsStopped() throws InterruptedException {
    farm.cancel("b");
    assertThat(afterStep()).containsExactly("stop b on h1", "b cancelled");
    farm.cancel("b");
    assertThat(afterStep()).isEmpty();
  }

  @Test
  void refusedReportChangesNothing() throws InterruptedException {
    farm.hostLost("h9");
    farm.finished("b", 1);
    assertThat(afterStep()).containsExactly("b done");
  }

  @Test
  void explainsWhyAFrameWaits() throws InterruptedException {
    farm.submit("c", "batch", 2, 4);
    CompletableFuture<String> why = farm.whyPending("c");
    CompletableFuture<String> unknown = farm.whyPending("x");
    afterStep();
    assertThat(why.join()).startsWith("0 of 1 hosts: 1 full (cpu short by 2");
    assertThatThrownBy(unknown::join).hasMessageContaining("cannot explain instance x");
  }

  @Test
  void wholeFarmRenders() throws InterruptedException {
    assertThat(Main.render())
        .hasSize(60)
        .allSatisfy((frame, outcome) -> assertThat(outcome).matches("done|given up: .*"))
        .containsValue("done");
  }
}
