package dev.berth.simulator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.internal.EventQueue.Event;
import dev.berth.simulator.internal.EventQueue.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {

  private final EventQueue queue = new EventQueue();
  private final List<String> happened = new ArrayList<>();

  @Test
  void ordersByTime() {
    add(30, Kind.COMPLETION, "c");
    add(10, Kind.ARRIVAL, "a");
    add(20, Kind.READY, "b");

    assertThat(queue.nextTime()).isEqualTo(10);
    assertThat(drain(100)).containsExactly("a", "b", "c");
  }

  @Test
  void ordersByKindWithinAnInstant() {
    add(5, Kind.ARRIVAL, "arrival");
    add(5, Kind.HOST_RECOVERY, "recovery");
    add(5, Kind.HOST_FAILURE, "failure");
    add(5, Kind.READY, "ready");
    add(5, Kind.COMPLETION, "completion");

    assertThat(drain(5)).containsExactly("completion", "ready", "failure", "recovery", "arrival");
  }

  @Test
  void ordersByInsertionWithinKindAndInstant() {
    for (int i = 0; i < 50; i++) {
      add(5, Kind.READY, "r" + i);
    }

    assertThat(drain(5)).hasSize(50).startsWith("r0", "r1", "r2").endsWith("r48", "r49");
  }

  @Test
  void takesNoLaterEvent() {
    add(5, Kind.READY, "now");
    add(6, Kind.READY, "later");

    assertThat(drain(5)).containsExactly("now");
    assertThat(queue.nextTime()).isEqualTo(6);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void emptyQueueHasNoNextEvent() {
    assertThat(queue.nextTime()).isEqualTo(EventQueue.NEVER);
    assertThat(queue.pollDue(EventQueue.NEVER)).isNull();
    assertThat(queue.size()).isZero();
  }

  @Test
  void cancelledEventDoesNotHappen() {
    Event first = add(1, Kind.READY, "first");
    add(2, Kind.READY, "second");
    queue.cancel(first);
    queue.cancel(first);

    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.nextTime()).isEqualTo(2);
    assertThat(drain(9)).containsExactly("second");
    assertThat(queue.size()).isZero();
  }

  @Test
  void sweepsCancelledEventsAndKeepsTheOrder() {
    for (int round = 0; round < 1000; round++) {
      Event voided = add(1_000_000 - round, Kind.COMPLETION, "void");
      if (round % 100 == 0) {
        add(2_000_000 - round, Kind.COMPLETION, "kept " + round / 100);
      }
      queue.cancel(voided);
    }

    assertThat(queue.size()).isEqualTo(10);
    assertThat(drain(EventQueue.NEVER))
        .containsExactly(
            "kept 9", "kept 8", "kept 7", "kept 6", "kept 5", "kept 4", "kept 3", "kept 2",
            "kept 1", "kept 0");
  }

  private Event add(long at, Kind kind, String name) {
    return queue.add(at, kind, () -> happened.add(name));
  }

  private List<String> drain(long now) {
    for (Event next = queue.pollDue(now); next != null; next = queue.pollDue(now)) {
      next.happen();
    }
    return happened;
  }
}
