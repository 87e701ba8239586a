package dev.berth.runtime;

import dev.berth.api.Resources;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionQueue.OpenAction;
import dev.berth.runtime.LoopEngine.Message;
import dev.berth.runtime.LoopEngine.Observed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the fleet what it has. Knows when to ask, who waits for the answer, and what has changed
 * since the fleet was asked, which the answer may not show. One question is open at a time.
 */
final class FleetQuestion {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  private final Fleet fleet;
  private final LoopSettings settings;
  private final Consumer<Message> inbox;

  private long dueAt;
  private boolean isOpen;
  private long openUntil; // when the answer takes too long
  private int number; // of the latest
  private int failures; // in a row
  private int outdatedAnswers; // in a row

  private final List<CompletableFuture<Reconciliation>> wishes = new ArrayList<>(); // for the next
  private final List<CompletableFuture<Reconciliation>> asked = new ArrayList<>(); // for these

  // Since the fleet was asked:
  private final Set<String> changed = new HashSet<>(); // instances
  private final Map<String, Action> ended = new HashMap<>(); // by instance, the last
  private final Map<String, Resources> foreign = new HashMap<>(); // by host, reported
  private boolean hostsChanged;

  FleetQuestion(Fleet fleet, LoopSettings settings, Consumer<Message> inbox, long now) {
    this.fleet = fleet;
    this.settings = settings;
    this.inbox = inbox;
    this.dueAt = settings.reconcileAtStart() ? now : nextAfter(now);
  }

  private long nextAfter(long now) {
    return settings.reconcileEvery().map(each -> LoopTime.after(now, each)).orElse(Long.MAX_VALUE);
  }

  // ---- When

  boolean isDue(long now) {
    return now >= dueAt && !isOpen;
  }

  long nextTurn() {
    return isOpen ? openUntil : dueAt;
  }

  void wish(CompletableFuture<Reconciliation> answer, long now) {
    wishes.add(answer);
    dueAt = now;
  }

  /** Asks at once. An answer that is under way is too old, and does not count. */
  void askAnew(long now) {
    hostsChanged = true;
    dueAt = now;
  }

  void askAgain(long now) {
    failures++;
    dueAt = LoopTime.after(now, Math.max(1, settings.retryDelay().delay(failures)));
  }

  void askBy(long time) {
    dueAt = Math.min(dueAt, time);
  }

  void ask(long now) {
    isOpen = true;
    asked.addAll(wishes);
    wishes.clear();
    hostsChanged = false;
    changed.clear();
    ended.clear();
    foreign.clear();
    int asking = ++number;
    openUntil = LoopTime.after(now, settings.actionTimeout());
    fleet
        .observe()
        .whenComplete(
            (seen, error) -> inbox.accept(new Observed(asking, seen, LoopEngine.cause(error))));
  }

  // ---- The answer

  /** Returns what the fleet has, if it can be compared; else it is asked again. */
  Optional<Observation> answered(Observed answer, long now) {
    if (!isOpen || answer.question() != number) {
      return Optional.empty(); // a late answer
    }
    return closed(answer.seen(), answer.error(), now);
  }

  void closeIfLate(long now) {
    if (isOpen && now >= openUntil) {
      closed(null, new IllegalStateException("the fleet did not answer"), now);
    }
  }

  private Optional<Observation> closed(
      @Nullable Observation seen, @Nullable Throwable error, long now) {
    isOpen = false;
    if (seen == null) {
      askAgain(now);
      LOG.warn("The fleet could not be observed; it is asked again later.", error);
      return Optional.empty();
    }
    if (hostsChanged) { // it may be older than what the scheduler was told meanwhile
      outdatedAnswers++;
      if (outdatedAnswers <= 1) {
        dueAt = now;
      } else {
        LOG.warn("The hosts changed while the fleet answered, {} times in a row.", outdatedAnswers);
        long delay = settings.retryDelay().delay(outdatedAnswers - 1);
        dueAt = LoopTime.after(now, Math.max(1, delay));
      }
      return Optional.empty();
    }
    failures = 0;
    outdatedAnswers = 0;
    dueAt = wishes.isEmpty() ? nextAfter(now) : now;
    return Optional.of(seen);
  }

  /**
   * Returns the wishes that the latest question answers. If the loop ends before they are taken,
   * they fail.
   */
  List<CompletableFuture<Reconciliation>> asked() {
    return List.copyOf(asked);
  }

  void takeAsked() {
    asked.clear();
  }

  void abandon(Throwable why) {
    asked.forEach(each -> each.completeExceptionally(why));
    wishes.forEach(each -> each.completeExceptionally(why));
    asked.clear();
    wishes.clear();
  }

  // ---- What has changed since

  void note(Event<?> event, Object answer) {
    if (!isOpen) {
      return;
    }
    switch (event.kind().observed()) {
      case NOTHING -> {}
      case INSTANCE -> changed.add(((Event.OfInstance<?>) event).instance());
      case FOREIGN_LOAD -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) event;
        foreign.put(load.host(), load.foreign());
      }
      case HOSTS -> hostsChanged |= !(answer instanceof Reconciliation found && found.isEmpty());
    }
  }

  void note(Plan plan) {
    if (isOpen) {
      for (Action each : plan.actions()) {
        if (each instanceof Action.OnInstance on) {
          changed.add(on.instance());
        }
      }
    }
  }

  void noteEnd(OpenAction action) {
    if (isOpen) {
      changed.addAll(action.instances);
      action.instances.forEach(each -> ended.put(each, action.action));
    }
  }

  /** Returns the instances that an answer may show otherwise than they are. */
  Set<String> changed() {
    return Collections.unmodifiableSet(changed);
  }

  /** Returns the last action on an instance that has ended; null if none has. */
  @Nullable Action ended(String instance) {
    return ended.get(instance);
  }

  /** Returns hosts with the foreign load that was reported. */
  List<ObservedHost> upToDate(List<ObservedHost> seen) {
    if (foreign.isEmpty()) {
      return seen;
    }
    return seen.stream()
        .map(
            each ->
                new ObservedHost(
                    each.spec(), foreign.getOrDefault(each.spec().id(), each.foreign())))
        .toList();
  }
}
