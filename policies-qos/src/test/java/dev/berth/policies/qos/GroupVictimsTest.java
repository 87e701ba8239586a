package dev.berth.policies.qos;

import static dev.berth.testkit.TestCluster.cpu;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.testkit.TestCluster;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups as victims, under each policy that preempts: as a whole or not at all. */
class GroupVictimsTest {

  @ParameterizedTest
  @ValueSource(strings = {"priority", "qos-driven", "qos-hysteresis", "qos-attained"})
  @Retention(RetentionPolicy.RUNTIME)
  private @interface EachPolicy {}

  /** Starts a group whose members fill the hosts h1 to h3, and lets it run ahead. */
  private static TestCluster with(String policy, int minCount, String classOfC) {
    TestCluster cluster =
        TestCluster.withPolicy(policy)
            .host("h1", cpu(1), "disk", "fast")
            .host("h2", cpu(1), "disk", "fast")
            .host("h3", cpu(1), "disk", "slow");
    List<Request> members =
        Stream.of("a", "b", "c")
            .map(
                id ->
                    Request.builder(id, id.equals("c") ? classOfC : "bronze")
                        .demand(cpu(1))
                        .job("gang"))
            .map(Request.Builder::build)
            .toList();
    cluster
        .scheduler()
        .submit(new GroupSpec("g", members, minCount, GroupSpec.OnLoss.RESTORE), cluster.now());
    cluster.pass().placements().forEach(each -> cluster.ready(each.instance()));
    return cluster.at(ofHours(1));
  }

  private static List<String> preempted(Plan plan) {
    return plan.preemptions().stream().map(Action.Preempt::instance).toList();
  }

  private static int onHosts(TestCluster cluster) {
    return cluster.scheduler().group("g").orElseThrow().onHosts();
  }

  @EachPolicy
  void aGroupOnSeveralHostsLeavesAsAWhole(String policy) {
    TestCluster cluster = with(policy, 3, "bronze").pending("x", "gold", cpu(1));

    Plan plan = cluster.pass();

    assertThat(preempted(plan)).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(plan.placements()).extracting(Action.Place::instance).containsExactly("x");
    assertThat(cluster.scheduler().explain().whyPreempted("b").orElseThrow().describe())
        .contains("for x on h", "as all of its group");
  }

  /** Its members were of no use while one was missing. */
  @EachPolicy
  void aGroupThatWasJustRestoredIsNotBroken(String policy) {
    TestCluster cluster = with(policy, 3, "bronze").removeHost("h3");
    cluster.pass();
    cluster
        .at(ofHours(2))
        .host("h3", cpu(1), "disk", "slow")
        .submit(
            Request.builder("x", policy.equals("priority") ? "gold" : "bronze")
                .demand(cpu(1))
                .constraint(new Constraint.Equal("disk", "fast"))
                .build());
    cluster.pass();

    assertThat(onHosts(cluster)).isIn(0, 3);
    cluster.after(ofMinutes(1)).pass();
    assertThat(onHosts(cluster)).isIn(0, 3);
  }

  @EachPolicy
  void anotherVictimSparesTheGroup(String policy) {
    TestCluster cluster =
        with(policy, 3, "bronze")
            .host("h4", cpu(1))
            .running("alone", "bronze", cpu(1), "h4")
            .after(ofMinutes(30))
            .pending("x", "gold", cpu(1));

    assertThat(preempted(cluster.pass())).containsExactly("alone");
  }

  @EachPolicy
  void aMemberThatTheGroupDoesNotNeedLeavesAlone(String policy) {
    TestCluster cluster = with(policy, 2, "bronze").pending("x", "gold", cpu(1));

    assertThat(preempted(cluster.pass())).hasSize(1);
    cluster.pending("y", "gold", cpu(1));
    assertThat(preempted(cluster.pass())).hasSize(2);
    assertThat(onHosts(cluster)).isZero();
  }

  @Test
  void aMemberThatMayNotLeaveKeepsTheGroup() {
    TestCluster cluster = with("priority", 3, "gold").pending("x", "gold", cpu(1));

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(cluster.scheduler().explain().whyPending("x", cluster.now()).describe())
        .contains("group g leaves as a whole or not at all, but c stays: of no lower priority");
  }

  @EachPolicy
  void aBudgetCountsAllMembers(String policy) {
    TestCluster cluster = with(policy, 3, "bronze").pending("x", "gold", cpu(1));
    cluster.scheduler().setBudget("gang", DisruptionBudget.maxDown(2), cluster.now());
    assertThat(cluster.pass().actions()).isEmpty();

    cluster.scheduler().setBudget("gang", DisruptionBudget.maxDown(3), cluster.now());
    assertThat(preempted(cluster.pass())).hasSize(3);
  }
}
