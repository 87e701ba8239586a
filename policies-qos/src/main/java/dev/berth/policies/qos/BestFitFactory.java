package dev.berth.policies.qos;

import dev.berth.api.Policy;
import dev.berth.api.PolicyContext;
import dev.berth.api.PolicyFactory;
import java.time.Duration;

/**
 * Makes {@code best-fit}: packs hosts as tightly as it can, to see how many requests there is room
 * for.
 */
public final class BestFitFactory implements PolicyFactory<BestFitConfig> {

  /** Used by {@link java.util.ServiceLoader}. */
  public BestFitFactory() {}

  @Override
  public String id() {
    return "best-fit";
  }

  @Override
  public String summary() {
    return "packs hosts tightly, whoever has the fewest places first, and preempts nobody";
  }

  @Override
  public Class<BestFitConfig> configType() {
    return BestFitConfig.class;
  }

  @Override
  public BestFitConfig defaults() {
    return new BestFitConfig(Duration.ofSeconds(10));
  }

  @Override
  public Policy create(BestFitConfig config, PolicyContext context) {
    return new BestFit(config.watchdog());
  }
}
