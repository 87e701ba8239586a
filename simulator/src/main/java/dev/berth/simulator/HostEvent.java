package dev.berth.simulator;

/** Something that happens to a host in a simulation, at a time known beforehand. */
public sealed interface HostEvent {

  /** Returns when, in nanoseconds since the start of the simulation. */
  long at();

  /** Returns the id of the host, which is one of the infrastructure. */
  String hostId();

  /** The host is lost; its instances are pending again and keep their history. */
  record Fails(long at, String hostId) implements HostEvent {}

  /** The host that failed is back, as it was and with nothing on it. */
  record Recovers(long at, String hostId) implements HostEvent {}
}
