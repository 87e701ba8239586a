package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Completion;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.event.Event;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A pass reports to its policy which instances completed since the previous one. */
class CompletionsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private final List<List<String>> reported = new ArrayList<>(); // by each pass or preview
  private boolean fails;
  private final Cluster cluster = Cluster.withPolicy(Scheduler.builder(), context -> policy());

  /** Places what is pending on the first host, and fails after that if the test wants it. */
  private Stateless policy() {
    return new Stateless(
        pass -> {
          reported.add(words(pass.completions()));
          pass.host("h1").ifPresent(h1 -> pass.pending().forEach(each -> pass.place(each, h1)));
          if (fails) {
            throw new IllegalStateException("thrown by the test");
          }
        });
  }

  /** Runs four instances since 1 s, in two classes. */
  @BeforeEach
  void runInstances() {
    cluster.host("h1", 9).pending("a", 1).pending("b", "silver", 1).pending("c", 1).pending("d", 1);
    cluster.pass();
    cluster.at(1).started("a").started("b").started("c").started("d");
    cluster.pass();
    assertThat(reported).containsExactly(List.of(), List.of());
    reported.clear();
  }

  private static List<String> words(List<Completion> completions) {
    return completions.stream()
        .map(
            each ->
                "%s %s %s"
                    .formatted(each.request().id(), each.serviceClass().name(), each.serviceTime()))
        .map(each -> each.replaceAll("000000000$", "s"))
        .toList();
  }

  private List<String> reportedNext() {
    cluster.pass();
    return reported.remove(reported.size() - 1);
  }

  @Test
  void arguments() {
    Request request = request("a", 1).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Completion(request, Cluster.GOLD, -1))
        .withMessage("completion of instance a: service time was -1, must not be negative.");
    assertThat(new Completion(request, Cluster.GOLD, 0).serviceTime()).isZero();
  }

  @Nested
  class Reported {

    @Test
    void onceAndInOrder() {
      cluster.at(6).completed("c");
      cluster.at(7).completed("b");
      cluster.at(7).completed("a");

      assertThat(reportedNext()).containsExactly("c gold 5s", "b silver 6s", "a gold 6s");
      assertThat(reportedNext()).isEmpty();
      assertThat(cluster.at(9).completed("d").serviceTime()).isEqualTo(8 * SECOND);
      assertThat(reportedNext()).containsExactly("d gold 8s");
    }

    @Test
    void withTheServiceOfAllRuns() {
      cluster.at(3).failed("a").at(4).pass();
      cluster.at(5).started("a").at(7).completed("a");

      assertThat(reportedNext()).containsExactly("a gold 4s");
    }

    @Test
    void ifTheReportIsLate() {
      cluster.at(9).scheduler().completed(new Attempt("a", 1), 4 * SECOND, 9 * SECOND);

      assertThat(reportedNext()).containsExactly("a gold 3s");
    }

    @Test
    void ifAFleetWasFoundToHaveFinishedIt() {
      Reconciler reconciler =
          new Reconciler() {
            @Override
            public boolean hasEnded(Instance gone) {
              return gone.id().equals("b") || gone.id().equals("a");
            }
          };
      ObservedHost h1 = new ObservedHost(new HostSpec("h1", cores(9), Map.of("name", "h1")));
      cluster.cancel("b");
      cluster
          .at(3)
          .scheduler()
          .reconcile(new Observation(List.of(h1), List.of()), reconciler, 3 * SECOND);

      assertThat(reportedNext()).containsExactly("a gold 2s");
    }

    @Test
    void alsoMembersOfBagsAndGroups() {
      Request inBag = request("in-bag", 1).build();
      Request inGroup = request("in-group", 1).build();
      cluster.scheduler().submit(new BagSpec("bag", List.of(inBag)), SECOND);
      cluster
          .scheduler()
          .submit(new GroupSpec("group", List.of(inGroup), 1, GroupSpec.OnLoss.RESTORE), SECOND);
      cluster.pass();
      cluster.at(2).started("in-bag").started("in-group").at(4);
      cluster.completed("in-bag");
      cluster.completed("in-group");

      assertThat(reportedNext()).containsExactly("in-bag gold 2s", "in-group gold 2s");
    }

    @Test
    void whateverThePassDoes() {
      Request a = request("a", 1).build();
      Cluster byHand = Cluster.byHand().host("h1", 9).pending("b", 1);
      byHand.scheduler().submit(a, 0);
      byHand.place("a", "h1").started("a").at(2).completed("a");
      List<Completion> expected = List.of(new Completion(a, Cluster.GOLD, 2 * SECOND));
      List<List<Completion>> kept = new ArrayList<>();

      byHand.pass(
          pass -> {
            List<Completion> first = pass.completions();
            assertThat(first).isEqualTo(expected).isUnmodifiable();
            kept.add(first);
            try (Fork fork = pass.fork()) {
              fork.reject(byHand.instance("b"), WHY);
              assertThat(fork.completions()).isEqualTo(expected);
            }
            pass.place(byHand.instance("b"), byHand.host("h1"));
            assertThat(pass.completions()).isEqualTo(expected);
          });

      assertThat(byHand.pass().pass()).isEqualTo(3);
      assertThat(kept).containsExactly(expected);
    }
  }

  @Nested
  class NotReported {

    @Test
    void cancelledOrFailedOrLost() {
      cluster.at(2).cancel("a");
      cluster.failed("b").removed("h1");

      assertThat(reportedNext()).isEmpty();
    }

    @Test
    void cancelledWithItsBagOrGroup() {
      Request inBag = request("in-bag", 1).build();
      Request inGroup = request("in-group", 1).build();
      cluster.scheduler().submit(new BagSpec("bag", List.of(inBag)), SECOND);
      cluster
          .scheduler()
          .submit(new GroupSpec("group", List.of(inGroup), 1, GroupSpec.OnLoss.RESTORE), SECOND);
      cluster.pass();
      cluster.started("in-bag").started("in-group").at(2);
      cluster.scheduler().cancelBag("bag", WHY, 2 * SECOND);
      cluster.scheduler().cancelGroup("group", 2 * SECOND);

      assertThat(reportedNext()).isEmpty();
    }

    @Test
    void rejected() {
      Cluster byHand = Cluster.byHand().pending("a", 1);
      byHand.pass(pass -> pass.reject(byHand.instance("a"), WHY));
      byHand.pass(pass -> assertThat(pass.completions()).isEmpty());
    }
  }

  @Nested
  class Kept {

    @Test
    void byAFailedPass() {
      cluster.at(2).completed("a");
      fails = true;
      assertThatExceptionOfType(PolicyFailedException.class).isThrownBy(cluster::pass);
      fails = false;
      cluster.completed("b");

      assertThat(reportedNext()).containsExactly("a gold 1s", "b silver 1s");
      assertThat(reported).containsExactly(List.of("a gold 1s"));
    }

    @Test
    void byAPreview() {
      cluster.at(2).completed("a");
      long digest = cluster.scheduler().digest();

      cluster.scheduler().whatIf().plan(2 * SECOND);

      assertThat(reported).containsExactly(List.of("a gold 1s"));
      assertThat(cluster.scheduler().digest()).isEqualTo(digest);
      assertThat(reportedNext()).containsExactly("a gold 1s");
    }

    @Test
    void withoutThoseThatWereOnlySupposed() {
      cluster.at(2).completed("a");
      SchedulerSnapshot before = cluster.snapshotData();

      cluster
          .scheduler()
          .whatIf()
          .suppose(new Event.CompletedNow("c", Optional.empty()))
          .suppose(new Event.Cancelled("d"))
          .suppose(new Event.CompletedNow("b", Optional.empty()))
          .plan(2 * SECOND);

      assertThat(reported.remove(0)).containsExactly("a gold 1s", "c gold 1s", "b silver 1s");
      assertThat(cluster.snapshotData()).isEqualTo(before);
      assertThat(reportedNext()).containsExactly("a gold 1s");
    }

    @Test
    void byASnapshot() {
      long without = cluster.at(2).scheduler().digest();
      cluster.completed("a");
      cluster.completed("b");
      SchedulerSnapshot snapshot = cluster.snapshotData();
      Scheduler restored =
          Scheduler.builder().policy("test", context -> policy()).restore(snapshot).build();

      assertThat(restored.snapshot()).isEqualTo(snapshot);
      assertThat(restored.digest())
          .isEqualTo(snapshot.digest())
          .isEqualTo(cluster.scheduler().digest())
          .isNotEqualTo(without);
      assertThat(snapshot.completions()).hasSize(2);
      List<String> expected = reportedNext();
      restored.schedule(2 * SECOND);
      assertThat(reported).containsExactly(expected);
      assertThat(restored.snapshot().completions()).isEmpty();
      assertThat(restored.digest()).isEqualTo(cluster.scheduler().digest());
    }
  }
}
