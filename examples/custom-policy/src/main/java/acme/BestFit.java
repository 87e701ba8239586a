package acme;

import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.AllocationScores;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;

/** Packs hosts tightly: the host that keeps the smallest free share wins. */
final class BestFit implements PolicyFactory<BestFit.Config> {

  /** The share of each host, in [0, 1), to leave free if possible. */
  record Config(double reserve) {
    Config {
      if (!(reserve >= 0 && reserve < 1)) {
        throw new IllegalArgumentException("reserve must be in [0, 1)");
      }
    }
  }

  @Override
  public String id() {
    return "acme.best-fit";
  }

  @Override
  public String summary() {
    return "packs hosts tightly, up to a reserve";
  }

  @Override
  public Config defaults() {
    return new Config(0.1);
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    AllocationScore room = AllocationScores.leastRequested(); // the share left free
    AllocationScore tightest =
        fit -> room.score(fit) >= config.reserve() ? 1 - room.score(fit) : room.score(fit) - 1;
    return context.pipeline().allocationScore(tightest).build();
  }
}
