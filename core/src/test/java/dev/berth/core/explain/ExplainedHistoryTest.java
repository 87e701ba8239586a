package dev.berth.core.explain;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.api.Reason.PolicyChoice;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Cluster;
import dev.berth.core.Scheduler;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.explain.WhyPending.Obstacle;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Explanations tell the instances of an id apart, and an action from those before and after it. */
class ExplainedHistoryTest {

  private static final Reason WHY = new PolicyChoice("test", "because");

  /** Runs {@code a} on the first of three hosts. */
  private Cluster cluster = withA(Scheduler.builder());

  private static Cluster withA(Scheduler.Builder settings) {
    return Cluster.byHand(settings)
        .at(5)
        .host("h1", 2)
        .host("h2", 2)
        .host("h3", 2)
        .running("a", 1, "h1");
  }

  private Explainer explain() {
    return cluster.scheduler().explain();
  }

  private void migrate(String instance, String host) {
    cluster.pass(
        pass -> pass.migrate(cluster.instance(instance), cluster.host(host), cores(1), WHY));
    cluster.started(instance);
  }

  private void pause(String instance) {
    cluster.pass(pass -> pass.pause(cluster.instance(instance), WHY));
  }

  @Nested
  class WhyMigratedTest {

    @Test
    void tellsTheMigrationToThePresentHost() {
      migrate("a", "h2");

      assertThat(explain().whyMigrated("a").orElseThrow().describe())
          .isEqualTo("migrate a from h1 to h2 with cpu 1 at 5s, in pass 2: because");
    }

    @Test
    void looksPastLaterActionsOnOthers() {
      cluster.running("b", 1, "h3");
      migrate("a", "h2");
      pause("b");

      assertThat(explain().whyMigrated("a")).map(ActionRecord::pass).contains(3L);
      assertThat(explain().whyMigrated("b")).isEmpty();
    }

    @Test
    void isEmptyOnTheHostOfAPlacement() {
      assertThat(explain().whyMigrated("a")).isEmpty();
      migrate("a", "h2");
      cluster.failed("a").place("a", "h2");

      assertThat(explain().whyHere("a")).isPresent();
      assertThat(explain().whyMigrated("a")).isEmpty();
    }

    @Test
    void isEmptyForAnInstanceOnNoHost() {
      migrate("a", "h2");
      cluster.failed("a");

      assertThat(explain().whyMigrated("a")).isEmpty();
      assertThat(explain().whyMigrated("x")).isEmpty();
    }

    /** The log has forgotten the placement that followed the migration. */
    @Test
    void isEmptyOnAnotherHostThanThatOfTheMigration() {
      cluster = withA(Scheduler.builder().decisionLog(1));
      migrate("a", "h2");
      cluster.failed("a").place("a", "h3").pending("b", 1).place("b", "h1");

      assertThat(explain().whyHere("a")).isEmpty();
      assertThat(explain().whyMigrated("a")).isEmpty();
    }

    /** The log has forgotten the placement of the second instance. */
    @Test
    void isEmptyForALaterInstanceOfTheId() {
      cluster = withA(Scheduler.builder().decisionLog(1));
      migrate("a", "h2");
      cluster.cancel("a");
      cluster.at(6).pending("a", 1).place("a", "h2").pending("b", 1).place("b", "h1");

      assertThat(explain().whyMigrated("a")).isEmpty();
    }
  }

  @Nested
  class WhyHereTest {

    /** The log has forgotten the migration. */
    @Test
    void isEmptyOnAnotherHostThanThatOfThePlacement() {
      cluster = withA(Scheduler.builder().decisionLog(1)).running("b", 1, "h3");
      cluster.failed("a").place("a", "h1").started("a");
      migrate("a", "h2");
      pause("b");

      assertThat(explain().whyHere("a")).isEmpty();
    }
  }

  @Nested
  class WhyAdjustedTest {

    @Test
    void tellsAnActionAtTheTimeOfAdmission() {
      pause("a");

      assertThat(explain().whyAdjusted("a")).map(ActionRecord::now).contains(cluster.now());
    }

    @Test
    void isEmptyForALaterInstanceOfTheId() {
      pause("a");
      cluster.cancel("a");
      cluster.at(6).pending("a", 1);

      assertThat(explain().whyAdjusted("a")).isEmpty();
    }
  }

  @Nested
  class WhyPendingTest {

    private WhyPending why(String instance) {
      return explain().whyPending(instance, cluster.now());
    }

    private void submitBag(String member) {
      cluster
          .scheduler()
          .submit(new BagSpec("bag", List.of(request(member, 1).build())), cluster.now());
    }

    private void deferBag(SchedulingPass pass) {
      pass.defer(pass.bags().get(0), WHY);
    }

    @Test
    void repeatsTheDeferralOfItsBag() {
      submitBag("b");
      cluster.pending("c", 1).pass(this::deferBag);

      assertThat(why("b").deferral()).contains(WHY);
      assertThat(why("c").deferral()).isEmpty();
    }

    @Test
    void ignoresTheDeferralOfAnEarlierBagOfTheId() {
      submitBag("b");
      cluster.pass(this::deferBag);
      cluster.cancel("b");
      submitBag("b");

      assertThat(why("b").deferral()).isEmpty();
    }

    @Test
    void ignoresErrorsAboutAnInstanceOfACancelledBag() {
      submitBag("b");
      Plan plan =
          cluster.pass(
              pass -> {
                pass.resume(cluster.instance("b"), cores(1), WHY);
                pass.cancel(pass.bags().get(0), WHY);
              });
      assertThat(plan.policyErrors()).hasSize(1);
      submitBag("b");

      assertThat(why("b").policyErrors()).isEmpty();
    }

    @Test
    void tellsObstaclesOfDifferentCodesApart() {
      cluster =
          Cluster.of(
              parts ->
                  parts.filter(
                      (instance, host, now) ->
                          host.id().equals("h2") ? Optional.of(WHY) : Optional.empty()));
      cluster.host("h1", 4).running(request("a", 1).job("j"), "h1").host("h2", 4);
      cluster.pending(request("b", 1).job("j").antiAffinity(true));

      assertThat(why("b").obstacles())
          .extracting(Obstacle::text)
          .containsExactlyInAnyOrder("with another instance of job j", "because");
    }
  }
}
