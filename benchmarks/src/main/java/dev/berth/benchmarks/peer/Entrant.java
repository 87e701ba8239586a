package dev.berth.benchmarks.peer;

/**
 * A measured scheduler with the size of its task.
 *
 * @param oneCore whether it has only one core, which saves a peer the communication between threads
 */
record Entrant(Contender contender, Task.Size size, boolean oneCore) {

  @Override
  public String toString() {
    return "%s%s, %s requests on %s hosts"
        .formatted(contender, oneCore ? " on one core" : "", size.requests(), size.hosts());
  }
}
