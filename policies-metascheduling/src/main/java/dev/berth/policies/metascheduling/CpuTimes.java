package dev.berth.policies.metascheduling;

import dev.berth.api.Host;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The mean CPU times of applications on sites, {@code tcm} (Eq. 2), as recorded by the hosts. A
 * host is read again only when its version changes. Keeps numbers only, no views, for the {@value
 * #APPLICATIONS} most recently used applications.
 */
final class CpuTimes {

  /** The value for an unknown mean. */
  static final double UNKNOWN = 0;

  private static final int APPLICATIONS = 64;
  private static final long UNSEEN = Long.MIN_VALUE; // no host has this version

  private final Map<String, Table> tables =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Table> eldest) {
          return size() > APPLICATIONS;
        }
      };

  /**
   * Returns the means by the index of the site, in nanoseconds; {@link #UNKNOWN} where it never
   * ran. Valid until the next call; may be longer than the list. Cost O(sites).
   *
   * @param now the versions of the sites by index
   */
  double[] of(String application, List<Host> hosts, long[] now) {
    Table table = tables.computeIfAbsent(application, name -> new Table());
    table.follow(application, hosts, now);
    return table.means;
  }

  private static final class Table {

    private long[] versions = {};
    private double[] means = {};

    void follow(String application, List<Host> hosts, long[] now) {
      int size = hosts.size();
      if (size > versions.length) {
        int from = versions.length;
        versions = Arrays.copyOf(versions, Math.max(size, 2 * from));
        means = Arrays.copyOf(means, versions.length);
        Arrays.fill(versions, from, versions.length, UNSEEN);
      }
      for (int site = 0; site < size; site++) {
        if (versions[site] != now[site]) {
          versions[site] = now[site];
          means[site] =
              hosts
                  .get(site)
                  .history(application)
                  .map(each -> (double) each.meanCpuTime())
                  .orElse(UNKNOWN);
        }
      }
    }
  }
}
