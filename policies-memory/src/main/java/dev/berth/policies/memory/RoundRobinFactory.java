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
 * Creates {@code round-robin}: the next host by id after that of the latest placement (RR). It
 * reserves no memory and checks none: an instance is granted the free memory, up to its demand.
 */
record RoundRobinFactory(String id, String summary, RoundRobinConfig defaults)
    implements PolicyFactory<RoundRobinConfig> {

  RoundRobinFactory() {
    this(
        "round-robin",
        "places on the next host in turn, whatever memory it has",
        new RoundRobinConfig(
            QueueDiscipline.FIFO, Backfill.NONE, Molding.NONE, Admission.ALL, Elasticity.DEFAULT));
  }

  @Override
  public RoundRobinConfig withWatchdog(RoundRobinConfig config, Duration watchdog) {
    return config.with(config.elasticity().withWatchdog(watchdog));
  }

  @Override
  public Set<RequestDetail> requiredDetails(RoundRobinConfig config) {
    return config.requiredDetails();
  }

  @Override
  public Policy create(RoundRobinConfig config, PolicyContext context) {
    return config.build(
        context
            .pipeline()
            .grants(Grants.reserved(Reservation.DEMAND, config.elasticity()))
            .allocationScore(fit -> 0)
            .ties(TieBreak.IN_TURN),
        config.elasticity());
  }
}
