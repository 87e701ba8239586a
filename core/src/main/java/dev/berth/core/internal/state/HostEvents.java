package dev.berth.core.internal.state;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.ProvidedHost;
import java.util.ArrayList;
import java.util.List;

/** The events by which hosts join and leave. An event that is refused or fails changes nothing. */
public final class HostEvents {

  private final ClusterState state;
  private final Transitions transitions;

  HostEvents(ClusterState state, Transitions transitions) {
    this.state = state;
    this.transitions = transitions;
  }

  /** Adds a host, perhaps one that a plan provisioned. */
  public Host addHost(HostSpec spec, long time) {
    String id = spec.id();
    if (state.hostRecord(id) != null) {
      throw Code.ID_IN_USE.refusal(
          "host %s joins, but a host of that id is present. Maybe remove it first.", id);
    }
    ProvidedHost provided = state.pools().provided(id);
    if (provided != null && provided.state() == HostState.STOPPING) {
      throw Code.ID_IN_USE.refusal(
          "host %s joins, but it was released and is not reported gone. Maybe remove it first.",
          id);
    }
    state.refuseClash("host ", id, spec.capacity());
    state.requireNotPast(time, "host ", id, " joins");
    state.beginChange();
    state.setNow(time);
    HostRecord host = state.create(spec, provided, state.countJoin(), time);
    if (provided != null) {
      state.openActions().close(provided.requestedBy());
      state.pools().joined(provided, host);
      state.changed(provided.pool);
    }
    state.enterHost(host);
    state.endChange();
    return host;
  }

  /**
   * Removes a host; its instances are pending again. Also handles a host that a plan provisioned
   * and that did not start, and a released host that is gone.
   */
  public void removeHost(String id, long time) {
    HostRecord host = state.hostRecord(id);
    if (host == null) {
      removeProvided(id, time);
      return;
    }
    state.requireNotPast(time, "host ", id, " leaves");
    List<InstanceRecord> stranded = List.copyOf(host.residents);
    List<SavedInstance> formers = new ArrayList<>(stranded.size());
    state.beginChange();
    try {
      for (InstanceRecord each : stranded) {
        formers.add(new SavedInstance().note(each));
        each.stops(time, false);
        state.follower().rekey(each);
      }
    } catch (Throwable failure) {
      for (int i = 0; i < formers.size(); i++) {
        stranded.get(i).restore(formers.get(i));
      }
      state.revertChange();
      throw failure;
    }
    state.setNow(time);
    for (int i = 0; i < formers.size(); i++) {
      state.openActions().end(stranded.get(i));
      transitions.leave(stranded.get(i), formers.get(i));
      transitions.enter(stranded.get(i), formers.get(i));
    }
    state.leaveHost(host);
    state.pools().left(host);
    state.endChange();
  }

  private void removeProvided(String id, long time) {
    ProvidedHost provided = state.pools().provided(id);
    if (provided == null) {
      throw Code.UNKNOWN_HOST.refusal("host %s leaves, but no such host is present.", id);
    }
    state.requireNotPast(time, "host ", id, " leaves");
    state.beginChange();
    state.setNow(time);
    state.noteExpiries();
    state.openActions().close(provided.requestedBy());
    state.openActions().close(provided.releasedBy());
    state.pools().gone(provided, time);
    state.changed(provided.pool);
    state.endChange();
  }
}
