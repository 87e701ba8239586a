package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.meaning.Owner;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InstanceBookTest {

  private static final Owner WEB = new Owner("uid-web", "ReplicaSet", "web", Optional.empty());
  private static final PodRef FIRST = new PodRef("uid-1", "default", "web-1");
  private static final PodRef SECOND = new PodRef("uid-2", "default", "web-2");
  private static final PodRef THIRD = new PodRef("uid-3", "default", "web-3");

  private final InstanceBook book = new InstanceBook();

  @Test
  void aReplacementContinuesTheInstanceWhileTheVictimStillLeaves() {
    bound("a", FIRST);
    CompletableFuture<Void> gone = book.leaving("a", 1);
    assertThat(book.continueWith(SECOND, WEB, request("x", 1), ref -> ref.equals(FIRST)))
        .get()
        .satisfies(
            view -> {
              assertThat(view.instance()).isEqualTo("a");
              assertThat(view.pod()).isEqualTo(SECOND);
              assertThat(view.where()).isEqualTo(Where.PENDING);
            });
    assertThat(gone).isNotDone();
    assertThat(book.isCounted(FIRST.uid())).isTrue();

    assertThat(book.ended(FIRST.uid(), 2)).as("the next pod is there already").isEmpty();

    assertThat(gone).isCompleted();
    assertThat(book.isCounted(FIRST.uid())).isFalse();
    assertThat(book.podOf("a")).isCompletedWithValue(SECOND);
  }

  @Test
  void anInstanceIsNotContinuedWhileItsPodIsNotBeingDeleted() {
    bound("a", FIRST);
    CompletableFuture<Void> unused = book.leaving("a", 1);
    assertThat(book.continueWith(SECOND, WEB, request("x", 1), ref -> false)).isEmpty();
  }

  @Test
  void theInstanceThatWaitsLongestIsContinuedFirst() {
    bound("a", FIRST);
    bound("b", SECOND);
    leaves("b", SECOND, 1);
    leaves("a", FIRST, 2);
    assertThat(continued(THIRD, 1)).contains("b");
  }

  @Test
  void aPodThatAsksForOtherAmountsContinuesNothing() {
    bound("a", FIRST);
    leaves("a", FIRST, 1);
    assertThat(continued(SECOND, 2)).isEmpty();
    assertThat(continued(SECOND, 1)).contains("a");
  }

  @Test
  void thePlacementOfAnInstanceWithoutPodWaitsForTheNextOne() {
    bound("a", FIRST);
    leaves("a", FIRST, 1);
    CompletableFuture<PodRef> pod = book.podOf("a");
    assertThat(pod).isNotDone();
    continued(SECOND, 1);
    assertThat(pod).isCompletedWithValue(SECOND);
  }

  @Test
  void anInstanceThatIsForgottenLeavesNothingWaiting() {
    bound("a", FIRST);
    leaves("a", FIRST, 1);
    CompletableFuture<PodRef> pod = book.podOf("a");
    book.forget("a");
    assertThat(pod).isCompletedExceptionally();
    assertThat(book.podOf("a")).isCompletedExceptionally();
  }

  @Test
  void aPreemptionStaysWhenTheNextPodIsDeletedBeforeTheVictimHasLeft() {
    bound("a", FIRST);
    CompletableFuture<Void> gone = book.leaving("a", 1);
    assertThat(book.dropPod("a", 2)).as("its own pod leaves").isFalse();
    book.continueWith(SECOND, WEB, request("x", 1), ref -> true);

    assertThat(book.dropPod("a", 2)).isTrue();

    assertThat(gone).isNotDone();
    assertThat(book.isCounted(FIRST.uid())).isTrue();
    assertThat(book.ended(FIRST.uid(), 3)).get().satisfies(v -> assertThat(v.pod()).isNull());
    assertThat(gone).isCompleted();
  }

  @Test
  void whatTheSchedulerDoesNotKnowIsNotCounted() {
    book.enter("a", FIRST, request("a", 1), Optional.of(WEB));
    book.foundOn("a", FIRST, "h1");
    assertThat(book.isCounted(FIRST.uid())).isFalse();
    assertThat(book.uncounted()).extracting(InstanceBook.View::instance).containsExactly("a");
    book.counted("a", "h2");
    assertThat(book.isCounted(FIRST.uid())).as("it is elsewhere").isFalse();
    book.counted("a", "h1");
    assertThat(book.isCounted(FIRST.uid())).isTrue();
    assertThat(book.uncounted()).isEmpty();
  }

  @Test
  void anAnswerAboutAnEarlierPodIsIgnored() {
    bound("a", FIRST);
    leaves("a", FIRST, 1);
    continued(SECOND, 1);
    book.bound("a", FIRST, "h9", 7);
    assertThat(book.ofInstance("a"))
        .get()
        .extracting(InstanceBook.View::where)
        .isEqualTo(Where.PENDING);
  }

  private void bound(String instance, PodRef pod) {
    book.enter(instance, pod, request(instance, 1), Optional.of(WEB));
    book.bound(instance, pod, "h1", 1);
  }

  private void leaves(String instance, PodRef pod, long now) {
    CompletableFuture<Void> gone = book.leaving(instance, now);
    book.ended(pod.uid(), now);
    assertThat(gone).isCompleted();
  }

  private Optional<String> continued(PodRef pod, int cpus) {
    return book.continueWith(pod, WEB, request("x", cpus), ref -> true)
        .map(InstanceBook.View::instance);
  }

  private static Request request(String id, int cpus) {
    return Request.builder(id, "bronze")
        .demand(Resources.of(Dimension.CPU, Dimension.CPU.whole(cpus)))
        .build();
  }
}
