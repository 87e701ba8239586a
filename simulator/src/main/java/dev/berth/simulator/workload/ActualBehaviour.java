package dev.berth.simulator.workload;

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
 * @param keepsProgress whether it resumes where it stopped after it lost its host; false: it starts
 *     its work again from the beginning, as a program without checkpoints does. Pausing, suspending
 *     and migrating keep progress in either case
 */
public record ActualBehaviour(
    Optional<MemoryProfile> memory,
    Optional<PerformanceMemoryProfile> performance,
    boolean keepsProgress) {

  /** Checks that no component is null. */
  public ActualBehaviour {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(performance, "performance");
  }

  /** Creates a behaviour that keeps its progress. */
  public ActualBehaviour(
      Optional<MemoryProfile> memory, Optional<PerformanceMemoryProfile> performance) {
    this(memory, performance, true);
  }

  /** Returns the behaviour that the request states. */
  public static ActualBehaviour asSaid(Request request) {
    return new ActualBehaviour(
        request.memoryProfile(), request.performanceMemoryProfile(), !request.losesProgress());
  }

  /** Returns the same behaviour that starts again from the beginning after it lost its host. */
  public ActualBehaviour losingProgress() {
    return new ActualBehaviour(memory, performance, false);
  }
}
