package dev.berth.benchmarks;

import dev.berth.core.Scheduler;
import java.util.Arrays;

/**
 * CPU time of what-ifs and digests with 1,000 and 10,000 hosts, after 1, 10 and 100 events. Each
 * host runs ten instances, and none waits. Prints the median and the spread of some rounds. Run it
 * with {@code java -Xmx3g -XX:+UseSerialGC -cp benchmarks.jar dev.berth.benchmarks.QuestionCost}.
 */
public final class QuestionCost {

  private static final int WARM_UP = 3000; // events
  private static final int ROUNDS = 15;
  private static final long ROUND_NANOS = 20_000_000;

  private final int hosts;
  private final int events;
  private final WhatIfBenchmark questions = new WhatIfBenchmark();

  private QuestionCost(Scheduler scheduler, int hosts, int events) {
    this.hosts = hosts;
    this.events = events;
    questions.hosts = hosts;
    questions.events = events;
    questions.start(scheduler);
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    for (int hosts : new int[] {1000, 10_000}) {
      Scheduler scheduler = LargeCluster.running(hosts, LargeCluster.INSTANCES_PER_HOST * hosts);
      for (int events : new int[] {1, 10, 100}) {
        new QuestionCost(scheduler, hosts, events).run();
      }
    }
  }

  private void run() {
    time("requests arrive", questions::arrivals);
    time("hosts needed by them", () -> questions.size(events));
    time("hosts leave", questions::failures);
    time("digest after changes", questions::digest);
  }

  private void time(String what, Runnable work) {
    for (int i = 0; i < WARM_UP / events; i++) {
      work.run();
    }
    double[] micros = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long begin = CpuTime.nanos();
      int times = 0;
      do {
        work.run();
        times++;
      } while (CpuTime.nanos() - begin < ROUND_NANOS);
      micros[i] = (CpuTime.nanos() - begin) / 1e3 / times;
    }
    Arrays.sort(micros);
    System.out.printf(
        "%-24s %3d events, %6d hosts: %8.1f us (%.1f to %.1f)%n",
        what, events, hosts, micros[ROUNDS / 2], micros[0], micros[ROUNDS - 1]);
  }
}
