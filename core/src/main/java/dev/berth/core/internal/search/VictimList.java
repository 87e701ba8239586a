package dev.berth.core.internal.search;

import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The instances of one class and one state on one host, in victim order: greater key first, then
 * greater hash, then id.
 *
 * <p>Keys of one group grow alike with time (see {@link dev.berth.api.pipeline.VictimOrder}), so
 * the order does not change while they run. Adding and removing use binary search.
 */
final class VictimList {

  private @Nullable InstanceRecord[] items = new @Nullable InstanceRecord[4];
  private long[] keys = new long[4]; // of the items; here, so that a search reads few arrays
  private boolean[] lostTime = new boolean[4]; // whether restarts have cost an item time
  private int width = 2; // of the amounts, by dimension
  private long[] amounts = new long[4 * width]; // that the items hold; here likewise
  private int size;
  private int unlike; // neighbours with one key, of which it matters which one goes

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

  /** Returns the key of an item. */
  long key(int index) {
    return keys[index];
  }

  /**
   * Returns whether it matters which of some items with one key go: whether they hold different
   * amounts, use limits or would lose progress. Their budgets do not count.
   */
  boolean hasUnlikeEquals() {
    return unlike > 0;
  }

  /** Returns whether restarts have cost an item time. */
  boolean hasLostTime(int index) {
    return lostTime[index];
  }

  /**
   * Copies the amounts that an item holds.
   *
   * @param from where they begin in the target
   * @param count number of dimensions; zeros follow the amounts of the item
   */
  void copyAmounts(int index, long[] target, int from, int count) {
    int known = Math.min(width, count);
    for (int d = 0; d < known; d++) {
      target[from + d] = amounts[index * width + d];
    }
    for (int d = known; d < count; d++) {
      target[from + d] = 0;
    }
  }

  void add(InstanceRecord instance) {
    int at = place(instance);
    if (size == items.length) {
      items = Arrays.copyOf(items, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
      lostTime = Arrays.copyOf(lostTime, 2 * size);
      amounts = Arrays.copyOf(amounts, 2 * size * width);
    }
    long[] held = instance.held();
    if (held.length > width) {
      widen(held.length);
    }
    System.arraycopy(items, at, items, at + 1, size - at);
    System.arraycopy(keys, at, keys, at + 1, size - at);
    System.arraycopy(lostTime, at, lostTime, at + 1, size - at);
    System.arraycopy(amounts, at * width, amounts, (at + 1) * width, (size - at) * width);
    items[at] = instance;
    keys[at] = instance.victimKey();
    lostTime[at] = instance.restartOverhead() > 0;
    for (int d = 0; d < width; d++) {
      amounts[at * width + d] = d < held.length ? held[d] : 0;
    }
    size++;
    unlike += unlike(at - 1, at) + unlike(at, at + 1) - unlike(at - 1, at + 1);
  }

  private int unlike(int one, int other) {
    if (one < 0 || other >= size || keys[one] != keys[other]) {
      return 0;
    }
    boolean alike = isPlain(get(one)) && isPlain(get(other));
    for (int d = 0; d < width && alike; d++) {
      alike = amounts[one * width + d] == amounts[other * width + d];
    }
    return alike ? 0 : 1;
  }

  private static boolean isPlain(InstanceRecord item) {
    return item.limits() == null && !item.request().losesProgress();
  }

  private void widen(int wider) {
    long[] wide = new long[items.length * wider];
    for (int i = 0; i < size; i++) {
      System.arraycopy(amounts, i * width, wide, i * wider, width);
    }
    amounts = wide;
    width = wider;
  }

  void remove(InstanceRecord instance) {
    int at = placeOf(instance);
    unlike += unlike(at - 1, at + 1) - unlike(at - 1, at) - unlike(at, at + 1);
    System.arraycopy(items, at + 1, items, at, size - at - 1);
    System.arraycopy(keys, at + 1, keys, at, size - at - 1);
    System.arraycopy(lostTime, at + 1, lostTime, at, size - at - 1);
    System.arraycopy(amounts, (at + 1) * width, amounts, at * width, (size - at - 1) * width);
    items[--size] = null;
  }

  /** Returns the index of an item. */
  int placeOf(InstanceRecord item) {
    int at = place(item);
    return at < size && items[at] == item ? at : indexOf(item);
  }

  /**
   * Finds an instance without the order, which does not exist for values that differ by 2^63 or
   * more. No victim order should return such values.
   */
  private int indexOf(InstanceRecord instance) {
    for (int i = 0; i < size; i++) {
      if (get(i).equals(instance) && keys[i] == instance.victimKey()) {
        return i;
      }
    }
    throw new IllegalStateException(instance + " is not in its place");
  }

  /** Returns the index of the first item that does not come before the instance. */
  private int place(InstanceRecord instance) {
    long key = instance.victimKey();
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int byKey = InstanceRecord.compareVictimKeys(key, keys[middle]);
      if ((byKey != 0 ? byKey : compareTied(get(middle), instance)) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Orders instances of equal value: greater hash first, then id. */
  static int compareTied(InstanceRecord a, InstanceRecord b) {
    int byHash = Long.compare(b.tieHash, a.tieHash);
    return byHash != 0 ? byHash : a.id().compareTo(b.id());
  }
}
