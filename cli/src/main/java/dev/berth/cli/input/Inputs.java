package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.Scheduler;
import dev.berth.core.error.NearestName;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.report.render.Printable;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadReport;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.input.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Options for reading files, and the readers: they open built-in workloads and files by name. What
 * a user did wrong is a {@link BadInputException} or an {@link InputException}.
 */
public final class Inputs {

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description =
          "File with the service classes of a workload file: a JSON list like "
              + "[{\"name\":\"best\",\"slo\":0.99}]; default gold, silver, bronze; for a journal its own.")
  private @Nullable String classes;

  @Option(
      names = "--skip-bad",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Number of malformed lines per file that are skipped and reported; default "
              + "${DEFAULT-VALUE}.")
  private int skipBad;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Checks the options.
   *
   * @throws BadInputException if one is out of range
   */
  public void check() {
    BadInputException.unless(
        skipBad >= 0, "--skip-bad was %s, must not be negative.".formatted(skipBad));
  }

  private ReadOptions options() {
    return new ReadOptions(skipBad);
  }

  /** Prints a note on each kind of record that was left out. */
  private void report(String file, String what, ReadReport report) {
    report
        .skipped()
        .forEach((why, count) -> note("%s: left out %s: %s".formatted(file, count, why)));
    if (report.badLines() > 0) {
      note(
          "%s: left out %s bad lines beside %s %s"
              .formatted(file, report.badLines(), report.entries(), what));
      report.firstBad().forEach(bad -> note("  " + BadInputException.describe(bad)));
    }
  }

  private void note(String note) {
    spec.commandLine().getErr().println("note: " + Printable.line(note));
  }

  /**
   * Returns the scenario to simulate.
   *
   * @param workload a built-in name, or {@code [format:]file}
   * @param infrastructure {@code [format:]file}; null: the hosts of a built-in workload
   * @param seed of the order of a built-in workload
   * @param margin safety margin of all service classes
   * @param until end of the simulation
   * @param overheads times from placement to readiness
   */
  public Scenario scenario(
      String workload,
      @Nullable String infrastructure,
      long seed,
      Duration margin,
      Duration until,
      Overheads overheads) {
    if (BuiltInWorkloads.names().contains(workload)) {
      BadInputException.unless(
          classes == null,
          "--classes goes with a workload in a file; \"%s\" is built in.".formatted(workload));
      Scenario builtIn = BuiltInWorkloads.get(workload, seed, margin);
      Infrastructure hosts =
          infrastructure == null ? builtIn.infrastructure() : hosts(infrastructure);
      return new Scenario(
          builtIn.workload(),
          hosts,
          until,
          overheads,
          builtIn.migrationCost(),
          builtIn.resumeCost());
    }
    requireFile(workload);
    if (infrastructure == null) {
      throw new BadInputException(
          "--workload \"%s\" is a file and needs its hosts. ".formatted(workload)
              + "Maybe add --infrastructure FILE: csv with the header id,cpu,memory.");
    }
    Infrastructure hosts = hosts(infrastructure);
    return new Scenario(file(workload, margin), hosts, until, overheads);
  }

  /**
   * Returns requests, without the hosts they run on.
   *
   * @param workload a built-in name, or {@code [format:]file}
   */
  public Workload workload(String workload) {
    check();
    if (BuiltInWorkloads.names().contains(workload)) {
      return BuiltInWorkloads.get(workload, 1, Duration.ZERO).workload();
    }
    Optional<String> near = NearestName.of(workload, BuiltInWorkloads.names());
    if (near.isPresent() && !isFile(workload)) {
      throw new BadInputException(
          "%s: does not exist. Maybe you meant %s.".formatted(workload, near.get()));
    }
    return file(workload, Duration.ZERO);
  }

  private Workload file(String workload, Duration margin) {
    FileWorkload requests =
        classes == null
            ? Readers.workloadWithOwnClasses(
                workload, ServiceClasses.goldSilverBronze(margin), options())
            : Readers.workload(workload, Readers.serviceClasses(classes, margin), options());
    report(workload, "requests", requests.report());
    return requests;
  }

  /**
   * Returns events of hosts and limits.
   *
   * @param file its path
   * @param infrastructure the hosts of the scenario
   */
  public List<HostEvent> hostEvents(String file, Infrastructure infrastructure) {
    ReadResult<List<HostEvent>> read = Readers.hostEvents(file, options());
    report(file, "events", read.report());
    List<HostEvent> events = read.value();
    try {
      Simulation.builder()
          .workload(
              Workload.of("nothing", ServiceClasses.goldSilverBronze(Duration.ZERO), List.of()))
          .infrastructure(infrastructure)
          .scheduler(Scheduler.builder().policy("none", context -> pass -> {}))
          .hostEvents(events)
          .build()
          .close();
    } catch (IllegalArgumentException impossible) {
      throw new BadInputException(
          "--events \"%s\": %s".formatted(file, impossible.getMessage()), impossible);
    }
    return events;
  }

  /** Returns the hosts in {@code [format:]file}. */
  public Infrastructure hosts(String location) {
    ReadResult<Infrastructure> read = Readers.infrastructure(location, options());
    report(location, "hosts", read.report());
    return read.value();
  }

  /** Returns whether a workload is a folder that also holds its hosts and their events. */
  public static boolean hasHosts(String workload) {
    return (isFolder(workload) || isFolder(behindFormat(workload))) && Readers.hasHosts(workload);
  }

  private static boolean isFolder(String path) {
    return InputFile.exists(path) && Files.isDirectory(Path.of(path));
  }

  private static void requireFile(String workload) {
    BadInputException.unless(
        isFile(workload),
        "--workload \"%s\" is neither built in nor a file. %s"
            .formatted(workload, NearestName.hintAndList(workload, BuiltInWorkloads.names())));
  }

  private static boolean isFile(String location) {
    return InputFile.exists(location) || InputFile.exists(behindFormat(location));
  }

  private static String behindFormat(String location) {
    return location.substring(location.indexOf(':') + 1);
  }

  /**
   * Does as {@link #checked(Supplier)}, for work that only the value of an option can make fail.
   *
   * @param option the option, for the message
   */
  public static <T> T checked(String option, Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalArgumentException wrong) {
      String problem = String.valueOf(wrong.getMessage());
      boolean named = problem.startsWith(option.substring(2) + " ");
      throw new BadInputException(named ? "--" + problem : option + ": " + problem, wrong);
    }
  }

  /** Turns {@link IllegalArgumentException} into {@link BadInputException}, with its message. */
  public static <T> T checked(Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalArgumentException wrong) {
      throw new BadInputException(String.valueOf(wrong.getMessage()), wrong);
    }
  }
}
