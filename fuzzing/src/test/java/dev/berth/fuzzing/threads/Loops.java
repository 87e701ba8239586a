package dev.berth.fuzzing.threads;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.runtime.Fleet;
import dev.berth.runtime.LoopOverloadedException;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.LoopStoppedException;
import dev.berth.runtime.SchedulerLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Small loops, and what became of answers. */
final class Loops {

  private static final PolicyRegistry POLICIES = PolicyRegistry.load();
  private static final ServiceClass GOLD =
      ServiceClass.builder("gold")
          .slo(0.9)
          .importance(1)
          .safetyMargin(Duration.ofSeconds(30))
          .build();

  private Loops() {}

  /** Carries out everything at once. */
  private static final class Obedient implements Fleet {
    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return CompletableFuture.completedFuture("done");
    }

    @Override
    public void takeBack(ActionId id, Action action) {}

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Observation> observe() {
      return new CompletableFuture<>();
    }
  }

  /** Returns a loop without a journal that takes as many inputs at once as said. */
  static SchedulerLoop start(int queue) {
    try {
      return SchedulerLoop.builder(new Obedient())
          .scheduler(
              () ->
                  Scheduler.builder().registry(POLICIES).policy("qos-driven").serviceClasses(GOLD))
          .settings(
              LoopSettings.defaults()
                  .withReconciliation(false, Optional.empty())
                  .withQueueCapacity(queue))
          .start();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // there is no journal
    }
  }

  static HostSpec host(String id) {
    return new HostSpec(id, Resources.of(CPU, CPU.whole(4)));
  }

  /** Waits for an answer, and says what it was. */
  static String awaited(CompletableFuture<?> answer) {
    try {
      answer.join();
    } catch (CompletionException failed) {
      // below
    }
    return found(answer);
  }

  /** Says what an answer is, without waiting. */
  static String found(CompletableFuture<?> answer) {
    if (!answer.isDone()) {
      return "open";
    }
    try {
      answer.join();
      return "accepted";
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof LoopStoppedException) {
        return "stopped";
      } else if (failed.getCause() instanceof LoopOverloadedException) {
        return "overloaded";
      } else if (failed.getCause() instanceof EventRefusedException) {
        return "refused";
      }
      return failed.getCause().getClass().getSimpleName();
    }
  }
}
