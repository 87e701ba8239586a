package dev.berth.runtime;

import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fleet of an embedder, called from the thread of the loop. Whatever it throws becomes a failed
 * answer, an interrupt that it leaves behind is cleared, and calls that do not return at once are
 * named.
 */
final class GuardedFleet implements Fleet {

  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);
  private static final Duration SLOW = Duration.ofSeconds(1);

  private final Fleet fleet;
  private volatile @Nullable Call underWay;

  private record Call(String name, long begun) {
    Duration time() {
      return Duration.ofNanos(System.nanoTime() - begun);
    }
  }

  GuardedFleet(Fleet fleet) {
    this.fleet = fleet;
  }

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    return asked("carryOut: " + action.describe(), () -> fleet.carryOut(id, action));
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    told("takeBack: " + action.describe(), () -> fleet.takeBack(id, action));
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    return asked("stop: " + instance + " on " + host, () -> fleet.stop(instance, attempt, host));
  }

  @Override
  public CompletionStage<Observation> observe() {
    return asked("observe", fleet::observe);
  }

  /** Returns which call has not returned for a while; empty if none. Any thread may call it. */
  Optional<String> blockedIn() {
    return Optional.ofNullable(underWay)
        .filter(call -> call.time().compareTo(SLOW) >= 0)
        .map(call -> "Fleet.%s, for %s s".formatted(call.name(), call.time().toSeconds()));
  }

  private <T> CompletionStage<T> asked(String name, Supplier<? extends CompletionStage<T>> call) {
    try {
      return Objects.requireNonNull(guarded(name, call), "no answer");
    } catch (RuntimeException | AssertionError | LinkageError thrown) {
      return CompletableFuture.failedFuture(thrown);
    }
  }

  private void told(String name, Runnable call) {
    try {
      guarded(
          name,
          () -> {
            call.run();
            return name;
          });
    } catch (RuntimeException | AssertionError | LinkageError thrown) {
      LOG.error("The fleet failed in {}.", name, thrown);
    }
  }

  private <T> T guarded(String name, Supplier<T> call) {
    Call begun = new Call(name, System.nanoTime());
    underWay = begun;
    try {
      return call.get();
    } finally {
      underWay = null;
      if (begun.time().compareTo(SLOW) >= 0) {
        LOG.warn("The loop waited {} for the fleet to return from {}.", begun.time(), name);
      }
      if (Thread.interrupted()) {
        LOG.warn("The fleet left the thread of the loop interrupted in {}.", name);
      }
    }
  }
}
