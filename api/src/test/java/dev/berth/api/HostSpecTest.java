package dev.berth.api;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostSpecTest {

  private static final Resources FOUR_CORES = Resources.of(CPU, 4_000_000_000L);

  @Test
  void copiesAttributes() {
    Map<String, String> attributes = new HashMap<>(Map.of("zone", "a"));
    HostSpec spec = new HostSpec("h1", FOUR_CORES, attributes);

    attributes.put("zone", "b");

    assertThat(spec.attributes()).containsExactly(Map.entry("zone", "a"));
  }

  @Test
  void attributesAreInAscendingOrderAndUnmodifiable() {
    HostSpec spec = new HostSpec("h1", FOUR_CORES, Map.of("zone", "a", "arch", "x", "ssd", "1"));

    assertThat(spec.attributes().keySet()).containsExactly("arch", "ssd", "zone");
    assertThat(spec.attributes()).isUnmodifiable();
  }

  @Test
  void attributesAreOptional() {
    assertThat(new HostSpec("h1", FOUR_CORES)).isEqualTo(new HostSpec("h1", FOUR_CORES, Map.of()));
  }

  @Test
  void refusesBlankIdsAndMissingCapacity() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HostSpec(" ", FOUR_CORES))
        .withMessage("host id was blank.");
    assertThatNullPointerException().isThrownBy(() -> new HostSpec("h1", null));
  }
}
