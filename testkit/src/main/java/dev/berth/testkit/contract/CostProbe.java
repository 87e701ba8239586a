package dev.berth.testkit.contract;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.core.Scheduler;
import dev.berth.testkit.TestCluster;
import dev.berth.testkit.asserting.Asserting;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Counts the queries of a policy in a pass over clusters of growing size (P10). Unlike times,
 * counts are the same on every machine.
 *
 * @param serviceClasses instances of the last class run when requests of the first class arrive
 */
record CostProbe(List<ServiceClass> serviceClasses, Function<PolicyContext, Policy> maker) {

  /** The limit for twice the size: the double, and some more for logarithms and fixed costs. */
  private static final double LIMIT = 2.6;

  private static final long LATER = Duration.ofHours(1).toNanos();

  /**
   * The size of a cluster.
   *
   * @param full whether all capacity is in use when the pending requests arrive
   */
  private record Size(int hosts, int instancesPerHost, int pending, boolean full) {

    @Override
    public String toString() {
      return "%s hosts with %s instances each, %s pending%s"
          .formatted(hosts, instancesPerHost, pending, full ? ", no room" : "");
    }
  }

  void run() {
    // One number grows while the others are small: large ones would hide its effect.
    for (boolean full : List.of(false, true)) {
      compare(new Size(64, 4, 8, full), new Size(128, 4, 8, full));
      compare(new Size(8, 32, 8, full), new Size(8, 64, 8, full));
      // With room, as many hosts as pending instances: those placed hardly make a difference.
      int hosts = full ? 8 : 64;
      int pending = full ? 64 : 32;
      compare(new Size(hosts, 4, pending, full), new Size(hosts, 4, 2 * pending, full));
    }
  }

  private void compare(Size one, Size twice) {
    long before = questions(one);
    long after = questions(twice);
    if (after > LIMIT * before) {
      throw Rule.P10.broken(
          "with %s a pass makes %s queries, with %s it makes %s, more than %s times as many",
          one, before, twice, after, LIMIT);
    }
  }

  private long questions(Size size) {
    Asserting counting = new Asserting(OptionalLong.empty());
    try {
      pass(size, counting);
    } catch (RuntimeException | AssertionError thrown) {
      RuleBroken broken = RuleBroken.by(thrown);
      throw new RuleBroken(
          Rule.P10, "with %s: %s".formatted(size, FailureText.mendFirst(broken)), broken);
    }
    return counting.questions();
  }

  private void pass(Size size, Asserting counting) {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("counted", context -> settled(counting.wrap(maker).apply(context)))
            .serviceClasses(serviceClasses)
            .build();
    int slots = size.instancesPerHost + (size.full ? 0 : size.pending);
    for (int i = 0; i < size.hosts; i++) {
      scheduler.addHost(new HostSpec("h" + i, TestCluster.cpu(slots)), 0);
    }
    submit(
        scheduler,
        serviceClasses.get(serviceClasses.size() - 1),
        size.hosts * size.instancesPerHost,
        0);
    Plan settled = scheduler.schedule(0);
    settled.placements().forEach(each -> scheduler.started(each.instance(), 0));
    submit(scheduler, serviceClasses.get(0), size.pending, LATER);
    scheduler.schedule(LATER);
  }

  /** Fills the hosts evenly in the first pass, in place of the policy. */
  private static Policy settled(Policy policy) {
    return Asserting.withPasses(
        policy,
        pass -> {
          if (pass.number() > 1) {
            policy.schedule(pass);
            return;
          }
          List<Host> hosts = pass.hosts();
          List<Instance> pending = pass.pending();
          for (int i = 0; i < pending.size(); i++) {
            pass.place(pending.get(i), hosts.get(i % hosts.size()));
          }
        });
  }

  private static void submit(Scheduler scheduler, ServiceClass serviceClass, int count, long now) {
    for (int i = 0; i < count; i++) {
      scheduler.submit(
          Request.builder("at-%s-%s".formatted(now, i), serviceClass.name())
              .demand(TestCluster.cpu(1))
              .build(),
          now);
    }
  }
}
