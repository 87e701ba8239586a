package dev.berth.traces.internal.util;

import java.util.Arrays;

/**
 * Assigns consecutive numbers to keys, from 0 in the order in which they first occur. Uses about 20
 * bytes for each key. Keys must not be negative.
 */
public final class LongInterner {

  private static final long FREE = -1;

  private long[] keys = new long[1 << 10];
  private int[] numbers = new int[1 << 10];
  private int size;

  /** Creates an interner without keys. */
  public LongInterner() {
    Arrays.fill(keys, FREE);
  }

  /** Returns the number of a key, and assigns the next number to a new key. */
  public int of(long key) {
    if (2L * size > keys.length) {
      grow();
    }
    int at = find(key);
    if (keys[at] == FREE) {
      keys[at] = key;
      numbers[at] = size++;
    }
    return numbers[at];
  }

  /** Returns the number of a key, or -1 if it has none. */
  public int existing(long key) {
    int at = find(key);
    return keys[at] == FREE ? -1 : numbers[at];
  }

  /** Returns the number of keys. */
  public int size() {
    return size;
  }

  private int find(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    int at = (int) ((mixed ^ mixed >>> 32) & (keys.length - 1));
    while (keys[at] != FREE && keys[at] != key) {
      at = at + 1 & keys.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[2 * oldKeys.length];
    numbers = new int[keys.length];
    Arrays.fill(keys, FREE);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != FREE) {
        int at = find(oldKeys[i]);
        keys[at] = oldKeys[i];
        numbers[at] = oldNumbers[i];
      }
    }
  }
}
