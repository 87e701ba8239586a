package dev.berth.policies.metascheduling;

import java.util.random.RandomGenerator;

/**
 * A lottery among sites. A site that takes a time {@code t} gets {@code round(most / t)} tickets,
 * where {@code most} is the longest that any takes; one whose time is not known gets very many, so
 * that it is explored first (Eq. 1 and 3).
 */
final class Tickets {

  /** What a site gets whose time is zero or not known, and the most that any gets. */
  static final long VERY_MANY = 1_000_000_000_000L;

  private long[] tickets = {};

  /**
   * Returns the number of tickets of a site.
   *
   * @param most the longest time of all sites, positive unless none is known
   * @param time that of this one; zero: not known
   */
  static long of(double most, double time) {
    return time > 0 ? Math.min(VERY_MANY, Math.round(most / time)) : VERY_MANY;
  }

  /**
   * Draws one ticket and returns the site that has it. Cost O(sites).
   *
   * @param times by the place of the site, finite, in any unit; zero where it is not known
   * @param sites of which those that are closed get no tickets, but their times count
   */
  int draw(double[] times, Sites sites, RandomGenerator random) {
    int size = sites.size();
    if (tickets.length < size) {
      tickets = new long[Math.max(size, 2 * tickets.length)];
    }
    double most = 0;
    for (int site = 0; site < size; site++) {
      most = Math.max(most, times[site]);
    }
    long total = 0;
    for (int site = 0; site < size; site++) {
      tickets[site] = sites.isOpen(site) ? of(most, times[site]) : 0;
      total += tickets[site];
    }
    long drawn = random.nextLong(total);
    int site = 0;
    while (drawn >= tickets[site]) {
      drawn -= tickets[site];
      site++;
    }
    return site;
  }
}
