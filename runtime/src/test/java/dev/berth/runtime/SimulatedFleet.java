package dev.berth.runtime;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fleet in simulated time that misbehaves, driven by one seed, without threads. It outlives the
 * loops that use it.
 *
 * <p>It loses actions, carries them out late, fails them once or for ever, and does not always
 * answer. Its reports are lost, doubled, late and out of order. Hosts fail and come back. Some
 * cannot be reached for a time, but their instances run all the same. When the faults end, all goes
 * well.
 *
 * <p>It is idempotent by the ids of actions, as {@link Fleet} asks for. It repeats until they are
 * answered: reports of completed work, and of hosts that failed. A host comes back only after its
 * failure is known.
 */
final class SimulatedFleet implements Fleet {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1000 * MILLISECOND;

  /** Carries reports to whichever loop runs. */
  interface Courier {
    /** Delivers once, if a loop runs. */
    void once(Event<?> input);

    /** Delivers until it is answered, with null or the error. */
    <R> void untilAnswered(Event<R> input, Consumer<Throwable> answered);
  }

  private static final class Machine {
    final HostSpec spec;
    boolean isUp = true;
    int starts;
    int losses; // how often it could not be reached
    boolean isLost; // now
    Taint lost = Taint.unreachable();
    final List<Runnable> onReturn = new ArrayList<>(); // what could not be done meanwhile

    Machine(HostSpec spec) {
      this.spec = spec;
    }
  }

  private static final class Guest {
    final String id;
    String host;
    int attempt;
    InstanceState state = InstanceState.STARTING;
    long since;
    Resources grant;
    long left; // of its work
    long token; // of its present state
    Work work; // that began its attempt
    int losses; // of its host then

    Guest(String id) {
      this.id = id;
    }
  }

  private enum Stage {
    UNDER_WAY,
    DONE,
    FAILED,
    IMPOSSIBLE
  }

  private static final class Work {
    final ActionId id;
    final Action action;
    Stage stage = Stage.UNDER_WAY;
    int hostStarts; // of its host when it began
    int hostLosses;
    boolean isTakenBack;
    Runnable undo = () -> {};
    final List<CompletableFuture<Object>> waiting = new ArrayList<>();

    Work(ActionId id, Action action) {
      this.id = id;
      this.action = action;
    }
  }

  private final Random random;
  private final SimulatedTime time;
  private final Courier courier;
  private final long faultsUntil;
  private final Map<String, Machine> machines = new TreeMap<>();
  private final Map<String, Guest> guests = new TreeMap<>();
  private final List<Guest> leftBehind = new ArrayList<>(); // earlier attempts of these
  private final Map<String, Resources> demands = new HashMap<>();
  private final Map<String, Integer> done = new LinkedHashMap<>(); // attempts
  private final Map<ActionId, Work> works = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private BiConsumer<ActionId, Action> onAction = (id, action) -> {};
  private long tokens;

  SimulatedFleet(long seed, SimulatedTime time, Courier courier, long faultsUntil) {
    this.random = new Random(seed);
    this.time = time;
    this.courier = courier;
    this.faultsUntil = faultsUntil;
  }

  // ---- For the test

  /** Calls something for each action that is handed out. */
  void onAction(BiConsumer<ActionId, Action> called) {
    onAction = called;
  }

  void addMachine(HostSpec spec) {
    machines.put(spec.id(), new Machine(spec));
    courier.untilAnswered(new Event.HostAdded(spec), error -> {});
    expectFailure(spec.id());
  }

  /** Tells what an instance holds. */
  void know(String instance, Resources demand) {
    demands.put(instance, demand);
  }

  /** Returns what a scheduler did that no scheduler may do. */
  List<String> violations() {
    return violations;
  }

  Set<String> done() {
    return done.keySet();
  }

  Map<String, Integer> counts() {
    return counts;
  }

  boolean allMachinesUp() {
    return machines.values().stream().allMatch(each -> each.isUp && !each.isLost);
  }

  int machineCount() {
    return machines.size();
  }

  Set<String> guests() {
    return all().map(each -> each.id).collect(Collectors.toSet());
  }

  private Stream<Guest> all() {
    return Stream.concat(guests.values().stream(), leftBehind.stream());
  }

  /** Returns a reconciler that knows what has completed. */
  Reconciler reconciler() {
    return new Reconciler() {
      @Override
      public boolean hasEnded(Instance gone) {
        return done.containsKey(gone.id());
      }
    };
  }

  private boolean happens(double probability) {
    return random.nextDouble() < probability && time.now() < faultsUntil;
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  private long delay() {
    long usual = MILLISECOND + random.nextInt(40) * MILLISECOND;
    return happens(0.08) ? usual + random.nextInt(30) * SECOND : usual;
  }

  private void violated(String law) {
    violations.add(law + " at " + time.now() + " ns");
  }

  // ---- Hosts

  private void expectFailure(String id) {
    long life = (20 + random.nextInt(200)) * SECOND;
    if (time.now() + life < faultsUntil) {
      time.after(life, () -> fail(id));
    }
  }

  private void fail(String id) {
    count("host failed");
    machines.get(id).isUp = false;
    machines.get(id).isLost = false;
    machines.get(id).onReturn.clear();
    all().filter(each -> each.host.equals(id)).toList().forEach(this::leave);
    time.after(
        delay(), () -> courier.untilAnswered(new Event.HostRemoved(id), error -> comeBack(id)));
  }

  private void comeBack(String id) {
    time.after(
        random.nextInt(20) * SECOND,
        () -> {
          Machine machine = machines.get(id);
          machine.isUp = true;
          machine.starts++;
          courier.untilAnswered(new Event.HostAdded(machine.spec), error -> {});
          expectFailure(id);
        });
  }

  /** Cuts a host off for a time, if it is up. */
  void lose(String id, long length, Taint lost) {
    Machine machine = machines.get(id);
    if (!machine.isUp || machine.isLost) {
      return;
    }
    count("host lost");
    machine.isLost = true;
    machine.losses++;
    int losses = machine.losses;
    machine.lost = lost;
    courier.untilAnswered(
        new Event.HostChanged(machine.spec.withTaints(lost)),
        told ->
            time.after(
                length,
                () -> {
                  if (machine.isLost && machine.losses == losses) {
                    machine.isLost = false;
                    List.copyOf(machine.onReturn).forEach(Runnable::run);
                    machine.onReturn.clear();
                    courier.untilAnswered(new Event.HostChanged(machine.spec), error -> {});
                  }
                }));
  }

  /** Does something on a host, or, if that cannot be reached, once it can again. */
  private void reaching(String host, Runnable what) {
    Machine machine = machines.get(host);
    if (machine.isLost) {
      machine.onReturn.add(what);
    } else {
      what.run();
    }
  }

  // ---- Actions

  @Override
  public CompletionStage<?> carryOut(ActionId id, Action action) {
    onAction.accept(id, action);
    Work work = works.get(id);
    CompletableFuture<Object> answer = new CompletableFuture<>();
    if (work != null && work.isTakenBack) {
      violated("%s (%s) was taken back and is to be carried out".formatted(id, action.describe()));
      return answer;
    }
    if (happens(0.04)) {
      count("action lost");
      return answer;
    }
    if (work == null) {
      work = new Work(id, action);
      works.put(id, work);
      begin(work);
    } else if (work.stage == Stage.FAILED) {
      work.stage = Stage.UNDER_WAY;
      begin(work);
    }
    work.waiting.add(answer);
    if (work.stage != Stage.UNDER_WAY) {
      answer(work);
    }
    return answer;
  }

  private void begin(Work work) {
    target(work.action)
        .map(machines::get)
        .ifPresent(
            host -> {
              work.hostStarts = host.starts;
              work.hostLosses = host.losses;
            });
    if (happens(0.05)) {
      count("action failed");
      end(work, Stage.FAILED);
    } else if (happens(0.04)) {
      count("action impossible");
      end(work, Stage.IMPOSSIBLE);
    } else {
      time.after(
          delay(),
          () -> {
            if (!work.isTakenBack) {
              work.stage = perform(work);
              answer(work);
            }
          });
    }
  }

  private void end(Work work, Stage stage) {
    time.after(
        delay(),
        () -> {
          if (!work.isTakenBack) {
            work.stage = stage;
            answer(work);
          }
        });
  }

  private void answer(Work work) {
    List<CompletableFuture<Object>> waiting = List.copyOf(work.waiting);
    work.waiting.clear();
    Stage stage = work.stage;
    if (happens(0.06)) {
      count("answer lost");
      return;
    }
    time.after(
        delay(),
        () -> {
          for (CompletableFuture<Object> each : waiting) {
            if (stage == Stage.DONE) {
              each.complete("done");
            } else if (stage == Stage.IMPOSSIBLE) {
              each.completeExceptionally(new ActionImpossibleException("impossible"));
            } else {
              each.completeExceptionally(new IllegalStateException("failed"));
            }
          }
        });
  }

  private static Optional<String> target(Action action) {
    return action instanceof Action.OnHost on ? Optional.of(on.host()) : Optional.empty();
  }

  private Stage perform(Work work) {
    Action action = work.action;
    if (action instanceof Action.Reject reject) {
      done.put(reject.instance(), 0);
      work.undo = () -> done.remove(reject.instance());
      return Stage.DONE;
    }
    Action.OnHost on = (Action.OnHost) action;
    Machine machine = machines.get(on.host());
    boolean isLost =
        machine.isLost
            || (action instanceof Action.Migrate move && machines.get(move.from()).isLost);
    if (!machine.isUp
        || machine.starts != work.hostStarts
        || isLost
        || machine.losses != work.hostLosses) {
      return Stage.FAILED; // until the scheduler hears of it
    }
    Guest guest = guests.get(on.instance());
    if (action instanceof Action.Place place) {
      return place(work, place, guest);
    }
    if (action instanceof Action.Migrate migration) {
      return migrate(work, migration, guest);
    }
    boolean isThere = guest != null && guest.host.equals(on.host());
    if (action instanceof Action.Preempt
        || action instanceof Action.Evict
        || action instanceof Action.Stop) {
      if (action instanceof Action.Stop) {
        count("stopped for good");
      }
      if (isThere) {
        leave(guest);
        work.undo = () -> putBack(guest);
      }
      return Stage.DONE;
    }
    if (!isThere) {
      return Stage.IMPOSSIBLE;
    }
    if (action instanceof Action.Suspend) {
      InstanceState before = guest.state;
      stopWork(guest);
      enter(guest, InstanceState.SUSPENDED);
      work.undo = () -> continueAs(guest, before);
      return Stage.DONE;
    }
    if (action instanceof Action.Resume resume) {
      return resume(work, resume, guest);
    }
    throw new IllegalStateException(action.describe());
  }

  private Stage place(Work work, Action.Place place, Guest guest) {
    if (done.containsKey(place.instance())) {
      return Stage.IMPOSSIBLE;
    }
    if (guest != null && machines.get(guest.host).losses > guest.losses) {
      count("left behind");
      leftBehind.add(guest);
    } else if (guest != null) {
      violated(
          "%s (%s) though it is on %s in attempt %s"
              .formatted(work.id, place.describe(), guest.host, guest.attempt));
    }
    Guest started = new Guest(place.instance());
    started.left = (1 + Math.floorMod(place.instance().hashCode(), 40)) * SECOND;
    started.work = work;
    started.grant = place.grant().orElse(demands.get(place.instance()));
    begin(started, place.host(), place.attempt(), place.describe());
    guests.put(started.id, started);
    work.undo = () -> remove(started, place.attempt());
    return Stage.DONE;
  }

  private Stage migrate(Work work, Action.Migrate migration, Guest guest) {
    if (guest == null || !guest.host.equals(migration.from())) {
      return Stage.IMPOSSIBLE;
    }
    String host = guest.host;
    int attempt = guest.attempt;
    InstanceState before = guest.state;
    int starts = machines.get(host).starts;
    stopWork(guest);
    guest.work = work;
    begin(guest, migration.host(), migration.attempt(), migration.describe());
    work.undo =
        () -> {
          if (guests.get(guest.id) == guest && guest.attempt == migration.attempt()) {
            Machine machine = machines.get(host);
            if (machine.isUp && machine.starts == starts) {
              guest.host = host;
              guest.losses = machine.losses;
              guest.attempt = attempt;
              continueAs(guest, before);
            } else {
              guests.remove(guest.id);
            }
          }
        };
    return Stage.DONE;
  }

  private Stage resume(Work work, Action.Resume resume, Guest guest) {
    if (guest.state != InstanceState.SUSPENDED) {
      return guest.attempt == resume.attempt() ? Stage.DONE : Stage.IMPOSSIBLE;
    }
    int attempt = guest.attempt;
    guest.work = work;
    begin(guest, resume.host(), resume.attempt(), resume.describe());
    work.undo =
        () -> {
          if (guests.get(guest.id) == guest && guest.attempt == resume.attempt()) {
            stopWork(guest);
            guest.attempt = attempt;
            enter(guest, InstanceState.SUSPENDED);
          }
        };
    return Stage.DONE;
  }

  private void remove(Guest guest, int attempt) {
    if (isThere(guest) && guest.attempt == attempt) {
      leave(guest);
    }
  }

  private void putBack(Guest guest) {
    if (machines.get(guest.host).isUp
        && !guests.containsKey(guest.id)
        && !done.containsKey(guest.id)) {
      guests.put(guest.id, guest);
      continueAs(guest, guest.state);
    }
  }

  private void begin(Guest guest, String host, int attempt, String what) {
    requireRoom(guest, host, what);
    guest.host = host;
    guest.losses = machines.get(host).losses;
    guest.attempt = attempt;
    enter(guest, InstanceState.STARTING);
    long token = guest.token;
    time.after(delay(), () -> started(guest, token));
  }

  private void requireRoom(Guest guest, String host, String what) {
    HostSpec spec = machines.get(host).spec;
    for (Dimension each : spec.capacity().dimensions()) {
      long held = guest.grant.amount(each);
      held +=
          all()
              .filter(other -> other != guest && other.host.equals(host))
              .filter(other -> other.state.holdsCapacity())
              .mapToLong(other -> other.grant.amount(each))
              .sum();
      if (held > spec.capacity().amount(each)) {
        violated("%s exceeds the capacity: %s of %s".formatted(what, held, each));
      }
    }
  }

  private void enter(Guest guest, InstanceState state) {
    guest.state = state;
    guest.since = time.now();
    guest.token = ++tokens;
  }

  private void stopWork(Guest guest) {
    if (guest.state == InstanceState.RUNNING) {
      guest.left = Math.max(1, guest.left - (time.now() - guest.since));
    }
  }

  private void continueAs(Guest guest, InstanceState state) {
    if (guests.get(guest.id) != guest) {
      return;
    }
    stopWork(guest);
    enter(guest, state);
    long token = guest.token;
    if (state == InstanceState.STARTING) {
      time.after(delay(), () -> started(guest, token));
    } else if (state == InstanceState.RUNNING) {
      time.after(guest.left, () -> completed(guest, token));
    }
  }

  private boolean isIn(Guest guest, long token) {
    return isThere(guest) && guest.token == token;
  }

  private boolean isThere(Guest guest) {
    return guests.get(guest.id) == guest || leftBehind.contains(guest);
  }

  private void leave(Guest guest) {
    leftBehind.remove(guest);
    if (guests.remove(guest.id, guest)) {
      leftBehind.stream()
          .filter(each -> each.id.equals(guest.id))
          .findFirst()
          .ifPresent(
              each -> {
                leftBehind.remove(each);
                guests.put(each.id, each);
              });
    }
  }

  private void started(Guest guest, long token) {
    if (!isIn(guest, token)) {
      return;
    }
    Attempt attempt = new Attempt(guest.id, guest.attempt);
    if (happens(0.08)) {
      count("start failed");
      leave(guest);
      report(guest.work, new Event.Failed(attempt, OptionalLong.of(time.now())));
      return;
    }
    enter(guest, InstanceState.RUNNING);
    report(guest.work, new Event.Started(attempt, OptionalLong.of(time.now())));
    long running = guest.token;
    time.after(guest.left, () -> completed(guest, running));
  }

  private void completed(Guest guest, long token) {
    if (!isIn(guest, token)) {
      return;
    }
    leave(guest);
    done.put(guest.id, guest.attempt);
    Event.Completed completed =
        new Event.Completed(
            new Attempt(guest.id, guest.attempt),
            Optional.of(Duration.ofSeconds(1)),
            OptionalLong.of(time.now()));
    report(guest.work, completed);
    time.after(
        delay(),
        () ->
            reaching(
                guest.host,
                () ->
                    courier.untilAnswered(
                        completed,
                        error -> {
                          if (error != null) { // the scheduler has decided on another attempt
                            courier.untilAnswered(new Event.Cancelled(guest.id), again -> {});
                          }
                        })));
  }

  /** Reports an attempt, unless it is taken back first: its number may be used again then. */
  private void report(Work work, Event<?> input) {
    if (happens(0.12)) {
      count("report lost");
      return;
    }
    int times = happens(0.12) ? 2 : 1;
    for (int i = 0; i < times; i++) {
      time.after(
          delay(),
          () -> {
            boolean isLost = target(work.action).map(machines::get).get().isLost;
            if (!work.isTakenBack && !isLost) {
              courier.once(input);
            }
          });
    }
  }

  @Override
  public void takeBack(ActionId id, Action action) {
    count("taken back");
    Work work = works.computeIfAbsent(id, each -> new Work(each, action));
    if (!work.isTakenBack) {
      work.isTakenBack = true;
      target(action).ifPresentOrElse(host -> reaching(host, () -> work.undo.run()), work.undo);
    }
  }

  @Override
  public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    if (happens(0.1)) {
      count("stop lost");
      return answer;
    }
    time.after(
        delay(),
        () -> {
          count("stopped");
          if (machines.get(host).isLost) {
            return; // it does not answer
          }
          all()
              .filter(guest -> guest.id.equals(instance) && guest.host.equals(host))
              .filter(guest -> attempt.orElse(guest.attempt) == guest.attempt)
              .toList()
              .forEach(this::leave);
          if (happens(0.1)) {
            answer.completeExceptionally(new IllegalStateException("a failed stop"));
          } else {
            answer.complete("stopped");
          }
        });
    return answer;
  }

  // ---- Observations

  @Override
  public CompletionStage<Observation> observe() {
    CompletableFuture<Observation> answer = new CompletableFuture<>();
    if (happens(0.05)) {
      count("question lost");
    } else if (happens(0.05)) {
      time.after(
          delay(), () -> answer.completeExceptionally(new IllegalStateException("unreachable")));
    } else {
      time.after(
          delay(),
          () -> {
            Observation seen = observation();
            time.after(delay(), () -> answer.complete(seen));
          });
    }
    return answer;
  }

  Observation observation() {
    List<ObservedHost> hosts = new ArrayList<>();
    for (Machine each : machines.values()) {
      if (each.isUp) {
        HostSpec spec = each.isLost ? each.spec.withTaints(each.lost) : each.spec;
        hosts.add(new ObservedHost(spec));
      }
    }
    List<ObservedInstance> instances = new ArrayList<>();
    all()
        .filter(each -> !machines.get(each.host).isLost)
        .forEach(
            each ->
                instances.add(
                    new ObservedInstance(each.id, each.host, each.state)
                        .inAttempt(each.attempt)
                        .since(each.since)
                        .holding(each.grant)));
    Set<String> underWay = new LinkedHashSet<>();
    for (Work each : works.values()) {
      if (each.stage == Stage.UNDER_WAY
          && !each.isTakenBack
          && target(each.action).map(machines::get).stream().noneMatch(it -> it.isLost)
          && each.action instanceof Action.OnInstance on) {
        underWay.add(on.instance());
      }
    }
    return new Observation(hosts, instances, underWay);
  }
}
