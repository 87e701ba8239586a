package dev.berth.testkit.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.api.Reason;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of a {@link Fleet}: what a loop relies on when its calls are repeated, late, or
 * interrupted by a restart. To use it, extend it, and open your fleet in a world of its own for
 * each test.
 *
 * <p>The world is empty, and has two hosts or more, each with room for three instances. The tests
 * place instances with the ids {@code a}, {@code b} and {@code c}, which must run until they are
 * stopped.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("exports") // of Fleet: a module with a fleet requires dev.berth.runtime itself
public abstract class FleetContractTest {

  private final List<Event<?>> reports = new CopyOnWriteArrayList<>();
  private final List<String> interrupting = new CopyOnWriteArrayList<>(); // calls
  private @Nullable Fleet opened;

  /** For subclasses. */
  protected FleetContractTest() {}

  // ---- Supplied by subclasses

  /**
   * Opens the fleet: the first time in an empty world, later in the same world, as the program that
   * has restarted does.
   *
   * @param reports takes the reports of the fleet, which count as accepted
   */
  protected abstract Fleet open(Consumer<Event<?>> reports);

  /** Ends the fleet as the end of its program does: at once, and what runs on its hosts stays. */
  protected abstract void close(Fleet fleet);

  /** Returns how often an instance has begun to run on any host of the world. */
  protected abstract int begun(String instance);

  /**
   * Cuts off a host of the world, so that the fleet no longer reaches it, or connects it again.
   * What runs there runs on. By default impossible; the law about such hosts is skipped then.
   *
   * @return whether the world can do so
   */
  protected boolean connect(String host, boolean connected) {
    return false;
  }

  /** Lets some time pass; by default 10 ms. Override it for a fleet in simulated time. */
  protected void letTimePass() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException stopped) {
      throw new AssertionError("interrupted", stopped);
    }
  }

  /** Returns how long to wait for an answer or an effect; by default a minute. */
  protected Duration patience() {
    return Duration.ofMinutes(1);
  }

  /** Returns in what time a call must return; by default 5 s, since the machine may be busy. */
  protected Duration atOnce() {
    return Duration.ofSeconds(5);
  }

  // ---- The laws

  @Test
  void required_L01_listsItsHosts() {
    Observation seen = observe();

    assertThat(seen.hosts()).as("hosts of the empty world").hasSizeGreaterThanOrEqualTo(2);
    assertThat(seen.instances()).as("instances in the empty world").isEmpty();
    assertThat(seen.underWay()).as("under way in the empty world").isEmpty();
  }

  @Test
  void required_L02_listsWhatItHasPlaced() {
    done(place(1, "a", host(0), 1));
    done(place(2, "b", host(1), 3));

    assertThat(observe().instances())
        .extracting(ObservedInstance::id, ObservedInstance::host, ObservedInstance::attempt)
        .as("what was placed, where, in which attempt")
        .containsExactlyInAnyOrder(
            tuple("a", host(0), OptionalInt.of(1)), tuple("b", host(1), OptionalInt.of(3)));
  }

  @Test
  void required_L03_beginsAnActionOnce() {
    CompletionStage<?> first = place(1, "a", host(0), 1);
    done(place(1, "a", host(0), 1));
    done(first);
    awaitBegun("a", 1);
    done(place(1, "a", host(0), 1));
    done(preempt(2, "a", host(0)));
    answered(place(1, "a", host(0), 1));

    requireAbsent("a", "an action that was repeated after the instance had left began it again");
    assertThat(begun("a")).as("starts of a").isEqualTo(1);
  }

  @Test
  void required_L04_repeatsNoStopOnALaterAttempt() {
    done(place(1, "a", host(0), 1));
    done(preempt(2, "a", host(0)));
    done(place(3, "a", host(0), 2));
    answered(preempt(2, "a", host(0)));

    assertThat(placeOf("a")).as("where attempt 2 is").contains(host(0));
    assertThat(observe().underWay()).as("stops under way").isEmpty();
  }

  @Test
  void required_L05_takesBackWhatItHasPlaced() {
    done(place(1, "a", host(0), 1));
    awaitBegun("a", 1);
    takeBackPlace(1, "a", host(0));
    takeBackPlace(1, "a", host(0));
    takeBackPlace(7, "c", host(0));
    awaitAbsent("a");
    done(place(2, "a", host(1), 1)); // the number of the attempt is used again
    takeBackPlace(1, "a", host(0));

    assertThat(placeOf("a")).as("where the second start is").contains(host(1));
    awaitBegun("a", 2);
    assertThat(observe().underWay()).as("under way").isEmpty();
  }

  @Test
  void required_L06_forgetsWhatIsTakenBackAtOnce() {
    for (int i = 1; i <= 5; i++) {
      place(i, "a", host(0), 1);
      takeBackPlace(i, "a", host(0));
    }
    done(place(6, "b", host(0), 1)); // so what came before is over
    awaitAbsent("a");
    awaitBegun("b", 1);

    requireAbsent("a", "a start was carried out after it was taken back");
  }

  @Test
  void required_L07_emptiesAHostBeforeTheNextStart() {
    done(place(1, "a", host(0), 1));
    awaitBegun("a", 1);
    takeBackPlace(1, "a", host(0));
    done(place(2, "b", host(0), 1)); // the loop does not wait for what it takes back

    requireAbsent("a", "it still holds what the next start on its host was given");
  }

  @Test
  void required_L08_stopsWhatItIsTo() {
    done(stop("c", host(0)));
    done(place(1, "a", host(0), 2));
    awaitBegun("a", 1);
    done(stop("a", OptionalInt.of(1), host(0)));
    done(stop("a", OptionalInt.of(2), host(1)));
    assertThat(placeOf("a")).as("where attempt 2 is, after other stops").contains(host(0));

    done(stop("a", OptionalInt.of(2), host(0)));
    requireAbsent("a", "a stop was answered before it was gone");
    done(stop("a", OptionalInt.of(2), host(0)));
  }

  @Test
  void required_L09_hasAnInstanceOnce() {
    done(place(1, "a", host(0), 1));
    for (int i = 1; i <= 3; i++) {
      String from = host((i - 1) % 2);
      String to = host(i % 2);
      awaitBegun("a", i);
      CompletionStage<?> evicted = evict(2L * i, "a", from);
      while (!evicted.toCompletableFuture().isDone()) {
        requireOnce("a");
        letTimePass();
      }
      done(evicted);
      requireAbsent("a", "an eviction was answered before it was gone");
      CompletionStage<?> placed = place(2 * i + 1, "a", to, i + 1);
      while (!placed.toCompletableFuture().isDone()) {
        requireOnce("a");
        letTimePass();
      }
      done(placed);
      requireOnce("a");
      assertThat(placeOf("a")).as("where attempt %s is", i + 1).contains(to);
    }
  }

  @Test
  void required_L10_returnsAtOnce() {
    done(place(1, "a", host(0), 1)); // each call of this class must return at once
    awaitBegun("a", 1);
    done(preempt(2, "a", host(0)));
    done(stop("a", host(0)));
    takeBackPlace(1, "a", host(0));
  }

  @Test
  void required_L11_namesWhatIsUnderWay() {
    requireNamed("a", place(1, "a", host(0), 1));
    awaitBegun("a", 1);
    requireNamed("a", preempt(2, "a", host(0)));
    assertThat(observe().underWay()).as("under way after the end").isEmpty();
  }

  @Test
  void required_L12_continuesAfterARestart() {
    done(place(1, "a", host(0), 1));
    done(place(2, "b", host(1), 2));
    awaitBegun("a", 1);
    awaitBegun("b", 1);
    restart();
    assertThat(placeOf("a")).as("where a is after a restart").contains(host(0));
    assertThat(placeOf("b")).as("where b is after a restart").contains(host(1));

    done(place(1, "a", host(0), 1));
    done(preempt(3, "a", host(0)));
    restart();
    answered(place(1, "a", host(0), 1));
    requireAbsent("a", "a restart made it forget which actions it had begun");
    assertThat(begun("a")).as("starts of a").isEqualTo(1);
    assertThat(begun("b")).as("starts of b").isEqualTo(1);
  }

  @Test
  void required_L13_endsAStopThatARestartInterrupts() {
    done(place(1, "a", host(0), 1));
    awaitBegun("a", 1);
    preempt(2, "a", host(0));
    restart();
    done(preempt(2, "a", host(0)));
    requireAbsent("a", "a repeated stop was answered before it was gone");
    done(place(3, "a", host(1), 2));
    assertThat(placeOf("a")).as("where attempt 2 is").contains(host(1));
  }

  @Test
  void required_L14_reportsNoFailureOfWhatItStops() {
    done(place(1, "a", host(0), 1));
    awaitBegun("a", 1);
    done(preempt(2, "a", host(0)));
    done(place(3, "a", host(0), 2));
    awaitBegun("a", 2);
    done(stop("a", host(0)));
    done(place(4, "b", host(0), 1));
    awaitBegun("b", 1);
    takeBackPlace(4, "b", host(0));
    awaitAbsent("b");
    restart();
    done(place(5, "c", host(0), 1)); // so what came before is over
    awaitBegun("c", 1);

    assertThat(reports)
        .as("reports of an end, though the fleet ended it")
        .noneMatch(each -> each instanceof Event.Failed || each instanceof Event.FailedNow)
        .noneMatch(each -> each instanceof Event.Completed);
  }

  @Test
  void required_L15_stopsWhatIsAboutToStart() {
    CompletionStage<?> placed = place(1, "a", host(0), 1);
    done(stop("a", host(0)));
    answered(placed);
    done(place(2, "b", host(0), 1)); // so what came before is over
    awaitBegun("b", 1);

    requireAbsent("a", "a start was carried out after a stop of it was answered");
    assertThat(observe().underWay()).as("under way after the end").isEmpty();
  }

  @Test
  void required_L16_saysWhyItFails() {
    CompletionStage<?> placed = place(1, "a", "a-host-that-is-not-there", 1);
    answered(placed);

    assertThatThrownBy(() -> placed.toCompletableFuture().join())
        .as("why nothing can be placed on a host that is not there")
        .isNotInstanceOf(CancellationException.class)
        .rootCause()
        .message()
        .isNotBlank();
    requireAbsent("a", "a start has failed");
    assertThat(begun("a")).as("starts of a").isZero();
  }

  @Test
  void required_L17_leavesItsCallerUninterrupted() {
    done(place(1, "a", host(0), 1));
    takeBackPlace(1, "a", host(0));
    done(stop("a", host(0)));

    assertThat(interrupting).as("calls that left the thread of the loop interrupted").isEmpty();
  }

  @Test
  void required_L18_beginsNothingOutOfReach() {
    String lost = host(0);
    String other = host(1);
    done(place(1, "a", lost, 1));
    awaitBegun("a", 1);
    assumeThat(connect(lost, false)).as("a host of this world can be cut off").isTrue();
    await("the taint of " + lost, () -> isUnreachable(lost));
    assertThat(observe().instances()).as("instances, if none is elsewhere").isEmpty();
    place(2, "b", lost, 1); // no answer is due
    done(place(3, "c", other, 1));
    connect(lost, true);
    await("the return of " + lost, () -> !isUnreachable(lost));

    assertThat(placeOf("a")).as("where a is after the return of its host").contains(lost);
    done(preempt(4, "a", lost)); // so what came before is over
    requireAbsent("b", "its start was carried out on a host that could not be reached");
    assertThat(begun("b")).as("starts of b").isZero();
  }

  // ---- The life of a fleet

  @BeforeEach
  final void openFirst() {
    opened = open(reports::add);
  }

  @AfterEach
  final void stopAll() {
    try {
      List<CompletionStage<?>> stops =
          observe().instances().stream()
              .<CompletionStage<?>>map(each -> stop(each.id(), each.host()))
              .toList();
      stops.forEach(this::answered);
    } finally {
      close(fleet());
    }
  }

  private void restart() {
    close(fleet());
    opened = open(reports::add);
  }

  private Fleet fleet() {
    if (opened == null) {
      throw new IllegalStateException("the fleet is not open");
    }
    return opened;
  }

  // ---- Calls

  private CompletionStage<?> place(long pass, String instance, String host, int attempt) {
    return carryOut(pass, new Action.Place(instance, host, List.of(), Optional.empty(), attempt));
  }

  private CompletionStage<?> preempt(long pass, String instance, String host) {
    return carryOut(pass, new Action.Preempt(instance, host, "other"));
  }

  private CompletionStage<?> evict(long pass, String instance, String host) {
    return carryOut(pass, new Action.Evict(instance, host, new Reason.Drained()));
  }

  private CompletionStage<?> carryOut(long pass, Action action) {
    return call(
        "carryOut: " + action.describe(), () -> fleet().carryOut(new ActionId(pass, 0), action));
  }

  private void takeBackPlace(long pass, String instance, String host) {
    Action place = new Action.Place(instance, host, List.of());
    call(
        "takeBack: " + place.describe(),
        () -> {
          fleet().takeBack(new ActionId(pass, 0), place);
          return place;
        });
  }

  private CompletionStage<?> stop(String instance, String host) {
    return stop(instance, OptionalInt.empty(), host);
  }

  private CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    return call("stop: " + instance, () -> fleet().stop(instance, attempt, host));
  }

  /** Calls the fleet as a loop does, and requires that it returns, whenever its answer comes. */
  private <T> T call(String name, Supplier<T> call) {
    CompletableFuture<T> returned = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                T answer = call.get();
                if (Thread.interrupted()) {
                  interrupting.add(name);
                }
                returned.complete(answer);
              } catch (RuntimeException | Error thrown) {
                returned.completeExceptionally(thrown);
              }
            },
            "a call of the fleet");
    thread.setDaemon(true);
    thread.start();
    try {
      return returned.get(atOnce().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      thread.interrupt();
      throw new AssertionError(name + ": did not return at once, which holds up the loop", late);
    } catch (Exception failed) {
      throw new AssertionError("%s: threw %s".formatted(name, failed.getCause()), failed);
    }
  }

  private String host(int number) {
    return observe().hosts().get(number).spec().id();
  }

  private Observation observe() {
    return value(call("observe", fleet()::observe));
  }

  // ---- What must hold

  private Optional<String> placeOf(String instance) {
    return observe().instances().stream()
        .filter(each -> each.id().equals(instance))
        .map(ObservedInstance::host)
        .findFirst();
  }

  private boolean isUnreachable(String host) {
    return observe().hosts().stream()
        .anyMatch(each -> each.spec().id().equals(host) && each.spec().isUnreachable());
  }

  private void requireAbsent(String instance, String why) {
    assertThat(placeOf(instance)).as("where %s is: %s", instance, why).isEmpty();
  }

  private void requireOnce(String instance) {
    assertThat(observe().instances())
        .as("places of %s at one time", instance)
        .filteredOn(each -> each.id().equals(instance))
        .hasSizeLessThanOrEqualTo(1);
  }

  /** Requires that an observation during an action names its instance. */
  private void requireNamed(String instance, CompletionStage<?> action) {
    for (boolean during = true; during; ) {
      boolean before = !action.toCompletableFuture().isDone();
      Observation seen = observe();
      during = before && !action.toCompletableFuture().isDone();
      if (during) {
        assertThat(seen.underWay()).as("under way during an action").contains(instance);
      }
      letTimePass();
    }
    done(action);
  }

  // ---- Waiting

  private void awaitBegun(String instance, int times) {
    await("start " + times + " of " + instance, () -> begun(instance) >= times);
    assertThat(begun(instance)).as("starts of %s", instance).isEqualTo(times);
  }

  private void awaitAbsent(String instance) {
    await(
        "the end of " + instance,
        () -> {
          Observation seen = observe();
          return !seen.underWay().contains(instance)
              && seen.instances().stream().noneMatch(each -> each.id().equals(instance));
        });
  }

  /** Waits until a call has succeeded. */
  private void done(CompletionStage<?> stage) {
    value(stage);
  }

  private <T> T value(CompletionStage<T> stage) {
    answered(stage);
    try {
      return stage.toCompletableFuture().join();
    } catch (RuntimeException failed) {
      throw new AssertionError("a call of the fleet failed: " + failed.getMessage(), failed);
    }
  }

  /** Waits until a call has succeeded or failed. */
  private void answered(CompletionStage<?> stage) {
    await("an answer of the fleet", () -> stage.toCompletableFuture().isDone());
  }

  private void await(String what, BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begun > patience().toNanos()) {
        throw new AssertionError("waited " + patience() + " in vain for " + what);
      }
      letTimePass();
    }
  }
}
