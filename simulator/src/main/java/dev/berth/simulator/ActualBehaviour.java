package dev.berth.simulator;

import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import java.util.Objects;
import java.util.Optional;

/**
 * What a request really does in a simulation, whatever its user says of it.
 *
 * @param memory what memory it needs as it goes on; empty: what it demands, always
 * @param performance how it is slowed down with less memory than it needs; empty: it is not
 */
public record ActualBehaviour(
    Optional<MemoryProfile> memory, Optional<PerformanceMemoryProfile> performance) {

  /** Checks that nothing is missing. */
  public ActualBehaviour {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(performance, "performance");
  }

  /** It does what its user says. */
  public static ActualBehaviour asSaid(Request request) {
    return new ActualBehaviour(request.memoryProfile(), request.performanceMemoryProfile());
  }
}
