package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.TestCluster;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;

/** Plays to a cluster that is empty most of the time (P11). */
final class EmptyClusterCheck {

  private final InvariantChecker cluster;
  private final String serviceClass;
  private final boolean conservesWork;

  private EmptyClusterCheck(
      EventTarget subject, Setting setting, PlanRules laws, boolean conservesWork) {
    this.cluster = new InvariantChecker(subject, setting, laws);
    this.serviceClass = setting.serviceClasses().get(0).name();
    this.conservesWork = conservesWork;
  }

  static void run(EventTarget subject, Setting setting, PlanRules laws, Capabilities capabilities) {
    try {
      new EmptyClusterCheck(subject, setting, laws, capabilities.include(Capability.CONSERVES_WORK))
          .play();
    } catch (RuleBroken broken) {
      throw broken.rule() == Rule.P11
          ? broken
          : new RuleBroken(Rule.P11, "at an event: " + FailureText.mendFirst(broken), broken);
    }
  }

  private void play() {
    expectEmptyPlan("no host and no request", 0);
    cluster.apply(new Event.HostAdded(new HostSpec("h1", TestCluster.cpu(1))), 1);
    expectEmptyPlan("one host and no request", 1);
    cluster.apply(new Event.HostRemoved("h1"), 2);
    expectEmptyPlan("no host again", 2);
    cluster.apply(
        new Event.Submitted(Request.builder("r1", serviceClass).demand(TestCluster.cpu(1)).build()),
        3);
    expectEmptyPlan("one request and no host", 3);
    cluster.apply(new Event.HostAdded(new HostSpec("nothing", Resources.none())), 4);
    expectEmptyPlan("one request and a host without capacity", 4);
    cluster.apply(new Event.HostAdded(new HostSpec("h1", TestCluster.cpu(1))), 5);
    Plan plan = pass("one request and one host that it fits exactly", 5);
    if (plan.placements().isEmpty()) {
      if (conservesWork) {
        throw Rule.P11.broken("one request waits, although it fits one host exactly");
      }
    } else {
      cluster.apply(new Event.StartedNow("r1"), 6);
      expectEmptyPlan("one instance and an empty queue", 6);
    }
    cluster.apply(new Event.Cancelled("r1"), 7);
    expectEmptyPlan("an empty queue again", 7);
  }

  private void expectEmptyPlan(String circumstance, long now) {
    Plan plan = pass(circumstance, now);
    if (!plan.isEmpty()) {
      throw Rule.P11.broken("with %s it plans %s", circumstance, plan.actions());
    }
  }

  private Plan pass(String circumstance, long now) {
    try {
      return cluster.schedule(now);
    } catch (RuleBroken broken) {
      throw new RuleBroken(
          Rule.P11, "with %s: %s".formatted(circumstance, FailureText.mendFirst(broken)), broken);
    }
  }
}
