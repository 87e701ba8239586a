package dev.berth.traces.internal;

/**
 * What formats assume of lists that have no times. Their requests are all admitted at 0 and outlive
 * any simulation.
 */
public final class Snapshots {

  /** The service time in nanoseconds: ten years. */
  public static final long SERVICE_TIME = 3_650L * 86_400 * 1_000_000_000;

  private Snapshots() {}
}
