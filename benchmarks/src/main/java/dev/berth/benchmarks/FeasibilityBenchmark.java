package dev.berth.benchmarks;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decisions of {@code qos-driven} per second: passes over {@value #BATCH} pending requests, with
 * and without preemption, on hosts that hold about twenty instances each.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar Feasibility -prof dev.berth.benchmarks.DecisionAllocation
 * }</pre>
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(3)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class FeasibilityBenchmark {

  /** Pending requests in a pass. */
  static final int BATCH = 100;

  private static final long SECOND = 1_000_000_000L;
  private static final long WHOLE = 1_000_000_000L;

  /** A cluster in which every host has room for two more requests. */
  @State(Scope.Benchmark)
  public static class Roomy extends Cluster {
    @Override
    int perHost() {
      return 18;
    }
  }

  /** A cluster without room, where everybody is well ahead of their objective. */
  @State(Scope.Benchmark)
  public static class Full extends Cluster {
    @Override
    int perHost() {
      return 20;
    }
  }

  /**
   * Hosts of 20 slots in two dimensions, filled to some degree with bronze and silver instances.
   */
  @State(Scope.Benchmark)
  public abstract static class Cluster {

    /** Number of hosts. */
    @Param({"100", "1000", "10000"})
    public int hosts;

    /** Decisions kept for explanations. */
    @Param({"0", "1000"})
    public int decisionLog;

    private static final Resources SLOT =
        Resources.of(Dimension.CPU, WHOLE / 20, Dimension.MEMORY, WHOLE / 20);

    private Scheduler scheduler;
    private long now;
    private int submitted;
    private List<String> batch = List.of();

    abstract int perHost();

    /** Fills the cluster. */
    @Setup(Level.Trial)
    public void fill() {
      SplittableRandom random = new SplittableRandom(1);
      scheduler =
          Scheduler.builder()
              .policy("qos-driven")
              .serviceClasses(
                  ServiceClass.builder("gold").slo(1.0).importance(1).build(),
                  ServiceClass.builder("silver").slo(0.9).importance(2).build(),
                  ServiceClass.builder("bronze").slo(0.5).importance(3).build())
              .decisionLog(decisionLog)
              .build();
      for (int h = 0; h < hosts; h++) {
        scheduler.addHost(
            new HostSpec("h" + h, Resources.of(Dimension.CPU, WHOLE, Dimension.MEMORY, WHOLE)), 0);
      }
      for (int i = 0; i < hosts * perHost(); i++) {
        submit(random.nextInt(3) == 0 ? "silver" : "bronze");
      }
      start(scheduler.schedule(now));
      if (scheduler.pendingCount() > 0) {
        throw new IllegalStateException(scheduler.pendingCount() + " instances found no host");
      }
      now = 3600 * SECOND;
    }

    /** Takes the last batch back, returns who left for it, and submits the next. */
    @Setup(Level.Invocation)
    public void nextBatch() {
      now += SECOND;
      batch.forEach(id -> scheduler.cancelled(id, now));
      start(scheduler.schedule(now));
      int first = submitted;
      for (int i = 0; i < BATCH; i++) {
        submit("gold");
      }
      batch = IntStream.range(first, submitted).mapToObj(i -> "r" + i).toList();
    }

    private void submit(String serviceClass) {
      scheduler.submit(Request.builder("r" + submitted++, serviceClass).demand(SLOT).build(), now);
    }

    private void start(Plan plan) {
      for (Action.Place place : plan.placements()) {
        scheduler.started(place.instance(), now);
      }
    }

    Plan pass(int preemptions) {
      DecisionAllocation.begin();
      Plan plan = scheduler.schedule(now);
      DecisionAllocation.end(BATCH);
      if (plan.actions().size() != BATCH + preemptions) {
        throw new IllegalStateException(
            "expected %d placements and %d preemptions, got %d actions"
                .formatted(BATCH, preemptions, plan.actions().size()));
      }
      return plan;
    }
  }

  /** Every request finds a host with room. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public Plan withoutPreemption(Roomy cluster) {
    return cluster.pass(0);
  }

  /** Every request takes the place of somebody. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public Plan withPreemption(Full cluster) {
    return cluster.pass(BATCH);
  }
}
