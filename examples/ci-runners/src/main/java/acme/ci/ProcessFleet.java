package acme.ci;

import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionImpossibleException;
import dev.berth.runtime.Fleet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts that are folders of this machine, and jobs that are processes. What runs and what became of
 * it is in files, so it outlives the service: a fleet that is opened on the same folder continues.
 *
 * <p>One thread does all the work, so an observation is of one time. The methods only hand it over.
 */
final class ProcessFleet implements Fleet, Reconciler, AutoCloseable {

  /** Where reports go: {@code loop::apply}. */
  interface Reports {
    <R> CompletionStage<R> apply(Event<R> report);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ProcessFleet.class);
  private static final Comparator<ActionId> ORDER =
      Comparator.comparingLong(ActionId::pass).thenComparingInt(ActionId::index);

  private final Hosts hosts;
  private final Running running;
  private final Function<String, CompletionStage<Request>> requests;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(ProcessFleet::daemon);
  private final Map<ActionId, Start> starts = new LinkedHashMap<>(); // of that thread

  /** A start that waits: for its request, or for a job that leaves. */
  private record Start(
      ActionId id,
      Action.Place place,
      CompletableFuture<Request> request,
      CompletableFuture<String> done) {}

  /**
   * Opens the fleet of a folder.
   *
   * @param root as {@link Hosts} has it
   * @param grace how long a job has from TERM to KILL
   * @param requests what to run, by instance
   */
  ProcessFleet(Path root, Duration grace, Function<String, CompletionStage<Request>> requests) {
    this.hosts = new Hosts(root);
    this.running = new Running(hosts, new Ledger(root), grace, thread);
    this.requests = requests;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "fleet");
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to report what becomes of the jobs. */
  void reportTo(Reports loop) {
    thread.execute(() -> running.reportTo(loop));
    thread.scheduleWithFixedDelay(this::look, 0, 25, TimeUnit.MILLISECONDS);
  }

  /** Ends the fleet, but none of its jobs. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      thread.awaitTermination(1, TimeUnit.MINUTES); // another may open the folder then
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the instances that have completed, in whatever attempt. */
  Set<String> completed() {
    return Set.copyOf(running.completed);
  }

  /** Returns whether no job is on a host. */
  boolean isIdle() {
    return CompletableFuture.supplyAsync(() -> running.isIdle() && starts.isEmpty(), thread).join();
  }

  @Override
  public boolean hasEnded(Instance instance) {
    return running.completed.contains(instance.id());
  }

  // ---- What the loop asks

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    return inThread(
        () -> {
          if (action instanceof Action.Place place) {
            return place(id, place);
          } else if (action instanceof Action.Preempt
              || action instanceof Action.Evict
              || action instanceof Action.Stop) {
            Action.OnHost on = (Action.OnHost) action;
            // Not a later attempt: the action may be repeated after that has begun.
            BiPredicate<ActionId, Attempt> which = (at, it) -> ORDER.compare(at, id) < 0;
            return leave(on.instance(), on.host(), which, Run.name(id));
          } else if (action instanceof Action.Reject) {
            return CompletableFuture.completedFuture("noted");
          }
          throw new ActionImpossibleException("jobs only start and stop");
        });
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    thread.execute(
        () -> {
          forget(id, "it was taken back");
          running.takeBack(id);
        });
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    BiPredicate<ActionId, Attempt> which =
        (at, it) -> attempt.isEmpty() || attempt.getAsInt() == it.number();
    return inThread(() -> leave(instance, host, which, "stop"));
  }

  @Override
  public CompletionStage<Observation> observe() {
    return CompletableFuture.supplyAsync(this::observation, thread);
  }

  /** Has the thread do something that ends now or later. */
  private CompletionStage<String> inThread(Supplier<CompletionStage<String>> work) {
    return CompletableFuture.supplyAsync(work, thread).thenCompose(Function.identity());
  }

  private Observation observation() {
    List<ObservedInstance> seen = new ArrayList<>();
    Set<String> underWay = new LinkedHashSet<>();
    starts.values().forEach(each -> underWay.add(each.place.instance()));
    running.observe(seen, underWay);
    return new Observation(hosts.specs().stream().map(ObservedHost::new).toList(), seen, underWay);
  }

  private void look() {
    try {
      running.look();
      List.copyOf(starts.values()).stream()
          .filter(each -> each.request.isDone())
          .forEach(this::beginIfFree);
    } catch (RuntimeException failed) {
      LOG.error("A look at the jobs failed.", failed);
    }
  }

  private CompletionStage<String> place(ActionId id, Action.Place place) {
    if (running.wasBegun(id)) {
      return CompletableFuture.completedFuture("begun before");
    }
    if (starts.containsKey(id)) {
      return starts.get(id).done;
    }
    Start start = new Start(id, place, new CompletableFuture<>(), new CompletableFuture<>());
    starts.put(id, start);
    requests
        .apply(place.instance())
        .whenCompleteAsync(
            (request, error) -> {
              if (starts.get(id) != start) {
                return; // taken back
              }
              if (error == null) {
                start.request.complete(request);
                beginIfFree(start);
              } else {
                starts.remove(id);
                start.done.completeExceptionally(error);
              }
            },
            thread);
    return start.done;
  }

  /** Begins a start unless it must wait. The loop does not wait for what it takes back. */
  private void beginIfFree(Start start) {
    if (running.completed.contains(start.place.instance())) {
      forget(start.id, "it has completed");
    } else if (!running.isInTheWay(start.place)) { // else again at the next look
      starts.remove(start.id);
      try {
        Request request = start.request.join();
        Resources amounts = start.place.grant().orElse(request.demand());
        running.begin(start.id, start.place, amounts, Jobs.command(request));
        start.done.complete("started");
      } catch (RuntimeException failed) {
        start.done.completeExceptionally(failed);
      }
    }
  }

  /** Forgets a start that waits, if there is one. */
  private void forget(ActionId id, String why) {
    Start start = starts.remove(id);
    if (start != null) {
      start.done.completeExceptionally(new ActionImpossibleException(why));
    }
  }

  /** Has the runs of an instance leave a host; done once they are gone. */
  private CompletionStage<String> leave(
      String instance, String host, BiPredicate<ActionId, Attempt> which, String why) {
    for (Start each : List.copyOf(starts.values())) {
      if (each.place.instance().equals(instance)
          && each.place.host().equals(host)
          && which.test(each.id, each.place.toAttempt())) {
        forget(each.id, "it is to leave");
      }
    }
    return running.stop(instance, host, which, why);
  }
}
