package dev.berth.testkit.contract;

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
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Passes each event on to a target that may be another one each time. Supports all features. */
abstract class PassingTarget implements EventTarget {

  /** Returns the target of the next event; called once before each. */
  abstract EventTarget present();

  @Override
  public Set<Feature> supportedFeatures() {
    return EnumSet.allOf(Feature.class);
  }

  @Override
  public void offerPool(PoolSpec pool, long now) {
    present().offerPool(pool, now);
  }

  @Override
  public void addHost(HostSpec spec, long now) {
    present().addHost(spec, now);
  }

  @Override
  public void removeHost(String hostId, long now) {
    present().removeHost(hostId, now);
  }

  @Override
  public void changeHost(HostSpec spec, long now) {
    present().changeHost(spec, now);
  }

  @Override
  public void foreignLoad(String hostId, Resources foreign, long now) {
    present().foreignLoad(hostId, foreign, now);
  }

  @Override
  public void cordon(String hostId, long now) {
    present().cordon(hostId, now);
  }

  @Override
  public void uncordon(String hostId, long now) {
    present().uncordon(hostId, now);
  }

  @Override
  public void drain(String hostId, Drain how, long now) {
    present().drain(hostId, how, now);
  }

  @Override
  public void setLimit(String name, long amount, long now) {
    present().setLimit(name, amount, now);
  }

  @Override
  public void setBudget(String job, DisruptionBudget budget, long now) {
    present().setBudget(job, budget, now);
  }

  @Override
  public void removeBudget(String job, long now) {
    present().removeBudget(job, now);
  }

  @Override
  public void submit(Request request, long now) {
    present().submit(request, now);
  }

  @Override
  public void submit(Request request, History history, long now) {
    present().submit(request, history, now);
  }

  @Override
  public void submit(BagSpec bag, long now) {
    present().submit(bag, now);
  }

  @Override
  public void submit(GroupSpec group, long now) {
    present().submit(group, now);
  }

  @Override
  public List<InstanceReport> cancelGroup(String groupId, long now) {
    return present().cancelGroup(groupId, now);
  }

  @Override
  public void loadReported(String hostId, double average, long now) {
    present().loadReported(hostId, average, now);
  }

  @Override
  public void started(String instanceId, long now) {
    present().started(instanceId, now);
  }

  @Override
  public void failed(String instanceId, long now) {
    present().failed(instanceId, now);
  }

  @Override
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    present().usageReported(instanceId, used, shortfall, now);
  }

  @Override
  public InstanceReport completed(String instanceId, long now) {
    return present().completed(instanceId, now);
  }

  @Override
  public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    return present().completed(instanceId, cpuTime, now);
  }

  @Override
  public InstanceReport cancel(String instanceId, long now) {
    return present().cancel(instanceId, now);
  }

  @Override
  public BagReport cancelBag(String bagId, Reason why, long now) {
    return present().cancelBag(bagId, why, now);
  }

  @Override
  public void started(Attempt attempt, long at, long now) {
    present().started(attempt, at, now);
  }

  @Override
  public void failed(Attempt attempt, long at, long now) {
    present().failed(attempt, at, now);
  }

  @Override
  public InstanceReport completed(Attempt attempt, long at, long now) {
    return present().completed(attempt, at, now);
  }

  @Override
  public Rejection rejected(ActionId action, String why, long now) {
    return present().rejected(action, why, now);
  }

  @Override
  public Reconciliation reconcile(Observation observed, Fates fates, long now) {
    return present().reconcile(observed, fates, now);
  }

  @Override
  public void adopt(Adoption how, ObservedInstance seen, long now) {
    present().adopt(how, seen, now);
  }

  @Override
  public Plan schedule(long now) {
    return present().schedule(now);
  }
}
