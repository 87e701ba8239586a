package dev.berth.core.internal.host;

import dev.berth.api.Backoff;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.internal.cluster.Closing;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds back hosts whose starts fail in a row, and instances that fail in a row. A host that is
 * held back is closed. An instance that is held back is pending, but in no queue of a pipeline.
 *
 * <p>Their times end at the start of a pass. A start that succeeds ends them at once.
 */
public final class Backoffs {

  private static final long NEVER = Long.MAX_VALUE;

  private final Cluster cluster;
  private @Nullable Backoff ofHosts; // null: off
  private @Nullable Backoff ofInstances;

  private final TreeSet<HostRecord> hosts =
      new TreeSet<>(
          Comparator.<HostRecord>comparingLong(each -> each.heldUntil())
              .thenComparingLong(each -> each.joined));
  private final TreeSet<InstanceRecord> instances =
      new TreeSet<>(
          Comparator.<InstanceRecord>comparingLong(each -> each.heldUntil())
              .thenComparingLong(each -> each.sequence));
  private boolean hostOpened; // since the last question

  public Backoffs(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Sets the times; null turns holding back off. Call it before the first event. */
  public void set(@Nullable Backoff forHosts, @Nullable Backoff forInstances) {
    ofHosts = forHosts;
    ofInstances = forInstances;
  }

  // ---- Failures

  /** Counts a start that failed for an instance and a host, before the instance leaves the host. */
  public void failed(@Nullable InstanceRecord instance, @Nullable HostRecord host, long now) {
    if (instance != null) {
      crashed(instance, now);
    }
    if (ofHosts != null && host != null) {
      long delay = ofHosts.delay(host.countFailedStart());
      if (delay > 0) {
        hosts.remove(host);
        host.holdUntil(Math.max(host.heldUntil(), now + delay));
        hosts.add(host);
        cluster
            .closings()
            .close(
                host,
                Closing.HELD_BACK,
                new Reason.HeldBack(host.failedStarts(), host.heldUntil()));
      }
    }
  }

  /** Counts a failure of an instance alone. */
  public void crashed(InstanceRecord instance, long now) {
    instance.countFailure();
    if (ofInstances != null) {
      long delay = ofInstances.delay(instance.failures());
      instance.holdUntil(delay == 0 ? Long.MIN_VALUE : now + delay);
    }
  }

  /** Notes that an instance has started on its host. */
  public void succeeded(InstanceRecord instance) {
    instance.holdUntil(Long.MIN_VALUE);
    HostRecord host = instance.place();
    if (host != null && host.failedStarts() > 0) {
      host.restoreFailedStarts(0);
      if (hosts.remove(host)) {
        open(host);
        hostOpened = true;
      }
    }
  }

  private void open(HostRecord host) {
    host.holdUntil(Long.MIN_VALUE);
    cluster.closings().open(host, Closing.HELD_BACK);
  }

  /** Returns whether a start has opened a host since the last call. */
  public boolean takeHostOpened() {
    boolean opened = hostOpened;
    hostOpened = false;
    return opened;
  }

  // ---- What is held back

  /** Follows an instance that is pending now. Returns whether it is held back. */
  public boolean holds(InstanceRecord instance) {
    if (instance.heldUntil() <= cluster.now()) {
      return false;
    }
    instance.heldBack(true);
    instances.add(instance);
    return true;
  }

  /** Holds back a pending instance as before, even if its time is over; the next pass ends that. */
  public void holdAgain(InstanceRecord instance) {
    if (!instance.heldBack()) {
      instance.heldBack(true);
      instances.add(instance);
      cluster.changed(instance);
      cluster.follower().leavesQueue(instance);
    }
  }

  /** Notes that a pending instance is on a host after all, so the next wait is not held back. */
  public void isOnHost(InstanceRecord instance) {
    instance.holdUntil(Long.MIN_VALUE);
  }

  /** Follows an instance that is no longer pending. Returns whether it was held back. */
  public boolean leaves(InstanceRecord instance) {
    if (!instance.heldBack()) {
      return false;
    }
    instance.heldBack(false);
    instances.remove(instance);
    return true;
  }

  /** Follows a host that left, or that comes back because its release is undone. */
  public void left(HostRecord host) {
    hosts.remove(host);
  }

  public void cameBack(HostRecord host) {
    if (host.isClosedBy(Closing.HELD_BACK)) {
      hosts.add(host);
    }
  }

  /** Holds back a host again. */
  public void restore(HostRecord host, long until) {
    host.holdUntil(until);
    hosts.add(host);
    cluster
        .closings()
        .close(host, Closing.HELD_BACK, new Reason.HeldBack(host.failedStarts(), until));
  }

  /** Returns when the next one may go on; {@link Long#MAX_VALUE} if none is held back. */
  public long next() {
    long next = instances.isEmpty() ? NEVER : instances.first().heldUntil();
    return hosts.isEmpty() ? next : Math.min(next, hosts.first().heldUntil());
  }

  /** Returns whether the time of any host or instance that is held back is over. */
  public boolean isOver() {
    return next() <= cluster.now();
  }

  /** Stops holding back what is over. Not an event. */
  public void end(UndoLog log) {
    Map<HostRecord, Long> opening = new LinkedHashMap<>();
    for (HostRecord each : hosts) {
      if (each.heldUntil() > cluster.now()) {
        break;
      }
      opening.put(each, each.heldUntil());
    }
    List<InstanceRecord> released = new ArrayList<>();
    for (InstanceRecord each : instances) {
      if (each.heldUntil() > cluster.now()) {
        break;
      }
      released.add(each);
    }
    cluster.beginChange();
    opening.keySet().forEach(hosts::remove);
    opening.keySet().forEach(this::open);
    for (InstanceRecord each : released) {
      instances.remove(each);
      each.heldBack(false);
      cluster.changed(each);
      cluster.follower().isPending(each);
    }
    log.add(
        () -> {
          released.forEach(this::holdAgain);
          opening.forEach(this::restore);
        });
    cluster.endChange();
  }

  /** Returns why a pending instance is held back, or null. */
  public static @Nullable Reason why(InstanceRecord instance) {
    return instance.heldBack() && instance.state() == InstanceState.PENDING
        ? new Reason.HeldBack(instance.failures(), instance.heldUntil())
        : null;
  }
}
