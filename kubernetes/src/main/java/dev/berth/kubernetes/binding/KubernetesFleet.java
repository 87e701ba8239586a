package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.runtime.ActionImpossibleException;
import dev.berth.runtime.Fleet;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries plans out on a cluster: it binds pods to nodes, and deletes those that are preempted.
 *
 * <p>A preemption is carried out once its pod is gone, so that a kubelet never has two pods in the
 * room of one.
 */
final class KubernetesFleet extends Part implements Fleet {

  private static final Logger LOG = LoggerFactory.getLogger(KubernetesFleet.class);

  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final NodeRoom room;
  private final Optional<String> evictions;
  private final Histories histories;
  private final Ledger ledger;
  private final Survey survey;
  private final PodTracker tracker;

  /** Placements that are no longer wanted although a request may be under way for them. */
  private final Set<ActionId> takenBack = ConcurrentHashMap.newKeySet();

  /**
   * @param evictions the version of the API by which victims are evicted, so that the API server
   *     respects disruption budgets; empty to delete them
   */
  KubernetesFleet(
      Part shared,
      NodeRoom room,
      Optional<String> evictions,
      Histories histories,
      Ledger ledger,
      Survey survey,
      PodTracker tracker) {
    super(shared);
    this.room = room;
    this.evictions = evictions;
    this.histories = histories;
    this.ledger = ledger;
    this.survey = survey;
    this.tracker = tracker;
  }

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    if (action instanceof Action.Place place) {
      return book.podOf(place.instance())
          .exceptionallyCompose(gone -> impossible(String.valueOf(gone.getMessage())))
          .thenCompose(
              pod ->
                  loop.historyOf(place.instance())
                      .thenCompose(history -> bind(id, place, pod, history)))
          .whenComplete((done, failure) -> takenBack.remove(id));
    } else if (action instanceof Action.Preempt preempt) {
      return leave(preempt.instance(), "preempted for " + preempt.beneficiary());
    } else if (action instanceof Action.Evict evict) {
      return leave(evict.instance(), evict.why().describe());
    } else if (action instanceof Action.OnHost) {
      return impossible(
          "Kubernetes cannot %s. Maybe choose a policy that only places and preempts."
              .formatted(action.describe()));
    }
    return CompletableFuture.completedFuture(null); // assignments, rejections: nothing to do here
  }

  // ---- Bindings

  private CompletionStage<Void> bind(ActionId id, Action.Place place, PodRef pod, History history) {
    Optional<String> lack =
        book.ofInstance(place.instance())
            .map(InstanceBook.View::request)
            .flatMap(each -> room.reserve(pod, each.demand(), place.host(), time.now()));
    if (lack.isPresent()) {
      tasks.execute(loop::compareSoon);
      return impossible(lack.get());
    }
    Binding binding =
        new BindingBuilder()
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(pod.namespace())
            .withUid(pod.uid()) // another pod of that name is refused
            .withAnnotations(histories.annotation(pod, place.instance(), history))
            .endMetadata()
            .withNewTarget()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(place.host())
            .endTarget()
            .build();
    return calls
        .post(pod.path() + "/binding", json.asJson(binding))
        .thenCompose(answer -> bound(id, place, pod, answer));
  }

  private CompletionStage<Void> bound(ActionId id, Action.Place place, PodRef pod, Answer answer) {
    if (answer.isSuccess()) {
      bound(id, place, pod);
      return CompletableFuture.completedFuture(null);
    }
    if (!answer.isTransient()) {
      room.release(pod, place.host());
    }
    if (answer.code() == 409) { // bound already, perhaps by us, or being deleted
      return calls.get(pod.path()).thenCompose(found -> conflict(id, place, pod, found));
    }
    return failed("bind pod " + pod.key() + " to " + place.host(), pod, answer);
  }

  private void bound(ActionId id, Action.Place place, PodRef pod) {
    if (takenBack.contains(id)) { // too late: the scheduler has it elsewhere by now
      book.foundOn(place.instance(), pod, place.host());
      tasks.execute(loop::compareSoon);
    } else {
      book.bound(place.instance(), pod, place.host(), place.attempt());
      tracker.verify(place.instance(), pod, place.host());
    }
    mirror.look(pod);
  }

  private CompletionStage<Void> conflict(
      ActionId id, Action.Place place, PodRef pod, Answer found) {
    if (found.isSuccess()) {
      io.fabric8.kubernetes.api.model.Pod there =
          json.unmarshal(found.body(), io.fabric8.kubernetes.api.model.Pod.class);
      String node = there.getSpec().getNodeName();
      boolean isSame = pod.uid().equals(there.getMetadata().getUid());
      if (isSame && place.host().equals(node)) {
        bound(id, place, pod);
        return CompletableFuture.completedFuture(null);
      }
      if (isSame && node != null) {
        book.foundOn(place.instance(), pod, node);
        tasks.execute(loop::compareSoon);
      }
      mirror.look(pod);
      return impossible(
          "pod %s is %s."
              .formatted(
                  pod.key(),
                  !isSame
                      ? "another one by now"
                      : node == null ? "being deleted" : "bound to " + node + " already"));
    }
    return failed("look at pod " + pod.key(), pod, found);
  }

  // ---- Preemptions

  private CompletionStage<Void> leave(String instance, String why) {
    Optional<InstanceBook.View> found = book.ofInstance(instance);
    PodRef pod = found.map(InstanceBook.View::pod).orElse(null);
    if (pod == null || found.get().where() == Where.PENDING) {
      return CompletableFuture.completedFuture(null); // it has left, or never came
    }
    CompletableFuture<Void> gone = book.leaving(instance, time.now());
    return loop.historyOf(instance)
        .thenCompose(history -> ledger.keep(found.get(), history, time.now()))
        // The eviction API marks by itself, and only what it evicts.
        .thenCompose(kept -> evictions.isPresent() ? DONE : mark(pod, why))
        .thenCompose(marked -> delete(pod))
        .thenCompose(deleted -> gone);
  }

  /** Marks a victim. A mark that fails must not keep it: the mark is only for people and tools. */
  private CompletionStage<Void> mark(PodRef pod, String why) {
    return notes
        .condition(pod, "DisruptionTarget", "True", "PreemptionByScheduler", why)
        .handle(
            (answer, failure) -> {
              if (answer == null || !answer.isSuccess()) {
                LOG.debug("Pod {} could not be marked: {}", pod.key(), failure);
              }
              return null;
            });
  }

  private CompletionStage<Void> delete(PodRef pod) {
    String options =
        json.asJson(
            Map.of(
                "apiVersion", "v1",
                "kind", "DeleteOptions",
                "preconditions", Map.of("uid", pod.uid())));
    CompletableFuture<Answer> answered =
        evictions.isPresent()
            ? calls.post(pod.path() + "/eviction", eviction(pod, evictions.get()))
            : calls.delete(pod.path(), options);
    return answered.thenCompose(
        answer -> {
          if (answer.isSuccess()) {
            return CompletableFuture.completedFuture(null);
          } else if (answer.code() == 404 || answer.code() == 409) { // gone, or another one
            mirror.look(pod);
            return CompletableFuture.completedFuture(null);
          }
          return failed("delete pod " + pod.key(), pod, answer);
        });
  }

  private String eviction(PodRef pod, String version) {
    return json.asJson(
        Map.of(
            "apiVersion",
            version,
            "kind",
            "Eviction",
            "metadata",
            Map.of("name", pod.name(), "namespace", pod.namespace()),
            "deleteOptions",
            Map.of("preconditions", Map.of("uid", pod.uid()))));
  }

  private static <T> CompletableFuture<T> impossible(String why) {
    return CompletableFuture.failedFuture(new ActionImpossibleException(why));
  }

  private CompletionStage<Void> failed(String what, PodRef pod, Answer answer) {
    mirror.look(pod);
    String text = "could not %s: %s %s".formatted(what, answer.code(), message(answer));
    return CompletableFuture.failedFuture(
        answer.isTransient() || answer.code() == 401 || answer.code() == 403
            ? new IllegalStateException(text)
            : new ActionImpossibleException(text));
  }

  private String message(Answer answer) {
    try {
      Object parsed = json.unmarshal(answer.body(), Map.class).get("message");
      return String.valueOf(parsed);
    } catch (RuntimeException notJson) {
      return "";
    }
  }

  // ---- The rest

  @Override
  public void takeBack(ActionId id, Action action) {
    // A pod that is bound stays bound, and one that is being deleted cannot be kept: the next
    // comparison says so to the scheduler.
    if (!(action instanceof Action.OnInstance on)) {
      return;
    }
    Optional<PodRef> pod = book.ofInstance(on.instance()).map(InstanceBook.View::pod);
    if (pod.isPresent() && (action instanceof Action.Preempt || action instanceof Action.Evict)) {
      tasks.execute(() -> tracker.stays(on.instance(), pod.get()));
    }
    pod.ifPresent(mirror::look);
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    // The binding cancels only instances whose pods have ended or are being deleted.
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Observation> observe() {
    return CompletableFuture.supplyAsync(survey::observe, tasks)
        .whenComplete(
            (seen, failure) -> {
              if (failure != null) {
                loop.comparisonFailed(failure);
              }
            });
  }
}
