package dev.berth.core.internal.cluster;

import dev.berth.api.Reason;

/** A pass, as its steps see it that make instances leave their hosts. */
public interface Departures {

  /** Returns the number of the pass. */
  long number();

  /** Requires that the pass goes on; otherwise it is abandoned. */
  void requireRunning();

  /** Stops an instance by decision of the engine. */
  void evict(InstanceRecord instance, Reason why);

  /** Migrates an instance that fits on a host, with its present grant. */
  void moveTo(InstanceRecord instance, HostRecord host, Reason why);

  /** Records why a pending instance keeps waiting. */
  void defer(InstanceRecord waiting, Reason why);
}
