package dev.berth.traces.internal;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts entries in order of time, if none is further from its place than a window. Entries of equal
 * time keep their order. Memory use is limited to the entries of the window.
 *
 * @param <T> the type of the entries
 */
public final class OrderingWindow<T> implements EntryReader<OrderingWindow.Timed<T>> {

  /**
   * An entry with its time.
   *
   * @param time the field to name in an error
   * @param at the time in nanoseconds
   * @param entry the entry
   * @param <T> the type of the entry
   */
  public record Timed<T>(Field time, long at, T entry) {}

  private record Queued<T>(Timed<T> timed, long number) {}

  private final int size;
  private final EntryReader<Timed<T>> source;
  private final Optional<String> hint;
  private final PriorityQueue<Queued<T>> queue =
      new PriorityQueue<>(
          Comparator.<Queued<T>>comparingLong(each -> each.timed.at)
              .thenComparingLong(Queued::number));
  private final TimeOrder order = new TimeOrder();
  private String latest = ""; // time, as its line has it
  private long read;
  private boolean ended;
  private @Nullable SourceLocation location; // of the latest entry; null while others are read

  /**
   * Creates a window.
   *
   * @param size the number of entries that wait at most
   * @param source the entries of the file; if it throws an {@link InputException}, the next call
   *     resumes after the bad line
   */
  public OrderingWindow(int size, EntryReader<Timed<T>> source) {
    this(size, source, Optional.empty());
  }

  /**
   * Creates a window like {@link #OrderingWindow(int, EntryReader)}.
   *
   * @param hint how to put a file in order, for files whose times are dates
   */
  public OrderingWindow(int size, EntryReader<Timed<T>> source, Optional<String> hint) {
    this.size = size;
    this.source = source;
    this.hint = hint;
  }

  /**
   * Returns the next entry in order of time; null at the end.
   *
   * @throws InputException if the source throws it, or if the next entry is out of order beyond the
   *     window; the next call resumes after that entry
   */
  @Override
  public @Nullable Timed<T> next() {
    location = null;
    while (!ended && queue.size() < size) {
      Timed<T> timed = source.next();
      if (timed == null) {
        ended = true;
      } else {
        queue.add(new Queued<>(timed, read++));
      }
    }
    Queued<T> first = queue.poll();
    if (first == null) {
      return null;
    }
    location = first.timed.time.location();
    try {
      order.check(first.timed.time, first.timed.at);
    } catch (InputException tooLate) {
      throw hint.isEmpty()
          ? tooLate
          : first.timed.time.error(
              "must not be before %s, which is more than %s lines before".formatted(latest, size),
              hint);
    }
    latest = first.timed.time.text();
    return first.timed;
  }

  @Override
  public SourceLocation location() {
    return location == null ? source.location() : location;
  }

  @Override
  public void close() {
    source.close();
  }
}
