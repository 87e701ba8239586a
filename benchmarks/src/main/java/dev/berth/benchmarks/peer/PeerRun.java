package dev.berth.benchmarks.peer;

/**
 * A measurement of one scheduler at one size.
 *
 * @param oneCore whether the run has one core only, which saves a peer the exchange among its
 *     threads
 */
record PeerRun(PeerScheduler scheduler, Task.Size size, boolean oneCore) {

  @Override
  public String toString() {
    return "%s%s, %s requests on %s hosts"
        .formatted(scheduler, oneCore ? " on one core" : "", size.requests(), size.hosts());
  }
}
