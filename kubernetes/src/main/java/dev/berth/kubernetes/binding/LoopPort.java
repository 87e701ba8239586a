package dev.berth.kubernetes.binding;

import dev.berth.api.History;
import dev.berth.api.Instance;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.kubernetes.tasks.TaskThread;
import dev.berth.kubernetes.tasks.Trouble;
import dev.berth.runtime.LoopOverloadedException;
import dev.berth.runtime.LoopStoppedException;
import dev.berth.runtime.SchedulerLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The loop, as the binding uses it. What is sent before the loop has adopted what runs waits for
 * that. Safe for use by several threads, apart from the wish for a comparison.
 */
final class LoopPort {

  /** How long to wait after the loop has refused something because it has too much to do. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** How long after a comparison that failed another one is tried. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final TaskThread tasks;
  private final SchedulerTime time;
  private final CompletableFuture<SchedulerLoop> ready = new CompletableFuture<>();
  private final Trouble comparing = new Trouble(System::nanoTime);
  private boolean wantsComparison; // used by tasks of the binding alone
  private long comparedAt; // used by tasks of the binding alone

  LoopPort(TaskThread tasks, SchedulerTime time) {
    this.tasks = tasks;
    this.time = time;
  }

  /** Opens the port: the loop has adopted what runs. */
  void open(SchedulerLoop loop) {
    comparedAt = System.nanoTime();
    ready.complete(loop);
  }

  boolean isOpen() {
    return ready.isDone();
  }

  <T> CompletableFuture<T> apply(Event<T> event) {
    return ready.thenCompose(loop -> loop.apply(event));
  }

  /** Reports an event, and has a task of the binding look at its failure; null if it has none. */
  void apply(Event<?> event, Consumer<@Nullable Throwable> then) {
    var unused = apply(event).whenCompleteAsync((accepted, failure) -> then.accept(failure), tasks);
  }

  <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
    return ready.thenCompose(loop -> loop.ask(question));
  }

  /** Cancels an instance, again and again while the loop has too much to do. */
  void cancel(String instance) {
    var unused =
        ready
            .thenCompose(loop -> loop.cancel(instance))
            .whenComplete(
                (report, failure) -> {
                  if (failure != null && isOverload(failure)) {
                    var unusedTask = tasks.schedule(RETRY, () -> cancel(instance));
                  }
                });
  }

  /** Returns the history of an instance now; fails if the scheduler does not have it. */
  CompletableFuture<History> historyOf(String instance) {
    return ask(
        scheduler ->
            History.of(
                scheduler
                    .instance(instance)
                    .orElseThrow(() -> new InstanceBook.GoneException(instance)),
                Math.max(time.now(), scheduler.now())));
  }

  /** Returns whether the scheduler has an instance on a host. */
  CompletableFuture<Boolean> isOn(String instance, String host) {
    return ask(
        scheduler ->
            scheduler
                .instance(instance)
                .flatMap(Instance::host)
                .filter(each -> each.id().equals(host))
                .isPresent());
  }

  /** Has the scheduler compare itself with the cluster soon. */
  void compareSoon() {
    wantsComparison = true;
  }

  /**
   * Compares if that is wanted or was not done lately, and runs a task of the binding afterwards.
   * What the loop compares by itself has no answer that could be checked.
   */
  void compareIfWanted(Optional<Duration> atLeastEvery, Runnable afterwards) {
    long now = System.nanoTime();
    if (wantsComparison
        || atLeastEvery.filter(each -> now - comparedAt >= each.toNanos()).isPresent()) {
      wantsComparison = false;
      comparedAt = now;
      comparing.tried("it has no answer yet");
      var unused =
          ready
              .thenCompose(SchedulerLoop::reconcile)
              .whenCompleteAsync((found, failure) -> compared(failure, afterwards), tasks);
    }
  }

  /** Notes why the cluster cannot be compared. Any thread may call it. */
  void comparisonFailed(Throwable failure) {
    comparing.failed(String.valueOf(cause(failure).getMessage()));
    var unused = tasks.schedule(AGAIN, this::compareSoon);
  }

  private void compared(@Nullable Throwable failure, Runnable afterwards) {
    if (failure == null) {
      comparing.over();
      afterwards.run();
    } else if (!isStopped(failure)) {
      comparisonFailed(failure);
    }
  }

  /** Returns why no comparison works; empty if one did lately. Any thread may call it. */
  Optional<String> uncompared(Duration least) {
    return comparing.lasting(least);
  }

  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? cause(failure.getCause())
        : failure;
  }

  static boolean isOverload(Throwable failure) {
    return cause(failure) instanceof LoopOverloadedException;
  }

  static boolean isStopped(Throwable failure) {
    return cause(failure) instanceof LoopStoppedException;
  }
}
