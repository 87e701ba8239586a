package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import dev.berth.runtime.ActionImpossibleException;
import dev.berth.runtime.Fleet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
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
  private static final String TAKEN_BACK = "taken-back";
  private static final Duration LOOK_EVERY = Duration.ofMillis(25);
  private static final long TIME_TO_START = Duration.ofSeconds(5).toNanos();
  private static final Comparator<ActionId> ORDER =
      Comparator.comparingLong(ActionId::pass).thenComparingInt(ActionId::index);

  private final Path root;
  private final Path hosts;
  private final Path gone;
  private final Duration grace;
  private final Function<String, CompletionStage<Request>> requests;
  private final Ledger ledger;
  private final Set<String> completed = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(ProcessFleet::daemon);

  // Of that thread:
  private final Map<ActionId, Job> jobs = new LinkedHashMap<>(); // on the hosts
  private final Map<ActionId, Start> starts = new LinkedHashMap<>(); // not on a host yet
  private final Map<ActionId, Attempt> left = new HashMap<>(); // by the action that stopped them
  private Reports reports;

  /** A run on a host, and what this fleet has done about it. */
  private static final class Job {
    final Run run;
    final CompletableFuture<String> isGone = new CompletableFuture<>();
    long spawnedAt; // by the clock of the JVM
    long termAt; // likewise; 0: no signal yet
    boolean saidStarted;
    boolean isReporting; // its end

    Job(Run run) {
      this.run = run;
    }

    String instance() {
      return run.attempt().instance();
    }
  }

  /** A start that waits: for its request, or for a job that leaves. */
  private static final class Start {
    final ActionId id;
    final Action.Place place;
    final CompletableFuture<String> done;
    Request request;

    Start(ActionId id, Action.Place place, CompletableFuture<String> done) {
      this.id = id;
      this.place = place;
      this.done = done;
    }
  }

  /**
   * Opens the fleet of a folder.
   *
   * @param root has a folder {@code hosts/NAME} for each host, with a file {@code capacity}: cores
   *     and bytes of memory
   * @param grace how long a job has from TERM to KILL
   * @param requests what to run, by instance
   */
  ProcessFleet(Path root, Duration grace, Function<String, CompletionStage<Request>> requests) {
    this.root = root;
    this.hosts = root.resolve("hosts");
    this.gone = root.resolve("gone");
    this.grace = grace;
    this.requests = requests;
    this.ledger = new Ledger(root);
    try {
      Files.createDirectories(gone);
      Files.createDirectories(root.resolve("drafts"));
      try (var runner = ProcessFleet.class.getResourceAsStream("runner.sh")) {
        Path draft = Files.createTempFile(root, "runner", ".sh");
        Files.copy(runner, draft, StandardCopyOption.REPLACE_EXISTING);
        Files.move(draft, root.resolve("runner.sh"), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    for (Run each : Run.readAll(gone)) {
      noteCompletion(each);
    }
    for (HostSpec host : hosts()) {
      Run.readAll(hosts.resolve(host.id())).forEach(each -> jobs.put(each.id(), new Job(each)));
    }
    jobs.values().forEach(each -> noteCompletion(each.run));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "fleet");
    thread.setDaemon(true);
    return thread;
  }

  private void noteCompletion(Run run) {
    if (run.exit().filter(Run.Exit::isFinal).isPresent()) {
      completed.add(run.attempt().instance());
    }
  }

  /** Begins to report what becomes of the jobs. */
  void reportTo(Reports loop) {
    thread.execute(() -> reports = loop);
    long every = LOOK_EVERY.toNanos();
    thread.scheduleWithFixedDelay(this::look, 0, every, TimeUnit.NANOSECONDS);
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
    return Set.copyOf(completed);
  }

  /** Returns whether no job is on a host. */
  boolean isIdle() {
    return CompletableFuture.supplyAsync(() -> jobs.isEmpty() && starts.isEmpty(), thread).join();
  }

  @Override
  public boolean hasEnded(Instance instance) {
    return completed.contains(instance.id());
  }

  // ---- What the loop asks

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    return inThread(
        done -> {
          if (action instanceof Action.Place place) {
            place(id, place, done);
          } else if (action instanceof Action.Preempt
              || action instanceof Action.Evict
              || action instanceof Action.Stop) {
            Action.OnHost on = (Action.OnHost) action;
            // Not a later attempt: the action may be repeated after that has begun.
            leave(on.instance(), on.host(), (at, it) -> ORDER.compare(at, id) < 0, id, done);
          } else if (action instanceof Action.Reject) {
            done.complete("noted");
          } else {
            throw new ActionImpossibleException("jobs only start and stop");
          }
        });
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    thread.execute(
        () -> {
          forget(id, "it was taken back");
          if (jobs.containsKey(id)) {
            stop(jobs.get(id), TAKEN_BACK);
          }
          unstop(id);
        });
  }

  /** Takes a stop back: a job that it has stopped all the same has failed. */
  private void unstop(ActionId id) {
    for (Job each : jobs.values()) {
      if (each.run.stop().filter(Run.name(id)::equals).isPresent()) {
        each.run.forgetStop();
      }
    }
    Attempt victim = left.remove(id);
    if (victim != null) {
      reports.apply(new Event.Failed(victim, OptionalLong.empty()));
    }
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    return inThread(
        done ->
            leave(
                instance,
                host,
                (at, it) -> attempt.isEmpty() || attempt.getAsInt() == it.number(),
                null,
                done));
  }

  @Override
  public CompletionStage<Observation> observe() {
    CompletableFuture<Observation> answer = new CompletableFuture<>();
    return answer.completeAsync(this::observation, thread);
  }

  /** Has the thread do something that completes a stage, now or later. */
  private CompletionStage<?> inThread(Consumer<CompletableFuture<String>> work) {
    CompletableFuture<String> done = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            work.accept(done);
          } catch (RuntimeException failed) {
            done.completeExceptionally(failed);
          }
        });
    return done;
  }

  private Observation observation() {
    List<ObservedInstance> seen = new ArrayList<>();
    Set<String> underWay = new LinkedHashSet<>();
    starts.values().forEach(each -> underWay.add(each.place.instance()));
    for (Job each : jobs.values()) {
      Optional<Run.Began> began = each.run.began();
      if (each.run.stop().isPresent()) {
        underWay.add(each.instance());
      }
      if (began.isPresent() && !began.get().processes().isAlive()) {
        noteCompletion(each.run); // before hasEnded is asked
        continue;
      }
      InstanceState state = began.isPresent() ? InstanceState.RUNNING : InstanceState.STARTING;
      ObservedInstance instance =
          new ObservedInstance(each.instance(), each.run.host(), state)
              .inAttempt(each.run.attempt().number())
              .holding(each.run.amounts());
      seen.add(began.map(it -> instance.since(it.at())).orElse(instance));
    }
    return new Observation(hosts().stream().map(ObservedHost::new).toList(), seen, underWay);
  }

  private List<HostSpec> hosts() {
    try (var folders = Files.list(hosts)) {
      List<HostSpec> all = new ArrayList<>();
      for (Path each : folders.sorted().toList()) {
        String[] capacity = Files.readString(each.resolve("capacity")).strip().split(" ");
        Resources amounts =
            Resources.of(
                CPU, CPU.whole(Long.parseLong(capacity[0])), MEMORY, Long.parseLong(capacity[1]));
        all.add(new HostSpec(each.getFileName().toString(), amounts));
      }
      return all;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  // ---- Starts

  private void place(ActionId id, Action.Place place, CompletableFuture<String> done) {
    if (jobs.containsKey(id) || Files.exists(gone.resolve(Run.name(id)))) {
      done.complete("begun before");
      return;
    }
    Start before = starts.get(id);
    if (before != null) {
      before.done.whenComplete((result, error) -> answer(done, result, error));
      return;
    }
    Start start = new Start(id, place, done);
    starts.put(id, start);
    requests
        .apply(place.instance())
        .whenCompleteAsync(
            (request, error) -> {
              if (starts.get(id) != start) {
                return; // taken back
              }
              if (error == null) {
                start.request = request;
                beginIfFree(start);
              } else {
                starts.remove(id);
                done.completeExceptionally(error);
              }
            },
            thread);
  }

  private static <T> void answer(CompletableFuture<T> to, T result, Throwable error) {
    if (error == null) {
      to.complete(result);
    } else {
      to.completeExceptionally(error);
    }
  }

  /**
   * Begins a start, unless it must wait: for another run of the same job, and for what leaves the
   * host. The loop does not wait for what it takes back.
   */
  private void beginIfFree(Start start) {
    String instance = start.place.instance();
    String host = start.place.host();
    if (completed.contains(instance)) {
      forget(start.id, "it has completed");
      return;
    }
    for (Job each : jobs.values()) {
      if (each.instance().equals(instance)
          || (each.run.host().equals(host) && each.run.stop().isPresent())) {
        return; // again at the next look
      }
    }
    starts.remove(start.id);
    try {
      Resources amounts = start.place.grant().orElse(start.request.demand());
      Run run =
          Run.write(
              hosts, start.id, start.place.toAttempt(), host, amounts, Jobs.command(start.request));
      Job job = new Job(run);
      jobs.put(start.id, job);
      spawn(job);
      ledger.write(Ledger.Entry.STARTED, run, "");
      start.done.complete("started");
    } catch (RuntimeException failed) {
      start.done.completeExceptionally(failed);
    }
  }

  /** Starts a runner; the runner sees to it that the job begins only once. */
  private void spawn(Job job) {
    ledger.write(Ledger.Entry.STARTING, job.run, "");
    job.spawnedAt = System.nanoTime();
    try {
      new ProcessBuilder(
              "setsid", "sh", root.resolve("runner.sh").toString(), job.run.folder().toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  // ---- Stops

  /** Forgets a start that waits, if there is one. */
  private void forget(ActionId id, String why) {
    Start start = starts.remove(id);
    if (start != null) {
      start.done.completeExceptionally(new ActionImpossibleException(why));
    }
  }

  /** Has the runs of an instance leave a host; done once they are gone. */
  private void leave(
      String instance,
      String host,
      BiPredicate<ActionId, Attempt> which,
      ActionId why,
      CompletableFuture<String> done) {
    for (Start each : List.copyOf(starts.values())) {
      if (each.place.instance().equals(instance)
          && each.place.host().equals(host)
          && which.test(each.id, each.place.toAttempt())) {
        forget(each.id, "it is to leave");
      }
    }
    List<CompletableFuture<String>> leaving = new ArrayList<>();
    for (Job each : List.copyOf(jobs.values())) {
      if (each.instance().equals(instance)
          && each.run.host().equals(host)
          && which.test(each.run.id(), each.run.attempt())) {
        leaving.add(each.isGone);
        stop(each, why == null ? "stop" : Run.name(why));
      }
    }
    CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new))
        .whenComplete((result, error) -> answer(done, "gone", error));
  }

  /** Stops a job. It is noted first: else, after a restart, it would look like a crash. */
  private void stop(Job job, String why) {
    Optional<String> before = job.run.stop();
    if (before.isEmpty()) {
      ledger.write(Ledger.Entry.STOPPING, job.run, why);
    }
    if (before.isEmpty() || why.equals(TAKEN_BACK)) {
      job.run.noteStop(why);
    }
    look(job); // which sends the signal
  }

  // ---- What becomes of the jobs

  private void look() {
    try {
      List.copyOf(jobs.values()).forEach(this::look);
      List.copyOf(starts.values()).stream()
          .filter(each -> each.request != null)
          .forEach(this::beginIfFree);
    } catch (RuntimeException failed) {
      LOG.error("A look at the jobs failed.", failed);
    }
  }

  private void look(Job job) {
    Optional<Run.Began> began = job.run.began();
    if (began.isEmpty()) {
      if (job.run.stop().isPresent() && job.run.preventsBegin()) {
        isGone(job, "not begun");
      } else if (job.spawnedAt == 0 || System.nanoTime() - job.spawnedAt > TIME_TO_START) {
        spawn(job); // as after a restart
      }
    } else if (began.get().processes().isAlive()) {
      if (!job.saidStarted && reports != null) {
        job.saidStarted = true;
        reports.apply(new Event.Started(job.run.attempt(), OptionalLong.of(began.get().at())));
      }
      if (job.run.stop().isPresent()) {
        signal(job, began.get().processes());
      } else if (job.run.exit().isPresent()) {
        began.get().processes().signal("KILL"); // what the job has left behind
      }
    } else if (!job.isReporting && reports != null) {
      job.isReporting = true;
      ended(job);
    }
  }

  private void signal(Job job, ProcessGroup processes) {
    long now = System.nanoTime();
    if (job.termAt == 0) {
      job.termAt = now;
      processes.signal("TERM");
    } else if (now - job.termAt > grace.toNanos()) {
      processes.signal("KILL");
    }
  }

  /** Reports how a job ended. It is gone once that is answered, so nothing overtakes the report. */
  private void ended(Job job) {
    Optional<Run.Exit> exit = job.run.exit();
    Attempt attempt = job.run.attempt();
    Optional<String> stop = job.run.stop();
    if (exit.isPresent() && exit.get().isFinal()) {
      completed.add(job.instance());
      if (stop.filter(TAKEN_BACK::equals).isPresent()) {
        withdraw(job); // another attempt may have its number
      } else {
        OptionalLong at = OptionalLong.of(exit.get().at());
        report(job, new Event.Completed(attempt, Optional.empty(), at), () -> withdraw(job));
      }
    } else if (stop.isPresent()) {
      isGone(job, "stopped");
    } else {
      OptionalLong at = exit.map(it -> OptionalLong.of(it.at())).orElse(OptionalLong.empty());
      report(job, new Event.Failed(attempt, at), () -> isGone(job, "failed"));
    }
  }

  /** Has no more of a job run: it has completed, though not in the latest attempt. */
  private void withdraw(Job job) {
    Event<?> cancelled = new Event.Cancelled(job.instance());
    report(job, cancelled, () -> isGone(job, "completed"));
  }

  /** Reports until it is answered. */
  private void report(Job job, Event<?> report, Runnable refused) {
    reports
        .apply(report)
        .whenCompleteAsync(
            (answer, error) -> {
              Throwable cause = error instanceof CompletionException ? error.getCause() : error;
              if (cause == null) {
                isGone(job, report instanceof Event.Failed ? "failed" : "completed");
              } else if (cause instanceof EventRefusedException) {
                refused.run();
              } else {
                job.isReporting = false; // the loop is overloaded, or has ended: later
              }
            },
            thread);
  }

  private void isGone(Job job, String how) {
    job.run.stop().ifPresent(why -> noteLeft(why, job.run.attempt()));
    ledger.write(Ledger.Entry.GONE, job.run, how);
    job.run.moveTo(gone);
    jobs.remove(job.run.id());
    job.isGone.complete(how);
  }

  private void noteLeft(String why, Attempt attempt) {
    if (why.contains("-") && !why.equals(TAKEN_BACK)) {
      String[] id = why.split("-");
      left.put(new ActionId(Long.parseLong(id[0]), Integer.parseInt(id[1])), attempt);
    }
  }
}
