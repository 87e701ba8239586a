package dev.berth.core.internal.rule;

import dev.berth.api.Limit;
import dev.berth.api.LimitUse;
import dev.berth.api.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counted limits of the cluster, and what they forbid:
 *
 * <ul>
 *   <li>A placement that uses limits, if one of them is exceeded once the victims have left and the
 *       instance has come, even if it was exceeded before.
 *   <li>A migration that uses limits, if it makes one of them exceeded, or exceeded by more.
 * </ul>
 *
 * <p>Events may exceed a limit: a fleet reports what there is, a limit is lowered, or an action is
 * undone.
 */
public final class Limits {

  private static final RuledInstance[] NONE = {};

  private final SortedMap<String, LimitRecord> records = new TreeMap<>(); // by name

  public Limits() {}

  // ---- Following the cluster

  /** Returns how much there is of a limit. */
  public long amount(String name) {
    LimitRecord known = records.get(name);
    return known == null ? 0 : known.amount;
  }

  /** Sets how much there is of a limit; not negative. */
  public void set(String name, long amount) {
    LimitRecord record = records.computeIfAbsent(name, LimitRecord::new);
    record.amount = amount;
    forgetIfUnused(record);
  }

  private void forgetIfUnused(LimitRecord record) {
    if (record.amount == 0 && record.requests == 0) {
      records.remove(record.name);
    }
  }

  /** Connects a new instance with the limits that its request uses. */
  public void connect(RuledInstance instance) {
    List<LimitUse> uses = instance.request.placement().limits();
    if (uses.isEmpty()) {
      return;
    }
    LimitRecord[] limits = new LimitRecord[uses.size()];
    for (int i = 0; i < limits.length; i++) {
      limits[i] = records.computeIfAbsent(uses.get(i).limit(), LimitRecord::new);
      limits[i].requests++;
    }
    instance.limits = limits;
  }

  /** Forgets an instance that is on no host. */
  public void disconnect(RuledInstance instance) {
    if (instance.limits != null) {
      for (LimitRecord each : instance.limits) {
        each.requests--;
        forgetIfUnused(each);
      }
    }
  }

  /** Notes that an instance came to a host. */
  public void arrived(RuledInstance instance, RuledHost host) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      limits[i].arrived(host, use(instance, i));
    }
  }

  /** Notes that an instance left a host. */
  public void left(RuledInstance instance, RuledHost host) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      limits[i].left(host, use(instance, i));
    }
  }

  /** Returns the limits that are set or used, by name. */
  public List<Limit> all() {
    List<Limit> all = new ArrayList<>();
    for (LimitRecord each : records.values()) {
      if (each.amount > 0 || each.used() > 0) {
        all.add(new Limit(each.name, each.amount, each.used()));
      }
    }
    return all;
  }

  // ---- What they forbid

  private static LimitUse use(RuledInstance instance, int index) {
    return instance.request.placement().limits().get(index);
  }

  /**
   * Returns the first limit that leaves too little for an instance on a host where no other one
   * uses it, or null if all leave enough. Then no limit keeps the instance off any host.
   */
  public static @Nullable LimitRecord scarce(RuledInstance instance) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      if (limits[i].free() < use(instance, i).amount()) {
        return limits[i];
      }
    }
    return null;
  }

  /** Returns whether limits allow an instance on no host unless others leave. */
  public static boolean needsVictims(RuledInstance instance) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      LimitUse use = use(instance, i);
      if (limits[i].free() < (use.kind() == LimitUse.Kind.PER_INSTANCE ? use.amount() : 0)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether there is less of a limit than an instance needs, used or not. */
  public static boolean exceedsAll(RuledInstance instance) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      if (limits[i].amount < use(instance, i).amount()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether limits allow a placement without victims. */
  public static boolean admit(RuledInstance instance, RuledHost host) {
    return instance.limits == null || areCovered(instance, host, NONE, 0);
  }

  /** Returns whether an instance that comes to a host may leave another too little of a limit. */
  public static boolean mayHinder(RuledInstance coming, RuledInstance other) {
    LimitRecord[] limits = coming.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      LimitUse wanted = other.useOf(limits[i]);
      if (wanted != null && limits[i].free() - use(coming, i).amount() < wanted.amount()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether limits allow a placement with victims on the host.
   *
   * @param count the number of victims; the first entries of the array
   */
  public static boolean areCovered(
      RuledInstance instance, RuledHost host, RuledInstance[] victims, int count) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      if (limits[i].usedWith(use(instance, i), host, victims, count) > limits[i].amount) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether limits might allow a placement if all instances left the host. */
  public static boolean couldBeCovered(RuledInstance instance, RuledHost host) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      long elsewhere = limits[i].used() - limits[i].usedOn(host);
      if (elsewhere + use(instance, i).amount() > limits[i].amount) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns why limits forbid a placement with victims on the host, or null.
   *
   * @param count the number of victims; the first entries of the array
   */
  public static @Nullable Reason obstacle(
      RuledInstance instance, RuledHost host, RuledInstance[] victims, int count) {
    LimitRecord[] limits = instance.limits;
    for (int i = 0; limits != null && i < limits.length; i++) {
      long used = limits[i].usedWith(use(instance, i), host, victims, count);
      if (used > limits[i].amount) {
        return new Reason.LimitReached(limits[i].name, used - limits[i].amount, limits[i].amount);
      }
    }
    return null;
  }

  /** Returns why limits forbid to migrate an instance to a host, or null. */
  public static @Nullable Reason immovable(RuledInstance instance, RuledHost host) {
    LimitRecord[] limits = instance.limits;
    RuledHost from = instance.place();
    for (int i = 0; limits != null && from != null && i < limits.length; i++) {
      LimitRecord limit = limits[i];
      LimitUse use = use(instance, i);
      long saved = limit.usedOn(from) - limit.usedOnWithout(instance, from);
      long used = limit.usedWith(use, host, NONE, 0) - saved;
      if (used > limit.amount && used > limit.used()) {
        return new Reason.LimitReached(limit.name, used - limit.amount, limit.amount);
      }
    }
    return null;
  }
}
