package dev.berth.testkit.history;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import java.util.List;
import java.util.StringJoiner;

/**
 * A cluster and what happens to it.
 *
 * @param seed the scheduler's seed
 * @param epoch the time at which it begins, nanoseconds
 * @param serviceClasses at least one
 * @param scale dimensions and units of its quantities
 * @param hosts the hosts there are, present or not; at least one
 * @param present how many of them, in order, are present from the beginning
 * @param steps what happens
 */
public record History(
    long seed,
    long epoch,
    List<ServiceClass> serviceClasses,
    Scale scale,
    List<HostSpec> hosts,
    int present,
    List<Step> steps) {

  /** Copies the lists. */
  public History {
    serviceClasses = List.copyOf(serviceClasses);
    hosts = List.copyOf(hosts);
    steps = List.copyOf(steps);
  }

  /**
   * Returns all of it, a line for each part; steps are not resolved, see {@link Replay} for that.
   */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n  ", "history\n  ", "\n");
    lines.add("seed " + seed + ", epoch " + epoch + " ns, " + scale);
    serviceClasses.forEach(each -> lines.add(Transcript.describe(each)));
    for (int i = 0; i < hosts.size(); i++) {
      HostSpec host = hosts.get(i);
      lines.add(
          "host %s (%s) %s%s"
              .formatted(
                  host.id(), host.capacity(), host.attributes(), i < present ? "" : ", absent"));
    }
    steps.forEach(each -> lines.add(each.toString()));
    return lines.toString();
  }
}
