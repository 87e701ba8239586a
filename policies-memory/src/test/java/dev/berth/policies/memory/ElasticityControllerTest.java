package dev.berth.policies.memory;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ElasticityControllerTest {

  /** The controller alone, on one host with 8 cores and 10 GB. */
  private final TestCluster cluster = controlled(Elasticity.DEFAULT);

  private static TestCluster controlled(Elasticity settings) {
    return TestCluster.withPolicy(
            context ->
                new ElasticityController(settings.period(), settings.headroom(), settings.rule())
                    .over(pass -> {}))
        .host("h1", cpuAndMemory(8, 10));
  }

  private static Resources memory(double gigabytes) {
    return cpuAndMemory(0, gigabytes);
  }

  private static Resources granting(double gigabytes) {
    return cpuAndMemory(1, gigabytes);
  }

  /** Starts a running instance with a memory demand and 0.5 GB guaranteed. */
  private static void runs(TestCluster cluster, String id, double gigabytes) {
    cluster
        .after(Duration.ofSeconds(1)) // so that the order of admission is that of the test
        .running(request(id, gigabytes), "h1");
  }

  private static Request request(String id, double gigabytes) {
    return Request.builder(id, "gold")
        .demand(cpuAndMemory(1, gigabytes))
        .guaranteed(cpuAndMemory(1, 0.5))
        .build();
  }

  private void reports(String id, double used, double lacking) {
    cluster.usageReported(id, memory(used), memory(lacking));
  }

  private void reportsTwice(String id, double used, double lacking) {
    reports(id, used, lacking);
    reports(id, used, lacking);
  }

  // ---- Growing and shrinking

  @Test
  void reclaimsUnusedMemory() {
    runs(cluster, "r1", 4);
    reportsTwice("r1", 2, 0);

    assertThat(cluster.pass()).resizes("r1", granting(2.2)).hasNoPolicyErrors();
    assertThat(cluster.pass()).isEmpty();
  }

  /** The rule of Moltó et al.: nothing within 80 to 120 % of the headroom, and no pause. */
  @Test
  void mopKeepsAShareFree() {
    TestCluster mop =
        controlled(
            new Elasticity(true, Elasticity.Rule.MOP, Duration.ofSeconds(5), 0.5, true, 1.2));
    runs(mop, "r1", 4);
    runs(mop, "r2", 4);
    mop.usageReported("r1", memory(2.51)).usageReported("r1", memory(2.51)); // 59 % free
    mop.usageReported("r2", memory(2.84)).usageReported("r2", memory(2.84)); // 41 %
    assertThat(mop.pass()).isEmpty();

    mop.usageReported("r1", memory(2.49)).usageReported("r2", memory(2.87));
    assertThat(mop.pass())
        .resizes("r1", granting(2.49 * 1.5))
        .resizes("r2", granting(2.87 * 1.5))
        .hasNoPolicyErrors();

    mop.usageReported("r1", memory(9), memory(4)).usageReported("r2", memory(9), memory(4));
    mop.usageReported("r1", memory(9), memory(4)).usageReported("r2", memory(9), memory(4));
    Plan full = mop.pass();
    assertThat(full.actions()).hasOnlyElementsOfType(Action.Resize.class);
    assertThat(mop.pass()).isEmpty();
  }

  @Test
  void leavesTheConfiguredHeadroom() {
    TestCluster generous =
        controlled(
            new Elasticity(true, Elasticity.Rule.MEC, Duration.ofSeconds(5), 0.5, true, 1.2));
    runs(generous, "r1", 4);
    generous.usageReported("r1", memory(2)).usageReported("r1", memory(2));

    assertThat(generous.pass()).resizes("r1", granting(3));
  }

  @Test
  void reclaimsNothingAfterOneReport() {
    runs(cluster, "r1", 4);
    reports("r1", 2, 0);

    assertThat(cluster.pass()).isEmpty();
  }

  @Test
  void neverReclaimsGuaranteedMemory() {
    runs(cluster, "r1", 4);
    reportsTwice("r1", 0.1, 0);

    assertThat(cluster.pass()).resizes("r1", granting(0.5));
  }

  @Test
  void grantsCurrentAndExpectedShortfall() {
    runs(cluster, "r1", 2);
    reports("r1", 1, 0);
    reports("r1", 2, 1);

    // It needs 3, 2 more than before: 5 are expected, and a tenth on top.
    assertThat(cluster.pass()).resizes("r1", granting(5.5));
  }

  @Test
  void leavesNoHeadroomUnderPressure() {
    runs(cluster, "r1", 2);
    runs(cluster, "r2", 4.8);
    reportsTwice("r1", 2, 2.6);
    reportsTwice("r2", 4.8, 0);

    // With headroom they need 5.06 and 5.28 of 10; so r1 gets its need and r2 keeps its grant.
    assertThat(cluster.pass()).resizes("r1", granting(4.6));
    assertThat(cluster.instance("r2")).isGranted(granting(4.8));
  }

  @Test
  void expectsNoGrowthUnderPressure() {
    runs(cluster, "r1", 2);
    runs(cluster, "r2", 6);
    reports("r1", 2, 0);
    reports("r1", 2, 1.5);
    reportsTwice("r2", 6, 0);

    // r1 grew by 1.5 to 3.5, so 5 would be expected; only 4 are available.
    assertThat(cluster.pass()).resizes("r1", granting(3.5));
  }

  @Test
  void movesMemoryBetweenInstances() {
    runs(cluster, "r1", 6);
    runs(cluster, "r2", 4);
    reportsTwice("r1", 2, 0);
    reportsTwice("r2", 4, 2);

    assertThat(cluster.pass()).resizes("r1", granting(2.2)).resizes("r2", granting(6.6));
  }

  @Test
  void servesInstancesShortOfMemoryFirst() {
    runs(cluster, "r1", 5);
    runs(cluster, "r2", 4);
    reports("r1", 2, 0);
    reports("r1", 5, 0); // is expected to need more
    reports("r2", 4, 3); // lacks memory now, for the first time

    assertThat(cluster.pass()).resizes("r2", granting(5)).hasNoPolicyErrors();
    assertThat(cluster.instance("r1")).isGranted(granting(5));
  }

  @Test
  void skipsInstancesWithoutReports() {
    runs(cluster, "r1", 2);
    assertThat(cluster.pass()).isEmpty();

    runs(cluster, "r2", 4);
    reportsTwice("r2", 1, 0);
    Plan plan = cluster.pass();

    assertThat(plan).resizes("r2", granting(1.1));
    assertThat(plan.actions()).hasSize(1);
  }

  // ---- Pausing and suspending

  /** Three instances fill the host; the last two admitted lack memory. */
  private void fill() {
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 3);
    runs(cluster, "r3", 3);
    reportsTwice("r1", 4, 0);
    reportsTwice("r2", 3, 1);
    reportsTwice("r3", 3, 1);
  }

  @Test
  void pausesTheLastAdmittedInstanceShortOfMemoryTwice() {
    fill();

    Plan plan = cluster.pass();

    assertThat(plan).pauses("r3").hasNoPolicyErrors();
    assertThat(plan.actions()).hasSize(1);
  }

  @Test
  void pausesNoneAfterOneShortfall() {
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 6);
    reportsTwice("r1", 4, 0);
    reports("r2", 6, 0);
    reports("r2", 6, 1);

    assertThat(cluster.pass()).isEmpty();
  }

  @Test
  void pausesNoLoneInstance() {
    runs(cluster, "r1", 10);
    reportsTwice("r1", 10, 1);

    assertThat(cluster.pass()).isEmpty();
  }

  @Test
  void suspendsTheLargestPausedInstanceAndReassignsItsMemory() {
    runs(cluster, "r0", 1);
    fillAround("r0", 1);
    cluster.pause("r0").pause("r2").after(Duration.ofSeconds(5));
    reportsTwice("r1", 4, 1);

    Plan plan = cluster.pass();

    // r2 held 3, r0 only 1. r1 gets what it needs.
    assertThat(plan).suspends("r2").resizes("r1", granting(5)).hasNoPolicyErrors();
    assertThat(cluster.instance("r0")).isPaused();
  }

  private void fillAround(String other, double held) {
    assertThat(cluster.instance(other)).isGranted(granting(held));
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 3);
    runs(cluster, "r3", 2);
    reportsTwice("r2", 3, 0);
    reportsTwice("r3", 2, 0);
  }

  @Test
  void resumesInOrderOfNeed() {
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 3);
    runs(cluster, "r3", 2);
    reportsTwice("r1", 4, 0);
    reportsTwice("r2", 3, 0);
    reportsTwice("r3", 2, 0);
    cluster.suspend("r2").suspend("r3").resize("r1", granting(5.5));
    reportsTwice("r1", 5, 0);

    // 4.5 are left: r3 resumes with 2, and 2.5 are too little for r2.
    Plan plan = cluster.pass();

    assertThat(plan).resumes("r3", granting(2)).hasNoPolicyErrors();
    assertThat(plan.actions()).hasSize(1);
    assertThat(cluster.instance("r2")).isSuspended();
  }

  @Test
  void resumesPausedInstanceWithItsGrant() {
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 3);
    reportsTwice("r1", 4, 0);
    reportsTwice("r2", 2, 0);
    cluster.pause("r2").resize("r1", granting(4.4));

    assertThat(cluster.pass()).resumes("r2", granting(3));
  }

  @Test
  void resumesNoneDuringAShortfall() {
    fill();
    cluster.pass();
    assertThat(cluster.instance("r3")).isPaused();
    assertThat(cluster.pass()).isEmpty(); // r2 has not reported since

    cluster.after(Duration.ofSeconds(5));
    reportsTwice("r2", 3, 1);
    Plan plan = cluster.pass();

    assertThat(plan).suspends("r3").resizes("r2", granting(4));
    assertThat(cluster.instance("r3")).isSuspended();
  }

  @Test
  void resumesOneWithTheAvailableMemory() {
    runs(cluster, "r1", 4);
    runs(cluster, "r2", 4);
    reportsTwice("r1", 4, 20);
    reportsTwice("r2", 4, 30);
    cluster.suspend("r1").suspend("r2");

    // Neither can get its need; the one that needs less gets all available memory.
    assertThat(cluster.pass()).resumes("r1", granting(10)).hasNoPolicyErrors();
    assertThat(cluster.instance("r2")).isSuspended();
  }

  @Test
  void keepsAtLeastOneInstanceRunning() {
    fill();
    for (int pass = 0; pass < 20; pass++) {
      for (String id : new String[] {"r1", "r2", "r3"}) {
        if (cluster.instance(id).state() == InstanceState.RUNNING) {
          reports(id, cluster.instance(id).granted().amount(Dimension.MEMORY) / 1e9, 2);
        }
      }
      Plan plan = cluster.after(Duration.ofSeconds(5)).pass();
      assertThat(plan).hasNoPolicyErrors();
      assertThat(plan.actions().stream().map(each -> ((Action.OnInstance) each).instance()))
          .doesNotHaveDuplicates();
      cluster.scheduler().instances().stream()
          .filter(each -> each.state() == InstanceState.STARTING)
          .map(each -> each.id())
          .toList()
          .forEach(cluster::ready);
      assertThat(cluster.scheduler().instances())
          .anyMatch(each -> each.state() == InstanceState.RUNNING);
    }
  }

  // ---- Above other policies

  @Test
  void keepsTheShorterWatchdogAndAllOversubscribedDimensions() {
    AtomicReference<Policy> made = new AtomicReference<>();
    TestCluster.withPolicy(
        context -> {
          made.set(
              new ElasticityController(Elasticity.DEFAULT.period(), Elasticity.DEFAULT.headroom())
                  .over(
                      context
                          .pipeline()
                          .oversubscribe(Set.of(Dimension.CPU))
                          .watchdog(Duration.ofSeconds(2))
                          .build()));
          return made.get();
        });
    assertThat(made.get().watchdog()).contains(Duration.ofSeconds(2));
    assertThat(made.get().oversubscribes())
        .containsExactlyInAnyOrder(Dimension.CPU, Dimension.MEMORY);

    ElasticityController controller =
        new ElasticityController(Elasticity.DEFAULT.period(), Elasticity.DEFAULT.headroom());
    assertThat(controller.over(pass -> {}).watchdog()).contains(Duration.ofSeconds(5));
  }

  @Test
  void runsAboveAPipeline() {
    TestCluster piped =
        TestCluster.withPolicy(
                context ->
                    new ElasticityController(
                            Elasticity.DEFAULT.period(), Elasticity.DEFAULT.headroom())
                        .over(context.pipeline().build()))
            .host("h1", cpuAndMemory(8, 10));
    runs(piped, "r1", 4);
    piped
        .usageReported("r1", memory(1))
        .usageReported("r1", memory(1))
        .pending("r2", "gold", cpuAndMemory(1, 6));

    assertThat(piped.pass())
        .places("r2")
        .on("h1")
        .grantingItsDemand()
        .resizes("r1", granting(1.1))
        .hasNoPolicyErrors();
  }

  @Test
  void skipsInstancesThePolicyActedOn() {
    Reason why = new Reason.PolicyChoice("test", "the test wants it");
    TestCluster acted =
        TestCluster.withPolicy(
                context ->
                    new ElasticityController(
                            Elasticity.DEFAULT.period(), Elasticity.DEFAULT.headroom())
                        .over(
                            pass -> {
                              pass.instance("r1")
                                  .ifPresent(each -> pass.resize(each, granting(3), why));
                              pass.instance("r2")
                                  .filter(each -> each.state() == InstanceState.RUNNING)
                                  .ifPresent(each -> pass.pause(each, why));
                            }))
            .host("h1", cpuAndMemory(8, 10));
    runs(acted, "r1", 4);
    runs(acted, "r2", 2);
    acted.usageReported("r1", memory(1)).usageReported("r1", memory(1));
    acted.usageReported("r2", memory(1)).usageReported("r2", memory(1));

    // The controller would take memory from r1 and resume r2.
    assertThat(acted.pass()).resizes("r1", granting(3)).pauses("r2").hasNoPolicyErrors();
  }
}
