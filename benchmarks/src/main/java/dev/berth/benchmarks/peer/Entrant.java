package dev.berth.benchmarks.peer;

/**
 * Who is measured, on what.
 *
 * @param oneCore whether it has but one core, which spares a peer the exchange among its threads
 */
record Entrant(Contender contender, Task.Size size, boolean oneCore) {

  @Override
  public String toString() {
    return "%s%s, %s requests on %s hosts"
        .formatted(contender, oneCore ? " on one core" : "", size.requests(), size.hosts());
  }
}
