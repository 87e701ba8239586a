package dev.berth.core.internal.search;

import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;

/**
 * Reservations of waiting instances on hosts, by estimated run times; also a bound of what has room
 * now beside them.
 *
 * <p>No reservation counts on ends of instances without an estimate, or paused and suspended ones.
 * An instance that has run longer than estimated is assumed to end in the next nanosecond.
 */
public interface Reservations extends RoomBound {

  /** A time that is never reached. */
  long NEVER = RunTimes.NEVER;

  /** Returns whether a host with free room now keeps it for a whole run of an instance. */
  boolean hasRoom(HostRecord host, InstanceRecord instance, Grant grant);

  /**
   * Returns the earliest time at which a host has room for a whole run of an instance, or {@link
   * #NEVER}.
   *
   * @param mayStartNow whether the run may start at once, or only after free capacity has changed
   */
  long earliest(HostRecord host, InstanceRecord instance, Grant grant, boolean mayStartNow);

  /** Reserves capacity on a host for a whole run of an instance that starts at a time. */
  void reserve(HostRecord host, InstanceRecord instance, Grant grant, long from);

  /**
   * Keeps what an instance needs on a host from now on, or what is free of it, since no time can be
   * reserved: it may have room there at any moment.
   */
  void keep(HostRecord host, InstanceRecord instance, Grant grant);

  /** Notes an instance that is about to be placed. */
  void starts(HostRecord host, InstanceRecord instance, Grant grant);
}
