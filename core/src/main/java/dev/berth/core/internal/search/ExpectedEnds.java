package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When the instances on each host are expected to end at the latest. It follows the transitions of
 * instances at O(log n) each, where n is the number of instances on the host.
 *
 * <p>A running instance has a fixed end. The end of a starting instance moves with time until it
 * runs.
 */
public final class ExpectedEnds {

  private final HostTable table;
  private final Map<HostRecord, Ends> hosts = new HashMap<>(); // looked up, never iterated

  ExpectedEnds(HostTable table) {
    this.table = table;
  }

  void joined(HostRecord host) {
    hosts.put(host, new Ends());
  }

  void left(HostRecord host) {
    hosts.remove(host);
  }

  /** Follows an instance that came to a host, or to its present state there. */
  void isOnHost(InstanceRecord instance, HostRecord host) {
    if (isExpectedToEnd(instance.state())) {
      long run = RunTimes.ofRun(instance, instance.grantedAmounts(), cpu());
      if (run != RunTimes.NEVER) {
        boolean runs = instance.state() == InstanceState.RUNNING;
        instance.expectEnd(runs ? RunTimes.end(instance.stateSince(), run) : Math.max(1, run));
        of(host).in(instance.state()).add(instance);
      }
    }
  }

  /** Follows an instance that left a host, or its former state there. */
  void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    if (isExpectedToEnd(formerState) && RunTimes.areKnown(instance)) {
      of(host).in(formerState).remove(instance);
    }
  }

  /** Returns the instances of a host that are expected to end, in the order of their ends. */
  Walk of(HostRecord host, long now) {
    return new Walk(of(host), now);
  }

  /** Returns whether the ends that are expected on a host are as they were at an earlier time. */
  boolean areFixed(HostRecord host, long now) {
    Ends ends = of(host);
    return ends.starting.isEmpty()
        && (ends.running.isEmpty() || ends.running.first().expectedEnd() > now);
  }

  /** Returns the number of the CPU dimension, or -1. */
  int cpu() {
    return table.numberOf(Dimension.CPU);
  }

  private static boolean isExpectedToEnd(InstanceState state) {
    return state == InstanceState.RUNNING || state == InstanceState.STARTING;
  }

  private Ends of(HostRecord host) {
    Ends ends = hosts.get(host);
    checkState(ends != null, "%s has not joined", host);
    return ends;
  }

  private static final class Ends {

    private static final Comparator<InstanceRecord> BY_END =
        Comparator.<InstanceRecord>comparingLong(each -> each.expectedEnd())
            .thenComparingLong(each -> each.sequence);

    final NavigableSet<InstanceRecord> running = new TreeSet<>(BY_END); // by the time of the end
    final NavigableSet<InstanceRecord> starting = new TreeSet<>(BY_END); // by the run to come

    NavigableSet<InstanceRecord> in(InstanceState state) {
      return state == InstanceState.RUNNING ? running : starting;
    }
  }

  /** A walk over the expected ends on a host. */
  static final class Walk {

    private final long now;
    private final Iterator<InstanceRecord> running;
    private final Iterator<InstanceRecord> starting;
    private @Nullable InstanceRecord nextRunning;
    private @Nullable InstanceRecord nextStarting;

    private Walk(Ends ends, long now) {
      this.now = now;
      this.running = ends.running.iterator();
      this.starting = ends.starting.iterator();
      this.nextRunning = following(running);
      this.nextStarting = following(starting);
    }

    /** Returns the time of the next end, after the present; {@link RunTimes#NEVER} if none. */
    long time() {
      return Math.min(endOfRunning(), endOfStarting());
    }

    /** Returns the instance with the next end, and moves on. One must be left. */
    InstanceRecord poll() {
      InstanceRecord next = endOfRunning() <= endOfStarting() ? nextRunning : nextStarting;
      checkState(next != null, "no end is left");
      if (next == nextRunning) {
        nextRunning = following(running);
      } else {
        nextStarting = following(starting);
      }
      return next;
    }

    private long endOfRunning() {
      return nextRunning == null ? RunTimes.NEVER : Math.max(now + 1, nextRunning.expectedEnd());
    }

    private long endOfStarting() {
      return nextStarting == null ? RunTimes.NEVER : RunTimes.end(now, nextStarting.expectedEnd());
    }

    private static @Nullable InstanceRecord following(Iterator<InstanceRecord> iterator) {
      return iterator.hasNext() ? iterator.next() : null;
    }
  }
}
