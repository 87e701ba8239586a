package dev.berth.simulator.internal.fleet;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.internal.HostSchedule;
import dev.berth.simulator.internal.execution.Execution;
import dev.berth.simulator.internal.execution.FleetLink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A link without faults: the scheduler learns everything at once, so what it believes is true. */
public record DirectLink(Scheduler scheduler, BiConsumer<Execution, InstanceReport> onCompletion)
    implements FleetLink {

  @Override
  public Optional<Host> host(String id) {
    return scheduler.host(id);
  }

  @Override
  public Resources granted(Execution execution) {
    return scheduler
        .instance(execution.id())
        .map(Instance::granted)
        .orElseThrow(
            () -> new IllegalStateException("instance %s is gone.".formatted(execution.id())));
  }

  @Override
  public Host failing(String id) {
    return host(id).orElseThrow(() -> new IllegalStateException("host %s is gone.".formatted(id)));
  }

  @Override
  public void started(Execution execution, long now) {
    scheduler.started(execution.id(), now);
  }

  @Override
  public void failed(Execution execution, long now) {
    scheduler.failed(execution.id(), now);
  }

  @Override
  public void completed(Execution execution, Optional<Duration> cpuTime, long now) {
    onCompletion.accept(
        execution,
        cpuTime.isEmpty()
            ? scheduler.completed(execution.id(), now)
            : scheduler.completed(execution.id(), cpuTime.get(), now));
  }

  @Override
  public void hostUp(HostSpec spec, long now) {
    scheduler.addHost(spec, now);
  }

  @Override
  public void hostTainted(String id, List<Taint> taints, long now) {
    host(id)
        .map(up -> HostSchedule.withTaints(described(up), taints))
        .ifPresent(spec -> scheduler.changeHost(spec, now));
  }

  /** Returns the description of a host. */
  static HostSpec described(Host host) {
    return new HostSpec(
        host.id(), host.capacity(), host.attributes(), host.timeShared(), host.taints());
  }

  @Override
  public void hostGone(String id, long now) {
    scheduler.removeHost(id, now);
  }

  @Override
  public void usageReported(Execution execution, Resources used, Resources shortfall, long now) {
    scheduler.usageReported(execution.id(), used, shortfall, now);
  }

  @Override
  public void loadReported(String host, double average, long now) {
    scheduler.loadReported(host, average, now);
  }
}
