package dev.berth.core.internal.cluster;

import com.google.common.math.LongMath;
import dev.berth.api.HostLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times at which instances ceased to run on a host, in ascending order: those in the
 * {@linkplain HostLoad#WINDOW window} before the latest, and perhaps earlier ones.
 *
 * <p>A ring of numbers: a preemption adds one, and most hosts are not in any cache at that moment.
 */
final class RecentCompletions {

  private static final long[] NONE = {};
  private static final int LEAST = 4; // length of the ring, a power of two as all lengths

  private long[] ring = NONE;
  private int first; // place in the ring
  private int size;

  private @Nullable List<Long> list; // those in the window, until one is added or removed

  /** Adds a time, which may be before others. */
  void add(long at) {
    list = null;
    if (size > 0 && latest() < at) { // so that undoing never needs a forgotten one
      long from = beginOfWindow();
      while (get(0) < from) {
        first = place(1);
        size--;
      }
    }
    if (size == ring.length) {
      makeRoom();
    }
    int index = size++;
    while (index > 0 && get(index - 1) > at) {
      ring[place(index)] = get(index - 1);
      index--;
    }
    ring[place(index)] = at;
  }

  /** Removes one of the times, if it is among them. */
  void remove(long at) {
    list = null;
    int index = size - 1;
    while (index >= 0 && get(index) != at) {
      index--;
    }
    if (index >= 0) {
      for (int i = index + 1; i < size; i++) {
        ring[place(i - 1)] = get(i);
      }
      size--;
    }
  }

  /** Returns how many times are kept, some of them before the window. */
  int size() {
    return size;
  }

  /** Returns the times in the window; immutable. */
  List<Long> inWindow() {
    List<Long> known = list;
    if (known == null) {
      List<Long> times = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        if (get(i) >= beginOfWindow()) {
          times.add(get(i));
        }
      }
      known = Collections.unmodifiableList(times);
      list = known;
    }
    return known;
  }

  private long get(int index) {
    return ring[place(index)];
  }

  private int place(int index) {
    return (first + index) & (ring.length - 1);
  }

  private long latest() {
    return get(size - 1);
  }

  private long beginOfWindow() {
    return LongMath.saturatedSubtract(latest(), HostLoad.WINDOW.toNanos());
  }

  private void makeRoom() {
    long[] wider = Arrays.copyOf(ring, Math.max(LEAST, 2 * ring.length));
    for (int i = 0; i < size; i++) {
      wider[i] = get(i);
    }
    ring = wider;
    first = 0;
  }
}
