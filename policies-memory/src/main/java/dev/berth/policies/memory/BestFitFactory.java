package dev.berth.policies.memory;

import dev.berth.api.pipeline.AllocationScore;

/** Creates {@code best-fit}: the host with the least unreserved memory, among those with room. */
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
