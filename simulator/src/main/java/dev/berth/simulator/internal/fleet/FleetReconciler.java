package dev.berth.simulator.internal.fleet;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Attempt;
import dev.berth.core.Scheduler;
import dev.berth.core.error.StaleReportException;
import dev.berth.simulator.internal.execution.Execution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reconciles a scheduler with an unreliable fleet, settles what no observation shows, and checks
 * that the scheduler then believes the truth.
 */
final class FleetReconciler {

  /** Receives what the scheduler has just learnt: an instance completed, with so much service. */
  @FunctionalInterface
  interface Acknowledgment {
    void completed(TrueInstance instance, long served, long now);
  }

  private final Map<String, TrueHost> hosts;
  private final Map<String, TrueInstance> instances;
  private final HostReports hostReports;
  private final Acknowledgment onCompletion;
  private final Consumer<Execution> onResize;
  long reconciliations;
  long differences;

  FleetReconciler(
      Map<String, TrueHost> hosts,
      Map<String, TrueInstance> instances,
      HostReports hostReports,
      Acknowledgment onCompletion,
      Consumer<Execution> onResize) {
    this.hosts = hosts;
    this.instances = instances;
    this.hostReports = hostReports;
    this.onCompletion = onCompletion;
    this.onResize = onResize;
  }

  /** Makes the scheduler believe what is true. */
  void reconcile(Scheduler scheduler, long now) {
    reconciliations++;
    for (TrueInstance each : instances.values()) {
      if (!each.isAsBelieved(scheduler.instance(each.id()))) {
        each.overtakesReports();
      }
    }
    Map<String, Long> ended = new LinkedHashMap<>(); // service, by id of the instance
    Reconciliation found = scheduler.reconcile(observation(), whatEnded(ended, now), now);
    differences += found.differences().size();
    hostReports.reconciled(hosts);
    hostReports.settle(scheduler, now);
    for (Difference each : found.differences()) {
      if (each instanceof Difference.InstanceDiffers moved) {
        scheduler.instance(moved.instance()).ifPresent(this::resize);
      }
    }
    ended.forEach((id, served) -> onCompletion.completed(instance(id), served, now));
    settle(scheduler, now);
    check(scheduler);
  }

  /** Gives an instance the grant that the scheduler believes in. */
  private void resize(Instance believed) {
    TrueInstance instance = instance(believed.id());
    if (!instance.granted().equals(believed.granted())) {
      instance.resized(believed.granted());
      onResize.accept(instance.execution());
    }
  }

  private TrueInstance instance(String id) {
    TrueInstance instance = instances.get(id);
    checkState(instance != null, "the fleet has no instance %s.", id);
    return instance;
  }

  private Reconciler whatEnded(Map<String, Long> ended, long now) {
    return new Reconciler() {
      @Override
      public boolean hasEnded(Instance gone) {
        boolean hasEnded = instance(gone.id()).isDone();
        if (hasEnded) {
          ended.put(gone.id(), gone.serviceTime(now));
        }
        return hasEnded;
      }
    };
  }

  private Observation observation() {
    List<ObservedHost> seenHosts =
        hosts.values().stream().map(each -> new ObservedHost(each.spec(), each.foreign())).toList();
    List<ObservedInstance> seen = new ArrayList<>();
    for (TrueInstance each : instances.values()) {
      TrueHost host = each.trueHost();
      if (host != null) {
        seen.add(
            new ObservedInstance(each.id(), host.id(), each.state())
                .inAttempt(each.attempt())
                .since(each.stateSince()));
      }
    }
    return new Observation(seenHosts, seen);
  }

  /** Ends instances that completed, and that the scheduler believes pending. */
  private void settle(Scheduler scheduler, long now) {
    for (TrueInstance each : List.copyOf(instances.values())) {
      if (each.isDone()) {
        onCompletion.completed(each, endIn(scheduler, each, now), now);
      }
    }
  }

  private static long endIn(Scheduler scheduler, TrueInstance completed, long now) {
    try {
      return complete(scheduler, completed, now);
    } catch (StaleReportException pending) { // it lost its host in the eyes of the scheduler
      return scheduler.cancel(completed.id(), now).serviceTime();
    }
  }

  /** Reports an instance that completed. Returns its service as the scheduler accounts for it. */
  static long complete(Scheduler scheduler, TrueInstance completed, long now) {
    Attempt attempt = new Attempt(completed.id(), completed.attempt());
    long at = completed.stateSince();
    InstanceReport report =
        completed.cpuTime().isEmpty()
            ? scheduler.completed(attempt, at, now)
            : scheduler.completed(attempt, completed.cpuTime().get(), at, now);
    return report.serviceTime();
  }

  // ---- Checks

  private void check(Scheduler scheduler) {
    require(scheduler.hosts().size() == hosts.size(), "number of hosts", scheduler.hosts().size());
    for (TrueHost each : hosts.values()) {
      Optional<Host> believed = scheduler.host(each.id());
      require(believed.isPresent(), "host", each.id());
      check(each, believed.orElseThrow());
    }
    require(scheduler.instanceCount() == instances.size(), "instances", scheduler.instanceCount());
    for (TrueInstance each : instances.values()) {
      Optional<Instance> believed = scheduler.instance(each.id());
      require(each.isAsBelieved(believed), "instance", each.id());
      boolean isPending = each.state() == InstanceState.PENDING;
      require(
          isPending || believed.orElseThrow().granted().equals(each.granted()),
          "grant of instance",
          each.id());
    }
  }

  private static void check(TrueHost host, Host believed) {
    require(believed.capacity().equals(host.capacity()), "capacity of host", host.id());
    require(believed.attributes().equals(host.attributes()), "attributes of host", host.id());
    require(believed.taints().equals(host.taints()), "taints of host", host.id());
    require(believed.foreign().equals(host.foreign()), "foreign load of host", host.id());
    for (Dimension each : host.capacity().dimensions()) {
      require(believed.free(each) == host.free(each), "free " + each + " of host", host.id());
    }
  }

  private static void require(boolean isTrue, String what, Object which) {
    if (!isTrue) {
      throw new IllegalStateException(
          "after a reconciliation, the scheduler does not believe the truth about %s %s."
              .formatted(what, which));
    }
  }
}
