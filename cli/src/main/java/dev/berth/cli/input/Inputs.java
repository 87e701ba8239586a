package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.Scheduler;
import dev.berth.core.error.NearestName;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Overheads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.InputException;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadReport;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens built-in workloads and files by name. All errors are {@link BadInputException}s. */
public final class Inputs {

  private Inputs() {}

  /**
   * Settings for reading files.
   *
   * @param classes file of the service classes of a workload in a file; null: those that the file
   *     defines itself, otherwise the classes of the paper
   * @param skipBad number of malformed lines allowed in each file
   * @param notes receives a note on each kind of record that was left out
   */
  public record Reading(@Nullable String classes, int skipBad, Consumer<String> notes) {

    ReadOptions options() {
      return new ReadOptions(skipBad);
    }

    void report(String file, String what, ReadReport report) {
      report
          .skipped()
          .forEach((why, count) -> notes.accept("%s: left out %s: %s".formatted(file, count, why)));
      if (report.badLines() > 0) {
        notes.accept(
            "%s: left out %s bad lines beside %s %s"
                .formatted(file, report.badLines(), report.entries(), what));
        report.firstBad().forEach(bad -> notes.accept("  " + BadInputException.describe(bad)));
      }
    }
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
   * @param reading how files are read
   */
  public static Scenario scenario(
      String workload,
      @Nullable String infrastructure,
      long seed,
      Duration margin,
      Duration until,
      Overheads overheads,
      Reading reading) {
    if (BuiltInWorkloads.names().contains(workload)) {
      if (reading.classes() != null) {
        throw new BadInputException(
            "--classes goes with a workload in a file; \"%s\" is built in.".formatted(workload));
      }
      Scenario builtIn = BuiltInWorkloads.get(workload, seed, margin);
      Infrastructure hosts =
          infrastructure == null ? builtIn.infrastructure() : hosts(infrastructure, reading);
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
    Infrastructure hosts = hosts(infrastructure, reading);
    return new Scenario(file(workload, margin, reading), hosts, until, overheads);
  }

  /**
   * Returns requests, without the hosts they run on.
   *
   * @param workload a built-in name, or {@code [format:]file}
   * @param reading how files are read
   */
  public static Workload workload(String workload, Reading reading) {
    if (BuiltInWorkloads.names().contains(workload)) {
      return BuiltInWorkloads.get(workload, 1, Duration.ZERO).workload();
    }
    Optional<String> near = NearestName.of(workload, BuiltInWorkloads.names());
    if (near.isPresent() && !exists(workload) && !exists(behindFormat(workload))) {
      throw new BadInputException(
          "%s: does not exist. Maybe you meant %s.".formatted(workload, near.get()));
    }
    return file(workload, Duration.ZERO, reading);
  }

  private static Workload file(String workload, Duration margin, Reading reading) {
    FileWorkload requests =
        read(
            () -> {
              String classes = reading.classes();
              return classes == null
                  ? Readers.workloadWithOwnClasses(
                      workload, ServiceClasses.goldSilverBronze(margin), reading.options())
                  : Readers.workload(
                      workload, Readers.serviceClasses(classes, margin), reading.options());
            });
    reading.report(workload, "requests", requests.report());
    return requests;
  }

  /**
   * Returns events of hosts and limits.
   *
   * @param file its path
   * @param infrastructure the hosts of the scenario
   * @param reading how files are read
   */
  public static List<HostEvent> hostEvents(String file, Infrastructure infrastructure, Reading reading) {
    ReadResult<List<HostEvent>> read = read(() -> Readers.hostEvents(file, reading.options()));
    reading.report(file, "events", read.report());
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
  public static Infrastructure hosts(String location, Reading reading) {
    ReadResult<Infrastructure> read =
        read(() -> Readers.infrastructure(location, reading.options()));
    reading.report(location, "hosts", read.report());
    return read.value();
  }

  /** Returns whether a workload is a folder that also holds its hosts and their events. */
  public static boolean hasHosts(String workload) {
    return (isFolder(workload) || isFolder(behindFormat(workload)))
        && read(() -> Readers.hasHosts(workload));
  }

  private static boolean isFolder(String path) {
    try {
      return Files.isDirectory(Path.of(path));
    } catch (InvalidPathException malformed) {
      return false;
    }
  }

  private static void requireFile(String workload) {
    if (!exists(workload) && !exists(behindFormat(workload))) {
      throw new BadInputException(
          "--workload \"%s\" is neither built in nor a file. %s"
              .formatted(workload, NearestName.hintAndList(workload, BuiltInWorkloads.names())));
    }
  }

  private static String behindFormat(String location) {
    return location.substring(location.indexOf(':') + 1);
  }

  private static boolean exists(String path) {
    try {
      return Files.exists(Path.of(path));
    } catch (InvalidPathException malformed) {
      return false;
    }
  }

  /** Reads a file; turns {@link InputException} into {@link BadInputException}. */
  public static <T> T read(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (InputException wrong) {
      throw new BadInputException(wrong);
    }
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
    return read(
        () -> {
          try {
            return work.get();
          } catch (IllegalArgumentException wrong) {
            throw new BadInputException(String.valueOf(wrong.getMessage()), wrong);
          }
        });
  }
}
