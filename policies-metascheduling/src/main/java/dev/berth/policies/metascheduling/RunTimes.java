package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;
import java.util.Arrays;

/**
 * The expected run time of an instance on each site: the mean CPU time of its application there,
 * multiplied by the load per core (Eq. 4).
 */
final class RunTimes {

  private final CpuTimes cpuTimes = new CpuTimes();
  private double[] times = {};
  private long[] versions = {};

  /**
   * Returns {@code tcm} by the index of the site, in nanoseconds; {@link CpuTimes#UNKNOWN} where
   * the application never ran, and on all sites if the application is unknown. Valid until the next
   * call.
   */
  double[] alone(Instance instance, Sites sites) {
    if (versions.length < sites.size()) {
      versions = new long[Math.max(sites.size(), 2 * versions.length)];
    }
    for (int site = 0; site < sites.size(); site++) {
      versions[site] = sites.hosts().get(site).version();
    }
    return alone(instance, sites, versions);
  }

  private double[] alone(Instance instance, Sites sites, long[] now) {
    if (instance.request().application().isEmpty()) {
      return unknown(sites.size());
    }
    return cpuTimes.of(instance.request().application().get(), sites.hosts(), now);
  }

  /**
   * Returns {@code tee} likewise: {@code tcm · max(1, cen)}.
   *
   * @param loads which is up to date
   */
  double[] underLoad(Instance instance, Sites sites, LoadEstimate loads) {
    double[] alone = alone(instance, sites, loads.versions());
    room(sites.size());
    for (int site = 0; site < sites.size(); site++) {
      times[site] = alone[site] * Math.max(1, loads.perCoreWithOneMore(site));
    }
    return times;
  }

  private double[] unknown(int size) {
    room(size);
    Arrays.fill(times, 0, size, CpuTimes.UNKNOWN);
    return times;
  }

  private void room(int size) {
    if (times.length < size) {
      times = new double[Math.max(size, 2 * times.length)];
    }
  }
}
