package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;
import java.util.Arrays;

/**
 * How long an instance is expected to run on each site: its application's mean CPU time there, or
 * longer by how many would use each core (Eq. 4).
 */
final class RunTimes {

  private final CpuTimes cpuTimes = new CpuTimes();
  private double[] times = {};
  private long[] versions = {};

  /**
   * Returns {@code tcm} by the place of the site, in nanoseconds; {@link CpuTimes#UNKNOWN} where
   * the application never ran, and everywhere for an instance that does not tell its application.
   * Valid until the next call.
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
   * @param loads which has looked at all that has changed
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
