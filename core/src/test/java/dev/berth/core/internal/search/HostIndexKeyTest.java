package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The key of a host in the index: the bits of its free shares, in turn. */
class HostIndexKeyTest {

  private static final int BITS = 62;

  @Property(tries = 500)
  void interleavesTheBitsOfTheFreeShares(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 70) int dimensions) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20; i++) {
      long[] capacity = new long[dimensions];
      long[] free = new long[dimensions];
      for (int d = 0; d < dimensions; d++) {
        capacity[d] = random.nextInt(4) == 0 ? 0 : random.nextLong() >>> random.nextInt(1, 63);
        free[d] = amount(random, capacity[d]);
      }
      assertThat(key(free, capacity)).isEqualTo(interleaved(free, capacity));
    }
  }

  /** The usual numbers of dimensions, in which every bit counts. */
  @Property(tries = 500)
  void interleavesAllBitsOfFewDimensions(@ForAll @IntRange(min = 1, max = 4) int dimensions) {
    long most = (1L << (BITS / dimensions)) - 1;
    long[] capacity = new long[dimensions];
    Arrays.fill(capacity, most);
    for (int d = 0; d < dimensions; d++) {
      for (int bit = 0; bit < Math.min(52, BITS / dimensions); bit++) { // exact as a double
        long[] free = new long[dimensions];
        free[d] = 1L << bit;
        assertThat(key(free, capacity)).isEqualTo(interleaved(free, capacity));
      }
    }
  }

  @Example
  void emptyHostHasTheGreatestKeyAndAFullHostTheSmallest() {
    assertThat(key(new long[] {5}, new long[] {5})).isEqualTo((1L << BITS) - 1);
    assertThat(key(new long[] {5, 7}, new long[] {5, 7})).isEqualTo((1L << BITS) - 1);
    assertThat(key(new long[] {5, 7, 9}, new long[] {5, 7, 9})).isEqualTo((1L << 60) - 1);
    assertThat(key(new long[] {0, 0}, new long[] {5, 7})).isZero();
  }

  @Example
  void earlierDimensionsComeFirst() {
    assertThat(key(new long[] {8, 0}, new long[] {8, 8})).isEqualTo(0x2AAA_AAAA_AAAA_AAAAL);
    assertThat(key(new long[] {0, 8}, new long[] {8, 8})).isEqualTo(0x1555_5555_5555_5555L);
  }

  /** Amounts are mostly in the range, sometimes at its ends or beyond. */
  private static long amount(SplittableRandom random, long capacity) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> capacity;
      case 2 -> -3;
      case 3 -> capacity + 3;
      default -> capacity == 0 ? 0 : random.nextLong(capacity);
    };
  }

  private static String bits(long value, int count) {
    return String.format("%" + count + "s", Long.toBinaryString(value)).replace(' ', '0');
  }

  /** Writes the shares as rows of binary digits, and reads them by column. */
  private static long interleaved(long[] free, long[] capacity) {
    int rows = Math.min(BITS, free.length);
    if (rows == 0) {
      return 0;
    }
    int columns = BITS / rows;
    String[] shares = new String[rows];
    for (int d = 0; d < rows; d++) {
      long most = (1L << columns) - 1;
      double share = capacity[d] == 0 ? 0 : (double) free[d] / capacity[d];
      shares[d] = bits(Math.max(0, Math.min(most, (long) (share * most))), columns);
    }
    StringBuilder digits = new StringBuilder();
    for (int column = 0; column < columns; column++) {
      for (String each : shares) {
        digits.append(each.charAt(column));
      }
    }
    return Long.parseLong(digits.toString(), 2);
  }

  private static long key(long[] free, long[] capacity) {
    HostTable table = new HostTable();
    for (int d = 0; d < capacity.length; d++) {
      table.dense(Resources.of(new Dimension("d" + d, 1), 1));
    }
    HostRecord host =
        new HostRecord(new HostSpec("h", Resources.none()), null, table, capacity, 0, 0);
    long[] taken = new long[capacity.length];
    Arrays.setAll(taken, d -> capacity[d] - free[d]);
    table.take(host.slot(), taken);
    return HostIndex.keyOf(table, host.slot(), capacity);
  }
}
