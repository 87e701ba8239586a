package dev.berth.policies.memory;

import dev.berth.policies.memory.Prediction.Job;
import java.util.Arrays;
import java.util.List;

/**
 * The prediction of the thesis (section 5.4) as a plain loop. A cycle is a second. Every five
 * cycles, the memory is shared according to the need of each job at its progress. Each job makes
 * progress in every cycle.
 */
final class StepwiseSimulation {

  private StepwiseSimulation() {}

  /**
   * The outcome.
   *
   * @param ends the cycle in which each job ends, or {@link Prediction#NEVER}, in nanoseconds
   * @param peak the greatest need of all unfinished jobs together when memory is shared
   */
  record Result(List<Long> ends, long peak) {}

  static Result run(List<Job> jobs, long capacity, long horizon) {
    long peak = 0;
    long[] ends = new long[jobs.size()];
    long[] progress = new long[jobs.size()];
    long[] speed = new long[jobs.size()];
    int left = 0;
    for (int i = 0; i < jobs.size(); i++) {
      progress[i] = jobs.get(i).done();
      left += isDone(jobs.get(i), progress[i]) ? 0 : 1;
    }
    for (long cycle = 0; left > 0; cycle++) {
      if (cycle % Prediction.CYCLES_PER_SHARE == 0) {
        if (cycle > horizon) {
          break;
        }
        peak = Math.max(peak, share(jobs, progress, capacity, speed));
      }
      for (int i = 0; i < jobs.size(); i++) {
        if (!isDone(jobs.get(i), progress[i])) {
          progress[i] += speed[i];
          if (isDone(jobs.get(i), progress[i])) {
            ends[i] = (cycle + 1) * Prediction.CYCLE;
            left--;
          }
        }
      }
    }
    for (int i = 0; i < jobs.size(); i++) {
      if (!isDone(jobs.get(i), progress[i])) {
        ends[i] = Prediction.NEVER;
      }
    }
    return new Result(Arrays.stream(ends).boxed().toList(), peak);
  }

  /** Shares the memory; returns the total need. */
  private static long share(List<Job> jobs, long[] progress, long capacity, long[] speed) {
    long free = capacity;
    long total = 0;
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      if (!isDone(job, progress[i])) {
        long need = job.memory().needAt(progress[i]);
        total += need;
        long granted = Math.min(need, free);
        free -= granted;
        speed[i] =
            granted < need
                ? job.slowdown(granted, need).workIn(Prediction.CYCLE)
                : Prediction.CYCLE;
      }
    }
    return total;
  }

  private static boolean isDone(Job job, long progress) {
    return progress >= job.work();
  }
}
