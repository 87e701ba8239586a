package dev.berth.core;

import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Jobs.moldable;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.PolicyFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the queues of a pipeline start groups, and what waits for them. */
class GroupsInPipelinesTest {

  private static final MonotonePreemptionRule LESS_IMPORTANT = TestParts.LESS_IMPORTANT::judge;

  /** A filter, even one that allows all, makes a pipeline decide in queue order. */
  private static PipelineBuilder inOrder(PipelineBuilder parts, Backfill backfill) {
    return parts.backfill(backfill).filter((instance, host, now) -> Optional.empty());
  }

  private static PipelineBuilder preempting(PipelineBuilder parts) {
    return parts.preemption(TestParts.latestFirst(), LESS_IMPORTANT);
  }

  private static void submit(Cluster cluster, int minCount, Request.Builder... members) {
    List<Request> requests = Stream.of(members).map(Request.Builder::build).toList();
    cluster
        .scheduler()
        .submit(new GroupSpec("g", requests, minCount, GroupSpec.OnLoss.RESTORE), cluster.now());
  }

  private static Reason incomplete(int found, int required, boolean exact) {
    return new Reason.GroupIncomplete("g", found, required, exact);
  }

  // ---- In queue order

  /** Otherwise a request between its members would take their room. */
  @Test
  void groupStartsInTheTurnOfItsFirstMemberAlthoughThatHasNoRoom() {
    Cluster cluster =
        Cluster.of(parts -> inOrder(parts, Backfill.AGGRESSIVE).queue(each -> each.id().charAt(0)));
    cluster.host("h1", 4).running("r", 3, "h1");
    submit(cluster, 1, request("a", 4), request("c", 1));
    cluster.pending("b", 1);

    assertThat(instances(cluster.pass())).containsExactly("c");
  }

  @Test
  void groupWaitsForHostsIfAllAreClosed() {
    Cluster cluster =
        Cluster.of(parts -> inOrder(parts, Backfill.AGGRESSIVE)).host("h1", 4).cordoned("h1");
    submit(cluster, 1, request("a", 1), request("b", 1));
    cluster.pass();

    assertThat(cluster.reasonsToWait())
        .isEqualTo(Map.of("a", incomplete(0, 1, false), "b", incomplete(0, 1, false)));
  }

  @ParameterizedTest
  @EnumSource
  void othersFollowAGroupThatStarts(Backfill backfill) {
    Cluster cluster = Cluster.of(parts -> inOrder(parts, backfill)).host("h1", 4);
    submit(cluster, 2, request("a", 1), request("b", 1));
    cluster.at(1).pending("c", 1);

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("a", "b", "c");
    assertThat(plan.blockedHead()).isEmpty();
  }

  /** It waits for room like any other request, which a short job does not delay. */
  @ParameterizedTest
  @EnumSource(names = {"EASY", "CONSERVATIVE"})
  void jobsOvertakeAMemberThatItsGroupCanStartWithout(Backfill backfill) {
    Cluster cluster = Cluster.of(parts -> inOrder(parts, backfill)).host("h1", 4);
    submit(cluster, 1, job("a", 3, 10), job("b", 3, 10));
    cluster.at(1).pending(job("short", 1, 5));

    Plan plan = cluster.pass();

    assertThat(instances(plan)).containsExactly("a", "short");
    assertThat(plan.blockedHead()).contains("b");
  }

  @Test
  void noJobOvertakesAGroupThatWaitsBehindTheHead() {
    Cluster cluster =
        Cluster.of(parts -> inOrder(parts, Backfill.CONSERVATIVE))
            .host("h1", 4)
            .running(job("r", 2, 10), "h1")
            .pending(job("head", 4, 10));
    cluster.at(1);
    submit(cluster, 2, job("a", 3, 5), job("b", 3, 5));
    cluster.at(2).pending(job("short", 1, 1));

    assertThat(cluster.pass().actions()).isEmpty();
  }

  /** They need the same, but only one of them can do with less. */
  @Test
  void eachMemberIsTriedIfSomeCanBeMolded() {
    Cluster cluster =
        Cluster.of(parts -> parts.backfill(Backfill.NONE).molding(new Molding(4)))
            .host("h1", 8)
            .running("r", 4, "h1");
    submit(cluster, 1, job("a", 8, 10), moldable("b", 8, 10));

    assertThat(instances(cluster.pass())).containsExactly("b");
  }

  @Test
  void interruptionEndsThePassBetweenTwoMembers() {
    List<String> asked = new ArrayList<>();
    Cluster cluster =
        Cluster.of(
            parts ->
                parts.filter(
                    (instance, host, now) -> {
                      asked.add(instance.id());
                      Thread.currentThread().interrupt();
                      return Optional.empty();
                    }));
    submit(cluster.host("h1", 4), 2, request("a", 1), request("b", 1));
    try {
      assertThatExceptionOfType(PolicyFailedException.class).isThrownBy(cluster::pass);
    } finally {
      Thread.interrupted(); // for the tests that follow
    }
    assertThat(asked).containsOnly("a");
  }

  // ---- What is known of the others if one member finds no host

  /** Where hosts are not shared by class, as when the log lists the best of all. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "AGGRESSIVE"})
  void oneFailureOfAlikeMembersIsEnough(Backfill backfill) {
    int[] judged = {0};
    MonotonePreemptionRule counting =
        pair -> {
          judged[0]++;
          return TestParts.LESS_IMPORTANT.judge(pair);
        };
    Cluster cluster =
        Cluster.of(
                Scheduler.builder().topScores(1),
                parts -> parts.preemption(TestParts.latestFirst(), counting).backfill(backfill))
            .host("h1", 4)
            .running("r", 4, "h1");
    submit(cluster, 1, request("a", 1), request("b", 1), request("c", 1));

    assertThat(cluster.pass().actions()).isEmpty();

    assertThat(judged[0]).isEqualTo(1);
    assertThat(cluster.reasonsToWait()).containsEntry("c", incomplete(0, 1, true));
  }

  /** The victims of both members share a budget. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countOfHostsIsExactIfNothingIsPreempted(boolean preempts) {
    Cluster cluster = Cluster.of(parts -> preempts ? preempting(parts) : parts).host("h1", 1);
    cluster.scheduler().setBudget("web", DisruptionBudget.maxDown(1), 0);
    submit(cluster, 2, request("a", 1), request("b", 1));
    cluster.pass();

    assertThat(cluster.reasonsToWait()).containsEntry("a", incomplete(1, 2, !preempts));
  }

  @Test
  void countOfHostsIsNotExactIfMembersMayPreemptDifferentVictims() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(TestParts.victimsBy(Map.of("b", 1L)), LESS_IMPORTANT))
            .host("h1", 1);
    submit(cluster, 2, request("a", 1), request("b", 1));
    cluster.pass();

    assertThat(cluster.reasonsToWait()).containsEntry("a", incomplete(1, 2, false));
  }

  // ---- By class

  @Test
  void membersThatAreNotServedWait() {
    Cluster cluster = Cluster.of(parts -> parts.serve(each -> !each.id().equals("b")));
    submit(cluster.host("h1", 4), 1, request("a", 1), request("b", 1), request("c", 1));

    assertThat(instances(cluster.pass())).containsExactly("a", "c");
  }

  /** {@code late} is like {@code early}, which found no room before the group made some. */
  @Test
  void roomThatAGroupMakesByPreemptionServesThoseBehindIt() {
    Cluster cluster =
        Cluster.of(
                parts ->
                    preempting(parts)
                        .queue(TestParts.queueBy(Map.of("early", 1L, "a", 2L, "late", 3L))))
            .host("h1", 4)
            .running("r", "bronze", 4, "h1");
    cluster.pending("early", "bronze", 2).pending("late", "bronze", 2);
    submit(cluster, 1, request("a", 1));

    assertThat(instances(cluster.pass())).containsExactly("a", "late");
  }
}
