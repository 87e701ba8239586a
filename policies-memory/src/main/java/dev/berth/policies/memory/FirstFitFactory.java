package dev.berth.policies.memory;

import dev.berth.api.pipeline.AllocationScore;

/** Creates {@code first-fit}: the first host by id with room (FF). */
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
