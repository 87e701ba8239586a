package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Plan;
import dev.berth.api.Policy;
import dev.berth.api.PolicyContext;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import dev.berth.testkit.asserting.Asserting;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Counts what a policy asks in a pass over clusters of growing size (P10). Counts, not times: they
 * are the same on every machine.
 */
final class CostProbe {

  /** Twice the size may cost this much: the double, and something for logarithms and beginnings. */
  private static final double MOST = 2.6;

  private static final Dimension CPU = new Dimension("cpu", 1);
  private static final long LATER = Duration.ofHours(1).toNanos();

  private final Function<PolicyContext, Policy> maker;

  CostProbe(Function<PolicyContext, Policy> maker) {
    this.maker = maker;
  }

  /**
   * A cluster.
   *
   * @param full whether all of it is in use when the pending requests come
   */
  private record Size(int hosts, int instancesPerHost, int pending, boolean full) {

    @Override
    public String toString() {
      return "%s hosts with %s instances each, %s pending%s"
          .formatted(hosts, instancesPerHost, pending, full ? ", no room" : "");
    }
  }

  void run() {
    for (boolean full : List.of(false, true)) {
      Size size = new Size(32, 4, 32, full);
      compare(size, new Size(64, 4, 32, full));
      compare(size, new Size(32, 8, 32, full));
      compare(size, new Size(32, 4, 64, full));
    }
  }

  private void compare(Size one, Size twice) {
    long before = questions(one);
    long after = questions(twice);
    if (after > MOST * before) {
      throw new RuleBroken(
          Rule.P10,
          "with %s a pass asks %s questions, with %s it asks %s, more than %s times as many"
              .formatted(one, before, twice, after, MOST));
    }
  }

  private long questions(Size size) {
    Asserting counting = new Asserting(OptionalLong.empty());
    Scheduler scheduler =
        Scheduler.builder()
            .policy("counted", counting.wrap(maker))
            .serviceClasses(
                ServiceClass.builder("great").build(),
                ServiceClass.builder("small").slo(0.1).importance(2).build())
            .build();
    int slots = size.full ? size.instancesPerHost : 2 * size.instancesPerHost;
    for (int i = 0; i < size.hosts; i++) {
      scheduler.addHost(new HostSpec("h" + i, Resources.of(CPU, slots)), 0);
    }
    submit(scheduler, "small", size.hosts * size.instancesPerHost, 0);
    Plan plan = scheduler.schedule(0);
    plan.placements().forEach(each -> scheduler.started(each.instance(), 0));
    submit(scheduler, "great", size.pending, LATER);
    scheduler.schedule(LATER);
    return counting.questions();
  }

  private static void submit(Scheduler scheduler, String serviceClass, int count, long now) {
    for (int i = 0; i < count; i++) {
      scheduler.submit(
          Request.builder(serviceClass + i, serviceClass).demand(Resources.of(CPU, 1)).build(),
          now);
    }
  }
}
