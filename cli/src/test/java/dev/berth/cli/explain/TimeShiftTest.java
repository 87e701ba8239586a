package dev.berth.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.explain.GroupRoom;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPending.Obstacle;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeShiftTest {

  @Test
  void shiftsTheTimesOfAllObstacles() {
    assertThat(new TimeShift(100).of(waitsUntil(130))).isEqualTo(waitsUntil(30, 20));
  }

  private static WhyPending waitsUntil(long until) {
    return waitsUntil(until, 120);
  }

  private static WhyPending waitsUntil(long until, long now) {
    Reason heldBack = new Reason.HeldBack(2, until);
    List<Obstacle> obstacles = List.of(Obstacle.of(List.of(heldBack)));
    GroupRoom.Room none = new GroupRoom.Room(0, true, obstacles);
    return new WhyPending(
        "g1",
        now,
        InstanceState.PENDING,
        Optional.empty(),
        1,
        0,
        0,
        obstacles,
        List.of(),
        Optional.of(heldBack),
        List.of(),
        Optional.empty(),
        Optional.of(new GroupRoom("g", 2, 2, 0, none, none)));
  }
}
