package dev.berth.simulator;

/** A planned failure or recovery of a host in a simulation. */
public sealed interface HostEvent {

  /** Returns its time, in nanoseconds since the start of the simulation. */
  long at();

  /** Returns the id of the host, which must be one of the infrastructure. */
  String hostId();

  /** The host fails. Its instances are pending again and keep their history. */
  record Fails(long at, String hostId) implements HostEvent {}

  /** The failed host is back with the same description and without instances. */
  record Recovers(long at, String hostId) implements HostEvent {}
}
