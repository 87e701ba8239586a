package dev.berth.simulator.internal.execution;

import dev.berth.api.HostLoad;
import java.util.ArrayDeque;

/** Measures the mean number of running instances of a host over the last minute. */
final class LoadMeter {

  private static final long WINDOW = HostLoad.WINDOW.toNanos();

  private record Change(long at, int running) {}

  private final ArrayDeque<Change> changes = new ArrayDeque<>(); // the first may precede the window
  private int running;

  /** Sets the number of running instances from now on. */
  void setRunning(int nowRunning, long now) {
    if (nowRunning != running) {
      running = nowRunning;
      changes.addLast(new Change(now, running));
    }
  }

  /** Returns the number of running instances. */
  int running() {
    return running;
  }

  /** Returns the mean over the minute before {@code now}. */
  double average(long now) {
    long from = now - WINDOW;
    int before = 0;
    while (!changes.isEmpty() && changes.getFirst().at() <= from) {
      before = changes.removeFirst().running();
    }
    if (before != 0) {
      changes.addFirst(new Change(from, before)); // in effect when the window begins
    }
    double sum = 0;
    Change last = new Change(from, 0);
    for (Change each : changes) {
      sum += (double) last.running() * (each.at() - last.at());
      last = each;
    }
    sum += (double) last.running() * (now - last.at());
    return sum / WINDOW;
  }
}
