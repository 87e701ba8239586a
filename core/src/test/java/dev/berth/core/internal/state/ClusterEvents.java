package dev.berth.core.internal.state;

import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.core.internal.undo.UndoLog;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The events that tests of the engine report, in one place. */
public final class ClusterEvents {

  private final ClusterState state;
  private final Events events;

  public ClusterEvents(ClusterState state, Transitions transitions) {
    this.state = state;
    this.events = Events.of(state, transitions);
  }

  public void advanceTo(long time) {
    state.advanceTo(time);
  }

  public void offerPool(PoolSpec pool, long time) {
    state.pools().offer(pool, time);
  }

  public boolean setLimit(String name, long amount, long time) {
    return state.setLimit(name, amount, time);
  }

  public Host addHost(HostSpec spec, long time) {
    return events.hosts().addHost(spec, time);
  }

  public void removeHost(String id, long time) {
    events.hosts().removeHost(id, time);
  }

  public void loadReported(String id, double load, long time) {
    events.hostChanges().loadReported(id, load, time);
  }

  public Bag submit(BagSpec spec, long time, UndoLog log) {
    return events.batches().submit(spec, time, log);
  }

  public List<? extends Instance> submit(GroupSpec spec, long time, UndoLog log) {
    return events.batches().submit(spec, time, log);
  }

  public Instance submit(Request request, long time) {
    return events.admissions().submit(request, Optional.empty(), time);
  }

  public Instance submit(Request request, History history, long time) {
    return events.admissions().submit(request, Optional.of(history), time);
  }

  public Instance adopt(Adoption how, ObservedInstance seen, long time) {
    return events.admissions().adopt(how, seen, time);
  }

  public void started(String id, long time) {
    events.instances().started(id, time);
  }

  public void failed(String id, long time) {
    events.instances().failed(id, time);
  }

  public Instance done(String id, long time, boolean cancelled, OptionalLong cpuTime) {
    return events.instances().done(id, time, cancelled, cpuTime);
  }

  public BagReport cancelBag(String id, Reason why, long time) {
    return events.batches().cancelBag(id, why, time);
  }

  public List<Instance> cancelGroup(String id, long time) {
    return events.batches().cancelGroup(id, time);
  }
}
