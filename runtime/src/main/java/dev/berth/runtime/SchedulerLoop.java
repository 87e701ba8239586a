package dev.berth.runtime;

import dev.berth.api.Backoff;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.runtime.LoopEngine.Message;
import dev.berth.runtime.journal.Journal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that owns a scheduler. Any thread submits events; the loop applies them in order, runs
 * the passes that are due, and has a {@link Fleet} carry the plans out.
 *
 * <pre>{@code
 * SchedulerLoop loop =
 *     SchedulerLoop.builder(fleet)
 *         .scheduler(() -> Scheduler.builder().policy("qos-driven").serviceClasses(gold, bronze))
 *         .journal(FileJournal.open(Path.of("journal")))
 *         .start();
 * loop.addHost(new HostSpec("h1", capacity));
 * loop.submit(Request.builder("r1", "gold").demand(demand).build()).join(); // on disk now
 * loop.close();
 * }</pre>
 *
 * <p><b>Durability.</b> With a journal, an answer completes and an action is handed to the fleet
 * only after the events that they follow from were forced. A loop that starts with the journal of
 * an earlier one continues as if that had not stopped. What was under way then is settled by what
 * the fleet {@linkplain Fleet#observe reports}.
 *
 * <p><b>Overload.</b> Events wait in a queue with a limit. If it is full, {@link #submit} fails
 * with a {@link LoopOverloadedException}. One pass serves all events that came meanwhile, so passes
 * never queue up.
 *
 * <p><b>Errors.</b> If the journal fails or is closed by another, or the scheduler has {@linkplain
 * SchedulerFailedException failed}, the loop stops: it hands no further action to the fleet, and
 * all answers fail with a {@link LoopStoppedException}. Start a new loop with the same journal
 * then. A snapshot that cannot be saved stops nothing; the loop tries again later.
 *
 * <p>Safe for use by several threads. Answers complete in the thread of the loop, so functions that
 * depend on them return at once, or run elsewhere. To wait for an answer in that thread is refused
 * with an {@link IllegalStateException}.
 */
public final class SchedulerLoop implements AutoCloseable {

  /**
   * The back-off of instances of a scheduler whose builder sets none: a second, which each further
   * failure in a row doubles, up to five minutes. Otherwise a fleet that rejects a start at once is
   * asked again at once. A journal that was written with another one, or with none, keeps it.
   */
  public static final Backoff DEFAULT_INSTANCE_BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);

  private final LoopEngine engine;
  private final @Nullable Journal journal;
  private final LoopSettings settings;
  private final LongSupplier clock;
  private final Recovery recovery;
  private final Thread thread;
  final StatusBoard board;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Message> messages = new ArrayDeque<>();
  private int waitingInputs;
  private long overloaded; // events that found the queue full
  private Mode mode = Mode.RUNNING;
  private volatile @Nullable Throwable failure;
  private volatile boolean isDrained;

  /** A question that only begins a turn. */
  private static final LoopEngine.Question NUDGE =
      new LoopEngine.Question(scheduler -> {}, new CompletableFuture<>());

  private enum Mode {
    RUNNING,
    DRAINING, // no events; ends when nothing is under way
    STOPPING // ends after the present turn
  }

  /** An answer of the loop. Its thread refuses to wait for one, which only it could give. */
  private final class Answer<T> extends CompletableFuture<T> {

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new Answer<>();
    }

    @Override
    public T join() {
      requireOther();
      return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
      requireOther();
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      requireOther();
      return super.get(timeout, unit);
    }

    private void requireOther() {
      if (!isDone() && Thread.currentThread() == thread) {
        throw new IllegalStateException(
            "SchedulerLoop: the thread of the loop was to wait for an answer of the loop. Maybe use"
                + " thenCompose, or thenApplyAsync with an executor.");
      }
    }
  }

  private SchedulerLoop(Builder builder, Recovery recovery) {
    this.settings = builder.settings;
    this.clock = new LoopClock(builder.clock, recovery.scheduler().now());
    this.journal = builder.journal;
    this.recovery = recovery;
    this.engine =
        new LoopEngine(
            recovery,
            builder.journal,
            builder.fleet,
            builder.reconciler,
            builder.settings,
            clock,
            this::tell);
    this.thread = new Thread(this::run, "berth-loop");
    thread.setDaemon(true);
    this.board = new StatusBoard(takeStatus(), () -> tell(NUDGE), System::nanoTime);
  }

  /** Returns a builder of a loop for a fleet. */
  public static Builder builder(Fleet fleet) {
    return new Builder(fleet);
  }

  // ---- Other threads

  /**
   * Reports an event. The answer completes once the scheduler has accepted it and it is in the
   * journal. It fails with an {@link dev.berth.core.error.EventRefusedException} if the scheduler
   * refuses it, with a {@link LoopOverloadedException} if the queue is full, or with a {@link
   * LoopStoppedException}.
   */
  public <R> CompletableFuture<R> apply(Event<R> event) {
    Objects.requireNonNull(event, "event");
    CompletableFuture<R> answer = new Answer<>();
    RuntimeException refused = null;
    lock.lock();
    try {
      if (mode != Mode.RUNNING) {
        refused = stopped();
      } else if (waitingInputs >= settings.queueCapacity()) {
        overloaded++;
        refused = new LoopOverloadedException(settings.queueCapacity(), engine.blockedIn());
      } else {
        messages.add(new LoopEngine.Submitted<>(event, answer));
        waitingInputs++;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (refused != null) {
      answer.completeExceptionally(refused);
    }
    return answer;
  }

  /** Submits a request; see {@link #apply}. */
  public CompletableFuture<Accepted> submit(Request request) {
    return apply(new Event.Submitted(request));
  }

  /** Adds a host; see {@link #apply}. */
  public CompletableFuture<Accepted> addHost(HostSpec host) {
    return apply(new Event.HostAdded(host));
  }

  /** Cancels a request, and stops its instance; see {@link #apply}. */
  public CompletableFuture<InstanceReport> cancel(String instance) {
    return apply(new Event.Cancelled(instance));
  }

  /**
   * Compares what the scheduler believes with what the fleet reports. The answer is what differed,
   * by an observation that begins after this call.
   */
  public CompletableFuture<Reconciliation> reconcile() {
    CompletableFuture<Reconciliation> answer = new Answer<>();
    ask(new LoopEngine.ReconcileWish(answer));
    return answer;
  }

  /**
   * Asks the scheduler something in the thread of the loop. An event or a pass in the function
   * fails with an {@link IllegalStateException}, because the journal would not have it. The
   * function must not keep live views.
   */
  public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
    Objects.requireNonNull(question, "question");
    CompletableFuture<T> answer = new Answer<>();
    ask(
        new LoopEngine.Question(
            scheduler -> {
              try {
                answer.complete(scheduler.ask(question));
              } catch (RuntimeException | AssertionError | LinkageError thrown) {
                answer.completeExceptionally(thrown); // it must not stop the loop
              }
            },
            answer));
    return answer;
  }

  /**
   * Saves a snapshot of the scheduler in the journal, now. The next start begins with it, and need
   * not give earlier passes again; so save one before a policy or engine of another version takes
   * over. The answer completes once it is on disk; at once if there is no journal.
   */
  public CompletableFuture<Void> saveSnapshot() {
    CompletableFuture<Void> answer = new Answer<>();
    ask(new LoopEngine.SnapshotWish(answer));
    return answer;
  }

  /** Has a listener hear of all that happens from now on, in the thread of the loop. */
  void listen(Replay.Listener listener) {
    tell(new LoopEngine.Listening(listener, true));
  }

  /** Has a listener hear no more. */
  void dismiss(Replay.Listener listener) {
    tell(new LoopEngine.Listening(listener, false));
  }

  private void ask(LoopEngine.Asked message) {
    if (!tell(message)) {
      message.answer().completeExceptionally(stopped());
    }
  }

  /** Tells the loop something that has no limit; returns false if it no longer listens. */
  private boolean tell(Message message) {
    return locked(
        () -> {
          if (mode == Mode.STOPPING) {
            return false;
          }
          messages.add(message);
          changed.signalAll();
          return true;
        });
  }

  /** Goes on to a later mode. */
  private void become(Mode next) {
    locked(
        () -> {
          mode = next.compareTo(mode) > 0 ? next : mode;
          changed.signalAll();
          return mode;
        });
  }

  private <T> T locked(Supplier<T> guarded) {
    lock.lock();
    try {
      return guarded.get();
    } finally {
      lock.unlock();
    }
  }

  private LoopStoppedException stopped() {
    Throwable why = failure;
    return new LoopStoppedException(
        why == null
            ? "the loop was shut down and takes no further inputs."
            : "the loop has failed and takes no further inputs: " + words(why),
        why);
  }

  private static String words(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message;
  }

  /**
   * Returns the figures of the loop, at most a second old. If they are older, the loop takes new
   * ones after its present turn, and this call waits for them, at most 0.2 s in all. If that does
   * not suffice, or in the thread of the loop, it returns the latest ones; {@link LoopStatus#taken}
   * says how old they are. After the loop has ended, it returns the last ones.
   *
   * <p>Cost O(instances + hosts) in the thread of the loop, at most once a second, and nothing
   * unless this is called.
   */
  public LoopStatus status() {
    return Thread.currentThread() == thread ? board.latest() : board.fresh();
  }

  /**
   * Returns for how long the loop has not answered a call of {@link #status} that is still open, in
   * nanoseconds; 0 if there is none.
   */
  long unanswered() {
    return board.unanswered();
  }

  /** Takes the figures; in the thread of the loop, or before it starts. */
  private LoopStatus takeStatus() {
    LoopStatus.Phase phase;
    int queued;
    long refused;
    lock.lock();
    try {
      phase = mode == Mode.RUNNING ? LoopStatus.Phase.RUNNING : LoopStatus.Phase.DRAINING;
      queued = waitingInputs;
      refused = overloaded;
    } finally {
      lock.unlock();
    }
    return StatusBoard.take(engine, journal, settings, phase, queued, refused, clock.getAsLong());
  }

  /**
   * Returns the time of the loop, in nanoseconds: for the times in reports, which must not be ahead
   * of it. It never runs backwards, not even over a restart with the same journal.
   */
  public long now() {
    return clock.getAsLong();
  }

  /** Returns what was recovered from the journal at the start. */
  public Recovery recovery() {
    return recovery;
  }

  /** Returns the number of events that wait. */
  public int waitingInputs() {
    return locked(() -> waitingInputs);
  }

  /** Returns whether the loop still takes events. */
  public boolean isRunning() {
    return locked(() -> mode == Mode.RUNNING);
  }

  /**
   * Takes no further events, applies those that wait, and stops once no action is under way.
   *
   * <p>Passes go on meanwhile. Reports that it refuses belong to the next loop with the same
   * journal, or are found by its first comparison.
   *
   * @param longest how long to wait for that
   * @return whether nothing was left under way
   * @throws IllegalStateException in the thread of the loop, which would wait for itself
   */
  public boolean shutDown(Duration longest) throws InterruptedException {
    if (Thread.currentThread() == thread) {
      throw new IllegalStateException(
          "SchedulerLoop.shutDown: called in the thread of the loop, which would wait for itself."
              + " Maybe call it in another thread.");
    }
    become(Mode.DRAINING);
    thread.join(Math.max(1, TimeUnit.MILLISECONDS.convert(longest))); // saturates
    boolean ended = isDrained && !thread.isAlive();
    close();
    return ended;
  }

  /**
   * Stops after the present turn, and releases the journal. Events that still wait fail with a
   * {@link LoopStoppedException}. Actions under way are found again by the next loop with the same
   * journal.
   */
  @Override
  public void close() {
    become(Mode.STOPPING);
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- The thread of the loop

  private void run() {
    List<Message> turn = new ArrayList<>();
    try {
      long next = Long.MIN_VALUE;
      while (await(next, turn)) {
        next = engine.turn(turn);
        turn.clear();
        if (board.isAsked()) {
          publishStatus();
        }
      }
      publishStatus();
    } catch (Throwable failed) { // of the fleet, even undeclared ones
      LOG.error("The loop has failed and stops.", failed);
      failure = failed;
    } finally {
      end(turn);
    }
  }

  /** Publishes the figures; a defect in them must not stop the loop. */
  private void publishStatus() {
    try {
      board.publish(takeStatus());
    } catch (RuntimeException failed) {
      LOG.error("The status could not be taken.", failed);
      board.publish(board.latest());
    }
  }

  /** Waits for messages or a time, and takes the messages. Returns false if the loop is to end. */
  private boolean await(long next, List<Message> taken) {
    lock.lock();
    try {
      while (mode != Mode.STOPPING && messages.isEmpty()) {
        if (mode == Mode.DRAINING && engine.isIdle()) {
          isDrained = true;
          return false;
        }
        long time = clock.getAsLong();
        if (next <= time) {
          break;
        }
        long longest = TimeUnit.HOURS.toNanos(1);
        changed.awaitNanos(next - longest > time ? longest : next - time);
      }
      if (mode == Mode.STOPPING) {
        return false;
      }
      return take(taken);
    } catch (InterruptedException stray) { // no other class knows this thread
      return mode != Mode.STOPPING;
    } finally {
      lock.unlock();
    }
  }

  /** Takes all messages. The caller holds the lock. */
  private boolean take(List<Message> taken) {
    taken.addAll(messages);
    messages.clear();
    waitingInputs = 0;
    return true;
  }

  private void end(List<Message> turn) {
    List<Message> left = new ArrayList<>(turn);
    locked(
        () -> {
          mode = Mode.STOPPING;
          return take(left);
        });
    for (Message each : left) {
      if (each instanceof LoopEngine.Asked asked) {
        asked.answer().completeExceptionally(stopped());
      }
    }
    Throwable why = failure;
    board.end(
        why == null ? LoopStatus.Phase.STOPPED : LoopStatus.Phase.FAILED,
        Optional.ofNullable(why).map(SchedulerLoop::words));
    engine.abandon(stopped());
    if (journal != null) {
      try {
        journal.close();
      } catch (IOException failed) {
        LOG.error("The journal could not be closed.", failed);
      }
    }
  }

  /** Builds and starts a {@link SchedulerLoop}. For one thread. */
  public static final class Builder {

    private final Fleet fleet;
    private @Nullable Supplier<Scheduler.Builder> scheduler;
    private @Nullable Journal journal;
    private Reconciler reconciler = Reconciler.DEFAULT;
    private LoopSettings settings = LoopSettings.defaults();
    private LongSupplier clock = systemTime();
    private boolean isStarted;
    private boolean settingsMayChange;

    private Builder(Fleet fleet) {
      this.fleet = Objects.requireNonNull(fleet, "fleet");
    }

    /** Returns the time of the system, which does not jump while the loop runs. */
    private static LongSupplier systemTime() {
      long offset = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()) - System.nanoTime();
      return () -> offset + System.nanoTime();
    }

    /**
     * Sets what makes the builder of the scheduler; required. It may be called several times, and
     * returns a new builder with the same settings each time. If that has no back-off of instances,
     * it gets the {@linkplain #DEFAULT_INSTANCE_BACKOFF default} of loops.
     */
    public Builder scheduler(Supplier<Scheduler.Builder> maker) {
      this.scheduler = Objects.requireNonNull(maker, "maker");
      return this;
    }

    /**
     * Sets the journal; the loop closes it. Default: none, and nothing survives a restart. The
     * policy must {@linkplain dev.berth.api.policy.Policy#memory say} what it keeps.
     */
    public Builder journal(Journal kept) {
      this.journal = Objects.requireNonNull(kept, "kept");
      return this;
    }

    /**
     * Lets the scheduler have other settings than the journal says: another policy or
     * configuration, other service classes, watchdog, back-offs, seed. The journal records the
     * change; histories, cordons, limits, budgets and groups stay. By default {@link #start}
     * refuses it, and says what differs.
     *
     * <p>Refused even so if an instance is of a service class that is gone, or if what the journal
     * holds was decided by a policy that no registry has.
     */
    public Builder allowSettingsToChange() {
      settingsMayChange = true;
      return this;
    }

    /** Sets what decides on instances that only one side knows; see {@link Reconciler#DEFAULT}. */
    public Builder reconciler(Reconciler decides) {
      this.reconciler = Objects.requireNonNull(decides, "decides");
      return this;
    }

    /** Sets the settings of the loop; see {@link LoopSettings#defaults}. */
    public Builder settings(LoopSettings of) {
      this.settings = Objects.requireNonNull(of, "of");
      return this;
    }

    /**
     * Sets the clock, in nanoseconds since an epoch that stays the same over restarts. Default: the
     * time of the system since 1970 when the builder was made, and the time that has passed since.
     * So a clock that is set anew changes nothing before the next start. If a clock is set back,
     * also before a start, the time of the scheduler goes on from where it was, and the log says
     * so. The loop waits in real time: a simulated clock does not wake it.
     */
    public Builder clock(LongSupplier time) {
      this.clock = Objects.requireNonNull(time, "time");
      return this;
    }

    /**
     * Recovers the scheduler from the journal, and starts the thread. Call it once. If it fails,
     * the journal is closed.
     *
     * @throws IOException if the journal fails or cannot be read
     * @throws ReplayMismatchException if a pass of the journal, given again, decides differently
     * @throws IllegalStateException if the settings of the scheduler are not those in the journal,
     *     or if it was called before
     */
    public SchedulerLoop start() throws IOException {
      if (isStarted) {
        throw new IllegalStateException(
            "SchedulerLoop.Builder.start: called twice. Maybe make a builder for each loop.");
      }
      isStarted = true;
      boolean succeeded = false;
      try {
        SchedulerLoop loop = new SchedulerLoop(this, recover());
        loop.thread.start();
        succeeded = true;
        return loop;
      } finally {
        if (!succeeded && journal != null) {
          journal.close();
        }
      }
    }

    private Recovery recover() throws IOException {
      Supplier<Scheduler.Builder> maker = scheduler;
      if (maker == null) {
        throw new IllegalStateException(
            "loop: there is no scheduler. Maybe call SchedulerLoop.Builder.scheduler.");
      }
      return Recovery.of(journal, maker, settingsMayChange, settings.underWayPerHost());
    }
  }
}
