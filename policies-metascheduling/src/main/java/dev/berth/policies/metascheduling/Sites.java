package dev.berth.policies.metascheduling;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.SchedulingPass;
import java.util.Arrays;
import java.util.List;

/**
 * The sites of one pass, by their place in {@link SchedulingPass#hosts}: all of them, or those that
 * can take the instance that is being decided on. Lives as long as its pass.
 */
final class Sites {

  private final SchedulingPass pass;
  private final List<Host> hosts;
  private final boolean[] closed;
  private int open;

  Sites(SchedulingPass pass) {
    this.pass = pass;
    this.hosts = pass.hosts();
    this.closed = new boolean[hosts.size()];
    this.open = hosts.size();
  }

  List<Host> hosts() {
    return hosts;
  }

  SchedulingPass pass() {
    return pass;
  }

  /** Returns how many sites there are, open or not. */
  int size() {
    return closed.length;
  }

  /** Returns how many are open. */
  int open() {
    return open;
  }

  /** Returns whether a site may be chosen. */
  boolean isOpen(int site) {
    return !closed[site];
  }

  /** Returns the open site that {@code number} open ones come before; fewer than all that are. */
  int open(int number) {
    if (open == closed.length) {
      return number;
    }
    int left = number;
    int site = 0;
    while (closed[site] || left-- > 0) {
      site++;
    }
    return site;
  }

  /** Leaves only those open that can take an instance just now. */
  void closeWhereNoRoom(Instance instance) {
    for (int site = 0; site < closed.length; site++) {
      if (!closed[site] && pass.obstacle(instance, hosts.get(site), List.of()).isPresent()) {
        close(site);
      }
    }
  }

  private void close(int site) {
    closed[site] = true;
    open--;
  }

  /** Opens all again. */
  void openAll() {
    if (open < closed.length) {
      Arrays.fill(closed, false);
      open = closed.length;
    }
  }

  /** Returns what breaks a tie among sites: the greatest wins. */
  long tieBreak(Instance instance, int site) {
    return pass.tieBreak(instance, hosts.get(site));
  }
}
