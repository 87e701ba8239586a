package dev.berth.benchmarks;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures one decision of a metascheduling policy: a request arrives, and a pass places it. Sites
 * time-share, have run the application, and hold two instances each on average in addition to new
 * ones. Between every {@value #BATCH} decisions, placed instances become ready, as many others end,
 * and every site reports its load. That is not measured, but the policy's reaction is.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar Metascheduling -prof dev.berth.benchmarks.DecisionProfiler
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class MetaschedulingBenchmark {

  /** Decisions in an invocation. */
  static final int BATCH = 100;

  private static final long SECOND = 1_000_000_000L;
  private static final long WHOLE = Dimension.CPU.unitsPerWhole();
  private static final String APPLICATION = "linpack";

  /** Number of sites. */
  @Param({"10", "100", "1000"})
  public int sites;

  /** The policy. */
  @Param({
    "random",
    "cpu-load",
    "lottery",
    "lottery-with-load",
    "wall-time-estimated",
    "power-of-two-choices"
  })
  public String policy;

  private final ArrayDeque<String> running = new ArrayDeque<>();
  private final List<Request> batch = new ArrayList<>();
  private final List<String> placed = new ArrayList<>();
  private Scheduler scheduler;
  private SplittableRandom random;
  private long now;
  private int submitted;

  /** Lets each site run the application, and places the instances that it holds. */
  @Setup(Level.Trial)
  public void fill() {
    random = new SplittableRandom(1);
    scheduler =
        Scheduler.builder()
            .policy(policy)
            .serviceClasses(ServiceClass.builder("bronze").slo(0.5).build())
            .decisionLog(0)
            .build();
    for (int site = 0; site < sites; site++) {
      Resources cores = Resources.of(Dimension.CPU, (1 + random.nextInt(16)) * WHOLE);
      scheduler.addHost(new HostSpec("site-" + site, cores, Map.of(), true), now);
    }
    while (scheduler.hosts().stream().anyMatch(each -> each.history(APPLICATION).isEmpty())) {
      nextBatch();
      decideAll(placed);
    }
    while (running.size() < 2 * sites) {
      nextBatch();
      decideAll(placed);
    }
  }

  /** Advances time and reports events. */
  @Setup(Level.Invocation)
  public void nextBatch() {
    now += SECOND;
    for (String each : placed) {
      scheduler.started(each, now);
      running.add(each);
    }
    placed.clear();
    while (running.size() > 2 * sites) {
      Duration took = Duration.ofSeconds(30 + random.nextInt(400));
      scheduler.completed(running.removeFirst(), took, now);
    }
    for (int site = 0; site < sites; site++) {
      scheduler.loadReported("site-" + site, 3 * random.nextDouble(), now);
    }
    batch.clear();
    for (int i = 0; i < BATCH; i++) {
      batch.add(
          Request.builder("r" + submitted++, "bronze")
              .demand(Resources.of(Dimension.CPU, WHOLE))
              .application(APPLICATION)
              .build());
    }
  }

  /** Decides on the requests one after another. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void decision(Blackhole hole) {
    DecisionProfiler.begin();
    decideAll(placed);
    DecisionProfiler.end(BATCH);
    hole.consume(placed);
  }

  private void decideAll(List<String> decided) {
    for (Request each : batch) {
      now += SECOND / BATCH;
      scheduler.submit(each, now);
      Plan plan = scheduler.schedule(now);
      if (plan.actions().size() != 1) {
        throw new IllegalStateException("a placement was expected, not " + plan);
      }
      decided.add(each.id());
    }
  }
}
