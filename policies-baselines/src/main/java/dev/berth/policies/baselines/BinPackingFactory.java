package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Makes {@code bin-packing}: packs hosts as tightly as it can, to see how many requests there is
 * room for.
 */
final class BinPackingFactory implements PolicyFactory<BinPackingConfig> {

  @Override
  public String id() {
    return "bin-packing";
  }

  @Override
  public String summary() {
    return "packs hosts tightly, whoever has the fewest places first, and preempts nobody";
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
