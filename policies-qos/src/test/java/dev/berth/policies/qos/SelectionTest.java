package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a selection saves; {@link FulfilmentPolicyTest} tests what it selects. */
class SelectionTest {

  private final Selection selection = new Selection(0.1);

  @Test
  void savesTheGuestsInOrder() {
    selection.restore(Map.of("guests", List.of("c", "a", "b")));

    assertThat(selection.save()).isEqualTo(Map.of("guests", List.of("a", "b", "c")));
  }

  @Test
  void isTheMemoryOfThePolicy() {
    assertThat(new FulfilmentPolicy(selection, pass -> {}).memory()).containsSame(selection);
  }

  @Test
  void savesNothingWithoutGuests() {
    assertThat(selection.save()).isEmpty();
  }

  @Test
  void restoresOnlyWhatWasSaved() {
    selection.restore(Map.of("guests", List.of("a")));
    selection.restore(Map.of());

    assertThat(selection.save()).isEmpty();
  }

  @Test
  void refusesWhatItDidNotSave() {
    assertThatThrownBy(() -> selection.restore(Map.of("guests", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("guests was a, must be a list of ids.");
  }
}
