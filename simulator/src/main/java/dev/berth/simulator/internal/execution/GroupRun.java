package dev.berth.simulator.internal.execution;

/**
 * A group in a simulation: for how long it has been broken, with members on hosts, but fewer than
 * must run together.
 */
public final class GroupRun {

  private final int minCount;
  private int left;
  private int completed;
  private int onHosts;
  private long broken; // up to the latest change, in nanoseconds
  private long changedAt;

  /** Creates a group whose members are on no host. */
  public GroupRun(int minCount, int members) {
    this.minCount = minCount;
    this.left = members;
  }

  /** Returns for how long it has been broken up to a time, in nanoseconds. */
  long brokenUntil(long now) {
    boolean isBroken = onHosts > 0 && onHosts < Math.min(minCount - completed, left);
    return isBroken ? broken + Math.max(0, now - changedAt) : broken;
  }

  /** Notes that a member came to a host (1) or left one (-1). */
  void moved(int change, long now) {
    settle(now);
    onHosts += change;
  }

  /** Notes that a member has ended. */
  void ended(boolean complete, long now) {
    settle(now);
    left--;
    completed += complete ? 1 : 0;
  }

  private void settle(long now) {
    broken = brokenUntil(now);
    changedAt = Math.max(changedAt, now);
  }
}
