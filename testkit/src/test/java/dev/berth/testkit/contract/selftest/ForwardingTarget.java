package dev.berth.testkit.contract.selftest;

import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Forwards every call to another scheduler; a subject overrides single calls. */
class ForwardingTarget implements EventTarget {

  private final EventTarget other;

  ForwardingTarget(EventTarget other) {
    this.other = other;
  }

  @Override
  public Set<Feature> supportedFeatures() {
    return other.supportedFeatures();
  }

  @Override
  public void offerPool(PoolSpec pool, long now) {
    other.offerPool(pool, now);
  }

  @Override
  public void submit(BagSpec bag, long now) {
    other.submit(bag, now);
  }

  @Override
  public void loadReported(String hostId, double average, long now) {
    other.loadReported(hostId, average, now);
  }

  @Override
  public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    return other.completed(instanceId, cpuTime, now);
  }

  @Override
  public BagReport cancelBag(String bagId, Reason why, long now) {
    return other.cancelBag(bagId, why, now);
  }

  @Override
  public void addHost(HostSpec spec, long now) {
    other.addHost(spec, now);
  }

  @Override
  public void removeHost(String hostId, long now) {
    other.removeHost(hostId, now);
  }

  @Override
  public void submit(Request request, long now) {
    other.submit(request, now);
  }

  @Override
  public void started(String instanceId, long now) {
    other.started(instanceId, now);
  }

  @Override
  public void failed(String instanceId, long now) {
    other.failed(instanceId, now);
  }

  @Override
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    other.usageReported(instanceId, used, shortfall, now);
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return other.free(hostId);
  }

  @Override
  public InstanceReport completed(String instanceId, long now) {
    return other.completed(instanceId, now);
  }

  @Override
  public InstanceReport cancel(String instanceId, long now) {
    return other.cancel(instanceId, now);
  }

  @Override
  public Plan schedule(long now) {
    return other.schedule(now);
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return other.snapshots(now);
  }
}
