package dev.berth.testkit.contract.selftest;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A fleet in memory, whose work waits until time passes. Without a defect it keeps the contract of
 * fleets; with one it breaks the law of that name.
 */
final class MemoryFleet implements Fleet {

  private static final List<String> HOSTS = List.of("h1", "h2");

  /** Of work that is for no action. */
  private static final ActionId NONE = new ActionId(Long.MAX_VALUE, 0);

  /** What outlives a fleet. */
  static final class World {
    private final List<Guest> guests = new ArrayList<>();
    private final Set<ActionId> begun = new HashSet<>();
    private final Set<ActionId> noted = new HashSet<>();
    private final Map<String, Integer> starts = new HashMap<>(); // by instance

    private final Set<String> lost = new HashSet<>(); // hosts

    private final ArrayDeque<Work> waiting = new ArrayDeque<>(); // of the fleet

    void connect(String host, boolean connected) {
      var unused = connected ? lost.remove(host) : lost.add(host);
    }

    /** Does the next work. */
    void letTimePass() {
      Work next = waiting.poll();
      if (next != null) {
        try {
          next.work().run();
          next.done().complete("done");
        } catch (IllegalArgumentException failed) {
          next.done().completeExceptionally(failed);
        }
      }
    }

    /** Forgets what the fleet has not done yet, as its program ends. */
    void forgetWork() {
      waiting.clear();
    }

    int starts(String instance) {
      return starts.getOrDefault(instance, 0);
    }
  }

  private record Guest(ActionId id, String instance, int attempt, String host) {}

  private record Work(
      ActionId id, String instance, Runnable work, CompletableFuture<String> done) {}

  private final World world;
  private final String defect;
  private final Consumer<Event<?>> reports;

  MemoryFleet(World world, String defect, Consumer<Event<?>> reports) {
    this.world = world;
    this.defect = defect;
    this.reports = reports;
    if (breaks("L12")) {
      world.begun.clear();
    }
  }

  private boolean breaks(String law) {
    return defect.equals(law);
  }

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    if (breaks("L17")) {
      Thread.currentThread().interrupt();
    }
    if (breaks("L10")) {
      waitForEver();
    }
    Action.OnHost on = (Action.OnHost) action;
    if (action instanceof Action.Place place) {
      return later(id, place.instance(), () -> place(id, place));
    }
    if (breaks("L13") && !world.noted.add(id)) {
      return CompletableFuture.completedFuture("done before, or only noted");
    }
    Runnable leave = () -> remove(on, each -> breaks("L04") || each.id().pass() < id.pass());
    return later(id, on.instance(), breaks("L09") ? () -> later(NONE, "", leave) : leave);
  }

  private CompletionStage<?> later(ActionId id, String instance, Runnable work) {
    CompletableFuture<String> done = new CompletableFuture<>();
    world.waiting.add(new Work(id, instance, work, done));
    return done;
  }

  private void place(ActionId id, Action.Place place) {
    if (!HOSTS.contains(place.host())) {
      throw new IllegalArgumentException(breaks("L16") ? "" : "no host " + place.host());
    }
    if (world.lost.contains(place.host()) && !breaks("L18")) {
      throw new IllegalArgumentException("host " + place.host() + " cannot be reached");
    }
    if (!world.begun.add(id) && !breaks("L03")) {
      return;
    }
    if (breaks("L03")) {
      world.guests.removeIf(each -> each.id().equals(id));
    }
    world.guests.add(new Guest(id, place.instance(), place.attempt(), place.host()));
    world.starts.merge(place.instance(), 1, Integer::sum);
  }

  private void remove(Action.OnHost at, Predicate<Guest> which) {
    for (Guest each : List.copyOf(world.guests)) {
      if (each.instance().equals(at.instance())
          && each.host().equals(at.host())
          && which.test(each)) {
        world.guests.remove(each);
        if (breaks("L14")) {
          reports.accept(
              new Event.Failed(new Attempt(each.instance(), each.attempt()), OptionalLong.empty()));
        }
      }
    }
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    for (Work each : List.copyOf(world.waiting)) {
      if (each.id().equals(id) && !breaks("L06")) {
        world.waiting.remove(each);
        each.done().completeExceptionally(new CancellationException());
      }
    }
    Runnable undo = () -> world.guests.removeIf(each -> each.id().equals(id));
    if (breaks("L07")) {
      later(NONE, "", () -> later(NONE, "", undo)); // after the next start
    } else if (!breaks("L05")) {
      undo.run();
    }
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    Action.OnHost at = new Action.Pause(instance, host); // only to name both
    Predicate<Guest> which =
        each -> breaks("L08") || attempt.isEmpty() || attempt.getAsInt() == each.attempt();
    if (breaks("L15")) {
      remove(at, which);
      return CompletableFuture.completedFuture("what is there is gone");
    }
    return later(NONE, instance, () -> remove(at, which));
  }

  @Override
  public CompletionStage<Observation> observe() {
    return CompletableFuture.completedFuture(observation());
  }

  private Observation observation() {
    List<ObservedHost> hosts = new ArrayList<>();
    for (String each : breaks("L01") ? HOSTS.subList(0, 1) : HOSTS) {
      HostSpec spec = new HostSpec(each, Resources.of(CPU, CPU.whole(3)));
      hosts.add(
          new ObservedHost(
              world.lost.contains(each) ? spec.withTaints(Taint.unreachable()) : spec));
    }
    List<ObservedInstance> instances = new ArrayList<>();
    for (Guest each : world.guests) {
      if (world.lost.contains(each.host())) {
        continue;
      }
      ObservedInstance seen =
          new ObservedInstance(each.instance(), each.host(), InstanceState.RUNNING);
      instances.add(breaks("L02") ? seen : seen.inAttempt(each.attempt()));
    }
    Set<String> underWay = new LinkedHashSet<>();
    world.waiting.forEach(each -> underWay.add(each.instance()));
    underWay.remove("");
    return new Observation(hosts, instances, breaks("L11") ? Set.of() : underWay);
  }

  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException late) {
      Thread.currentThread().interrupt();
    }
  }
}
