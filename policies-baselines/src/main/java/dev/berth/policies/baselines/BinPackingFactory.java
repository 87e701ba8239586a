package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Creates {@code bin-packing}: it packs hosts as tightly as possible, to show how many requests
 * fit.
 */
final class BinPackingFactory implements PolicyFactory<BinPackingConfig> {

  @Override
  public String id() {
    return "bin-packing";
  }

  @Override
  public String summary() {
    return "packs hosts tightly, the scarcest requests first, and never preempts";
  }

  @Override
  public BinPackingConfig defaults() {
    return new BinPackingConfig(Duration.ofSeconds(10));
  }

  @Override
  public BinPackingConfig withWatchdog(BinPackingConfig config, Duration watchdog) {
    return new BinPackingConfig(watchdog);
  }

  @Override
  public Policy create(BinPackingConfig config, PolicyContext context) {
    return new BinPacking(config.watchdog());
  }
}
