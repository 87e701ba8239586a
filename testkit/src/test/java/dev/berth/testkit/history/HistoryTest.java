package dev.berth.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories that are written by hand are refused in words, not in the middle of a replay. */
class HistoryTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE = ServiceClass.builder("bronze").build();

  @Test
  void aHistoryHasAServiceClass() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> history(List.of(), 0))
        .withMessage("a history has at least one service class.");
  }

  @Test
  void noMoreHostsArePresentThanThereAre() {
    for (int present : List.of(-1, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history(List.of(GOLD), present))
          .withMessage(
              "present was %s, must be from 0 to 0, the number of hosts.".formatted(present));
    }
  }

  @Test
  void aScaleIsOfSomeDimensionsAndAUnit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Scale(5, 1))
        .withMessage("a scale had 5 dimensions and a unit of 1, must have 1 to 4 and at least 1.");
    assertThatIllegalArgumentException().isThrownBy(() -> new Scale(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Scale(1, 0));
  }

  @Test
  void timeDoesNotRunBackwards() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Step.Pause(Duration.ofNanos(-1)))
        .withMessageContaining("must not be negative");
  }

  @Test
  void otherServiceClassesLeaveTheRestAsItWas() {
    History history = history(List.of(GOLD), 0);

    History changed = history.withServiceClasses(List.of(BRONZE));

    assertThat(changed.serviceClasses()).containsExactly(BRONZE);
    assertThat(changed.withServiceClasses(List.of(GOLD))).isEqualTo(history);
  }

  private static History history(List<ServiceClass> classes, int present) {
    return new History(
        3, 5, classes, new Scale(2, 7), List.of(), present, List.of(new Step.Pass()));
  }
}
