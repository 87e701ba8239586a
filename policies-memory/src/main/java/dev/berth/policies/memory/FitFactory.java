package dev.berth.policies.memory;

import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import java.time.Duration;
import java.util.Set;

/** Creates policies that place by a score, among hosts with enough unreserved memory. */
abstract class FitFactory implements PolicyFactory<FitConfig> {

  @Override
  public final FitConfig defaults() {
    return new FitConfig(
        Reservation.DEMAND,
        QueueDiscipline.FIFO,
        Backfill.NONE,
        Molding.NONE,
        Admission.ALL,
        Elasticity.DEFAULT);
  }

  @Override
  public final FitConfig withWatchdog(FitConfig config, Duration watchdog) {
    return config.with(config.elasticity().withWatchdog(watchdog));
  }

  @Override
  public final Set<RequestDetail> requiredDetails(FitConfig config) {
    return config.reservation() == Reservation.DEMAND
        ? config.requiredDetails()
        : config.requiredDetails(RequestDetail.MEMORY_PROFILE);
  }

  @Override
  public final Policy create(FitConfig config, PolicyContext context) {
    PipelineBuilder pipeline =
        context.pipeline().allocationScore(score(config.reservation())).ties(TieBreak.BY_ID);
    if (config.elasticity().control() || config.reservation() != Reservation.DEMAND) {
      pipeline
          .grants(Grants.reserved(config.reservation(), config.elasticity()))
          .filter(Grants.withinReservations(config.reservation()));
    } // otherwise an instance is granted, and reserves, its demand
    return config.build(pipeline, config.elasticity());
  }

  /** Returns the score of a host; ties are broken by id. */
  abstract AllocationScore score(Reservation reservation);
}
