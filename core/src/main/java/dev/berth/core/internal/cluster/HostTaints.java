package dev.berth.core.internal.cluster;

import com.google.common.math.LongMath;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The taints of a host, and since when it has each. Immutable, apart from a cache. */
public final class HostTaints {

  private static final long FOR_EVER = Long.MAX_VALUE;

  private final List<Taint> taints;
  private final long[] since;
  private final boolean repels;
  private final boolean discourages; // whether any keeps new instances away
  private final boolean expels; // whether any makes instances leave
  private final @Nullable Taint unreachable; // the one that says so
  private long firstDeparture; // of the instances on the host, at this version of it
  private long firstDepartureVersion = Long.MIN_VALUE;

  private HostTaints(List<Taint> taints, long[] since) {
    this.taints = taints;
    this.since = since;
    this.repels = taints.stream().anyMatch(HostTaints::isRepelling);
    this.discourages = taints.stream().anyMatch(each -> !isRepelling(each));
    this.expels = taints.stream().anyMatch(each -> each.effect() == Taint.Effect.LEAVE);
    this.unreachable = taints.stream().filter(Taint::isUnreachable).findFirst().orElse(null);
  }

  /**
   * Returns the taints of a host, each since a time; null for none.
   *
   * @param since when the host got each of them, in their order
   */
  public static @Nullable HostTaints of(List<Taint> taints, long[] since) {
    return taints.isEmpty() ? null : new HostTaints(taints, since.clone());
  }

  /**
   * Returns the taints that a host has from now on; null for none. One that the host had before,
   * with the same key, value and effect, keeps its time.
   *
   * @param before what it had before; null for none
   */
  public static @Nullable HostTaints of(List<Taint> taints, @Nullable HostTaints before, long now) {
    if (taints.isEmpty()) {
      return null;
    }
    long[] since = new long[taints.size()];
    for (int i = 0; i < since.length; i++) {
      since[i] = before == null ? now : before.since(taints.get(i), now);
    }
    return new HostTaints(taints, since);
  }

  private long since(Taint taint, long otherwise) {
    for (int i = 0; i < since.length; i++) {
      Taint each = taints.get(i);
      if (each.effect() == taint.effect()
          && each.key().equals(taint.key())
          && each.value().equals(taint.value())) {
        return since[i];
      }
    }
    return otherwise;
  }

  /** Returns since when the host has each taint, in their order; a copy. */
  public long[] since() {
    return since.clone();
  }

  /** Returns whether any of them makes instances leave. */
  boolean expels() {
    return expels;
  }

  /** Returns the taint that says that the host cannot be reached; null if none does. */
  @Nullable Taint unreachable() {
    return unreachable;
  }

  private static boolean isRepelling(Taint taint) {
    return taint.effect() != Taint.Effect.PREFER_NOT;
  }

  private static boolean isTolerated(Taint taint, List<Toleration> tolerations) {
    for (Toleration each : tolerations) {
      if (each.matches(taint)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayCome(Taint taint, List<Toleration> tolerations) {
    if (taint.isUnreachable()) {
      return false;
    }
    boolean tolerated = false;
    for (Toleration each : tolerations) {
      if (each.matches(taint)) {
        if (taint.effect() == Taint.Effect.LEAVE && each.atMost().isPresent()) {
          return false;
        }
        tolerated = true;
      }
    }
    return tolerated;
  }

  /**
   * Returns the first taint that keeps an instance from coming, or null if none does. A taint for
   * which it would have to leave, now or later, keeps it away.
   */
  @Nullable Taint repelling(Request request) {
    if (repels) {
      List<Toleration> tolerations = request.placement().tolerations();
      for (Taint each : taints) {
        if (isRepelling(each) && !mayCome(each, tolerations)) {
          return each;
        }
      }
    }
    return null;
  }

  /**
   * Returns the number of taints that only discourage an instance, and that it does not tolerate.
   */
  int discouraging(Request request) {
    if (!discourages) {
      return 0;
    }
    List<Toleration> tolerations = request.placement().tolerations();
    int count = 0;
    for (Taint each : taints) {
      count += !isRepelling(each) && !isTolerated(each, tolerations) ? 1 : 0;
    }
    return count;
  }

  // ---- Instances that leave

  /** Returns when an instance must leave the host, or {@link Long#MAX_VALUE} if it may stay. */
  public long departure(Request request) {
    long first = Long.MAX_VALUE;
    for (int i = 0; i < since.length; i++) {
      first = Math.min(first, departure(request, i));
    }
    return first;
  }

  /** Returns the first taint that an instance has had to leave for since a time, or null. */
  public @Nullable Taint expelling(Request request, long now) {
    for (int i = 0; i < since.length; i++) {
      if (departure(request, i) <= now) {
        return taints.get(i);
      }
    }
    return null;
  }

  private long departure(Request request, int index) {
    long stay = stay(taints.get(index), request.placement().tolerations());
    return stay == FOR_EVER ? FOR_EVER : LongMath.saturatedAdd(since[index], stay);
  }

  /** Returns how long an instance may stay, from when its host has a taint. */
  private static long stay(Taint taint, List<Toleration> tolerations) {
    if (taint.effect() != Taint.Effect.LEAVE) {
      return FOR_EVER;
    }
    boolean tolerated = false;
    long stay = FOR_EVER;
    for (Toleration each : tolerations) {
      if (each.matches(taint)) {
        tolerated = true;
        if (each.atMost().isPresent()) {
          stay = Math.min(stay, each.atMost().get().toNanos());
        }
      }
    }
    return tolerated ? stay : taint.grace().toNanos();
  }

  /**
   * Returns when the first instance must leave a host that has these taints, or {@link
   * Long#MAX_VALUE}. Cost O(instances there) if the host has changed, otherwise O(1).
   *
   * @param version of the host
   * @param there the instances on it
   */
  public long firstDeparture(long version, Collection<? extends Instance> there) {
    if (firstDepartureVersion != version) {
      firstDeparture = departureAfter(there, Long.MIN_VALUE);
      firstDepartureVersion = version;
    }
    return firstDeparture;
  }

  /**
   * Returns when the first instance must leave a host that has these taints, of those that may stay
   * until after a time; or {@link Long#MAX_VALUE}.
   */
  public long firstDeparture(long version, Collection<? extends Instance> there, long seenUntil) {
    long first = firstDeparture(version, there);
    return first > seenUntil ? first : departureAfter(there, seenUntil);
  }

  private long departureAfter(Collection<? extends Instance> there, long time) {
    long first = Long.MAX_VALUE;
    for (Instance each : there) {
      long at = departure(each.request());
      first = at > time ? Math.min(first, at) : first;
    }
    return first;
  }
}
