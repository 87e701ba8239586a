package dev.berth.simulator;

import dev.berth.api.HostLoad;
import java.util.ArrayDeque;

/** What a time-shared host measures: how many ran on it, on average over the last minute. */
final class LoadMeter {

  private static final long WINDOW = HostLoad.WINDOW.toNanos();

  private record Change(long at, int running) {}

  private final ArrayDeque<Change> changes = new ArrayDeque<>(); // the first may be long ago
  private int running;

  /** From now on, so many run. */
  void changes(int nowRunning, long now) {
    if (nowRunning != running) {
      running = nowRunning;
      changes.addLast(new Change(now, running));
    }
  }

  /** Returns how many run. */
  int running() {
    return running;
  }

  /** Returns the average over the minute before now. */
  double average(long now) {
    long from = now - WINDOW;
    int before = 0;
    while (!changes.isEmpty() && changes.getFirst().at() <= from) {
      before = changes.removeFirst().running();
    }
    if (before != 0) {
      changes.addFirst(new Change(from, before)); // it still counts
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
