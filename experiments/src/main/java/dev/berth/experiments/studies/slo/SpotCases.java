package dev.berth.experiments.studies.slo;

import dev.berth.api.Dimension;
import dev.berth.experiments.studies.slo.WorkThatEndsStudy.Compared;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.Readers;
import dev.berth.traces.prepare.InfrastructureSizing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The first jobs of Alibaba's trace of spot jobs on GPUs, with the classes of the trace, on so many
 * of its hosts that their GPUs are loaded as the case says on average. The seed draws the hosts.
 */
final class SpotCases {

  private static final String FORMAT = "alibaba-spot-2026:";
  private static final String NAME = "Alibaba spot";
  private static final Dimension GPU = new Dimension("gpu", 1_000_000);
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration AFTER = Duration.ofDays(1); // the last job has arrived

  private SpotCases() {}

  /**
   * Returns the cases of the trace in a folder.
   *
   * @param count of requests; the workers of a job stay together
   */
  static List<Compared> in(Path folder, int count, double[] loads, Duration watchdog) {
    FileWorkload whole =
        Readers.workload(
            FORMAT + folder.resolve("job_info_df.csv"), ServiceClasses.goldSilverBronze(watchdog));
    Infrastructure hosts = Readers.infrastructure(FORMAT + folder.resolve("node_info_df.csv"));
    List<Arrival> first = first(whole, count);
    Workload jobs = Workload.of(NAME, whole.serviceClasses(), first);
    long last = first.get(first.size() - 1).at();
    double work = // of GPUs
        first.stream()
            .mapToDouble(
                each -> (double) each.request().demand().amount(GPU) * (double) each.serviceTime())
            .sum();
    double total = InfrastructureSizing.total(hosts, GPU).doubleValue();
    List<Compared> all = new ArrayList<>();
    for (double load : loads) {
      long size = (long) Math.max(1, Math.min(total, work / (double) Math.max(1, last) / load));
      String name = "%s at load %s".formatted(NAME, load);
      all.add(
          new Compared(
              name,
              NAME,
              seed ->
                  HysteresisStudy.settings(
                      new Scenario(
                          jobs,
                          InfrastructureSizing.reduced(hosts.name(), hosts, GPU, size, seed),
                          Duration.ofNanos(last).plus(AFTER),
                          Overheads.of(List.of(START))),
                      watchdog,
                      seed)));
    }
    return all;
  }

  private static List<Arrival> first(Workload jobs, int count) {
    List<Arrival> first = new ArrayList<>();
    try (ArrivalSource source = jobs.open()) {
      while (source.hasNext()) {
        Arrival next = source.next();
        if (first.size() >= count && next.at() > first.get(first.size() - 1).at()) {
          break;
        }
        first.add(next);
      }
    }
    return first;
  }
}
