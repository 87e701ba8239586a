package dev.berth.experiments.spec;

import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.spec.ExperimentSpec.Sampling;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import dev.berth.experiments.store.ContentDigest;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.prepare.UserClusters;
import dev.berth.traces.prepare.WorkloadSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads the input files of an experiment, each once. */
final class ExperimentFiles {

  private final Path base;
  private final UnaryOperator<Path> located;
  private final Set<String> notes = new LinkedHashSet<>();
  private final Map<Path, String> digests = new HashMap<>();
  private final Map<List<Object>, Workload> files = new HashMap<>(); // by location and margin
  private final Map<List<Object>, Workload> workloads = new HashMap<>(); // likewise
  private final Map<String, UserClusters> clusters = new HashMap<>();
  private final Map<String, Infrastructure> hosts = new HashMap<>();
  private final Map<String, List<HostEvent>> hostEvents = new HashMap<>();

  /**
   * Reads nothing yet.
   *
   * @param base the folder that relative paths start from
   * @param located returns where a file is on this machine
   */
  ExperimentFiles(Path base, UnaryOperator<Path> located) {
    this.base = base;
    this.located = located;
  }

  /** Returns the records that were left out of the files read so far. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Returns the workload of a file, or the sample of it.
   *
   * @param margin safety margin of service classes that define none
   */
  Workload workload(WorkloadSpec workload, Duration margin) {
    return workloads.computeIfAbsent(
        List.of(workload, margin), each -> sampled(workload, whole(workload, margin)));
  }

  private Workload whole(WorkloadSpec workload, Duration margin) {
    return files.computeIfAbsent(
        List.of(workload.skipBad(), workload.classes(), workload.from(), margin),
        each -> UnchangedWorkload.of(file(workload.from()), () -> read(workload, margin)));
  }

  private Workload read(WorkloadSpec workload, Duration margin) {
    String from = location(workload.from());
    ReadOptions options = new ReadOptions(workload.skipBad());
    FileWorkload read =
        workload.classes().isBlank()
            ? Readers.workloadWithOwnClasses(from, ServiceClasses.goldSilverBronze(margin), options)
            : Readers.workload(
                from, Readers.serviceClasses(path(workload.classes()).toString(), margin), options);
    read.report().skipped().forEach((why, count) -> notes.add(note(workload.from(), count, why)));
    if (read.report().badLines() > 0) {
      notes.add(note(workload.from(), read.report().badLines(), "bad lines"));
    }
    return read;
  }

  private static String note(String file, long count, String why) {
    return "%s: left out %s: %s".formatted(file, count, why);
  }

  private Workload sampled(WorkloadSpec workload, Workload whole) {
    Sampling sample = workload.sample();
    if (sample == null) {
      return whole;
    }
    String key = "%s %s %s".formatted(sample.groups(), sample.seed(), workload.from());
    UserClusters users =
        clusters.computeIfAbsent(
            key, each -> UserClusters.of(whole, sample.groups(), sample.seed()));
    return WorkloadSample.of(whole, users, sample.share(), sample.number(), sample.seed());
  }

  /** Returns the hosts of a file. */
  Infrastructure infrastructure(InfrastructureSpec infrastructure) {
    return hosts.computeIfAbsent(infrastructure.from(), this::readHosts);
  }

  private Infrastructure readHosts(String from) {
    ReadResult<Infrastructure> read = Readers.infrastructure(location(from), ReadOptions.STRICT);
    read.report().skipped().forEach((why, count) -> notes.add(note(from, count, why)));
    return read.value();
  }

  /** Returns the failures and recoveries of hosts in a file. */
  List<HostEvent> events(String file) {
    return hostEvents.computeIfAbsent(file, this::readEvents);
  }

  private List<HostEvent> readEvents(String from) {
    ReadResult<List<HostEvent>> read = Readers.hostEvents(location(from), ReadOptions.STRICT);
    read.report().skipped().forEach((why, count) -> notes.add(note(from, count, why)));
    return read.value();
  }

  /** Returns a location with its path resolved and its format unchanged. */
  private String location(String location) {
    Path file = file(location);
    int colon = location.indexOf(':');
    boolean forced = colon > 0 && !Files.exists(path(location));
    return (forced ? location.substring(0, colon + 1) : "") + file;
  }

  /** Returns the file of a location, which may begin with a format. */
  Path file(String location) {
    Path plain = path(location);
    int colon = location.indexOf(':');
    return colon < 1 || Files.exists(plain) ? plain : path(location.substring(colon + 1));
  }

  /** Returns a path, relative to the folder of the experiment. */
  Path path(String file) {
    return located.apply(base.resolve(file));
  }

  /** Returns the digest of a file or folder. */
  String digest(Path file) {
    return digests.computeIfAbsent(file, ContentDigest::of);
  }
}
