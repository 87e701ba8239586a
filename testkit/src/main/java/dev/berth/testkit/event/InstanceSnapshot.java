package dev.berth.testkit.event;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import java.util.Optional;

/**
 * The state and the accounts of an instance at one moment; times in nanoseconds.
 *
 * @param id the id of the instance
 * @param state its state
 * @param stateSince when it entered the state
 * @param host id of the host it is on; empty if it is pending
 * @param serviceTime e
 * @param waitingTime p
 * @param preemptions how often it was preempted
 * @param placements how often it was placed
 * @param restartOverhead S
 * @param granted its grant, if it differs from its demand; otherwise empty
 * @param migrations how often it migrated
 */
public record InstanceSnapshot(
    String id,
    InstanceState state,
    long stateSince,
    Optional<String> host,
    long serviceTime,
    long waitingTime,
    int preemptions,
    int placements,
    long restartOverhead,
    Optional<Resources> granted,
    int migrations) {

  /** Returns the snapshot of an instance at a time. */
  public static InstanceSnapshot of(Instance instance, long now) {
    return new InstanceSnapshot(
        instance.id(),
        instance.state(),
        instance.stateSince(),
        instance.host().map(Host::id),
        instance.serviceTime(now),
        instance.waitingTime(now),
        instance.preemptions(),
        instance.placements(),
        instance.restartOverhead(),
        Optional.of(instance.granted()).filter(each -> !each.equals(instance.request().demand())),
        instance.migrations());
  }
}
