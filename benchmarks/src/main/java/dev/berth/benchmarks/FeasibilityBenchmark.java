package dev.berth.benchmarks;

import dev.berth.api.Constraint;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.core.Scheduler;
import dev.berth.core.explain.WhyPending;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures which hosts can take one request, looked at one by one without the index, as an
 * explanation does.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar Feasibility
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up method
public class FeasibilityBenchmark {

  private static final String ID = "asked";

  /** What decides. */
  public enum Obstacle {
    /** Room alone. */
    ROOM,
    /** Placement constraints of the request, which hold on a third of the hosts. */
    CONSTRAINTS,
    /** Taints, on two thirds of the hosts. */
    TAINTS,
    /** Victims: the request needs a whole host. */
    PREEMPTION
  }

  /** Number of hosts. */
  @Param({"100", "1000", "10000", "100000"})
  public int hosts;

  /** What decides. */
  @Param public Obstacle obstacle;

  private Scheduler scheduler;

  /** Sets up the cluster, with a request that no pass has seen. */
  @Setup
  public void start() {
    scheduler = LargeCluster.running(hosts, LargeCluster.INSTANCES_PER_HOST * hosts);
    for (Host each : obstacle == Obstacle.TAINTS ? scheduler.hosts() : List.<Host>of()) {
      if (!"z1".equals(each.attributes().get("zone"))) {
        List<Taint> taints = List.of(Taint.noNew("disk", "full"));
        scheduler.changeHost(
            new HostSpec(each.id(), each.capacity(), each.attributes(), false, taints),
            scheduler.now());
      }
    }
    int cores = obstacle == Obstacle.PREEMPTION ? LargeCluster.CORES : 4;
    Request like = LargeCluster.request(0, cores, new SplittableRandom(3)); // of the first class
    Request.Builder request = Request.builder(ID, like.serviceClass()).demand(like.demand());
    if (obstacle == Obstacle.CONSTRAINTS) {
      request.constraint(new Constraint.Equal("zone", "z1"));
    }
    scheduler.submit(request.build(), scheduler.now());
  }

  /** Looks at each host. */
  @Benchmark
  public WhyPending hosts() {
    return scheduler.explain().whyPending(ID, scheduler.now());
  }
}
