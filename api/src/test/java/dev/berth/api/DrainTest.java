package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Arrays;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainTest {

  @Test
  void hasUsualValues() {
    assertThat(Drain.waiting())
        .isEqualTo(
            new Drain(
                OptionalLong.empty(),
                Drain.Order.LEAST_IMPORTANT_FIRST,
                Drain.Mode.WAIT,
                Drain.AtDeadline.EVICT,
                Set.of()));
    assertThat(Drain.moving().mode()).isEqualTo(Drain.Mode.MOVE);
  }

  @Test
  void changesOneThingAtATime() {
    Drain drain =
        Drain.moving()
            .until(7)
            .inOrder(Drain.Order.LONGEST_RUNNING_FIRST)
            .atDeadline(Drain.AtDeadline.STAY)
            .restarting("silver", "gold");

    assertThat(drain)
        .isEqualTo(
            new Drain(
                OptionalLong.of(7),
                Drain.Order.LONGEST_RUNNING_FIRST,
                Drain.Mode.MOVE,
                Drain.AtDeadline.STAY,
                Set.of("gold", "silver")));
    assertThat(drain.restarted()).containsExactly("gold", "silver").isUnmodifiable();
  }

  @Test
  void isOverFromTheDeadlineOn() {
    assertThat(Drain.moving().isOver(Long.MAX_VALUE)).isFalse();
    assertThat(Drain.moving().until(7).isOver(6)).isFalse();
    assertThat(Drain.moving().until(7).isOver(7)).isTrue();
  }

  @Test
  void refusesNull() {
    Set<String> withNull = new HashSet<>(Arrays.asList("gold", null));

    assertThatNullPointerException()
        .isThrownBy(() -> Drain.moving().inOrder(null))
        .withMessage("order");
    assertThatNullPointerException().isThrownBy(() -> Drain.moving().restarting(withNull));
  }
}
