package dev.berth.benchmarks.queue;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A generated log with a very long queue, in the shape of the grid log LCG 2005 of the Parallel
 * Workloads Archive: 187,520 jobs of one core in eleven days. Users submit bursts of up to 6,000
 * jobs, so that up to 36,000 wait on 1,500 cores. Run times are known exactly.
 */
final class Bursts {

  /** The cores on which the log is run. */
  static final int CORES = 1_500;

  private static final int JOBS = 187_520;
  private static final int LARGEST = 6_000;
  private static final double SECONDS = 874_000; // in which bursts begin
  private static final double TAIL = 0.9; // of the Pareto distribution of sizes
  private static final double MEAN_LOG_RUN_TIME = 7.6; // e^7.6 s are 33 min
  private static final double SPREAD_LOG_RUN_TIME = 1.3;

  private record Job(long submitted, long runTime) {}

  private Bursts() {}

  /** Writes the log in Standard Workload Format. */
  static void write(Path file, long seed) throws IOException {
    try (PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII))) {
      int number = 0;
      for (Job each : jobs(new SplittableRandom(seed))) {
        out.printf(
            "%d %d -1 %d 1 -1 -1 1 %d -1 1 1 1 1 1 1 -1 -1%n",
            ++number, each.submitted, each.runTime, each.runTime);
      }
    }
  }

  private static List<Job> jobs(SplittableRandom random) {
    List<Job> jobs = new ArrayList<>(JOBS);
    while (jobs.size() < JOBS) {
      double begin = random.nextDouble() * SECONDS;
      double pareto = Math.pow(1 - random.nextDouble(), -1 / TAIL);
      int size = (int) Math.min(Math.min(3 * pareto, LARGEST), JOBS - jobs.size());
      double typical = Math.exp(MEAN_LOG_RUN_TIME + SPREAD_LOG_RUN_TIME * random.nextGaussian());
      for (int i = 0; i < size; i++) {
        long runTime = (long) Math.max(1, typical * random.nextDouble(0.6, 1.4));
        jobs.add(new Job((long) (begin + 0.5 * i), runTime));
      }
    }
    jobs.sort(Comparator.comparingLong(Job::submitted));
    return jobs;
  }
}
