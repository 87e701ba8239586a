package dev.berth.policies.memory;

import dev.berth.api.pipeline.AllocationScore;

/** Makes {@code first-fit}: the first host by id on which there is room (FF). */
final class FirstFitFactory extends FitFactory {

  @Override
  public String id() {
    return "first-fit";
  }

  @Override
  public String summary() {
    return "places on the first host, by id, with unreserved memory";
  }

  @Override
  AllocationScore score(Reservation reservation) {
    return fit -> 0;
  }
}
