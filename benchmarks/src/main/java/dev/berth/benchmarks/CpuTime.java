package dev.berth.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of the current thread, which does not count the time of other programs. */
final class CpuTime {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private CpuTime() {}

  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
