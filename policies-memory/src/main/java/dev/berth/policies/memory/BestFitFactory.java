package dev.berth.policies.memory;

import dev.berth.api.pipeline.AllocationScore;

/** Makes {@code best-fit}: the host whose memory is reserved most, among those with room. */
final class BestFitFactory extends FitFactory {

  @Override
  public String id() {
    return "best-fit";
  }

  @Override
  public String summary() {
    return "places on the host with least unreserved memory that still fits";
  }

  @Override
  AllocationScore score(Reservation reservation) {
    return fit -> -Grants.unreserved(fit.host(), reservation);
  }
}
