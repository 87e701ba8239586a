package dev.berth.experiments.studies.slo;

import dev.berth.experiments.scenario.ReplayedLog;
import dev.berth.experiments.studies.slo.WorkThatEndsStudy.Compared;
import dev.berth.simulator.workload.LoggedJob;
import dev.berth.traces.format.swf.SwfLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The first jobs of real logs, at three loads each; fewer of one whose jobs wait for days.
 * Alibaba's trace of spot jobs is among them if there is a folder of it.
 */
final class LoggedCases {

  private static final Duration WATCHDOG = Duration.ofSeconds(30);
  private static final double[] LOADS = {0.7, 1, 1.3};

  private LoggedCases() {}

  /** Returns the cases of the logs in a folder, and of the trace in a folder beside it. */
  static List<Compared> in(String folder) {
    List<Compared> all = new ArrayList<>();
    add(all, folder, "KTH-SP2", "KTH-SP2-1996-2.1-cln.swf.gz", 2_000);
    add(all, folder, "HPC2N", "HPC2N-2002-2.2-cln.swf.gz", 2_000);
    add(all, folder, "CEA-Curie", "CEA-Curie-2011-2.1-cln.swf.gz", 2_000);
    add(all, folder, "METACENTRUM", "METACENTRUM-2009-2.swf.gz", 500);
    Path spot = Path.of(folder).resolveSibling("alibaba-spot-2026");
    if (Files.isDirectory(spot)) {
      all.addAll(SpotCases.in(spot, 2_000, LOADS, WATCHDOG));
    }
    return all;
  }

  private static void add(List<Compared> all, String folder, String name, String file, int count) {
    List<LoggedJob> jobs = SwfLog.firstThatRan(Path.of(folder, file).toString(), count);
    List<LoggedJob> sorted = new ArrayList<>(jobs);
    sorted.sort(Comparator.comparingLong(LoggedJob::submit));
    for (double load : LOADS) {
      ReplayedLog log = ReplayedLog.of(name, sorted, load);
      all.add(
          new Compared(
              log.name(),
              name,
              seed -> HysteresisStudy.settings(log.scenario(WATCHDOG, seed), WATCHDOG, seed)));
    }
  }
}
