package dev.berth.core.internal.cluster;

import dev.berth.api.Reason;
import dev.berth.core.internal.undo.UndoLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Closes and opens hosts; the only place where that happens. No instance is placed on a closed
 * host, migrates to it or resumes there, and no search considers it.
 */
public final class Closings {

  private final HostTable table;
  private final Consumer<HostRecord> changed;
  private int closed; // hosts of the cluster

  /**
   * Prepares for the hosts of a table.
   *
   * @param changed notes that a host has opened or closed
   */
  Closings(HostTable table, Consumer<HostRecord> changed) {
    this.table = table;
    this.changed = changed;
  }

  /** Returns the number of hosts that are closed. */
  int closed() {
    return closed;
  }

  /** Counts a host that has entered the cluster; one that comes back may be closed. */
  void entered(HostRecord host) {
    closed += host.isClosed ? 1 : 0;
  }

  /** Counts a host no longer. */
  void left(HostRecord host) {
    closed -= host.isClosed ? 1 : 0;
  }

  /** Closes a host for a reason, or changes the reason of the same cause. */
  public void close(HostRecord host, Closing cause, Reason why) {
    host.closings().put(cause, why);
    setClosed(host, true);
    changed.accept(host);
  }

  /** Withdraws one cause. The host opens if there is no other. */
  public void open(HostRecord host, Closing cause) {
    if (host.isClosedBy(cause)) {
      setClosed(host, host.closings().size() > 1); // first: a closed host always has a reason
      host.closings().remove(cause);
      changed.accept(host);
    }
  }

  /** Returns how to restore what closes a host at present. */
  public UndoLog.Step present(HostRecord host) {
    Map<Closing, Reason> causes = new EnumMap<>(Closing.class);
    causes.putAll(host.closings());
    boolean mayBeOver = host.mayBeOver;
    return () -> {
      host.mayBeOver = mayBeOver;
      setClosed(host, !causes.isEmpty());
      host.closings().clear();
      host.closings().putAll(causes);
      changed.accept(host);
    };
  }

  private void setClosed(HostRecord host, boolean isClosed) {
    if (host.isClosed != isClosed) {
      host.isClosed = isClosed;
      closed += isClosed ? 1 : -1;
    }
  }

  /** Checks the capacity of a host that has changed. */
  public void recheckCapacity(HostRecord host) {
    host.mayBeOver = false; // unless it is
    checkCapacity(host);
  }

  /** Closes a host that holds more than its capacity, or opens it again. */
  public void checkCapacity(HostRecord host) {
    int over = table.overcommitted(host.slot());
    if (over >= 0) {
      host.mayBeOver = true; // until an event finds that it fits again
      Reason why = new Reason.OverCapacity(table.dimension(over), -table.free(host.slot(), over));
      if (!why.equals(host.closings().get(Closing.OVER_CAPACITY))) {
        close(host, Closing.OVER_CAPACITY, why);
      }
    } else {
      open(host, Closing.OVER_CAPACITY);
    }
  }
}
