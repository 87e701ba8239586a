package dev.berth.benchmarks;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A large cluster under {@code qos-driven}: hosts of 40 cores, and instances of 1 to 3 cores that
 * run as far as there is room, three seconds after its first event.
 */
final class LargeCluster {

  static final long SECOND = 1_000_000_000;
  static final int INSTANCES_PER_HOST = 10;
  static final int CORES = 40; // of a host

  private static final long CORE = Dimension.CPU.whole(1);
  private static final String[] CLASSES = {"gold", "silver", "bronze"};

  private LargeCluster() {}

  static Scheduler running(int hosts, int instances) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("qos-driven")
            .decisionLog(0)
            .serviceClasses(
                ServiceClass.builder("gold").slo(0.99).build(),
                ServiceClass.builder("silver").slo(0.9).importance(2).build(),
                ServiceClass.builder("bronze").slo(0.5).importance(3).build())
            .build();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < hosts; i++) {
      scheduler.addHost(
          new HostSpec(
              "host-" + i,
              Resources.of(Dimension.CPU, CORES * CORE, Dimension.MEMORY, 160_000_000_000L),
              Map.of("zone", "z" + i % 3, "rack", "r" + i % 100)),
          0);
    }
    for (int i = 0; i < instances; i++) {
      scheduler.submit(request(i, random.nextInt(1, 4), random), SECOND);
    }
    Plan plan = scheduler.schedule(2 * SECOND);
    plan.placements().forEach(each -> scheduler.started(each.instance(), 3 * SECOND));
    return scheduler;
  }

  /** Returns a request like those that run. */
  static Request request(int number, int cores, SplittableRandom random) {
    return Request.builder("request-" + number, CLASSES[number % 3])
        .demand(Resources.of(Dimension.CPU, cores * CORE, Dimension.MEMORY, cores * 4_000_000_000L))
        .job("job-" + number / 20)
        .user("user-" + number % 500)
        .estimatedRunTime(Duration.ofSeconds(1 + random.nextInt(10_000)))
        .build();
  }
}
