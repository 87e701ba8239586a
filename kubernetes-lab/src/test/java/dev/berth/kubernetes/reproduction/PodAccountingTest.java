package dev.berth.kubernetes.reproduction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.reproduction.PodAccounting.Figures;
import dev.berth.kubernetes.reproduction.PodAccounting.RequestFigures;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Histories of pods that are made by hand. Times are seconds after a start. */
class PodAccountingTest {

  private static final long START = 1_700_000_000;

  private final PodAccounting accounting = new PodAccounting();

  @Test
  void servicesOfAllPodsOfARequestAddUp() {
    accounting.submitted("r", "silver");
    pod("a").createdAt(0).seen(0).on("n").seen(1).readyAt(3).seen(3);
    pod("a").createdAt(0).on("n").deletedAt(10).seen(10).gone(13);
    pod("b").createdAt(10).seen(10).on("m").seen(14).readyAt(16).seen(16);
    RequestFigures figures = only(20);
    assertThat(figures.serviceSeconds()).isEqualTo(7 + 4);
    assertThat(figures.lifeSeconds()).isEqualTo(20);
    assertThat(figures.availability()).isEqualTo(OptionalDouble.of(11 / 20.0));
    assertThat(figures.pods()).isEqualTo(2);
    assertThat(figures.preemptedRunning()).isEqualTo(1);
    assertThat(figures.isReady()).isTrue();
  }

  @Test
  void podsThatEndBeforeTheyAreReadyAreCountedApart() {
    accounting.submitted("r", "bronze");
    pod("a").createdAt(0).on("n").seen(1).deletedAt(2).seen(2).gone(3);
    pod("b").createdAt(2).seen(2).deletedAt(4).seen(4).gone(4);
    RequestFigures figures = only(10);
    assertThat(figures.preemptedRunning()).isZero();
    assertThat(figures.preemptedStarting()).isEqualTo(1);
    assertThat(figures.deletedWaiting()).isEqualTo(1);
    assertThat(figures.serviceSeconds()).isZero();
  }

  @Test
  void whatIsObservedLateCountsWithinTheSecondOfItsStamp() {
    accounting.submitted("r", "silver");
    // The watch was closed from 1 to 30 s; the list shows only the latest state.
    pod("a").createdAt(0).seen(0.4);
    pod("a").createdAt(0).on("n").readyAt(5).seen(30);
    pod("a").createdAt(0).on("n").deletedAt(35).seen(50);
    RequestFigures figures = only(100);
    assertThat(figures.lifeSeconds()).isEqualTo(99.6);
    assertThat(figures.serviceSeconds()).isEqualTo(36 - 6);
    assertThat(figures.preemptedRunning()).isEqualTo(1);
  }

  @Test
  void withinItsSecondAnEventCountsWhenItIsObserved() {
    accounting.submitted("r", "silver");
    pod("a").createdAt(0).seen(0.25).on("n").seen(0.5).readyAt(2).seen(2.75);
    assertThat(only(10).serviceSeconds()).isEqualTo(7.25);
  }

  @Test
  void aPodThatVanishesUnseenServedUntilItWasGone() {
    accounting.submitted("r", "silver");
    pod("a").createdAt(0).on("n").readyAt(2).seen(2).gone(9);
    RequestFigures figures = only(10);
    assertThat(figures.serviceSeconds()).isEqualTo(7);
    assertThat(figures.preemptedRunning()).isEqualTo(1);
    assertThat(figures.isReady()).isFalse();
  }

  @Test
  void eventsThatAreRepeatedOrLateChangeNothing() {
    accounting.submitted("r", "silver");
    for (int i = 0; i < 2; i++) {
      pod("a").createdAt(0).on("n").readyAt(2).seen(2).deletedAt(6).seen(6).gone(8);
    }
    pod("a").createdAt(0).on("n").readyAt(2).seen(9);
    RequestFigures figures = only(10);
    assertThat(figures.serviceSeconds()).isEqualTo(4);
    assertThat(figures.preemptedRunning()).isEqualTo(1);
    assertThat(figures.pods()).isEqualTo(1);
  }

  @Test
  void whatHappensAfterTheEndDoesNotCount() {
    accounting.submitted("r", "silver");
    accounting.submitted("late", "silver");
    pod("a").createdAt(0).on("n").readyAt(2).seen(2).deletedAt(12).seen(12);
    pod("b").request("late").createdAt(11).on("n").seen(11);
    Figures figures = accounting.until(at(10));
    assertThat(figures.requests()).hasSize(1);
    assertThat(figures.requests().get(0).serviceSeconds()).isEqualTo(8);
    assertThat(figures.preemptedRunning()).isZero();
    assertThat(figures.bound()).isEqualTo(1);
    assertThat(figures.ready()).isEqualTo(1);
  }

  @Test
  void aRequestWithoutAPodHasNoLifeYet() {
    accounting.submitted("r", "gold");
    assertThat(accounting.until(at(10)).requests()).isEmpty();
    assertThat(accounting.firstAdmission()).isEmpty();
    pod("a").createdAt(3).seen(3);
    assertThat(accounting.firstAdmission()).hasValue(at(3));
    assertThat(only(3).availability()).isEmpty();
    assertThat(only(4).availability()).hasValue(0);
  }

  @Test
  void podsOfOthersAreIgnored() {
    pod("a").request("unknown").createdAt(0).on("n").readyAt(1).seen(1).gone(2);
    assertThat(accounting.until(at(10)).requests()).isEmpty();
    assertThat(accounting.until(at(10)).bound()).isZero();
  }

  @Test
  void aFailedPodServesNoLongerAndIsNotPreempted() {
    accounting.submitted("r", "gold");
    pod("a").createdAt(0).on("n").readyAt(2).seen(2);
    pod("a").createdAt(0).on("n").failed().seen(5).deletedAt(6).seen(6);
    RequestFigures figures = only(10);
    assertThat(figures.serviceSeconds()).isEqualTo(3);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(figures.preemptedRunning()).isZero();
  }

  @Test
  void aSlotIsEmptyFromADeletionToTheNextBindingOnItsNode() {
    accounting.submitted("r", "bronze");
    accounting.submitted("s", "silver");
    pod("a").createdAt(0).on("n").readyAt(2).seen(2);
    pod("b").createdAt(0).on("n").readyAt(2).seen(2);
    assertThat(accounting.until(at(9)).mostOnNode()).isEqualTo(2);
    pod("a").createdAt(0).on("n").deletedAt(10).seen(10);
    pod("b").createdAt(0).on("n").deletedAt(12).seen(12);
    pod("a").createdAt(0).on("n").gone(13);
    pod("c").request("s").createdAt(9).on("n").seen(13.5);
    pod("d").request("s").createdAt(9).on("m").seen(14);
    pod("b").createdAt(0).on("n").gone(15);
    pod("e").request("s").createdAt(9).on("n").seen(16.5);
    Figures figures = accounting.until(at(20));
    assertThat(figures.emptySeconds()).hasValue((3.5 + 4.5) / 2);
    assertThat(figures.mostOnNode()).isEqualTo(2);
    assertThat(figures.boundTwice()).isZero();
  }

  @Test
  void aPodOnAnotherNodeThanBeforeWasBoundTwice() {
    accounting.submitted("r", "bronze");
    pod("a").createdAt(0).on("n").seen(1).on("m").seen(2);
    assertThat(accounting.until(at(5)).boundTwice()).isEqualTo(1);
  }

  @Test
  void theObjectiveIsMetFromItsValueOn() {
    accounting.submitted("r", "bronze");
    accounting.submitted("s", "bronze");
    pod("a").createdAt(0).seen(0).on("n").readyAt(10).seen(10);
    pod("b").request("s").createdAt(0).seen(0).on("n").readyAt(11).seen(11);
    PodFigures bronze = PodFigures.of("bronze", accounting.until(at(20)));
    assertThat(bronze.requests()).isEqualTo(2);
    assertThat(bronze.sloMet()).hasValue(0.5);
    assertThat(bronze.min()).hasValue(0.45);
    assertThat(bronze.mean()).hasValue(0.475);
    assertThat(bronze.max()).hasValue(0.5);
    assertThat(PodFigures.of("gold", accounting.until(at(20))).mean()).isEmpty();
  }

  @Test
  void aPodOfTheApiServerIsRead() {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withUid("u")
            .withName("silver-3-abcde")
            .withCreationTimestamp("2023-11-14T22:13:20Z")
            .withDeletionTimestamp("2023-11-14T22:14:30Z")
            .withDeletionGracePeriodSeconds(30L)
            .addNewOwnerReference()
            .withName("silver-3")
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .withNodeName("n")
            .endSpec()
            .withNewStatus()
            .withPhase("Running")
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .withLastTransitionTime("2023-11-14T22:13:25Z")
            .endCondition()
            .endStatus()
            .build();
    assertThat(PodSighting.of(pod))
        .isEqualTo(
            new PodSighting(
                "u",
                "silver-3",
                OptionalLong.of(START),
                Optional.of("n"),
                OptionalLong.of(START + 5),
                OptionalLong.of(START + 40),
                false));
  }

  private RequestFigures only(double end) {
    Figures figures = accounting.until(at(end));
    assertThat(figures.requests()).hasSize(1);
    return figures.requests().get(0);
  }

  private static long at(double seconds) {
    return START * 1_000 + Math.round(seconds * 1_000);
  }

  private Draft pod(String uid) {
    return new Draft(uid);
  }

  /** A pod that is being shown. */
  private final class Draft {
    private final String uid;
    private String request = "r";
    private long created;
    private Optional<String> node = Optional.empty();
    private OptionalLong ready = OptionalLong.empty();
    private OptionalLong deleted = OptionalLong.empty();
    private boolean hasFailed;

    private Draft(String uid) {
      this.uid = uid;
    }

    Draft request(String name) {
      request = name;
      return this;
    }

    Draft createdAt(long second) {
      created = START + second;
      return this;
    }

    Draft on(String name) {
      node = Optional.of(name);
      return this;
    }

    Draft readyAt(long second) {
      ready = OptionalLong.of(START + second);
      return this;
    }

    /** A pod that is being deleted is not ready. */
    Draft deletedAt(long second) {
      deleted = OptionalLong.of(START + second);
      ready = OptionalLong.empty();
      return this;
    }

    Draft failed() {
      hasFailed = true;
      ready = OptionalLong.empty();
      return this;
    }

    Draft seen(double second) {
      accounting.seen(sighting(), at(second));
      return this;
    }

    void gone(double second) {
      accounting.gone(sighting(), at(second));
    }

    private PodSighting sighting() {
      return new PodSighting(
          uid, request, OptionalLong.of(created), node, ready, deleted, hasFailed);
    }
  }
}
