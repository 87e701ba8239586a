package dev.berth.benchmarks;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.core.Preview;
import dev.berth.core.Scheduler;
import dev.berth.core.WhatIf;
import dev.berth.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
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
 * Measures questions to a scheduler: what the next pass would decide after some supposed events,
 * and the digest after as many reports of load. Each host runs ten instances, and none waits.
 *
 * <pre>{@code
 * java -jar benchmarks/target/benchmarks.jar WhatIf
 * }</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods
public class WhatIfBenchmark {

  /** Number of hosts. */
  @Param({"1000", "10000", "50000"})
  public int hosts;

  /** Number of supposed events, or of hosts that report their load. */
  @Param({"1", "10", "100"})
  public int events;

  private Scheduler scheduler;
  private HostSpec kind;
  private List<Request> requests;
  private List<String> ids;
  private long reports;

  /** Sets up the cluster, and computes the first digest. */
  @Setup
  public void start() {
    start(LargeCluster.running(hosts, LargeCluster.INSTANCES_PER_HOST * hosts));
  }

  void start(Scheduler running) {
    scheduler = running;
    SplittableRandom random = new SplittableRandom(2);
    requests = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      requests.add(LargeCluster.request(LargeCluster.INSTANCES_PER_HOST * hosts + i, 2, random));
    }
    ids = requests.stream().map(Request::id).toList();
    kind = new HostSpec("more", scheduler.hosts().get(0).capacity());
    scheduler.digest();
  }

  /** Supposes that requests arrive. */
  @Benchmark
  public Preview arrivals() {
    Preview preview = withArrivals().plan(scheduler.now());
    if (preview.plan().placements().size() != events) {
      throw new IllegalStateException("the preview did not place all requests.");
    }
    return preview;
  }

  /** Supposes that hosts leave; their instances go elsewhere. */
  @Benchmark
  public Preview failures() {
    WhatIf question = scheduler.whatIf();
    for (int i = 0; i < events; i++) {
      question.suppose(new Event.HostRemoved("host-" + 7 * i));
    }
    return question.plan(scheduler.now());
  }

  /** Asks how many more hosts some requests need: none. */
  @Benchmark
  public OptionalInt size() {
    return size(100);
  }

  OptionalInt size(int most) {
    return withArrivals().hostsNeeded(kind, ids, most, scheduler.now());
  }

  /** Some reports, and the digest after them; the time includes the reports. */
  @Benchmark
  public long digest() {
    reports++;
    for (int i = 0; i < events; i++) {
      scheduler.loadReported("host-" + 7 * i, (double) (reports % 5), scheduler.now());
    }
    return scheduler.digest();
  }

  private WhatIf withArrivals() {
    WhatIf question = scheduler.whatIf();
    requests.forEach(each -> question.suppose(new Event.Submitted(each)));
    return question;
  }
}
