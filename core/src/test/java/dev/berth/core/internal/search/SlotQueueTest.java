package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the queue with the one of the JDK. */
class SlotQueueTest {

  private record Entry(long key, int slot) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      return Long.compare(key, other.key);
    }
  }

  @Property(tries = 2_500)
  void returnsSlotsOfSmallestKeysFirst(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1000) int keys) {
    SplittableRandom random = new SplittableRandom(seed);
    SlotQueue queue = new SlotQueue();
    PriorityQueue<Entry> expected = new PriorityQueue<>();
    for (int step = 0; step < 200; step++) {
      int dice = random.nextInt(100);
      if (dice == 0) {
        queue.clear();
        expected.clear();
      } else if (dice < 60 || expected.isEmpty()) {
        Entry entry = new Entry(random.nextInt(keys) - keys / 2, random.nextInt(10));
        queue.add(entry.key, entry.slot);
        expected.add(entry);
      } else {
        // The order of slots with equal keys is undefined, so compare all of them.
        long key = expected.element().key;
        assertThat(queue.first()).isEqualTo(key);
        List<Integer> slots = new ArrayList<>();
        List<Integer> expectedSlots = new ArrayList<>();
        while (!expected.isEmpty() && expected.element().key == key) {
          expectedSlots.add(expected.remove().slot);
          slots.add(queue.poll());
        }
        Collections.sort(slots);
        Collections.sort(expectedSlots);
        assertThat(slots).isEqualTo(expectedSlots);
      }
      assertThat(queue.size()).isEqualTo(expected.size());
      assertThat(queue.first())
          .isEqualTo(expected.isEmpty() ? Long.MAX_VALUE : expected.element().key);
    }
  }
}
