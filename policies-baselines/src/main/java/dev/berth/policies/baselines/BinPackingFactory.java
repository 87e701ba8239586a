package dev.berth.policies.baselines;

import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Creates {@code bin-packing}: it packs hosts as tightly as possible, to show how many requests
 * fit.
 */
record BinPackingFactory(String id, String summary, BinPackingConfig defaults)
    implements PolicyFactory<BinPackingConfig> {

  BinPackingFactory() {
    this(
        "bin-packing",
        "packs hosts tightly, to place as many requests as possible, and never preempts",
        new BinPackingConfig(Duration.ofSeconds(10)));
  }

  @Override
  public BinPackingConfig withWatchdog(BinPackingConfig config, Duration watchdog) {
    return new BinPackingConfig(watchdog);
  }

  @Override
  public Policy create(BinPackingConfig config, PolicyContext context) {
    return new BinPacking(
        context
            .pipeline()
            .queue(new ByImportance())
            .allocationScore(new TightestFit())
            .watchdog(config.watchdog()));
  }
}
