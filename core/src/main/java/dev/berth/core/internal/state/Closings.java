package dev.berth.core.internal.state;

import dev.berth.api.Reason;
import java.util.Map;

/**
 * Closes and opens hosts; the only place where that happens. No instance is placed on a closed
 * host, migrates to it or resumes there, and no search considers it.
 */
public final class Closings {

  private final ClusterState state;

  Closings(ClusterState state) {
    this.state = state;
  }

  /** Closes a host for a reason, or changes the reason of the same cause. */
  public void close(HostRecord host, Closing cause, Reason why) {
    host.closings().put(cause, why);
    setClosed(host, true);
    state.hasChanged(host);
  }

  /** Withdraws one cause. The host opens if there is no other. */
  public void open(HostRecord host, Closing cause) {
    if (host.isClosedBy(cause)) {
      setClosed(host, host.closings().size() > 1); // first: a closed host always has a reason
      host.closings().remove(cause);
      state.hasChanged(host);
    }
  }

  /** Restores what closed a host before. */
  void restore(HostRecord host, Map<Closing, Reason> causes) {
    setClosed(host, !causes.isEmpty());
    host.closings().clear();
    host.closings().putAll(causes);
    state.hasChanged(host);
  }

  private void setClosed(HostRecord host, boolean closed) {
    if (host.isClosed != closed) {
      host.isClosed = closed;
      state.closedHosts += closed ? 1 : -1;
    }
  }

  /** Closes a host that holds more than its capacity, or opens it again. */
  public void checkCapacity(HostRecord host) {
    int over = state.table.overcommitted(host.slot);
    if (over >= 0) {
      host.mayBeOver = true; // until an event finds that it fits again
      Reason why =
          new Reason.OverCapacity(state.table.dimension(over), -state.table.free(host.slot, over));
      if (!why.equals(host.closings().get(Closing.OVER_CAPACITY))) {
        close(host, Closing.OVER_CAPACITY, why);
      }
    } else {
      open(host, Closing.OVER_CAPACITY);
    }
  }
}
