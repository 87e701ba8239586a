package dev.berth.testkit.assertions;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.plan.Plan;

/**
 * Where assertions begin; made to be imported next to AssertJ's own:
 *
 * <pre>{@code
 * import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
 * import static org.assertj.core.api.Assertions.assertThat;
 *
 * assertThat(plan).places("r1").on("h2").preempting("r9").places("r3").on("h1");
 * assertThat(cluster.instance("r9")).isPending().wasPreempted(1);
 * assertThat(cluster.host("h2")).holds("r1").hasFree(cpu(1));
 * }</pre>
 *
 * <p>A failure message describes the whole plan, or the whole state of the instance or host.
 */
public final class BerthAssertions {

  private BerthAssertions() {}

  /** Begins assertions about a plan. */
  public static PlanAssert assertThat(Plan plan) {
    return new PlanAssert(plan);
  }

  /** Begins assertions about an instance, in its state at the time of the call. */
  public static InstanceAssert assertThat(Instance instance) {
    return new InstanceAssert(instance);
  }

  /** Begins assertions about a host, in its state at the time of the call. */
  public static HostAssert assertThat(Host host) {
    return new HostAssert(host);
  }
}
