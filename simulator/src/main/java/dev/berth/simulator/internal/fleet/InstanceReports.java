package dev.berth.simulator.internal.fleet;

import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.core.error.StaleReportException;
import dev.berth.simulator.internal.execution.Execution;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The reports of an unreliable fleet about instances, and the comparison of what the scheduler
 * makes of them with the truth.
 */
final class InstanceReports {

  /** What a report that arrives does; it may be stale. */
  @FunctionalInterface
  interface Arrival {
    void at(long now);
  }

  private final ReportChannel channel;
  private final Map<String, TrueInstance> instances; // not ended, by id
  private final BiConsumer<Execution, InstanceReport> onCompletion;
  private final Set<TrueInstance> concerned = new LinkedHashSet<>(); // at this instant
  long stale;
  long misjudged;

  InstanceReports(
      ReportChannel channel,
      Map<String, TrueInstance> instances,
      BiConsumer<Execution, InstanceReport> onCompletion) {
    this.channel = channel;
    this.instances = instances;
    this.onCompletion = onCompletion;
  }

  /** Sends a report about an instance. */
  void send(TrueInstance instance, Arrival arrival, long now) {
    concerned.add(instance);
    int number = instance.reportSent();
    boolean[] arrived = {false};
    ReportChannel.Fate fate =
        channel.send(
            later -> {
              if (!arrived[0]) {
                arrived[0] = true;
                instance.reportArrived(number);
              }
              arrive(instance, arrival, later);
            },
            now);
    if (fate == ReportChannel.Fate.LOST) {
      instance.notOnTime();
    }
  }

  private void arrive(TrueInstance instance, Arrival arrival, long now) {
    if (instances.get(instance.id()) != instance) {
      stale++; // it has ended
      return;
    }
    concerned.add(instance);
    try {
      arrival.at(now);
    } catch (StaleReportException known) {
      stale++;
    }
  }

  /**
   * Notes that the scheduler knows that an instance completed.
   *
   * @param served its service, as the scheduler accounts for it
   */
  void acknowledged(TrueInstance instance, long served, long now) {
    long completedAt = instance.stateSince();
    checkService(instance, served, completedAt, now);
    instances.remove(instance.id());
    forget(instance);
    onCompletion.accept(
        instance.execution(), instance.execution().report(instance.serviceClass(), completedAt));
  }

  /** Compares the scheduler's account of a service with the true one. */
  void checkService(TrueInstance instance, long served, long end, long now) {
    misjudged = Math.max(misjudged, instance.checkService(served, end, now));
  }

  // ---- What the scheduler believes

  /** Notes that an instance, or what is believed of it, may change at this instant. */
  void concerns(TrueInstance instance) {
    concerned.add(instance);
  }

  /** Notes that something else about an instance has reached the scheduler. */
  void overtaken(TrueInstance instance) {
    instance.overtakesReports();
    concerned.add(instance);
  }

  /** Notes that an instance has ended. */
  void forget(TrueInstance instance) {
    concerned.remove(instance);
  }

  /** Compares, at the end of an instant, what is believed with the truth from now on. */
  void compareBeliefs(Scheduler scheduler, long now) {
    for (TrueInstance each : concerned) {
      each.compare(scheduler.instance(each.id()), now);
    }
    concerned.clear();
  }
}
