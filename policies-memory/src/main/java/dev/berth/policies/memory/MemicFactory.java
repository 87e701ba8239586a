package dev.berth.policies.memory;

import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.time.Duration;
import java.util.Set;

/**
 * Creates {@code memic}: from the memory profiles, it predicts which host minimizes interference
 * between the new instance and those already running (Algorithm 1).
 *
 * <p>Idle hosts come first, by free memory. Otherwise the host wins with the smallest predicted sum
 * of delays of the new instance and the residents. If the sum is too large on every host, the queue
 * waits.
 */
record MemicFactory(String id, String summary, MemicConfig defaults)
    implements PolicyFactory<MemicConfig> {

  MemicFactory() {
    this(
        "memic",
        "places where predicted memory needs collide least; memory follows the need",
        new MemicConfig(
            Reservation.DEMAND,
            0,
            Duration.ofHours(1),
            QueueDiscipline.FIFO,
            Backfill.NONE,
            Molding.NONE,
            Admission.ALL,
            Elasticity.DEFAULT));
  }

  @Override
  public MemicConfig withWatchdog(MemicConfig config, Duration watchdog) {
    return config.with(config.elasticity().withWatchdog(watchdog));
  }

  @Override
  public Set<RequestDetail> requiredDetails(MemicConfig config) {
    return config.requiredDetails(RequestDetail.MEMORY_PROFILE, RequestDetail.RUN_TIME);
  }

  @Override
  public Policy create(MemicConfig config, PolicyContext context) {
    Interference interference =
        new Interference(config.patience(), config.assumedRunTime().toNanos());
    return config.build(
        context
            .pipeline()
            .grants(Grants.reserved(config.reservation(), config.elasticity()))
            .filter(interference)
            .allocationScore(interference)
            .ties(TieBreak.BY_ID),
        config.elasticity());
  }
}
