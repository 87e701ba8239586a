package dev.berth.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.config.ConfigKey;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultSettingsTest {

  @Test
  void presetsHaveNames() {
    assertThat(FaultSettings.preset("mild")).contains(FaultSettings.MILD);
    assertThat(FaultSettings.preset("rough")).contains(FaultSettings.ROUGH);
    assertThat(FaultSettings.preset("none")).isEmpty();
    assertThat(FaultSettings.MILD.name()).contains("mild");
    assertThat(FaultSettings.ROUGH.name()).contains("rough");
    assertThat(with(FaultSettings.ROUGH, "until", "1h").name()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lost", "doubled", "delayed", "badHosts", "vanishing"})
  void sharesAreFromZeroToOne(String key) {
    assertRefused(key, -0.1, "must be from 0 to 1");
    assertRefused(key, 1.1, "must be from 0 to 1");
    assertThat(with(key, 1.0)).isNotEqualTo(FaultSettings.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"refused", "failedStarts"})
  void someOfTheActionsAndStartsSucceed(String key) {
    assertRefused(key, 1.0, "must be from 0 to below 1");
    assertThat(with(key, 0.999)).isNotEqualTo(FaultSettings.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"badFor", "driftFor", "reconcileEvery", "retryAfter"})
  void somePeriodsArePositive(String key) {
    assertRefused(key, "0s", "must be above 0s and at most 36500d");
    assertRefused(key, "36501d", "must be above 0s and at most 36500d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"delay", "driftEvery", "restartEvery", "hostBackoff", "instanceBackoff", "until"})
  void otherDurationsCanBeZero(String key) {
    assertThat(with(key, "0s")).isEqualTo(FaultSettings.NONE);
    assertRefused(key, "36501d", "must be from 0s to 36500d");
  }

  @Test
  void everyKeyIsExplained() {
    assertThat(ConfigKey.of(FaultSettings.NONE))
        .allSatisfy(each -> assertThat(each.meaning()).as(each.path()).isNotBlank());
  }

  private static void assertRefused(String key, Object value, String rule) {
    assertThatThrownBy(() -> with(key, value))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(rule);
  }

  private static FaultSettings with(String key, Object value) {
    return with(FaultSettings.NONE, key, value);
  }

  private static FaultSettings with(FaultSettings others, String key, Object value) {
    ObjectNode tree = TreeBinder.toJson(others).objectNode();
    tree.putPOJO(key, value);
    return TreeBinder.bind(
        "faults", "", FaultSettings.class, others, TreeBinder.parse("faults", tree.toString()));
  }
}
