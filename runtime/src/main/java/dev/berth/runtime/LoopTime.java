package dev.berth.runtime;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sums of times in nanoseconds that end at {@link Long#MAX_VALUE}, which means never. */
final class LoopTime {

  private LoopTime() {}

  static long after(long time, Duration more) {
    return after(time, nanos(more));
  }

  static long after(long time, long more) {
    return time > Long.MAX_VALUE - more ? Long.MAX_VALUE : time + more;
  }

  static long nanos(Duration time) {
    return TimeUnit.NANOSECONDS.convert(time); // saturates
  }
}
