package dev.berth.core.internal.rule;

import dev.berth.api.LimitUse;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A counted limit of the cluster: how much there is, and how much the instances on hosts use.
 *
 * <p>Uses per instance add up; of the uses per host, the greatest counts on each host.
 */
public final class LimitRecord {

  public final String name;
  long amount;
  private long used;
  int requests; // those that use it and are not done
  private final Map<RuledHost, HostUse> uses = new LinkedHashMap<>(); // in no order that matters

  LimitRecord(String name) {
    this.name = name;
  }

  /** Returns how much is used. */
  public long used() {
    return used;
  }

  /** Returns how much is left; negative if more is used than there is. */
  public long free() {
    return amount - used;
  }

  /** Returns the hosts with instances that use it; live. */
  public Collection<RuledHost> holders() {
    return Collections.unmodifiableSet(uses.keySet());
  }

  void arrived(RuledHost host, LimitUse use) {
    HostUse there = uses.computeIfAbsent(host, any -> new HostUse());
    used -= there.total();
    there.instances++;
    if (use.kind() == LimitUse.Kind.PER_INSTANCE) {
      there.sum += use.amount();
    } else {
      there.perHost.merge(use.amount(), 1, Integer::sum);
    }
    used += there.total();
  }

  void left(RuledHost host, LimitUse use) {
    HostUse there = uses.get(host);
    if (there == null) {
      throw new IllegalStateException("limit " + name + " is not used on " + host);
    }
    used -= there.total();
    there.instances--;
    if (use.kind() == LimitUse.Kind.PER_INSTANCE) {
      there.sum -= use.amount();
    } else {
      there.perHost.merge(use.amount(), -1, (a, b) -> a + b == 0 ? null : a + b);
    }
    used += there.total();
    if (there.instances == 0) {
      uses.remove(host);
    }
  }

  /** Returns how much the instances on a host use. */
  public long usedOn(RuledHost host) {
    HostUse there = uses.get(host);
    return there == null ? 0 : there.total();
  }

  /** Returns how much the instances on a host would use without one of them. */
  long usedOnWithout(RuledInstance instance, RuledHost host) {
    HostUse there = uses.get(host);
    LimitUse gone = instance.useOf(this);
    if (there == null || gone == null) {
      return 0;
    }
    boolean perInstance = gone.kind() == LimitUse.Kind.PER_INSTANCE;
    return there.sum
        - (perInstance ? gone.amount() : 0)
        + greatestWithout(there, new RuledInstance[] {instance}, 1);
  }

  /**
   * Returns how much would be used if an instance were on a host, and some instances not.
   *
   * @param use of the instance, which is not on the host
   * @param leaving instances on that host; the first entries of the array
   * @param count how many of them
   */
  public long usedWith(LimitUse use, RuledHost host, RuledInstance[] leaving, int count) {
    HostUse there = uses.get(host);
    long sum = there == null ? 0 : there.sum;
    for (int i = 0; i < count; i++) {
      LimitUse gone = leaving[i].useOf(this);
      sum -= gone != null && gone.kind() == LimitUse.Kind.PER_INSTANCE ? gone.amount() : 0;
    }
    long greatest = there == null ? 0 : greatestWithout(there, leaving, count);
    if (use.kind() == LimitUse.Kind.PER_INSTANCE) {
      sum += use.amount();
    } else {
      greatest = Math.max(greatest, use.amount());
    }
    return used - (there == null ? 0 : there.total()) + sum + greatest;
  }

  private long greatestWithout(HostUse there, RuledInstance[] leaving, int count) {
    for (Map.Entry<Long, Integer> each : there.perHost.descendingMap().entrySet()) {
      int staying = each.getValue();
      for (int i = 0; i < count; i++) {
        LimitUse gone = leaving[i].useOf(this);
        staying -=
            gone != null && gone.kind() == LimitUse.Kind.PER_HOST && gone.amount() == each.getKey()
                ? 1
                : 0;
      }
      if (staying > 0) {
        return each.getKey();
      }
    }
    return 0;
  }

  @Override
  public String toString() {
    return "limit %s: %s of %s used".formatted(name, used, amount);
  }

  /** What the instances on one host use. */
  private static final class HostUse {
    private int instances;
    private long sum; // of the uses per instance
    private final TreeMap<Long, Integer> perHost = new TreeMap<>(); // instances, by amount

    private long total() {
      return sum + (perHost.isEmpty() ? 0 : perHost.lastKey());
    }
  }
}
