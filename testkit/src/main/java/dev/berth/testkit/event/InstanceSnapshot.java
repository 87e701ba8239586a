package dev.berth.testkit.event;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import java.util.Optional;

/**
 * Where an instance stands at one moment, and what it got so far; times are nanoseconds.
 *
 * @param id its id
 * @param state where it stands in its life
 * @param stateSince since when
 * @param host id of the host it is on; empty if it is pending
 * @param serviceTime e
 * @param waitingTime p
 * @param preemptions how often it was preempted
 * @param placements how often it was placed
 * @param restartOverhead S
 * @param granted what it is granted on its host, where that is not its demand; else empty
 * @param migrations how often it moved to another host
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

  /** Of an instance that was never granted anything but its demand, and never moved. */
  public InstanceSnapshot(
      String id,
      InstanceState state,
      long stateSince,
      Optional<String> host,
      long serviceTime,
      long waitingTime,
      int preemptions,
      int placements,
      long restartOverhead) {
    this(
        id,
        state,
        stateSince,
        host,
        serviceTime,
        waitingTime,
        preemptions,
        placements,
        restartOverhead,
        Optional.empty(),
        0);
  }

  /** Returns how an instance stands now. */
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
