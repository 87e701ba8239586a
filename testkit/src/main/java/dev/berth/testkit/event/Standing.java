package dev.berth.testkit.event;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import java.util.Optional;

/**
 * Where an instance stands at one moment, and what it got so far; times are nanoseconds.
 *
 * @param id its id
 * @param state pending, starting or running
 * @param stateSince since when
 * @param host id of the host it holds capacity on; empty if it is pending
 * @param serviceTime e
 * @param waitingTime p
 * @param preemptions how often it was preempted
 * @param placements how often it was placed
 * @param restartOverhead S
 */
public record Standing(
    String id,
    InstanceState state,
    long stateSince,
    Optional<String> host,
    long serviceTime,
    long waitingTime,
    int preemptions,
    int placements,
    long restartOverhead) {

  /** Returns how an instance stands now. */
  public static Standing of(Instance instance, long now) {
    return new Standing(
        instance.id(),
        instance.state(),
        instance.stateSince(),
        instance.host().map(Host::id),
        instance.serviceTime(now),
        instance.waitingTime(now),
        instance.preemptions(),
        instance.placements(),
        instance.restartOverhead());
  }
}
