package acme.farm;

import dev.berth.api.Backoff;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.WhatIf;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import dev.berth.json.SnapshotFormat;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A farm on machines that misbehave: messages are late, doubled or lost, starts fail, hosts change,
 * and the farm itself restarts. One thread makes all calls; {@link RenderFarm} has a loop for it.
 */
final class ResilientFarm {

  /** The machines. Both calls return at once, and call the farm only later. */
  interface Machines {

    /** Begins an action. Its id goes back to the farm if the machines cannot carry it out. */
    void carryOut(ActionId id, Action action);

    /** Takes back an action: undoes what was begun of it, and forgets the rest. */
    void takeBack(ActionId id, Action action);

    /** Stops a frame on a host, if it is still there. */
    void stop(String frame, String host);
  }

  /** What the farm itself keeps on disk. */
  interface Archive {

    /** Returns whether the image of a frame is there, so that its work is done. */
    boolean isRendered(String frame);

    /** Returns the request of a frame, when it was admitted, and its service so far. */
    Optional<Adoption> adoption(String frame);
  }

  private static final System.Logger LOG = System.getLogger(ResilientFarm.class.getName());

  private final Machines machines;
  private final Archive archive;
  private final LongSupplier clock;
  private final Scheduler scheduler;

  private ResilientFarm(
      Machines machines, Archive archive, LongSupplier clock, Scheduler scheduler) {
    this.machines = machines;
    this.archive = archive;
    this.clock = clock;
    this.scheduler = scheduler;
  }

  /** Begins without hosts. */
  static ResilientFarm begin(Machines machines, Archive archive, LongSupplier clock) {
    ServiceClass urgent = ServiceClass.builder("urgent").slo(0.9).importance(1).build();
    ServiceClass batch = ServiceClass.builder("batch").slo(0.5).importance(2).build();
    Scheduler scheduler = settings().policy("qos-attained").serviceClasses(urgent, batch).build();
    return new ResilientFarm(machines, archive, clock, scheduler);
  }

  private static Scheduler.Builder settings() {
    Backoff ofHosts = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10));
    Backoff ofFrames = new Backoff(Duration.ofSeconds(10), 2, Duration.ofHours(1), 3);
    return Scheduler.builder().hostBackoff(ofHosts).instanceBackoff(ofFrames);
  }

  // ---- Hosts and requests

  void hostJoined(HostSpec host) {
    report(() -> scheduler.addHost(host, now()));
  }

  void hostLost(String host) {
    report(() -> scheduler.removeHost(host, now()));
  }

  void submit(Request request) {
    report(() -> scheduler.submit(request, now()));
  }

  // ---- What became of an action

  void ready(Attempt attempt, long at) {
    report(() -> scheduler.started(attempt, Math.min(at, now()), now()));
  }

  void crashed(Attempt attempt, long at) {
    report(() -> scheduler.failed(attempt, Math.min(at, now()), now()));
  }

  void rendered(Attempt attempt, long at) {
    try {
      scheduler.completed(attempt, Math.min(at, now()), now());
    } catch (StaleReportException earlier) {
      scheduler.instance(attempt.instance()).ifPresent(this::withdraw); // the image counts
    } catch (EventRefusedException refused) {
      LOG.log(Level.WARNING, refused.getMessage());
    }
  }

  private void withdraw(Instance frame) {
    frame.host().ifPresent(host -> machines.stop(frame.id(), host.id()));
    scheduler.cancel(frame.id(), now());
  }

  void cannot(ActionId action, String why) {
    report(
        () -> {
          Rejection rejection = scheduler.rejected(action, why, now());
          for (Rejection.Undone each : rejection.undone()) {
            if (!each.id().equals(action)) {
              machines.takeBack(each.id(), each.action());
            }
          }
        });
  }

  /** Applies an event that may be late, doubled or wrong. */
  private static void report(Runnable event) {
    try {
      event.run();
    } catch (StaleReportException late) {
      LOG.log(Level.DEBUG, late.getMessage()); // expected now and then
    } catch (EventRefusedException refused) {
      LOG.log(Level.WARNING, refused.getMessage());
    }
  }

  // ---- Passes

  /** Runs a pass if one is due. */
  void step() {
    OptionalLong due = scheduler.nextPassAt();
    if (due.isPresent() && due.getAsLong() <= now()) {
      carryOut(scheduler.schedule(now()));
    }
  }

  private void carryOut(Plan plan) {
    for (int i = 0; i < plan.actions().size(); i++) {
      machines.carryOut(plan.id(i), plan.actions().get(i));
    }
  }

  // ---- What differs

  List<String> reconcile(Observation observed) {
    Reconciliation found = scheduler.reconcile(observed, new ByArchive(), now());
    return found.differences().stream().map(each -> each.describe()).toList();
  }

  /** Decides by what the farm keeps itself. */
  private final class ByArchive implements Reconciler {

    @Override
    public boolean hasEnded(Instance gone) {
      return archive.isRendered(gone.id());
    }

    @Override
    public Optional<Adoption> adopt(ObservedInstance unknown) {
      return archive.adoption(unknown.id()); // empty: not ours, so foreign load
    }
  }

  // ---- Restarting

  byte[] save() {
    return SnapshotFormat.CBOR.toBytes(scheduler.snapshot());
  }

  /** Continues after a restart. */
  static ResilientFarm resume(
      byte[] saved, Observation observed, Machines machines, Archive archive, LongSupplier clock) {
    Scheduler scheduler = settings().restore(SnapshotFormat.CBOR.fromBytes(saved)).build();
    ResilientFarm farm = new ResilientFarm(machines, archive, clock, scheduler);
    farm.reconcile(observed);
    farm.withdrawRendered();
    return farm;
  }

  private void withdrawRendered() {
    for (Instance each : scheduler.instances()) {
      if (each.state() == InstanceState.PENDING && archive.isRendered(each.id())) {
        withdraw(each); // completed since the snapshot
      }
    }
  }

  /** Gives up a frame, and returns its history for the farm that renders it further. */
  History giveUp(Instance frame) {
    History history = History.of(frame, now()).preempted(); // or evicted() or failed()
    withdraw(frame);
    return history;
  }

  /** Renders a frame further. */
  void takeOver(Request request, History history) {
    scheduler.submit(request, history, now());
  }

  /** Returns a time that continues after a restart, unlike {@link System#nanoTime}. */
  static long wallClock() {
    return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
  }

  private long now() {
    return Math.max(clock.getAsLong(), scheduler.now()); // a wall clock may be set back
  }

  // ---- Maintenance

  void close(String host) {
    report(() -> scheduler.cordon(host, now()));
  }

  void open(String host) {
    report(() -> scheduler.uncordon(host, now()));
  }

  void empty(String host, Duration within) {
    report(() -> scheduler.drain(host, leaving(within), now()));
  }

  private Drain leaving(Duration within) {
    return Drain.moving()
        .restarting("batch") // rendering starts anew; urgent frames migrate
        .inOrder(Drain.Order.MOST_IMPORTANT_FIRST)
        .until(now() + within.toNanos());
  }

  void keepUp(String job, int mostDown) {
    report(() -> scheduler.setBudget(job, DisruptionBudget.maxDown(mostDown), now()));
  }

  boolean isEmpty(String host) {
    Optional<Reason> closed = scheduler.host(host).flatMap(Host::closed);
    return closed.isPresent() && closed.get() instanceof Reason.Drained;
  }

  List<String> ifEmptied(String host, Duration within) {
    Event<?> drained = new Event.HostDrained(host, leaving(within));
    Plan plan = scheduler.whatIf().suppose(drained).plan(now()).plan();
    return plan.actions().stream().map(Action::describe).toList();
  }

  OptionalInt hostsMissing(HostSpec kind, Request... frames) {
    WhatIf question = scheduler.whatIf();
    Stream.of(frames).map(Event.Submitted::new).forEach(question::suppose);
    List<String> ids = Stream.of(frames).map(Request::id).toList();
    return question.hostsNeeded(kind, ids, 1000, now());
  }

  void hostChanged(HostSpec host) {
    report(() -> scheduler.changeHost(host, now()));
  }

  void othersHold(String host, Resources amounts) {
    report(() -> scheduler.foreignLoad(host, amounts, now()));
  }

  // ---- For people

  String whyPending(String frame) {
    return scheduler.explain().whyPending(frame, now()).describe();
  }

  Scheduler scheduler() {
    return scheduler;
  }
}
