package dev.berth.benchmarks.peer;

import java.util.SplittableRandom;

/**
 * A bound for decisions that evaluate every host: reads capacity and free amounts of two dimensions
 * for all hosts, once for each decision.
 */
record StreamTask() implements Task {

  private static final int DIMENSIONS = 2;

  @Override
  public Figures run(Size size) {
    SplittableRandom random = new SplittableRandom(1);
    long[] capacity = random.longs((long) size.hosts() * DIMENSIONS, 1, 1000).toArray();
    long[] free = random.longs((long) size.hosts() * DIMENSIONS, 1, 1000).toArray();
    long sum = 0;
    long warm = System.nanoTime() + size.warmUpNanos();
    while (System.nanoTime() < warm) {
      sum += read(capacity, free);
    }
    long decisions = 0;
    long begin = System.nanoTime();
    long enough = begin + size.measuredNanos();
    do {
      for (int i = 0; i < size.requests(); i++) {
        sum += read(capacity, free);
      }
      decisions += size.requests();
    } while (System.nanoTime() < enough);
    long took = System.nanoTime() - begin;
    if (sum <= 0) { // also prevents the compiler from removing the reads
      throw new IllegalStateException("nothing was read.");
    }
    return Figures.of("rate", decisions * 1e9 / took);
  }

  private static long read(long[] capacity, long[] free) {
    long sum = 0;
    for (int i = 0; i < capacity.length; i++) {
      sum += capacity[i] ^ free[i];
    }
    return sum;
  }
}
