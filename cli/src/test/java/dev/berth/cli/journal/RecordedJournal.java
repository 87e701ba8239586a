package dev.berth.cli.journal;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A journal that a loop writes, with a clock that the test sets. */
public final class RecordedJournal implements AutoCloseable {

  static final ServiceClass GOLD = ServiceClass.builder("gold").slo(0.99).importance(1).build();
  static final ServiceClass BRONZE = ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  private static final long BEGIN = 1_764_000_000_000_000_000L; // in November 2025

  private final AtomicLong clock = new AtomicLong(BEGIN);
  private final Map<String, HostSpec> hosts = new ConcurrentHashMap<>();
  private final SchedulerLoop loop;

  private RecordedJournal(
      Path folder,
      FileJournalOptions options,
      LoopSettings settings,
      Supplier<Scheduler.Builder> scheduler)
      throws IOException {
    this.loop =
        SchedulerLoop.builder(new Machines())
            .scheduler(scheduler)
            .settings(settings.withReconciliation(false, Optional.empty()))
            .clock(clock::get)
            .journal(FileJournal.open(folder, options))
            .start();
  }

  /** Begins a journal of a policy that is on the class path. */
  static RecordedJournal begin(Path folder, String policy) throws IOException {
    return begin(folder, LoopSettings.defaults(), () -> Scheduler.builder().policy(policy));
  }

  /** Begins a journal of the scheduler that a function returns. */
  static RecordedJournal begin(
      Path folder, LoopSettings settings, Supplier<Scheduler.Builder> scheduler)
      throws IOException {
    return new RecordedJournal(
        folder,
        FileJournalOptions.defaults(),
        settings,
        () -> scheduler.get().serviceClasses(GOLD, BRONZE));
  }

  /**
   * Records a story in which {@code second} waits from 10s to 60s, since {@code first} is on the
   * only host. {@code third} arrives at 70s and never runs.
   */
  public static Path story(Path folder, String policy) throws IOException {
    try (RecordedJournal journal = begin(folder, policy)) {
      journal.tell();
    }
    return folder;
  }

  /** Records the story of {@link #story}. */
  void tell() {
    addHost("h1", 4);
    submit("first", "gold", 3);
    at(2).started("first");
    at(10).submit("second", "bronze", 3);
    at(60).completed("first");
    at(62).started("second");
    at(70).submit("third", "bronze", 3);
    at(90);
    schedule();
  }

  /** Sets the clock to a time since the beginning, in seconds. */
  RecordedJournal at(long seconds) {
    clock.set(BEGIN + TimeUnit.SECONDS.toNanos(seconds));
    return this;
  }

  void addHost(String id, long cpu) {
    HostSpec host = new HostSpec(id, Resources.of(Dimension.CPU, Dimension.CPU.whole(cpu)));
    hosts.put(id, host);
    withPass(() -> loop.addHost(host).join());
  }

  void submit(String id, String serviceClass, long cpu) {
    Resources demand = Resources.of(Dimension.CPU, Dimension.CPU.whole(cpu));
    withPass(() -> loop.submit(Request.builder(id, serviceClass).demand(demand).build()).join());
  }

  void started(String id) {
    loop.apply(new Event.Started(attempt(id), OptionalLong.empty())).join();
  }

  void completed(String id) {
    withPass(
        () ->
            loop.apply(new Event.Completed(attempt(id), Optional.empty(), OptionalLong.empty()))
                .join());
  }

  /** Has a pass run now. */
  void schedule() {
    withPass(() -> loop.cancel("third").join());
  }

  private Attempt attempt(String id) {
    return loop.ask(each -> new Attempt(id, each.instance(id).orElseThrow().attempt())).join();
  }

  /** Does something that makes a pass due, and waits for the pass. */
  private void withPass(Runnable input) {
    long before = loop.ask(Scheduler::passes).join();
    input.run();
    await(each -> each.passes() > before);
  }

  private void await(Predicate<Scheduler> condition) {
    long begun = System.nanoTime();
    while (!loop.ask(condition::test).join()) {
      if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(60)) {
        throw new AssertionError("the loop does not get there");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  /** A fleet that carries out each action at once. */
  private final class Machines implements Fleet {

    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return CompletableFuture.completedFuture("done");
    }

    @Override
    public void takeBack(ActionId id, Action action) {
      // nothing was begun
    }

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null); // nothing runs
    }

    @Override
    public CompletionStage<Observation> observe() {
      return CompletableFuture.completedFuture(
          new Observation(hosts.values().stream().map(ObservedHost::new).toList(), List.of()));
    }
  }
}
