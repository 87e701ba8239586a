package dev.berth.policies.baselines;

/** The hosts that meet the constraints of some requests, in ascending order of their numbers. */
final class HostSet {

  private final int number;
  private final int[] hosts;

  /**
   * Creates a set.
   *
   * @param number its number, from 0, among the sets of the problem
   */
  HostSet(int number, int[] hosts) {
    this.number = number;
    this.hosts = hosts;
  }

  int number() {
    return number;
  }

  int size() {
    return hosts.length;
  }

  /** Returns the number of the i-th host. */
  int host(int i) {
    return hosts[i];
  }
}
