package dev.berth.policies.memory;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Algorithm 2, step by step, without the controller. */
class MigrationTest {

  private final TestCluster cluster =
      TestCluster.withPolicy(context -> new Migration(1.2).before(new Idle()))
          .host("h1", cpuAndMemory(8, 10));

  /** Does nothing and oversubscribes memory. */
  private static final class Idle implements Policy {
    @Override
    public void schedule(SchedulingPass pass) {}

    @Override
    public Set<Dimension> oversubscribes() {
      return Set.of(Dimension.MEMORY);
    }
  }

  private static Resources memory(double gigabytes) {
    return cpuAndMemory(0, gigabytes);
  }

  private void host(String id, double gigabytes) {
    cluster.host(id, cpuAndMemory(8, gigabytes));
  }

  /** Starts a running instance that reported the same use and shortfall twice. */
  private void runs(String id, String host, double used, double lacking) {
    cluster
        .after(Duration.ofSeconds(1))
        .running(
            Request.builder(id, "gold")
                .demand(cpuAndMemory(1, used))
                .guaranteed(cpuAndMemory(1, 0.5))
                .build(),
            host)
        .usageReported(id, memory(used), memory(lacking))
        .usageReported(id, memory(used), memory(lacking));
  }

  /** Starts a running instance that lacks half a gigabyte of its need. */
  private void lacks(String id, String host, double need) {
    runs(id, host, need - 0.5, 0.5);
  }

  /**
   * Starts an instance that takes all free memory of a host, so that no instance can resume there.
   */
  private void fills(String host) {
    double free =
        (double) cluster.host(host).free(Dimension.MEMORY) / Dimension.MEMORY.unitsPerWhole();
    runs("filler-" + host, host, free, 0);
  }

  private static void assertDoes(Plan plan, int actions) {
    assertThat(plan).hasNoPolicyErrors();
    assertThat(plan.actions()).hasSize(actions);
  }

  @Test
  void migratesThePausedInstanceThatNeedsLeast() {
    lacks("r1", "h1", 2);
    lacks("r2", "h1", 3);
    lacks("r3", "h1", 1);
    host("h2", 10);
    cluster.pause("r1").pause("r2").suspend("r3");
    fills("h1");

    Plan plan = cluster.pass();

    assertThat(plan).migrates("r1", "h2");
    assertDoes(plan, 1);
    assertThat(cluster.instance("r1")).isStarting().isOn("h2").isGranted(cpuAndMemory(1, 2));
  }

  @Test
  void migratesTheSuspendedInstanceThatNeedsLeastIfNoneIsPaused() {
    lacks("r1", "h1", 3);
    lacks("r2", "h1", 2);
    runs("r3", "h1", 1, 0);
    host("h2", 10);
    cluster.suspend("r1").suspend("r2");
    fills("h1");

    Plan plan = cluster.pass();

    assertThat(plan).migrates("r2", "h2");
    assertDoes(plan, 1);
  }

  @Test
  void migratesTheRunningInstanceThatNeedsLeastOffAnOverloadedHost() {
    runs("r1", "h1", 6, 2);
    runs("r2", "h1", 4, 0);
    host("h2", 10);

    Plan plan = cluster.pass();

    assertThat(plan).migrates("r2", "h2");
    assertDoes(plan, 1);
  }

  @Test
  void leavesRunningInstancesWithoutALastingShortfall() {
    runs("r1", "h1", 6, 0);
    runs("r2", "h1", 3, 0);
    host("h2", 10);
    cluster.usageReported("r1", memory(6), memory(2)); // for the first time
    assertDoes(cluster.pass(), 0);

    cluster.completed("r2");
    cluster.usageReported("r1", memory(6), memory(2)); // but now 4 are free
    assertDoes(cluster.pass(), 0);
  }

  @Test
  void leavesRunningInstancesIfThereIsACandidate() {
    lacks("r1", "h1", 2);
    host("h2", 5);
    runs("r2", "h2", 4, 2);
    runs("r3", "h2", 1, 0);
    host("h3", 20);
    cluster.pause("r1");
    fills("h1");

    Plan plan = cluster.pass();

    // h2 is overloaded, but h1 comes before it and has a candidate.
    assertThat(plan).migrates("r1", "h3");
    assertDoes(plan, 1);
  }

  @Test
  void migratesOneInstancePerHostWithStoppedInstances() {
    lacks("r1", "h1", 2);
    host("h2", 5);
    lacks("r2", "h2", 3);
    host("h3", 20);
    cluster.pause("r1").suspend("r2");
    fills("h1");
    fills("h2");

    Plan plan = cluster.pass();

    assertThat(plan).migrates("r1", "h3").migrates("r2", "h3");
    assertDoes(plan, 2);
  }

  @Test
  void migratesRunningBeforeStoppedInstances() {
    runs("r1", "h1", 8, 4);
    runs("r2", "h1", 2, 0);
    host("h2", 5);
    lacks("r3", "h2", 3);
    host("h3", 20);
    cluster.pause("r3");
    fills("h2");

    // There is no candidate yet when h1 is examined.
    assertThat(cluster.pass()).migrates("r2", "h3").migrates("r3", "h3");
  }

  @Test
  void choosesTheFirstHostWithMostFreeMemory() {
    lacks("r1", "h1", 2);
    host("h4", 8);
    host("h3", 8);
    host("h2", 7);
    cluster.pause("r1");
    fills("h1");

    assertThat(cluster.pass()).migrates("r1", "h3");
  }

  @Test
  void requiresTheNeedPlusAFifth() {
    lacks("r1", "h1", 5);
    host("h2", 6);
    cluster.pause("r1");
    fills("h1");
    assertDoes(cluster.pass(), 0);

    host("h3", 6.000_000_001);
    assertThat(cluster.pass()).migrates("r1", "h3");
  }

  @Test
  void grantsTheExpectedNeed() {
    runs("r1", "h1", 2, 0);
    host("h2", 10);
    cluster.usageReported("r1", memory(2), memory(1)).pause("r1");
    fills("h1");

    cluster.pass();

    assertThat(cluster.instance("r1")).isGranted(cpuAndMemory(1, 4)); // needs 3, 1 more than before
  }

  @Test
  void avoidsHostsWithStartingInstances() {
    lacks("r1", "h1", 2);
    host("h2", 10);
    host("h3", 5);
    cluster.pause("r1").starting("r2", "gold", cpuAndMemory(1, 1), "h2");
    fills("h1");
    assertThat(cluster.pass()).migrates("r1", "h3"); // the need on h2 is not known yet
  }

  @Test
  void staysWithoutAnotherHost() {
    runs("r1", "h1", 2, 0);
    cluster.pause("r1");

    assertDoes(cluster.pass(), 0);
  }

  @Test
  void triesTheNextHostAfterARefusal() {
    lacks("r1", "h1", 2);
    host("h2", 20);
    cluster.running("taker", "gold", cpuAndMemory(8, 0), "h2"); // all its cores
    host("h3", 10);
    cluster.pause("r1");
    fills("h1");

    assertThat(cluster.pass()).migrates("r1", "h3").hasNoPolicyErrors();
  }

  @Test
  void leavesInstancesThatCanResumeInPlace() {
    lacks("r1", "h1", 2);
    host("h2", 20);
    cluster.suspend("r1");

    assertDoes(cluster.pass(), 0);
  }

  @Test
  void oversubscribesMemoryWhateverThePolicyDoes() {
    Policy modest = pass -> {};

    assertThat(new Migration(1.2).before(modest).oversubscribes())
        .containsExactly(Dimension.MEMORY);
  }
}
