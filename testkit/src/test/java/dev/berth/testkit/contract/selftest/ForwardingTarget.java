package dev.berth.testkit.contract.selftest;

import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.Observation;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.Fates;
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
  public void submit(GroupSpec group, long now) {
    other.submit(group, now);
  }

  @Override
  public List<InstanceReport> cancelGroup(String groupId, long now) {
    return other.cancelGroup(groupId, now);
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
  public void changeHost(HostSpec spec, long now) {
    other.changeHost(spec, now);
  }

  @Override
  public void foreignLoad(String hostId, Resources foreign, long now) {
    other.foreignLoad(hostId, foreign, now);
  }

  @Override
  public void cordon(String hostId, long now) {
    other.cordon(hostId, now);
  }

  @Override
  public void uncordon(String hostId, long now) {
    other.uncordon(hostId, now);
  }

  @Override
  public void setLimit(String name, long amount, long now) {
    other.setLimit(name, amount, now);
  }

  @Override
  public void drain(String hostId, Drain how, long now) {
    other.drain(hostId, how, now);
  }

  @Override
  public void setBudget(String job, DisruptionBudget budget, long now) {
    other.setBudget(job, budget, now);
  }

  @Override
  public void removeBudget(String job, long now) {
    other.removeBudget(job, now);
  }

  @Override
  public void submit(Request request, long now) {
    other.submit(request, now);
  }

  @Override
  public void submit(Request request, History history, long now) {
    other.submit(request, history, now);
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
  public void started(Attempt attempt, long at, long now) {
    other.started(attempt, at, now);
  }

  @Override
  public void failed(Attempt attempt, long at, long now) {
    other.failed(attempt, at, now);
  }

  @Override
  public InstanceReport completed(Attempt attempt, long at, long now) {
    return other.completed(attempt, at, now);
  }

  @Override
  public Rejection rejected(ActionId action, String why, long now) {
    return other.rejected(action, why, now);
  }

  @Override
  public Reconciliation reconcile(Observation observed, Fates fates, long now) {
    return other.reconcile(observed, fates, now);
  }

  @Override
  public void adopt(Adoption how, ObservedInstance seen, long now) {
    other.adopt(how, seen, now);
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
