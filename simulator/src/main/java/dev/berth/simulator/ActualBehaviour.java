package dev.berth.simulator;

import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import java.util.Objects;
import java.util.Optional;

/**
 * The actual behaviour of a request in a simulation. It can differ from what the request states.
 *
 * @param memory the memory that it needs at each point of its work; empty: always its demand
 * @param performance its slowdown with less memory than it needs; empty: none
 */
public record ActualBehaviour(
    Optional<MemoryProfile> memory, Optional<PerformanceMemoryProfile> performance) {

  /** Checks that no component is null. */
  public ActualBehaviour {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(performance, "performance");
  }

  /** Returns the behaviour that the request states. */
  public static ActualBehaviour asSaid(Request request) {
    return new ActualBehaviour(request.memoryProfile(), request.performanceMemoryProfile());
  }
}
