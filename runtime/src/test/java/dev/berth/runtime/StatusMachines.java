package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Fixture: loops whose status is watched, with a fleet that accepts all or leaves all open. */
final class StatusMachines implements Fleet {

  static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  static final ServiceClass BRONZE = ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  final List<ObservedHost> hosts = new ArrayList<>(); // guarded by this
  volatile boolean answers = true;

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    return answers ? CompletableFuture.completedFuture("done") : new CompletableFuture<>();
  }

  @Override
  public void takeBack(ActionId id, Action action) {}

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public synchronized CompletionStage<Observation> observe() {
    return CompletableFuture.completedFuture(
        new Observation(List.copyOf(hosts), List.<ObservedInstance>of()));
  }

  SchedulerLoop.Builder loop() {
    return SchedulerLoop.builder(this)
        .scheduler(StatusMachines::scheduler)
        .settings(LoopSettings.defaults().withReconciliation(false, java.util.Optional.empty()));
  }

  /** Returns a scheduler in which gold preempts bronze. */
  static Scheduler.Builder scheduler() {
    VictimOrder latestFirst =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.admittedAt();
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    PreemptionRule lessImportant =
        pair ->
            pair.victimClassRank() > pair.beneficiaryClassRank()
                ? Verdict.allow("less-important", "less important")
                : Verdict.refuseRest("as-important", "as important");
    return Scheduler.builder()
        .policy(
            "gold-first",
            context ->
                context
                    .pipeline()
                    .preemption(latestFirst, lessImportant)
                    .preemptStarting(true)
                    .build())
        .serviceClasses(GOLD, BRONZE);
  }

  static HostSpec host(String id, int cores) {
    return new HostSpec(id, Resources.of(CPU, cores));
  }

  static Request request(String id, String serviceClass, int cores) {
    return Request.builder(id, serviceClass).demand(Resources.of(CPU, cores)).build();
  }

  static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(2);
    }
  }

  /** Returns figures that were taken after the call began. */
  static LoopStatus fresh(SchedulerLoop loop) throws InterruptedException {
    java.time.Instant from = java.time.Instant.now();
    await(
        () -> {
          loop.board.ask();
          return loop.board.latest().taken().isAfter(from);
        });
    return loop.board.latest();
  }
}
