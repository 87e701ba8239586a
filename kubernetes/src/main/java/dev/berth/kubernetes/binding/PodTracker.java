package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.meaning.Owner;
import dev.berth.kubernetes.meaning.PodMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.PodTimes;
import dev.berth.kubernetes.meaning.Refusal;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows each pod through its life, and informs the scheduler: submits it, reports its start and
 * its end, and has the next pod of its owner continue its instance.
 *
 * <p>Used by tasks of the binding alone.
 */
final class PodTracker extends Part implements PodGroups.Starter {

  private static final Logger LOG = LoggerFactory.getLogger(PodTracker.class);
  private static final Duration NEXT_POD = Duration.ofSeconds(10);
  private static final Duration ANSWERED = Duration.ofSeconds(3);
  private static final Duration REFUSED = Duration.ofMinutes(1);

  private final Histories histories;
  private final Ledger ledger;
  private final NodeHosts nodes;
  private final PodGroups groups;
  private final PodExplanations explanations;
  private final Map<String, String> nodeOf = new HashMap<>(); // by UID

  PodTracker(
      Part shared,
      Histories histories,
      Ledger ledger,
      NodeHosts nodes,
      PodGroups groups,
      PodExplanations explanations) {
    super(shared);
    this.histories = histories;
    this.ledger = ledger;
    this.nodes = nodes;
    this.groups = groups;
    this.explanations = explanations;
  }

  /** Looks at a pod as it is now; null if it is gone. */
  void look(PodRef ref, @Nullable Pod pod) {
    if (pod == null) {
      groups.remove(ref.uid());
      ended(ref);
      Optional.ofNullable(nodeOf.remove(ref.uid())).ifPresent(nodes::look);
      return;
    }
    Optional<String> node = PodState.nodeOf(pod);
    node.ifPresent(name -> nodeOf.put(ref.uid(), name));
    switch (PodState.of(pod, configuration.schedulerName())) {
      case WAITING -> waiting(ref, pod);
      case BOUND -> bound(ref, pod);
      case ENDING -> ending(ref);
      case FINISHED -> finished(ref, pod);
      case GATED, FOREIGN_BOUND, FOREIGN_WAITING -> {}
    }
    node.ifPresent(nodes::look);
  }

  private void waiting(PodRef ref, Pod pod) {
    if (book.ofPod(ref.uid()).isPresent() || groups.has(ref.uid())) {
      return;
    }
    String instance = ref.instance();
    PodMeaning meaning = PodMeaning.of(instance, pod, configuration.podRules(), mirror.claims());
    if (meaning instanceof PodMeaning.Refused no) {
      explanations.refuse(ref, pod, no.reasons());
      return;
    }
    PodMeaning.Understood yes = (PodMeaning.Understood) meaning;
    Optional<Refusal> lack = nodes.lack(yes.request().demand());
    if (lack.isPresent()) {
      explanations.refuse(ref, pod, List.of(lack.get()));
      return;
    }
    explanations.accept(ref, pod, yes.leftOut());
    Optional<Owner> owner = Owner.of(pod);
    Request request = yes.request();
    Optional<View> continued =
        owner.flatMap(each -> book.continueWith(ref, each, request, this::isEnding));
    if (continued.isPresent()) {
      annotate(ref, continued.get().instance());
    } else if (yes.group().isPresent()) {
      groups.add(yes.group().get(), new PodGroups.Member(ref, instance, request, owner));
    } else {
      start(new PodGroups.Member(ref, instance, request, owner), pod);
    }
  }

  /** Submits a pod, with the history of the one that it replaces if there is one. */
  @Override
  public void start(PodGroups.Member member, Pod pod) {
    PodRef ref = member.pod();
    String instance = member.instance();
    Request request = member.request();
    Optional<Owner> owner = member.owner();
    book.enter(instance, ref, request, owner);
    Optional<Placed> written = histories.of(pod);
    Optional<SavedHistories.Kept> kept =
        owner
            .filter(each -> written.isEmpty())
            .flatMap(
                each ->
                    ledger.take(
                        each, request.serviceClass(), request.demand().toString(), time.now()));
    History history =
        written
            .map(Placed::history)
            .or(() -> kept.map(SavedHistories.Kept::history))
            .filter(Histories::isPossible)
            .orElseGet(() -> Histories.anew(pod, time.now()));
    loop.apply(
        new Event.Submitted(request, Optional.of(bounded(history))),
        failure -> submitted(ref, instance, kept, failure));
  }

  @Override
  public void start(List<PodGroups.Member> members, GroupSpec group) {
    members.forEach(each -> book.enter(each.instance(), each.pod(), each.request(), each.owner()));
    loop.apply(
        new Event.GroupSubmitted(group),
        failure ->
            members.forEach(
                each -> submitted(each.pod(), each.instance(), Optional.empty(), failure)));
  }

  private boolean isEnding(PodRef ref) {
    return mirror
        .pod(ref)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .isEmpty();
  }

  private void submitted(
      PodRef ref,
      String instance,
      Optional<SavedHistories.Kept> kept,
      @Nullable Throwable failure) {
    if (failure == null) {
      if (kept.isPresent()) {
        annotate(ref, instance);
      }
      return;
    }
    book.forget(instance);
    kept.ifPresent(ledger::putBack);
    if (!LoopPort.isStopped(failure)) {
      if (LoopPort.isOverload(failure)) {
        mirror.lookLater(ref, LoopPort.RETRY);
      } else {
        String why = String.valueOf(LoopPort.cause(failure).getMessage());
        LOG.warn("Pod {} was not accepted: {}", ref.key(), why);
        explanations.say(ref, why);
        mirror.lookLater(ref, REFUSED);
      }
    }
  }

  /** Writes the history of a pod's instance on it, so that a restart finds it. */
  private void annotate(PodRef ref, String instance) {
    var unused =
        loop.historyOf(instance)
            .thenCompose(
                history ->
                    calls.patch(
                        // There, so that no right to change pods as such is needed.
                        ref.path() + "/status",
                        ApiCalls.MERGE,
                        json.asJson(
                            Map.of(
                                "metadata",
                                Map.of(
                                    "uid",
                                    ref.uid(),
                                    "annotations",
                                    histories.annotation(ref, instance, history))))))
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (answer != null && answer.isSuccess()) {
                    ledger.forget(instance);
                  } else {
                    LOG.debug("Pod {} was not annotated: {}", ref.key(), answer, failure);
                  }
                },
                tasks);
  }

  private void bound(PodRef ref, Pod pod) {
    Optional<View> found = book.ofPod(ref.uid());
    if (found.isEmpty()) {
      loop.compareSoon(); // some other has bound it, or it was created on its node
      return;
    }
    View view = found.get();
    String node = PodState.nodeOf(pod).orElseThrow();
    if (view.where() == Where.PENDING) { // the answer to its binding is still to come, or was lost
      var unused = tasks.schedule(ANSWERED, () -> takeOver(ref));
    } else if (!node.equals(view.host())) {
      loop.compareSoon();
    } else if (view.where() == Where.BOUND
        && PodTimes.isReady(pod)
        && book.started(view.instance())) {
      Event<?> started =
          view.attempt() > 0
              ? new Event.Started(
                  new Attempt(view.instance(), view.attempt()), OptionalLong.empty())
              : new Event.StartedNow(view.instance());
      loop.apply(
          started,
          failure -> {
            if (failure != null && LoopPort.isOverload(failure)) {
              book.notStarted(view.instance());
              mirror.lookLater(ref, LoopPort.RETRY);
            } else if (failure != null && !LoopPort.isStopped(failure)) {
              LOG.debug("The start of {} was refused", ref.key(), failure);
            }
          });
    }
  }

  /** A pod is bound, but not by an action of the scheduler of which it knows. */
  private void takeOver(PodRef ref) {
    Optional<String> node = mirror.pod(ref).flatMap(PodState::nodeOf);
    Optional<View> view = book.ofPod(ref.uid());
    if (node.isPresent() && view.isPresent() && view.get().where() == Where.PENDING) {
      book.foundOn(view.get().instance(), ref, node.get());
      nodes.look(node.get());
      loop.compareSoon();
    }
  }

  /** A pod is being deleted: by the scheduler, or by another. */
  private void ending(PodRef ref) {
    groups.remove(ref.uid());
    book.ofPod(ref.uid())
        .filter(view -> ref.equals(view.pod()) && view.where() != Where.LEAVING)
        .ifPresent(this::lose);
    explanations.forget(ref);
  }

  private void finished(PodRef ref, Pod pod) {
    Optional<View> found = book.ofPod(ref.uid());
    if (found.isEmpty()) {
      return;
    }
    View view = found.get();
    if (!ref.equals(view.pod()) || view.where() == Where.LEAVING) {
      ended(ref);
    } else if ("Succeeded".equals(pod.getStatus().getPhase())) {
      book.forget(view.instance());
      Event<?> completed =
          view.attempt() > 0
              ? new Event.Completed(
                  new Attempt(view.instance(), view.attempt()),
                  Optional.empty(),
                  OptionalLong.empty())
              : new Event.CompletedNow(view.instance(), Optional.empty());
      loop.apply(
          completed,
          failure -> {
            if (failure != null && !LoopPort.isStopped(failure)) {
              loop.cancel(view.instance()); // it was never reported to run
            }
          });
    } else {
      lose(view);
    }
  }

  /** A pod is gone. */
  private void ended(PodRef ref) {
    explanations.forget(ref);
    Optional<View> before = book.ofPod(ref.uid());
    boolean wasLeaving =
        before
            .filter(
                view ->
                    view.pod() == null || (view.where() == Where.LEAVING && ref.equals(view.pod())))
            .isPresent();
    Optional<View> left = book.ended(ref.uid(), time.now());
    if (left.isEmpty()) {
      return;
    }
    View view = left.get();
    if (wasLeaving && view.owner().isPresent()) {
      var unused = tasks.schedule(NEXT_POD, () -> abandon(view.instance()));
    } else {
      lose(view);
    }
  }

  /** No pod has continued an instance: its history is kept for one that may come later. */
  private void abandon(String instance) {
    book.ofInstance(instance).filter(view -> view.pod() == null).ifPresent(this::lose);
  }

  /** Ends an instance, and keeps its history for another pod of its owner. */
  private void lose(View view) {
    String instance = view.instance();
    if (book.dropPod(instance, time.now())) {
      return; // the room of its earlier pod is promised, so its preemption must stay
    }
    book.forget(instance);
    PodRef pod = view.pod();
    String host = pod == null ? null : nodeOf.get(pod.uid());
    if (host != null) {
      nodes.look(host); // what the pod still holds counts before the instance gives it back
    }
    if (view.owner().isPresent()) {
      var unused =
          loop.historyOf(instance)
              .thenAccept(
                  history -> {
                    var unusedAnswer = ledger.keep(view, history, time.now());
                  });
    }
    loop.cancel(instance);
  }

  /** A history that begins in the future, as by a clock that differs, begins now. */
  private History bounded(History history) {
    long now = time.now();
    return Histories.fits(history, now)
        ? history
        : History.since(Math.min(now, history.admittedAt()));
  }

  // ---- What the scheduler has decided

  /** An instance stays where it is after all, unless its pod is ending. */
  void stays(String instance, PodRef pod) {
    if (!isEnding(pod)) {
      book.stays(instance);
      ledger.forget(instance);
      mirror.look(pod);
    }
  }

  /** Checks that the scheduler still has an instance where its pod was bound. */
  void verify(String instance, PodRef pod, String host) {
    var unused =
        loop.isOn(instance, host)
            .thenAcceptAsync(
                isThere -> {
                  if (!isThere) { // its host was removed while the request was under way
                    book.foundOn(instance, pod, host);
                    loop.compareSoon();
                    nodes.look(host);
                  }
                },
                tasks);
  }

  /** After a comparison the scheduler counts what it has adopted or found elsewhere. */
  void compared() {
    for (View view : book.uncounted()) {
      String host = view.host();
      if (host != null && !nodes.has(host)) {
        lose(view); // its node is gone, so it can only be deleted
      } else if (host != null) {
        var unused =
            loop.isOn(view.instance(), host)
                .thenAcceptAsync(
                    isThere -> {
                      if (isThere) {
                        book.counted(view.instance(), host);
                      }
                    },
                    tasks);
      }
    }
    // After the answers to those questions.
    var unused = loop.ask(scheduler -> true).thenRunAsync(nodes::lookAtAll, tasks);
  }

  /** Ends all instances on a node that is gone. */
  void loseAllOn(String node) {
    book.all().stream()
        .filter(view -> node.equals(view.host()) && view.where() == Where.BOUND)
        .forEach(this::lose);
  }
}
