package dev.berth.cli.input;

import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ForwardingWorkload;
import dev.berth.simulator.workload.Workload;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A workload that shows how much of it has been read. */
public final class WatchedWorkload extends ForwardingWorkload {

  private static final int STEP = 1_000;

  private final ProgressDisplay display;
  private final OptionalLong size;
  private final OptionalLong until;

  private WatchedWorkload(
      Workload workload, ProgressDisplay display, OptionalLong size, OptionalLong until) {
    super(workload);
    this.display = display;
    this.size = size;
    this.until = until;
  }

  /** Returns a workload whose progress is that of its number of requests. */
  public static WatchedWorkload of(Workload workload, ProgressDisplay display) {
    return new WatchedWorkload(workload, display, workload.size(), OptionalLong.empty());
  }

  /**
   * Returns a workload that ends at a time or after a number of requests.
   *
   * @param most number of requests; {@link Long#MAX_VALUE}: no limit
   * @param until time of the last admission, in nanoseconds; {@link Long#MAX_VALUE}: no limit
   */
  public static WatchedWorkload of(
      Workload workload, ProgressDisplay display, long most, long until) {
    return new WatchedWorkload(workload, display, limit(most), limit(until));
  }

  private static OptionalLong limit(long value) {
    return value == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @Override
  protected UnaryOperator<Arrival> reading() {
    AtomicLong read = new AtomicLong();
    return next -> {
      long number = read.incrementAndGet();
      if (number % STEP == 0) {
        display.reached(
            fraction(number, next.at()), String.format(Locale.ROOT, "%,d requests", number));
      }
      return next;
    };
  }

  /** Returns the larger of both shares: the workload ends when the first is complete. */
  private OptionalDouble fraction(long read, long at) {
    double byNumber = share(read, size);
    double byTime = share(at, until);
    return size.isEmpty() && until.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(byNumber, byTime));
  }

  private static double share(long part, OptionalLong whole) {
    return whole.isEmpty() || whole.getAsLong() <= 0
        ? 0
        : Math.min(1, (double) part / whole.getAsLong());
  }
}
