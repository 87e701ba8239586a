package dev.berth.testkit.history;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import java.util.List;
import java.util.StringJoiner;

/**
 * A cluster and the steps of its history.
 *
 * @param seed the scheduler's seed
 * @param epoch the time of its beginning, nanoseconds; within ±2<sup>62</sup>
 * @param serviceClasses at least one
 * @param scale dimensions and units of its quantities
 * @param hosts its hosts, present or not; possibly none
 * @param present how many of them, in order, are present from the beginning
 * @param pools the initial offers of providers; possibly none
 * @param steps its steps
 */
public record History(
    long seed,
    long epoch,
    List<ServiceClass> serviceClasses,
    Scale scale,
    List<HostSpec> hosts,
    int present,
    List<PoolSpec> pools,
    List<Step> steps) {

  /** Creates a history without pools. */
  public History(
      long seed,
      long epoch,
      List<ServiceClass> serviceClasses,
      Scale scale,
      List<HostSpec> hosts,
      int present,
      List<Step> steps) {
    this(seed, epoch, serviceClasses, scale, hosts, present, List.of(), steps);
  }

  /** Checks the numbers and copies the lists. */
  public History {
    refuseIf(serviceClasses.isEmpty(), "a history has at least one service class.");
    refuseIf(
        present < 0 || present > hosts.size(),
        "present was %s, must be from 0 to %s, the number of hosts.",
        present,
        hosts.size());
    serviceClasses = List.copyOf(serviceClasses);
    hosts = List.copyOf(hosts);
    pools = List.copyOf(pools);
    steps = List.copyOf(steps);
  }

  /**
   * Returns the latest time, in nanoseconds, which it approaches at most: the {@linkplain
   * TimeLimits#LONGEST_LIFE longest life} after the beginning, within the {@link TimeLimits}.
   */
  public long horizon() {
    return Math.min(epoch + TimeLimits.LONGEST_LIFE.toNanos(), TimeLimits.LATEST);
  }

  /** Returns the same history with other service classes; at least one. */
  public History withServiceClasses(List<ServiceClass> others) {
    return new History(seed, epoch, others, scale, hosts, present, pools, steps);
  }

  /**
   * Returns a description with a line for each part; steps are not resolved (see {@link
   * HistoryPlayer}).
   */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n  ", "history\n  ", "\n");
    lines.add("seed " + seed + ", epoch " + epoch + " ns, " + scale);
    serviceClasses.forEach(each -> lines.add(Transcript.describe(each)));
    for (int i = 0; i < hosts.size(); i++) {
      HostSpec host = hosts.get(i);
      lines.add(
          "host %s (%s) %s%s%s%s"
              .formatted(
                  host.id(),
                  host.capacity(),
                  host.attributes(),
                  host.timeShared() ? ", shares its CPU" : "",
                  host.taints().isEmpty() ? "" : ", " + host.taints(),
                  i < present ? "" : ", absent"));
    }
    pools.forEach(each -> lines.add(each.toString()));
    steps.forEach(each -> lines.add(each.toString()));
    return lines.toString();
  }
}
