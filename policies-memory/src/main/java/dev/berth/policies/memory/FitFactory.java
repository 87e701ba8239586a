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
import java.util.function.Function;

/**
 * Creates policies that place by a score, among hosts with enough unreserved memory.
 *
 * @param score the score of a host, by what is reserved; ties are broken by id
 */
record FitFactory(String id, String summary, Function<Reservation, AllocationScore> score)
    implements PolicyFactory<FitConfig> {

  /** {@code first-fit}: the first host by id with room (FF). */
  static final FitFactory FIRST_FIT =
      new FitFactory(
          "first-fit",
          "places on the first host, by id, with unreserved memory",
          reservation -> fit -> 0);

  /** {@code best-fit}: the host with the least unreserved memory, among those with room. */
  static final FitFactory BEST_FIT =
      new FitFactory(
          "best-fit",
          "places on the host with least unreserved memory that still fits",
          reservation -> fit -> -Grants.unreserved(fit.host(), reservation));

  /** {@code worst-fit}: the host whose memory is reserved least. The thesis calls it FFD. */
  static final FitFactory WORST_FIT =
      new FitFactory(
          "worst-fit",
          "places on the host with most unreserved memory (the thesis's FFD)",
          reservation -> fit -> Grants.unreserved(fit.host(), reservation));

  @Override
  public FitConfig defaults() {
    return new FitConfig(
        Reservation.DEMAND,
        QueueDiscipline.FIFO,
        Backfill.NONE,
        Molding.NONE,
        Admission.ALL,
        Elasticity.DEFAULT);
  }

  @Override
  public FitConfig withWatchdog(FitConfig config, Duration watchdog) {
    return config.with(config.elasticity().withWatchdog(watchdog));
  }

  @Override
  public Set<RequestDetail> requiredDetails(FitConfig config) {
    return config.reservation() == Reservation.DEMAND
        ? config.requiredDetails()
        : config.requiredDetails(RequestDetail.MEMORY_PROFILE);
  }

  @Override
  public Policy create(FitConfig config, PolicyContext context) {
    PipelineBuilder pipeline =
        context.pipeline().allocationScore(score.apply(config.reservation())).ties(TieBreak.BY_ID);
    if (config.elasticity().control() || config.reservation() != Reservation.DEMAND) {
      pipeline
          .grants(Grants.reserved(config.reservation(), config.elasticity()))
          .filter(Grants.withinReservations(config.reservation()));
    } // otherwise an instance is granted, and reserves, its demand
    return config.build(pipeline, config.elasticity());
  }
}
