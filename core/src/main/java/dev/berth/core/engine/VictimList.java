package dev.berth.core.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one class and one state on one host, in victim order: greater key first, then
 * greater hash, then id.
 *
 * <p>Keys of one group grow alike with time (see {@link dev.berth.api.VictimOrder}), so the order
 * stands while they run; inserting and removing is by binary search.
 */
final class VictimList {

  private @Nullable InstanceRecord[] items = new @Nullable InstanceRecord[4];
  private int size;

  int size() {
    return size;
  }

  InstanceRecord get(int index) {
    InstanceRecord item = items[index];
    if (item == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return item;
  }

  /**
   * Inserts an instance.
   *
   * @param drift what makes keys of this group values at some time; values do not wrap around, keys
   *     may
   */
  void add(InstanceRecord instance, long drift) {
    int at = place(instance, drift);
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
    }
    System.arraycopy(items, at, items, at + 1, size - at);
    items[at] = instance;
    size++;
  }

  void remove(InstanceRecord instance, long drift) {
    int at = place(instance, drift);
    if (at >= size || items[at] != instance) {
      throw new IllegalStateException(
          instance + " is not in its place: its policy's victim key changed while it ran");
    }
    System.arraycopy(items, at + 1, items, at, size - at - 1);
    items[--size] = null;
  }

  /** Returns the index of the first item that does not come before the instance. */
  private int place(InstanceRecord instance, long drift) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(get(middle), instance, drift) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int compare(InstanceRecord a, InstanceRecord b, long drift) {
    int byValue = Long.compare(b.victimKey + drift, a.victimKey + drift);
    return byValue != 0 ? byValue : compareTied(a, b);
  }

  /** Orders instances of equal value: greater hash first, then id. */
  static int compareTied(InstanceRecord a, InstanceRecord b) {
    int byHash = Long.compare(b.tieHash, a.tieHash);
    return byHash != 0 ? byHash : a.id().compareTo(b.id());
  }
}
