package dev.berth.timeline;

import java.util.Arrays;

/**
 * A column of numbers: eight bytes each. Grows while it is recorded, and is only read then. Values
 * of an enum are stored as their ordinals, whose order is that of the pages' script.
 */
@SuppressWarnings("EnumOrdinal")
public final class Column {

  private long[] values = new long[16];
  private int size;

  Column() {}

  /** Returns how many numbers there are. */
  public int size() {
    return size;
  }

  /**
   * Returns a number.
   *
   * @throws IndexOutOfBoundsException if there is none at that index
   */
  public long get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return values[index];
  }

  /** Returns a number that is an index, such as that of an instance; -1 for none. */
  public int index(int index) {
    return (int) get(index);
  }

  /** Returns whether a number stands for a value of an enum. */
  public boolean is(int index, Enum<?> value) {
    return get(index) == value.ordinal();
  }

  /** Returns the value of an enum that a number stands for. */
  public <E extends Enum<E>> E as(int index, E[] all) {
    return all[index(index)];
  }

  void add(Enum<?> value) {
    add(value.ordinal());
  }

  void set(int index, Enum<?> value) {
    set(index, value.ordinal());
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size] = value;
    size++;
  }

  void set(int index, long value) {
    values[index] = value;
  }

  /** Keeps those numbers, in order, whose index is marked. */
  void keep(boolean[] marked) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (marked[i]) {
        values[kept] = values[i];
        kept++;
      }
    }
    values = Arrays.copyOf(values, kept);
    size = kept;
  }
}
