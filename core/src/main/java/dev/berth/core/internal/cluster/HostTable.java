package dev.berth.core.internal.cluster;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Capacity, foreign load and free capacity of all hosts, as arrays of primitives: host {@code
 * slot}, dimension {@code d} is at {@code slot * stride + d}.
 *
 * <p>Slots of removed hosts are reused. Demands are dense arrays by dimension number; one may be
 * shorter than the number of dimensions, the rest being zero.
 */
public final class HostTable {

  private final List<Dimension> dimensions = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  private int stride = 2;
  private int slots;
  private long[] capacity = new long[16 * stride];
  private long[] free = new long[16 * stride];
  private long @Nullable [] foreign; // null: no host has ever had foreign load
  private @Nullable HostRecord[] hosts = new @Nullable HostRecord[16];
  private int[] vacant = new int[16];
  private int vacants;

  public int dimensions() {
    return dimensions.size();
  }

  public Dimension dimension(int number) {
    return dimensions.get(number);
  }

  /** Returns the number of a dimension, or -1 if no host or request has named it yet. */
  @SuppressWarnings("ReferenceEquality") // the usual case, without comparing names
  public int numberOf(Dimension dimension) {
    for (int d = 0; d < dimensions.size(); d++) {
      if (dimensions.get(d) == dimension) {
        return d;
      }
    }
    return numbers.getOrDefault(dimension.name(), -1);
  }

  /** Returns one more than the greatest slot in use. */
  public int slots() {
    return slots;
  }

  /** Returns the host in a slot, or null if it is vacant. */
  public @Nullable HostRecord host(int slot) {
    return hosts[slot];
  }

  public long capacity(int slot, int dimension) {
    return capacity[slot * stride + dimension];
  }

  /**
   * Returns what instances can use: the capacity less what foreign load holds, perhaps negative.
   */
  public long usable(int slot, int dimension) {
    int at = slot * stride + dimension;
    return foreign == null ? capacity[at] : capacity[at] - foreign[at];
  }

  public long free(int slot, int dimension) {
    return free[slot * stride + dimension];
  }

  /**
   * Returns the first dimension that is known under the same name but on another scale, or null.
   * Such resources cannot be {@linkplain #dense made dense}.
   */
  public @Nullable Dimension clash(Resources resources) {
    for (Dimension each : resources.dimensions()) {
      int number = numberOf(each);
      if (number >= 0 && !dimensions.get(number).equals(each)) {
        return dimensions.get(number);
      }
    }
    return null;
  }

  /** Returns the amounts by dimension number; new dimensions get the next numbers. */
  public long[] dense(Resources resources) {
    number(resources.dimensions());
    long[] amounts = new long[dimensions.size()];
    for (Dimension each : resources.dimensions()) {
      amounts[numberOf(each)] = resources.amount(each);
    }
    return amounts;
  }

  /** Gives the next numbers to the new ones among some dimensions. */
  public void number(List<Dimension> named) {
    for (Dimension each : named) {
      if (numberOf(each) < 0) {
        numbers.put(each.name(), dimensions.size());
        dimensions.add(each);
      }
    }
    if (dimensions.size() > stride) {
      restride(Math.max(dimensions.size(), 2 * stride));
    }
  }

  /** Forgets the dimensions from a number on, which no host or instance has an amount of. */
  public void forgetDimensionsFrom(int number) {
    for (int d = dimensions.size() - 1; d >= number; d--) {
      numbers.remove(dimensions.remove(d).name());
    }
  }

  public int add(HostRecord host, long[] amounts) {
    int slot = vacants > 0 ? vacant[--vacants] : slots++;
    if (slot == hosts.length) {
      hosts = Arrays.copyOf(hosts, 2 * slot);
      capacity = Arrays.copyOf(capacity, 2 * slot * stride);
      free = Arrays.copyOf(free, 2 * slot * stride);
      foreign = foreign == null ? null : Arrays.copyOf(foreign, 2 * slot * stride);
    }
    hosts[slot] = host;
    int base = slot * stride;
    System.arraycopy(amounts, 0, capacity, base, amounts.length);
    System.arraycopy(capacity, base, free, base, stride);
    return slot;
  }

  /**
   * Returns whether a host can have a capacity and a foreign load: what is free is a number of 64
   * bits.
   */
  public boolean canHave(int slot, long[] newCapacity, long[] newForeign) {
    int base = slot * stride;
    for (int d = 0; d < dimensions.size(); d++) {
      long usable = amount(newCapacity, d) - amount(newForeign, d); // both are not negative
      long held = usable(slot, d) - free[base + d];
      if (usable <= Long.MIN_VALUE + held) {
        return false;
      }
    }
    return true;
  }

  /** Changes the capacity and the foreign load of a host; what instances hold stays. */
  public void change(int slot, long[] newCapacity, long[] newForeign) {
    if (foreign == null && newForeign.length > 0) {
      foreign = new long[capacity.length];
    }
    int base = slot * stride;
    for (int d = 0; d < dimensions.size(); d++) {
      long held = usable(slot, d) - free[base + d];
      capacity[base + d] = amount(newCapacity, d);
      if (foreign != null) {
        foreign[base + d] = amount(newForeign, d);
      }
      free[base + d] = usable(slot, d) - held;
    }
  }

  private static long amount(long[] amounts, int dimension) {
    return dimension < amounts.length ? amounts[dimension] : 0;
  }

  public void remove(int slot) {
    hosts[slot] = null;
    int base = slot * stride;
    if (foreign != null) {
      Arrays.fill(foreign, base, base + stride, 0);
    }
    Arrays.fill(capacity, base, base + stride, 0);
    Arrays.fill(free, base, base + stride, 0);
    if (vacants == vacant.length) {
      vacant = Arrays.copyOf(vacant, 2 * vacants);
    }
    vacant[vacants++] = slot;
  }

  /** Returns whether a demand fits the free capacity. */
  public boolean fits(int slot, long[] demand) {
    int base = slot * stride;
    for (int d = 0; d < demand.length; d++) {
      if (free[base + d] < demand[d]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the first dimension in which a host holds more than its capacity, or -1. */
  public int overcommitted(int slot) {
    int base = slot * stride;
    for (int d = 0; d < dimensions.size(); d++) {
      if (free[base + d] < 0) {
        return d;
      }
    }
    return -1;
  }

  public void take(int slot, long[] demand) {
    int base = slot * stride;
    for (int d = 0; d < demand.length; d++) {
      free[base + d] -= demand[d];
    }
  }

  public void giveBack(int slot, long[] demand) {
    int base = slot * stride;
    for (int d = 0; d < demand.length; d++) {
      free[base + d] += demand[d];
    }
  }

  /** Copies the free capacity of a host into {@code target}, which has room for all dimensions. */
  public void copyFree(int slot, long[] target) {
    int base = slot * stride;
    for (int d = 0; d < dimensions.size(); d++) { // of so few, faster than a copy
      target[d] = free[base + d];
    }
  }

  private void restride(int wider) {
    long[] newCapacity = new long[hosts.length * wider];
    long[] newFree = new long[hosts.length * wider];
    long @Nullable [] newForeign = foreign == null ? null : new long[hosts.length * wider];
    for (int slot = 0; slot < slots; slot++) {
      System.arraycopy(capacity, slot * stride, newCapacity, slot * wider, stride);
      System.arraycopy(free, slot * stride, newFree, slot * wider, stride);
      if (foreign != null && newForeign != null) {
        System.arraycopy(foreign, slot * stride, newForeign, slot * wider, stride);
      }
    }
    stride = wider;
    capacity = newCapacity;
    free = newFree;
    foreign = newForeign;
  }
}
