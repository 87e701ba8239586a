package dev.berth.runtime;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Taint;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionQueue.OpenAction;
import dev.berth.runtime.OpenActions.Stop;
import dev.berth.runtime.OpenStops.OpenStop;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.Journal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the loop does in its thread, turn by turn, without a thread or a wait of its own. A turn
 * applies the messages that have come, runs a pass if one is due, forces the journal, and only then
 * answers and hands actions to the fleet.
 */
final class LoopEngine {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  /** Something that another thread tells the loop. */
  sealed interface Message {}

  /** Something that the loop answers. */
  sealed interface Asked extends Message {
    CompletableFuture<?> answer();
  }

  /** An event of the embedder. */
  record Submitted<R>(Event<R> event, CompletableFuture<R> answer) implements Asked {}

  /** The end of an attempt of an action. */
  record Attempted(ActionId id, int attempt, @Nullable Throwable error) implements Message {}

  /** The end of an attempt to stop an instance. */
  record Stopped(Stop stop, int attempt, @Nullable Throwable error) implements Message {}

  /** The answer of the fleet to a question of the loop. */
  record Observed(int question, @Nullable Observation seen, @Nullable Throwable error)
      implements Message {}

  /** A wish to compare with the fleet. */
  record ReconcileWish(CompletableFuture<Reconciliation> answer) implements Asked {}

  /** A question about the scheduler. */
  record Question(Consumer<Scheduler> asked, CompletableFuture<?> answer) implements Asked {}

  /** A wish to hear what happens from now on, or not to hear it any more. */
  record Listening(Replay.Listener listener, boolean begins) implements Message {}

  /** A wish to save a snapshot. */
  record SnapshotWish(CompletableFuture<Void> answer) implements Asked {}

  /** Most characters of the reason why an action failed. */
  private static final int LONGEST_REASON = 1000;

  private final Scheduler scheduler;
  private final @Nullable Journal journal;
  private final GuardedFleet fleet;
  private final Reconciler reconciler;
  private final LoopSettings settings;
  private final LongSupplier clock;
  private final Consumer<Message> inbox;
  private final ActionQueue actions;
  private final Recalls recalls; // of an earlier run
  private final LoopCounts counts = new LoopCounts();
  private final List<Replay.Listener> listeners = new ArrayList<>();

  private final List<Runnable> afterForce = new ArrayList<>();
  private boolean mustForce;
  private long now;
  private long passFrom = Long.MIN_VALUE; // no pass before

  private final FleetQuestion question;
  private final FleetSettlement settlement;
  private final @Nullable SnapshotKeeper snapshots; // null without a journal
  private boolean mayPass; // what the fleet has is known
  private boolean mustCompare; // before the next pass, with what the fleet has from now on
  private boolean holdsActions; // those of an earlier run, until the fleet was compared

  LoopEngine(
      Recovery recovered,
      @Nullable Journal journal,
      Fleet fleet,
      Reconciler reconciler,
      LoopSettings settings,
      LongSupplier clock,
      Consumer<Message> inbox) {
    this.scheduler = recovered.scheduler();
    this.journal = journal;
    this.fleet = new GuardedFleet(fleet);
    this.reconciler = reconciler;
    this.settings = settings;
    this.clock = clock;
    this.inbox = inbox;
    this.actions = recovered.actions();
    this.recalls = recovered.recalls();
    this.now = Math.max(clock.getAsLong(), scheduler.now());
    this.mayPass = !settings.reconcileAtStart();
    this.holdsActions = settings.reconcileAtStart();
    this.question = new FleetQuestion(this.fleet, settings, inbox, now);
    this.settlement = new FleetSettlement(scheduler, actions, question, settings.busyTimeout());
    this.snapshots =
        journal == null ? null : new SnapshotKeeper(journal, recovered, settings, counts);
    scheduler.hosts().forEach(each -> noteReach(each.id()));
  }

  // ---- Turns

  /**
   * Does all that is due.
   *
   * @param messages what has come, in order
   * @return when the next turn is due without a message
   * @throws IOException if the journal failed; the loop must not go on
   */
  long turn(List<Message> messages) throws IOException {
    now = Math.max(now, clock.getAsLong());
    recall();
    for (Message each : messages) {
      handle(each);
    }
    endOutOfReach();
    handleTimers();
    passIfDue();
    endOutOfReach(); // what the pass has decided, too
    if (journal != null && mustForce) {
      clearInterrupt();
      counts.force(journal);
      mustForce = false;
    }
    List.copyOf(afterForce).forEach(Runnable::run);
    afterForce.clear();
    beginStops();
    if (!holdsActions) {
      begin();
    }
    if (question.isDue(now)) {
      question.ask(now); // after all that the fleet was told
    }
    clearInterrupt();
    if (snapshots != null) {
      snapshots.saveIfDue(now, !mustCompare); // a snapshot does not say what is unclear
    }
    return nextTurn();
  }

  /** Tells the fleet what an earlier run may not have told it any more. */
  private void recall() {
    recalls.actions().forEach(this::takeBack);
    recalls.stops().stream()
        .filter(each -> scheduler.instance(each.instance()).isEmpty())
        .forEach(actions.stops()::add);
    recalls.actions().clear();
    recalls.stops().clear();
  }

  private void takeBack(OpenAction action) {
    fleet.takeBack(action.id, action.action);
  }

  private long nextTurn() {
    long next = holdsActions ? Long.MAX_VALUE : actions.nextTimer();
    next = Math.min(next, actions.stops().nextTimer());
    next = Math.min(next, question.nextTurn());
    if (mayPass) {
      OptionalLong due = scheduler.nextPassAt();
      next = due.isPresent() ? Math.min(next, Math.max(due.getAsLong(), passFrom)) : next;
    }
    return next;
  }

  private void handle(Message message) throws IOException {
    if (message instanceof Submitted<?> submitted) {
      submit(submitted);
    } else if (message instanceof Attempted attempted) {
      attempted(attempted);
    } else if (message instanceof Stopped stopped) {
      stopped(stopped);
    } else if (message instanceof Observed observed) {
      observed(observed);
    } else if (message instanceof ReconcileWish wish) {
      question.wish(wish.answer(), now);
    } else if (message instanceof SnapshotWish wish) {
      if (snapshots != null) {
        snapshots.wish(wish.answer());
      } else {
        wish.answer().complete(null);
      }
    } else if (message instanceof Question it) {
      it.asked().accept(scheduler);
    } else if (message instanceof Listening it) {
      listeners.remove(it.listener());
      if (it.begins()) {
        listeners.add(it.listener());
        hear(each -> each.begins(scheduler));
      }
    }
  }

  /** Informs those that listen; a defect in one of them must not stop the loop. */
  private void hear(Consumer<Replay.Listener> news) {
    for (Replay.Listener each : List.copyOf(listeners)) {
      try {
        news.accept(each);
      } catch (RuntimeException defect) {
        LOG.error("What happens in the loop is not recorded any more.", defect);
        listeners.remove(each);
      }
    }
  }

  private void append(Entry entry) throws IOException {
    if (journal != null) {
      clearInterrupt();
      byte[] record = EntryFormat.toBytes(entry);
      try {
        journal.append(record);
      } catch (IllegalArgumentException tooLarge) {
        throw tooLarge; // only this record is refused
      } catch (RuntimeException failed) { // as when another thread has closed the journal
        throw new IOException("the journal takes no records: " + failed.getMessage(), failed);
      }
      counts.appended(record.length);
      if (snapshots != null) {
        snapshots.appended(record.length);
      }
    }
  }

  /** Forgets an interrupt that a callback has left: it would close the journal, or end a pass. */
  private static void clearInterrupt() {
    if (Thread.interrupted()) {
      LOG.warn("A callback left the thread of the loop interrupted.");
    }
  }

  // ---- Events

  private <R> void submit(Submitted<R> submitted) throws IOException {
    counts.inputs++;
    if (submitted.event() instanceof Event.ActionRejected rejected
        && !actions.canBeUndone(rejected.action())) {
      EventRefusedException stale =
          Code.STALE.refusal(
              "%s is rejected, but a snapshot was saved since, and takes it as carried out.",
              rejected.action().toString());
      submitted.answer().completeExceptionally(stale);
      return;
    }
    R result;
    try {
      result = apply(notAhead(submitted.event()));
    } catch (SchedulerFailedException failed) {
      submitted.answer().completeExceptionally(failed);
      throw failed;
    } catch (RuntimeException refused) {
      counts.refused += refused instanceof StaleReportException ? 0 : 1;
      afterForce.add(() -> submitted.answer().completeExceptionally(refused));
      return;
    }
    afterForce.add(() -> submitted.answer().complete(result));
  }

  /** Returns a report as of now if its time is ahead, as by the clock of another machine. */
  private <R> Event<R> notAhead(Event<R> event) {
    OptionalLong present = OptionalLong.of(now);
    Event<?> report;
    if (event instanceof Event.Started it && isAhead(it.at())) {
      report = new Event.Started(it.attempt(), present);
    } else if (event instanceof Event.Failed it && isAhead(it.at())) {
      report = new Event.Failed(it.attempt(), present);
    } else if (event instanceof Event.Completed it && isAhead(it.at())) {
      report = new Event.Completed(it.attempt(), it.cpuTime(), present);
    } else {
      return event;
    }
    counts.ahead++;
    @SuppressWarnings("unchecked") // it is of the same kind
    Event<R> same = (Event<R>) report;
    return same;
  }

  private boolean isAhead(OptionalLong at) {
    return at.isPresent() && at.getAsLong() > now;
  }

  /** Writes an event to the journal, applies it, and tells the fleet what it need not do. */
  private <R> R apply(Event<R> event) throws IOException {
    append(new Entry.Applied(now, event)); // before it, so that an error leaves no gap
    mustForce = true;
    List<OpenActions.Stop> stops = OpenActions.stops(event, scheduler);
    R result = scheduler.apply(event, now); // may refuse it; no later error may look like that
    try {
      applied(event, result, stops);
    } catch (SchedulerFailedException failed) {
      throw failed;
    } catch (RuntimeException defect) {
      throw new AssertionError("The loop failed after it had applied an event.", defect);
    }
    return result;
  }

  /** Draws the consequences of an event that the scheduler has accepted. */
  private void applied(Event<?> event, Object result, List<OpenActions.Stop> stops)
      throws IOException {
    question.note(event, result);
    hear(each -> each.applied(now, event, result));
    noteReach(event);
    List<OpenAction> removed = OpenActions.after(event, result, actions);
    for (OpenAction each : removed) {
      boolean isLost = OpenActions.removesHosts(event);
      if (each.mayHaveBegun() && (!isLost || each.action instanceof Action.Migrate)) {
        afterForce.add(() -> takeBack(each));
      }
      if (isLost && each.action instanceof Action.Migrate) {
        settleNotBegunAfter(each); // the instance may not have left its home
        compareFirst();
      }
    }
    if (result instanceof Rejection rejection) {
      returned(rejection);
    }
    for (OpenActions.Stop each : OpenActions.withHostsOf(removed, event, stops)) {
      // Last: to take an action back may move an instance.
      afterForce.add(() -> actions.stops().add(each));
    }
  }

  /**
   * Ends the starts on the hosts that instances have returned to, if they now rely on room that a
   * later action gives: actions wait only for earlier ones.
   */
  private void returned(Rejection rejection) throws IOException {
    Set<OpenAction> starts = new LinkedHashSet<>(); // all first: to end one may end what gives room
    for (Rejection.Undone each : rejection.undone()) {
      String home =
          each.action() instanceof Action.Migrate migration
              ? migration.from()
              : each.action() instanceof Action.OnHost on && !(on instanceof Action.Starts)
                  ? on.host()
                  : null;
      if (home != null) {
        starts.addAll(actions.startsBeforeRoom(home));
      }
    }
    for (OpenAction start : starts) {
      if (actions.get(start.id) != null) {
        settleNotBegunAfter(start);
        if (actions.get(start.id) != null) { // what was undone may have dropped it
          drop(start);
        }
        compareFirst();
      }
    }
  }

  // ---- Passes

  private void passIfDue() throws IOException {
    if (!mayPass || now < passFrom) {
      return;
    }
    OptionalLong due = scheduler.nextPassAt();
    if (due.isEmpty() || due.getAsLong() > now) {
      return;
    }
    clearInterrupt();
    long begun = System.nanoTime();
    Plan plan;
    try {
      plan = scheduler.schedule(now);
    } catch (PolicyFailedException failed) {
      counts.failedPasses++;
      counts.failedPassesInARow++;
      long wait = settings.retryDelay().delay(counts.failedPassesInARow);
      passFrom = LoopTime.after(now, Math.max(wait, 1));
      LOG.error("A pass failed; the next one is tried later.", failed);
      return;
    }
    counts.failedPassesInARow = 0;
    passFrom = LoopTime.after(now, settings.passInterval());
    if (journal != null) {
      append(Entry.Passed.of(plan, scheduler));
      mustForce = true;
    }
    OpenActions.add(plan, actions);
    question.note(plan);
    hear(each -> each.planned(plan));
    counts.passed(plan, scheduler, System.nanoTime() - begun);
  }

  // ---- Actions

  private void begin() {
    for (OpenAction each : actions.begin(now, LoopTime.nanos(settings.actionTimeout()))) {
      counts.begun++;
      counts.retried += each.attempts > 1 ? 1 : 0;
      int attempt = each.attempts;
      fleet
          .carryOut(each.id, each.action)
          .whenComplete(
              (result, error) -> inbox.accept(new Attempted(each.id, attempt, cause(error))));
    }
  }

  private void beginStops() {
    for (OpenStop each : actions.stops().begin(now, LoopTime.nanos(settings.actionTimeout()))) {
      Stop stop = each.stop;
      if (scheduler.host(stop.host()).isEmpty()) {
        actions.stopped(stop); // with its host
        continue;
      }
      int attempt = each.attempts;
      fleet
          .stop(stop.instance(), stop.attempt(), stop.host())
          .whenComplete((result, error) -> inbox.accept(new Stopped(stop, attempt, cause(error))));
    }
  }

  private void stopped(Stopped it) {
    OpenStop stop = actions.stops().underWay(it.stop(), it.attempt());
    if (it.error() == null) {
      actions.stopped(it.stop()); // even if an attempt that took too long was the one
      if (it.stop().isStray()) {
        question.askBy(now); // what it held is foreign load
      }
    } else if (stop != null) {
      failed(stop, reason(it.error()));
    }
  }

  private void failed(OpenStop stop, String why) {
    stop.failures++;
    if (stop.failures < settings.actionAttempts()) {
      LOG.warn("To {} failed, will be repeated: {}", stop.stop, why);
      long delay = settings.retryDelay().delay(stop.failures);
      actions.stops().retryAt(stop, LoopTime.after(now, delay));
    } else {
      LOG.error("To {} failed, the fleet is asked whether it is there: {}", stop.stop, why);
      actions.stops().giveUp(stop);
      compareFirst();
    }
  }

  static @Nullable Throwable cause(@Nullable Throwable error) {
    return error instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : error;
  }

  private void attempted(Attempted attempt) throws IOException {
    OpenAction action = actions.get(attempt.id());
    if (action == null) {
      return; // it was undone, or is done
    }
    Throwable error = attempt.error();
    if (error == null) {
      settled(action); // even if an attempt that took too long was the one
    } else if (action.isUnderWay && action.attempts == attempt.attempt()) {
      failed(action, reason(error), error);
    }
  }

  /** Returns why an action failed, as text that a journal can hold. */
  private static String reason(Throwable error) {
    String message = error.getMessage();
    String text = message == null || message.isBlank() ? error.toString() : message;
    String whole = text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "…";
    return new String(whole.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** Notes that an action needs nothing more. Not forced: a restart would ask the fleet. */
  private void settled(OpenAction action) throws IOException {
    append(new Entry.Settled(action.id));
    actions.settled(action.id);
    question.noteEnd(action);
  }

  private void handleTimers() throws IOException {
    for (OpenAction each : actions.overdue(now)) {
      counts.timedOut++;
      failed(each, "it took longer than " + settings.actionTimeout(), null);
    }
    for (OpenStop each : actions.stops().overdue(now)) {
      counts.timedOut++;
      failed(each, "it took longer than " + settings.actionTimeout());
    }
    question.closeIfLate(now);
  }

  private void failed(OpenAction action, String why, @Nullable Throwable error) throws IOException {
    if (error instanceof ActionImpossibleException
        || action.attempts >= settings.actionAttempts()) {
      reject(action, why);
    } else {
      LOG.warn("To {} failed, will be repeated: {}", action.action.describe(), why);
      actions.retryAt(action, LoopTime.after(now, settings.retryDelay().delay(action.attempts)));
    }
  }

  private void reject(OpenAction action, String why) throws IOException {
    if (action.action instanceof Action.Resize) {
      for (OpenAction each : actions.laterOf(action)) { // else it could not be undone
        undo(each, "it follows an action that is rejected: " + action.action.describe());
      }
    }
    if (undo(action, why)) {
      return;
    }
    if (mustBeDone(action)) {
      LOG.error("To {} failed, cannot be undone, is repeated: {}", action.action.describe(), why);
      long delay = LoopTime.nanos(settings.retryDelay().longest());
      actions.retryAt(action, LoopTime.after(now, Math.max(1, delay)));
      return;
    }
    counts.rejected++;
    giveUp(action);
  }

  /** Has the scheduler undo an action that is not carried out; returns whether it did. */
  private boolean undo(OpenAction action, String why) throws IOException {
    if (actions.get(action.id) == null) {
      return true; // with a later one
    }
    LOG.warn("To {} is rejected: {}", action.action.describe(), why);
    if (!actions.canBeUndone(action.id)) {
      return false;
    }
    try {
      apply(new Event.ActionRejected(action.id, why));
      counts.rejected++;
      return true;
    } catch (StaleReportException over) {
      LOG.info("It cannot be undone: {}", over.getMessage());
    } catch (EventRefusedException refused) {
      LOG.error("The rejection was refused: {}", refused.getMessage());
    }
    return false;
  }

  /**
   * Returns whether an action that cannot be undone is to be repeated for as long as it takes. No
   * comparison corrects the grant of an instance, since fleets need not report grants.
   */
  private boolean mustBeDone(OpenAction action) {
    return action.action instanceof Action.Resize resize
        && actions.laterOf(action).isEmpty() // that would wait for it
        && scheduler
            .instance(resize.instance())
            .flatMap(Instance::host)
            .filter(it -> it.id().equals(resize.host()))
            .isPresent();
  }

  /**
   * Ends an action that the scheduler cannot undo, and has the fleet say what came of it. To take
   * it back comes first: after a crash, the journal would not say that this is still to do.
   */
  private void giveUp(OpenAction action) throws IOException {
    if (!isUnclear(action.action)) {
      settled(action);
      return;
    }
    takeBack(action);
    settleNotBegunAfter(action);
    settled(action);
    mustForce = true;
    compareFirst();
  }

  /** Ends the actions that rely on one of which it is unclear whether it was carried out. */
  private void settleNotBegunAfter(OpenAction action) throws IOException {
    for (OpenAction each : latestFirst(actions.notBegunAfter(action))) {
      if (actions.get(each.id) == each
          && !(each.action instanceof Action.Resize && keepsGrant(each))) {
        drop(each);
      }
    }
  }

  /**
   * Undoes a resize, or leaves it open: to drop it would leave two grants. If the room for it is
   * not there after all, the scheduler learns so from the comparison, since it believes the new
   * grant. Returns false if the resize is needless.
   */
  private boolean keepsGrant(OpenAction resize) throws IOException {
    return undo(resize, "it follows an action that is given up") || mustBeDone(resize);
  }

  /** A crash may end a loop over these; what is left must not lack what it waited for. */
  private static List<OpenAction> latestFirst(List<OpenAction> all) {
    List<OpenAction> reversed = new ArrayList<>(all);
    Collections.reverse(reversed);
    return reversed;
  }

  /** Ends an action that this run has not begun. */
  private void drop(OpenAction action) throws IOException {
    if (action.mayHaveBegun()) {
      takeBack(action);
    }
    settled(action);
  }

  // ---- Hosts that cannot be reached

  private void noteReach(Event<?> event) {
    if (event instanceof Event.HostAdded added) {
      noteReach(added.spec().id());
    } else if (event instanceof Event.HostChanged changed) {
      if (noteReach(changed.spec().id())) {
        compareFirst(); // attempts may be there that were given up
      }
    } else if (event instanceof Event.Reconciled compared) {
      compared.observed().hosts().forEach(each -> noteReach(each.spec().id()));
    }
  }

  /** Notes whether a host can be reached; returns whether it could not be before. */
  private boolean noteReach(String host) {
    return actions.reach(
        host,
        scheduler.host(host).stream()
            .flatMap(each -> each.taints().stream())
            .noneMatch(Taint::isUnreachable));
  }

  /** Ends the actions on hosts that cannot be reached, so that nothing elsewhere waits for them. */
  private void endOutOfReach() throws IOException {
    if (holdsActions) {
      return; // the first comparison comes first
    }
    for (String host : actions.outOfReach()) {
      for (OpenAction each : latestFirst(actions.on(host))) {
        if (actions.get(each.id) == each) {
          endOutOfReach(each, host);
        }
      }
    }
  }

  /**
   * Ends an action on a host that cannot be reached. What may have begun counts as carried out, and
   * so does an eviction, which the next pass might only repeat. A comparison once the host is back
   * corrects that. A grant has to wait, since no comparison would correct it.
   */
  private void endOutOfReach(OpenAction action, String host) throws IOException {
    String why = "host " + host + " cannot be reached";
    boolean mayHaveBegun = action.mayHaveBegun();
    if (action.action instanceof Action.Release) {
      return; // its provider can be reached
    }
    if (mustBeDone(action)) {
      actions.waitForHost(action);
    } else if (action.action instanceof Action.Migrate move) {
      boolean mayHaveCome = mayHaveBegun && move.host().equals(host);
      if (mayHaveCome || !undo(action, why)) {
        giveUp(action);
      } else if (mayHaveBegun) {
        compareFirst(); // it may have left all the same
      }
    } else if (mayHaveBegun
        || action.action instanceof Action.Evict
        || action.action instanceof Action.Stop
        || action.action instanceof Action.Resize // of an instance that has left
        || !undo(action, why)) {
      settled(action);
    }
  }

  /** Returns whether what the scheduler believes does not show that an action was carried out. */
  private boolean isUnclear(Action action) {
    if (!(action instanceof Action.OnInstance on)) {
      return false;
    }
    Optional<Instance> instance = scheduler.instance(on.instance());
    return action instanceof Action.Starts start
        ? instance
            .filter(each -> each.state() == InstanceState.RUNNING)
            .filter(each -> each.attempt() == start.attempt())
            .isEmpty()
        : instance.isPresent() || action instanceof Action.Stop; // which may run on
  }

  /** Lets no pass decide until the fleet has said what there is from now on. */
  private void compareFirst() {
    question.askAnew(now);
    mayPass = false;
    mustCompare = true;
  }

  // ---- Reconciliation

  private void observed(Observed answer) throws IOException {
    Optional<Observation> seen = question.answered(answer, now);
    if (seen.isPresent()) {
      reconcile(seen.get());
    }
  }

  private void reconcile(Observation seen) throws IOException {
    Set<String> underWay = new LinkedHashSet<>(seen.underWay());
    settlement.seen(underWay);
    underWay.addAll(question.changed());
    if (holdsActions) {
      settle(seen.underWay());
    }
    settleSeen(seen);
    underWay.addAll(actions.instances());
    Observation complete =
        new Observation(question.upToDate(seen.hosts()), seen.instances(), underWay);
    ReconcileRecord recording = FlightRecords.beginReconcile();
    Reconciliation found;
    mustCompare = false;
    try {
      Event.Reconciled compared = answered(complete);
      clearInterrupt();
      found = apply(compared);
    } catch (SchedulerFailedException failed) {
      throw failed;
    } catch (RuntimeException refused) {
      LOG.error("What the fleet has was refused: {}", refused.getMessage());
      answerWishes(each -> each.completeExceptionally(refused));
      if (!mayPass) {
        question.askAgain(now);
      }
      return;
    }
    counts.differences += found.differences().size();
    counts.reconciliations++;
    if (recording != null) {
      recording.end(found.differences().size());
    }
    found.differences().forEach(each -> LOG.info("Reconciled: {}", each.describe()));
    actions.stops().givenUp().forEach(actions::stopped);
    for (ObservedInstance each : found.strays()) {
      LOG.warn(
          "Instance {} is on host {}, where it should not be: stopped.", each.id(), each.host());
      actions.stops().add(Stop.of(each));
    }
    stopEarlierAttempts(seen);
    answerWishes(each -> each.complete(found));
    if (mustCompare) {
      return;
    }
    mayPass = mayPass || settlement.isSettled(underWay, now);
    if (!mayPass) {
      question.askAgain(now);
      question.askBy(settlement.busyUntil());
    }
  }

  /**
   * Stops earlier attempts of instances that are being placed, as after their host could not be
   * reached. A comparison says nothing about instances that actions may be changing.
   */
  private void stopEarlierAttempts(Observation seen) {
    for (ObservedInstance each : seen.instances()) {
      OpenAction first = question.changed().contains(each.id()) ? null : actions.firstOf(each.id());
      if (first != null
          && first.action instanceof Action.Place place
          && each.attempt().orElse(place.attempt()) < place.attempt()) {
        LOG.warn("Instance {} is left on host {}: stopped.", each.id(), each.host());
        actions.stops().add(Stop.of(each));
      }
    }
  }

  /** Answers the wishes for which the fleet was asked, once the journal is forced. */
  private void answerWishes(Consumer<CompletableFuture<Reconciliation>> answer) {
    List<CompletableFuture<Reconciliation>> answered = question.asked();
    afterForce.add(
        () -> {
          question.takeAsked();
          answered.forEach(answer);
        });
  }

  /** Drops the actions of an earlier run, apart from those that the fleet is still about. */
  private void settle(Set<String> underWay) throws IOException {
    holdsActions = false;
    List<OpenAction> over = actions.over(underWay);
    for (OpenAction each : latestFirst(over)) {
      if (each.instances.stream().anyMatch(underWay::contains)) {
        takeBack(each); // the fleet may have begun it all the same
      }
      settled(each);
    }
    if (!over.isEmpty() || actions.size() > 0) {
      LOG.info(
          "{} actions were under way before the restart: the fleet settled {}, {} are repeated.",
          over.size() + actions.size(),
          over.size(),
          actions.size());
    }
  }

  /** Settles the starts of instances that are where an open action was to start them. */
  private void settleSeen(Observation seen) throws IOException {
    for (ObservedInstance each : seen.instances()) {
      OpenAction first = seen.underWay().contains(each.id()) ? null : actions.firstOf(each.id());
      if (first != null
          && first.action instanceof Action.Starts start
          && start.host().equals(each.host())
          && each.attempt().equals(OptionalInt.of(start.attempt()))) {
        settled(first);
      }
    }
  }

  /** Asks the reconciler about all instances that only one side knows. */
  private Event.Reconciled answered(Observation seen) {
    try {
      return asked(seen);
    } catch (AssertionError | LinkageError failed) {
      throw new IllegalStateException("The reconciler failed: " + failed, failed);
    }
  }

  private Event.Reconciled asked(Observation seen) {
    Map<String, ObservedInstance> latest = new LinkedHashMap<>(); // of the attempts of an id
    for (ObservedInstance each : seen.instances()) {
      latest.merge(
          each.id(),
          each,
          (one, other) -> one.attempt().orElse(0) > other.attempt().orElse(0) ? one : other);
    }
    Set<String> ids = latest.keySet();
    List<Adoption> adoptions = new ArrayList<>();
    for (ObservedInstance each : latest.values()) {
      if (scheduler.instance(each.id()).isEmpty()) {
        reconciler.adopt(each).ifPresent(adoptions::add);
      }
    }
    Set<String> outOfReach =
        seen.hosts().stream()
            .map(ObservedHost::spec)
            .filter(HostSpec::isUnreachable)
            .map(HostSpec::id)
            .collect(Collectors.toSet());
    List<String> gone = new ArrayList<>();
    for (Instance each : scheduler.instances()) {
      if (each.state() != InstanceState.PENDING
          && !ids.contains(each.id())
          && !seen.underWay().contains(each.id())
          && each.host().filter(it -> outOfReach.contains(it.id())).isEmpty()
          && reconciler.hasEnded(each)) {
        gone.add(each.id());
      }
    }
    return new Event.Reconciled(seen, adoptions, gone);
  }

  /** Fails the wishes that were not answered, at the end of the loop. */
  void abandon(Throwable why) {
    question.abandon(why);
    if (snapshots != null) {
      snapshots.abandon(why);
    }
  }

  // ---- State

  /** Returns which call of the fleet has not returned for a while. Any thread may call it. */
  Optional<String> blockedIn() {
    return fleet.blockedIn();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Returns whether passes run; otherwise they wait for a comparison with the fleet. */
  boolean mayPass() {
    return mayPass;
  }

  LoopCounts counts() {
    return counts;
  }

  ActionQueue actions() {
    return actions;
  }

  /** Returns whether nothing is under way or due at once. */
  boolean isIdle() {
    return actions.isIdle() && nextTurn() > now;
  }
}
