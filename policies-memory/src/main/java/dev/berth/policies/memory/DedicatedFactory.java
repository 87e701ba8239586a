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
import java.util.Set;

/** Makes {@code dedicated}: a whole host for each instance, the first by id that is free. */
public final class DedicatedFactory implements PolicyFactory<DedicatedConfig> {

  /** Used by {@link java.util.ServiceLoader}. */
  public DedicatedFactory() {}

  @Override
  public String id() {
    return "dedicated";
  }

  @Override
  public String summary() {
    return "gives each instance a whole host";
  }

  @Override
  public Class<DedicatedConfig> configType() {
    return DedicatedConfig.class;
  }

  @Override
  public DedicatedConfig defaults() {
    return new DedicatedConfig(QueueDiscipline.FIFO, Backfill.NONE, Admission.ALL);
  }

  @Override
  public Set<RequestDetail> requiredDetails(DedicatedConfig config) {
    return new Queueing(config.queue(), config.backfill(), Molding.NONE, config.admission())
        .requiredDetails();
  }

  @Override
  public Policy create(DedicatedConfig config, PolicyContext context) {
    return context
        .pipeline()
        .queue(config.queue())
        .backfill(config.backfill())
        .admission(config.admission())
        .grants(Grants.wholeHost())
        .filter(Grants.freeHost())
        .allocationScore(fit -> 0)
        .ties(TieBreak.BY_ID)
        .build();
  }
}
