package dev.berth.policies.memory;

import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.util.Set;

/** Creates {@code dedicated}: a whole host for each instance, the first free one by id. */
record DedicatedFactory(String id, String summary, DedicatedConfig defaults)
    implements PolicyFactory<DedicatedConfig> {

  DedicatedFactory() {
    this(
        "dedicated",
        "gives each instance a whole host",
        new DedicatedConfig(QueueDiscipline.FIFO, Backfill.NONE, Admission.ALL));
  }

  @Override
  public Set<RequestDetail> requiredDetails(DedicatedConfig config) {
    return config.requiredDetails();
  }

  @Override
  public Policy create(DedicatedConfig config, PolicyContext context) {
    return config
        .applyTo(context.pipeline())
        .grants(Grants.wholeHost())
        .filter(Grants.freeHost())
        .allocationScore(fit -> 0)
        .ties(TieBreak.BY_ID)
        .build();
  }
}
