package dev.berth.benchmarks;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.experiments.scenario.MemoryScenarios;
import dev.berth.policies.memory.Prediction;
import dev.berth.policies.memory.Prediction.Job;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.ArrivalSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the prediction of {@code memic} for a host with {@value Residents#JOBS} jobs, beside the
 * loop that the thesis describes.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar Prediction
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class PredictionBenchmark {

  /** Jobs of the scenarios of the thesis, each partly done. */
  @State(Scope.Benchmark)
  public static class Residents {

    /** Number of jobs. */
    static final int JOBS = 20;

    /** The scenario of the jobs. */
    @Param({"2", "4"})
    public int scenario;

    /** The memory of the host, in gigabytes: enough for all, or about half of what they need. */
    @Param({"96", "24"})
    public int memory;

    /** Factor for the run times of the thesis: minutes or hours. */
    @Param({"1", "20"})
    public int stretch;

    private final List<Job> jobs = new ArrayList<>();
    private final Prediction prediction = new Prediction();
    private long capacity;

    /** Advances the jobs. */
    @Setup(Level.Trial)
    public void start() {
      SplittableRandom random = new SplittableRandom(1);
      capacity = memory * Dimension.MEMORY.unitsPerWhole();
      Scenario from = scenario == 2 ? MemoryScenarios.scenario2(1) : MemoryScenarios.scenario4();
      try (ArrivalSource arrivals = from.workload().open()) {
        while (jobs.size() < JOBS) {
          Request request = arrivals.next().request();
          long work = stretch * request.estimatedRunTime().orElseThrow();
          jobs.add(
              new Job(
                  work,
                  random.nextLong(work),
                  stretched(request.memoryProfile().orElseThrow()),
                  request.performanceMemoryProfile()));
        }
      }
      if (!Arrays.equals(predict(), Loop.ends(jobs, capacity))) {
        throw new IllegalStateException("the prediction differs from the loop");
      }
    }

    private MemoryProfile stretched(MemoryProfile profile) {
      return MemoryProfile.of(
          profile.steps().stream()
              .map(each -> new MemoryProfile.Step(stretch * each.from(), each.need()))
              .toList());
    }

    long[] predict() {
      prediction.clear();
      for (Job each : jobs) {
        prediction.add(each);
      }
      prediction.run(capacity);
      long[] ends = new long[jobs.size()];
      for (int i = 0; i < ends.length; i++) {
        ends[i] = prediction.end(i);
      }
      return ends;
    }
  }

  /** Advances from each change of the shares to the next. */
  @Benchmark
  public long[] prediction(Residents residents) {
    return residents.predict();
  }

  /** Advances second by second. */
  @Benchmark
  public long[] loop(Residents residents) {
    return Loop.ends(residents.jobs, residents.capacity);
  }

  /** A direct implementation of section 5.4: cycles of a second, memory shared every five. */
  private static final class Loop {

    private static final long CYCLE = 1_000_000_000L;
    private static final int CYCLES_PER_SHARE = 5;

    static long[] ends(List<Job> jobs, long capacity) {
      long[] ends = new long[jobs.size()];
      long[] progress = new long[jobs.size()];
      long[] speed = new long[jobs.size()];
      int left = 0;
      for (int i = 0; i < jobs.size(); i++) {
        progress[i] = jobs.get(i).done();
        left += isDone(jobs.get(i), progress[i]) ? 0 : 1;
      }
      for (long cycle = 0; left > 0; cycle++) {
        if (cycle % CYCLES_PER_SHARE == 0) {
          share(jobs, progress, capacity, speed);
        }
        for (int i = 0; i < jobs.size(); i++) {
          if (!isDone(jobs.get(i), progress[i])) {
            progress[i] += speed[i];
            if (isDone(jobs.get(i), progress[i])) {
              ends[i] = (cycle + 1) * CYCLE;
              left--;
            }
          }
        }
      }
      return ends;
    }

    private static void share(List<Job> jobs, long[] progress, long capacity, long[] speed) {
      long free = capacity;
      for (int i = 0; i < jobs.size(); i++) {
        Job job = jobs.get(i);
        if (!isDone(job, progress[i])) {
          long need = job.memory().needAt(progress[i]);
          long granted = Math.min(need, free);
          free -= granted;
          speed[i] =
              granted < need
                  ? job.performance().orElseThrow().slowdown(granted).workIn(CYCLE)
                  : CYCLE;
        }
      }
    }

    private static boolean isDone(Job job, long progress) {
      return progress >= job.work();
    }
  }
}
