package dev.berth.traces.format.bitbrains;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.spi.SkipReport;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * A virtual machine: its samples in order of time, each time once, from the first to the last with
 * cores.
 */
record Machine(List<Sample> samples, int repeated, int withoutCores) {
  static final String REPEATED = "sample of a time that has another, merged into one";
  static final String WITHOUT_CORES =
      "sample before or after the time in which a machine has cores";
  static final String CHANGED = "change of the provisioning of a machine, which requests its peak";

  private static final long STEP = 300_000_000_000L;

  /**
   * Returns the machine with some samples.
   *
   * @param file at least one sample, in any order
   */
  static Machine of(List<Sample> file) {
    SortedMap<Long, Sample> byTime = new TreeMap<>();
    file.forEach(each -> byTime.merge(each.at(), each, Sample::mergedWith));
    List<Sample> distinct = List.copyOf(byTime.values());
    int begin = 0;
    int end = distinct.size();
    while (begin < end && distinct.get(begin).cores() == 0) {
      begin++;
    }
    while (end > begin && distinct.get(end - 1).cores() == 0) {
      end--;
    }
    return new Machine(
        distinct.subList(begin, end),
        file.size() - distinct.size(),
        distinct.size() - (end - begin));
  }

  /** Returns whether the machine has cores in any sample. */
  boolean hasCores() {
    return !samples.isEmpty();
  }

  /** Returns the time of the first sample with cores, in nanoseconds since 1970. */
  long from() {
    return samples.get(0).at();
  }

  /**
   * Returns the machine as a request.
   *
   * @param id the id of the request
   * @param begin the time that is 0 in the workload
   */
  Arrival arrival(String id, String serviceClass, long begin) {
    Request request =
        Request.builder(id, serviceClass)
            .demand(
                Resources.of(
                    Dimension.CPU, peak(Sample::cores),
                    Dimension.MEMORY, peak(Sample::provisioned)))
            .memoryProfile(profile())
            .build();
    long last = samples.get(samples.size() - 1).at();
    return new Arrival(from() - begin, request, last - from() + STEP);
  }

  private long peak(ToLongFunction<Sample> amount) {
    return samples.stream().mapToLong(amount).max().orElseThrow();
  }

  private MemoryProfile profile() {
    List<MemoryProfile.Step> steps = new ArrayList<>();
    for (Sample each : samples) {
      if (steps.isEmpty() || each.used() != steps.get(steps.size() - 1).need()) {
        steps.add(new MemoryProfile.Step(each.at() - from(), each.used()));
      }
    }
    return MemoryProfile.of(steps);
  }

  /** Reports what the request does not show. */
  void report(SkipReport skips) {
    count(skips, REPEATED, repeated);
    count(skips, WITHOUT_CORES, withoutCores);
    int changes = 0;
    for (int i = 1; i < samples.size(); i++) {
      changes += samples.get(i).isProvisionedLike(samples.get(i - 1)) ? 0 : 1;
    }
    count(skips, CHANGED, changes);
  }

  private static void count(SkipReport skips, String reason, int times) {
    for (int i = 0; i < times; i++) {
      skips.count(reason);
    }
  }
}
