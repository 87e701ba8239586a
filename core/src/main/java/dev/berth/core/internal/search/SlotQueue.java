package dev.berth.core.internal.search;

import java.util.Arrays;

/**
 * A priority queue of host slots, the smallest key first: a binary heap. May hold a slot
 * repeatedly.
 */
final class SlotQueue {

  private static final int FIRST_ROOM = 16;

  private long[] keys = {}; // most queues are never used
  private int[] slots = {};
  private int size;

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /** Returns the smallest key; {@link Long#MAX_VALUE} if the queue is empty. */
  long first() {
    return size == 0 ? Long.MAX_VALUE : keys[0];
  }

  void add(long key, int slot) {
    if (size == keys.length) {
      int room = Math.max(FIRST_ROOM, 2 * size);
      keys = Arrays.copyOf(keys, room);
      slots = Arrays.copyOf(slots, room);
    }
    int at = size++;
    while (at > 0) {
      int above = (at - 1) / 2;
      if (keys[above] <= key) {
        break;
      }
      keys[at] = keys[above];
      slots[at] = slots[above];
      at = above;
    }
    keys[at] = key;
    slots[at] = slot;
  }

  /** Takes a slot of the smallest number out. */
  int poll() {
    int first = slots[0];
    long key = keys[--size];
    int slot = slots[size];
    int at = 0;
    int below = 1;
    while (below < size) {
      if (below + 1 < size && keys[below + 1] < keys[below]) {
        below++;
      }
      if (keys[below] >= key) {
        break;
      }
      keys[at] = keys[below];
      slots[at] = slots[below];
      at = below;
      below = 2 * at + 1;
    }
    keys[at] = key;
    slots[at] = slot;
    return first;
  }
}
