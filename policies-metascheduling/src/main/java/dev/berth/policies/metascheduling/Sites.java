package dev.berth.policies.metascheduling;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.SchedulingPass;
import java.util.Arrays;
import java.util.List;

/**
 * The sites of one pass, by their index in {@link SchedulingPass#openHosts}. A site is closed if it
 * cannot take the current instance. Lives as long as its pass.
 */
final class Sites {

  private final SchedulingPass pass;
  private final List<Host> hosts;
  private final boolean[] closed;
  private int open;

  Sites(SchedulingPass pass) {
    this.pass = pass;
    this.hosts = pass.openHosts();
    this.closed = new boolean[hosts.size()];
    this.open = hosts.size();
  }

  List<Host> hosts() {
    return hosts;
  }

  SchedulingPass pass() {
    return pass;
  }

  /** Returns the number of sites, open or closed. */
  int size() {
    return closed.length;
  }

  /** Returns the number of open sites. */
  int open() {
    return open;
  }

  /** Returns whether a site may be chosen. */
  boolean isOpen(int site) {
    return !closed[site];
  }

  /** Returns an open site by its number among the open ones. */
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

  /** Closes all sites that cannot take an instance now. */
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

  /** Opens all sites. */
  void openAll() {
    if (open < closed.length) {
      Arrays.fill(closed, false);
      open = closed.length;
    }
  }

  /** Returns the tie break of a site; the greatest wins. */
  long tieBreak(Instance instance, int site) {
    return pass.tieBreak(instance, hosts.get(site));
  }
}
