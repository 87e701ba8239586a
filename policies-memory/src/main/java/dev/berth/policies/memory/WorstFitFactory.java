package dev.berth.policies.memory;

import dev.berth.api.pipeline.AllocationScore;

/** Creates {@code worst-fit}: the host whose memory is reserved least. The thesis calls it FFD. */
final class WorstFitFactory extends FitFactory {

  @Override
  public String id() {
    return "worst-fit";
  }

  @Override
  public String summary() {
    return "places on the host with most unreserved memory (the thesis's FFD)";
  }

  @Override
  AllocationScore score(Reservation reservation) {
    return fit -> Grants.unreserved(fit.host(), reservation);
  }
}
