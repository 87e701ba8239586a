package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static dev.berth.core.Jobs.job;
import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rejection of jobs that cannot meet their deadline. */
class DeadlineAdmissionTest {

  private final Cluster cluster = Cluster.of(parts -> parts.admission(Admission.IN_TIME));

  @Test
  void rejectsJobThatWillMissItsDeadline() {
    cluster.pending(job("a", 1, 4).deadline(Duration.ofSeconds(10)));

    assertThat(cluster.at(6).pass().actions()).as("could just be in time").isEmpty();

    Reason why = new Reason.DeadlineUnreachable(1);
    Plan plan = cluster.atNanos(6 * SECOND + 1).host("h1", 4).pass();
    assertThat(plan.actions()).containsExactly(new Action.Reject("a", why));
    assertThat(plan.deferrals()).isEmpty();
    assertThat(cluster.scheduler().instances()).isEmpty();
    assertThat(cluster.scheduler().pendingCount()).isZero();
    assertThat(cluster.scheduler().explain().whyAdjusted("a").orElseThrow().describe())
        .isEqualTo(
            "reject a at 6.000000001s, in pass 2: would miss its deadline by 0.000000001s even if it started now");
  }

  @Test
  void deadlineCountsFromAdmission() {
    cluster.at(100).pending(job("a", 1, 4).deadline(Duration.ofSeconds(10)));

    assertThat(cluster.at(106).pass().actions()).isEmpty();
    assertThat(cluster.at(107).pass().actions())
        .containsExactly(new Action.Reject("a", new Reason.DeadlineUnreachable(SECOND)));
  }

  @Test
  void rejectsHopelessJobAtOnce() {
    cluster.host("h1", 4).pending(job("a", 1, 10).deadline(Duration.ofSeconds(7)));

    assertThat(cluster.pass().actions())
        .containsExactly(new Action.Reject("a", new Reason.DeadlineUnreachable(3 * SECOND)));
  }

  @Test
  void keepsJobsWithoutDeadlineOrEstimate() {
    cluster.pending(job("a", 1, 10)).pending(request("b", 1).deadline(Duration.ofSeconds(1)));

    assertThat(cluster.at(1_000_000).pass().actions()).isEmpty();
  }

  @Test
  void keepsJobsPlacedBefore() {
    cluster.host("h1", 4).running(job("a", 1, 4).deadline(Duration.ofSeconds(10)), "h1");
    cluster.starting(job("b", 1, 4).deadline(Duration.ofSeconds(10)), "h1");
    cluster.at(1).failed("a").failed("b").removed("h1");

    assertThat(cluster.at(100).pass().actions()).isEmpty();
    assertThat(cluster.scheduler().pendingCount()).isEqualTo(2);
  }

  @Test
  void rejectedJobBlocksNoOther() {
    Cluster strict =
        Cluster.of(parts -> parts.admission(Admission.IN_TIME).backfill(Backfill.NONE));
    strict.host("h1", 4).running(job("r", 2, 0), "h1");
    strict.pending(job("late", 4, 10).deadline(Duration.ofSeconds(9)));

    assertThat(instances(strict.at(1).pending(job("b", 1, 1)).pass())).containsExactly("b");
  }

  @Test
  void rejectsVeryLongRuns() {
    cluster.pending(
        request("a", 1)
            .estimatedRunTime(Duration.ofNanos(Long.MAX_VALUE))
            .deadline(Duration.ofNanos(1)));

    assertThat(cluster.atNanos(500).pass().actions())
        .containsExactly(new Action.Reject("a", new Reason.DeadlineUnreachable(Long.MAX_VALUE)));
  }

  @Test
  void idOfARejectedJobIsFree() {
    cluster.pending(job("a", 1, 10).deadline(Duration.ofSeconds(7))).pass();

    assertThat(cluster.pending(job("a", 1, 10)).pass().actions()).isEmpty();
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void admitsEveryJobByDefault() {
    Cluster any = Cluster.of(parts -> parts).host("h1", 4);

    assertThat(instances(any.pending(job("a", 1, 10).deadline(Duration.ofSeconds(7))).pass()))
        .containsExactly("a");
  }

  @Test
  void rejectsInQueueOrderNotInOrderOfLatestStart() {
    cluster.pending(job("a", 1, 1).deadline(Duration.ofSeconds(9)));
    cluster.pending(job("b", 1, 4).deadline(Duration.ofSeconds(9)));
    cluster.pending(job("c", 1, 4).deadline(Duration.ofSeconds(9)));

    assertThat(cluster.at(9).pass().actions())
        .containsExactly(
            new Action.Reject("a", new Reason.DeadlineUnreachable(SECOND)),
            new Action.Reject("b", new Reason.DeadlineUnreachable(4 * SECOND)),
            new Action.Reject("c", new Reason.DeadlineUnreachable(4 * SECOND)));
  }

  /** The next request takes the place of the supposed one, and must be in time as well. */
  @Test
  void requestThatWasOnlySupposedIsForgotten() {
    Event<?> supposed =
        new Event.Submitted(job("a", 1, 4).deadline(Duration.ofSeconds(10)).build());
    cluster.scheduler().whatIf().suppose(supposed).plan(0);
    cluster.pending(job("b", 1, 4).deadline(Duration.ofSeconds(10)));

    assertThat(cluster.at(7).pass().actions())
        .containsExactly(new Action.Reject("b", new Reason.DeadlineUnreachable(SECOND)));
  }
}
