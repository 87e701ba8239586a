package dev.berth.runtime;

import dev.berth.runtime.OpenActions.Stop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The instances that the fleet is to stop for good, and has not stopped yet. Until then, nothing
 * starts on their hosts. A stop on a host that cannot be reached waits until the host is back.
 *
 * <p>Not in the journal: after a restart, the comparison with the fleet finds them again. Cost
 * O(open stops).
 */
final class OpenStops {

  /** A stop that has not succeeded. */
  static final class OpenStop {
    final Stop stop;
    int attempts; // begun so far
    int failures; // of these, apart from those that ended because the host was out of reach
    private boolean isUnderWay;
    private boolean isGivenUp; // until the fleet has said what there is
    private boolean waitsForHost; // which is out of reach
    private long dueAt = Long.MIN_VALUE; // when the attempt takes too long, or the next one begins

    private OpenStop(Stop stop) {
      this.stop = stop;
    }
  }

  private final Map<Stop, OpenStop> open = new LinkedHashMap<>();
  private final Set<String> outOfReach; // hosts, live

  OpenStops(Set<String> outOfReach) {
    this.outOfReach = outOfReach;
  }

  void add(Stop stop) {
    open.putIfAbsent(stop, new OpenStop(stop));
  }

  /** Begins the attempts that are due, and returns their stops. */
  List<OpenStop> begin(long now, long timeout) {
    List<OpenStop> due = new ArrayList<>();
    for (OpenStop each : open.values()) {
      if (outOfReach.contains(each.stop.host())) {
        each.isUnderWay = false;
        each.waitsForHost = true;
        each.dueAt = Long.MAX_VALUE;
      } else if (each.waitsForHost) {
        each.waitsForHost = false;
        each.dueAt = Long.MIN_VALUE;
      }
      if (!each.isUnderWay && each.dueAt <= now) {
        each.isUnderWay = true;
        each.attempts++;
        each.dueAt = now > Long.MAX_VALUE - timeout ? Long.MAX_VALUE : now + timeout;
        due.add(each);
      }
    }
    return due;
  }

  /** Returns a stop if that is its attempt under way; null if it is no longer. */
  @Nullable OpenStop underWay(Stop stop, int attempt) {
    OpenStop found = open.get(stop);
    return found != null && found.isUnderWay && found.attempts == attempt ? found : null;
  }

  /** Returns those whose attempt takes too long. */
  List<OpenStop> overdue(long now) {
    return open.values().stream().filter(each -> each.isUnderWay && each.dueAt <= now).toList();
  }

  /** Notes that an attempt failed; the next one begins later. */
  void retryAt(OpenStop failed, long at) {
    failed.isUnderWay = false;
    failed.dueAt = at;
  }

  /** Tries a stop no more; its host stays blocked. */
  void giveUp(OpenStop failed) {
    retryAt(failed, Long.MAX_VALUE);
    failed.isGivenUp = true;
  }

  /** Returns the stops that were given up. */
  List<Stop> givenUp() {
    return open.values().stream().filter(each -> each.isGivenUp).map(each -> each.stop).toList();
  }

  /** Removes a stop that has succeeded, or of which a comparison decides anew. */
  void remove(Stop stop) {
    open.remove(stop);
  }

  /** Removes the stops on a host that has left. */
  void removeOn(String host) {
    open.keySet().removeIf(each -> each.host().equals(host));
  }

  /** Returns whether something is still to be stopped on a host. */
  boolean isOn(String host) {
    return !open.isEmpty() && open.keySet().stream().anyMatch(each -> each.host().equals(host));
  }

  /** Returns when one needs attention next; {@link Long#MAX_VALUE} if none does. */
  long nextTimer() {
    return open.values().stream().mapToLong(each -> each.dueAt).min().orElse(Long.MAX_VALUE);
  }

  /** Returns whether all that are left wait for their hosts. */
  boolean isIdle() {
    return open.values().stream().allMatch(each -> each.waitsForHost);
  }

  int size() {
    return open.size();
  }
}
