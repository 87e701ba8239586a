package dev.berth.policies.metascheduling;

import java.util.random.RandomGenerator;

/**
 * A lottery among sites. A site with time {@code t} gets {@code round(most / t)} tickets, where
 * {@code most} is the longest time of all sites. A site without a known time gets very many, so
 * that it is explored first (Eq. 1 and 3).
 */
final class Tickets {

  /** The tickets of a site whose time is zero or unknown, and the upper limit for all sites. */
  static final long VERY_MANY = 1_000_000_000_000L;

  private long[] tickets = {};

  /**
   * Returns the number of tickets of a site.
   *
   * @param most the longest time of all sites, positive unless none is known
   * @param time time of this site; zero if unknown
   */
  static long of(double most, double time) {
    return time > 0 ? Math.min(VERY_MANY, Math.round(most / time)) : VERY_MANY;
  }

  /**
   * Draws one ticket and returns the site that has it. Cost O(sites).
   *
   * @param times by the index of the site, finite, in any unit; zero if unknown
   * @param sites the sites; closed ones get no tickets, but their times count
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
