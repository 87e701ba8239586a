package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.error.ConfigException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The inputs that a run gives to the configuration of a policy. */
class PolicyChoiceTest {

  private static final Duration WATCHDOG = Duration.ofSeconds(45);
  private static final Duration OVERHEAD = Duration.ofMillis(2500);

  private static ObjectNode user() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode effective(ObjectNode user) {
    return PolicyChoice.of(new Foreign(), user, WATCHDOG, OVERHEAD).configJson();
  }

  @Test
  void setsRunInputsInComponentsOfAnyName() {
    ObjectNode config = effective(user());

    assertThat(config.get("lookEvery").textValue()).isEqualTo("45s");
    assertThat(config.get("startUp").textValue()).isEqualTo("2.5s");
  }

  @Test
  void prefersUserOverheadAndRunWatchdog() {
    ObjectNode config = effective(user().put("lookEvery", "5s").put("startUp", "7s"));

    assertThat(config.get("lookEvery").textValue()).isEqualTo("45s");
    assertThat(config.get("startUp").textValue()).isEqualTo("7s");
  }

  @Test
  void keepsComponentsThatOnlyShareName() {
    assertThat(effective(user()).get("watchdog").textValue()).isEqualTo("1m");
  }

  @Test
  void refusesInvalidValuesThatRunReplaces() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> effective(user().put("lookEvery", "0s")))
        .withMessageContaining("config.lookEvery was \"0s\", must be positive.");
  }

  /** A policy of a third party whose configuration has other names. */
  private static final class Foreign implements PolicyFactory<Foreign.Config> {

    /** Its {@code watchdog} is not the longest time between passes. */
    record Config(Duration lookEvery, Duration startUp, Duration watchdog) {
      Config {
        if (lookEvery.isZero()) {
          throw new IllegalArgumentException("lookEvery must be positive");
        }
      }
    }

    @Override
    public String id() {
      return "acme.foreign";
    }

    @Override
    public String summary() {
      return "does nothing";
    }

    @Override
    public Config defaults() {
      return defaults(Duration.ZERO);
    }

    @Override
    public Config defaults(Duration meanStartOverhead) {
      return new Config(Duration.ofSeconds(10), meanStartOverhead, Duration.ofMinutes(1));
    }

    @Override
    public Config withWatchdog(Config config, Duration watchdog) {
      return new Config(watchdog, config.startUp(), config.watchdog());
    }

    @Override
    public Policy create(Config config, PolicyContext context) {
      return pass -> {};
    }
  }
}
