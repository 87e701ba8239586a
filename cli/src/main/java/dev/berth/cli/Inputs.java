package dev.berth.cli;

import dev.berth.core.Scheduler;
import dev.berth.simulator.BuiltInWorkloads;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Overheads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Workload;
import dev.berth.simulator.reader.InputException;
import dev.berth.simulator.reader.Readers;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the user names: built-in workloads, and files. Whatever is wrong is a {@link
 * BadInputException}.
 */
final class Inputs {

  private static final int LONGEST_QUOTE = 60;

  private Inputs() {}

  /**
   * Returns what is simulated.
   *
   * @param workload a built-in name, or {@code [format:]file}
   * @param infrastructure {@code [format:]file}; null: that of a built-in workload
   * @param seed of the order of a built-in workload
   * @param margin safety margin of all service classes
   * @param until where it ends
   * @param overheads what preparing a host costs
   */
  static Scenario scenario(
      String workload,
      @Nullable String infrastructure,
      long seed,
      Duration margin,
      Duration until,
      Overheads overheads) {
    if (BuiltInWorkloads.names().contains(workload)) {
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
    Workload requests =
        read(() -> Readers.workload(workload, ServiceClasses.goldSilverBronze(margin)));
    return new Scenario(requests, hosts, until, overheads);
  }

  /**
   * Returns requests, without the hosts they run on.
   *
   * @param workload a built-in name, or {@code [format:]file}
   */
  static Workload workload(String workload) {
    if (BuiltInWorkloads.names().contains(workload)) {
      return BuiltInWorkloads.get(workload, 1, Duration.ZERO).workload();
    }
    return read(() -> Readers.workload(workload, ServiceClasses.goldSilverBronze(Duration.ZERO)));
  }

  /**
   * Returns failures and recoveries of hosts.
   *
   * @param file its path
   * @param infrastructure the hosts that there are
   */
  static List<HostEvent> hostEvents(String file, Infrastructure infrastructure) {
    List<HostEvent> events = read(() -> Readers.hostEvents(file));
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
          "--failures \"%s\": %s".formatted(file, impossible.getMessage()), impossible);
    }
    return events;
  }

  /** Returns the hosts in {@code [format:]file}. */
  static Infrastructure hosts(String location) {
    return read(() -> Readers.infrastructure(location));
  }

  private static void requireFile(String workload) {
    String behindFormat = workload.substring(workload.indexOf(':') + 1);
    if (!exists(workload) && !exists(behindFormat)) {
      throw new BadInputException(
          "--workload \"%s\" is neither built in (%s) nor a file."
              .formatted(workload, String.join(", ", BuiltInWorkloads.names())));
    }
  }

  private static boolean exists(String path) {
    try {
      return Files.exists(Path.of(path));
    } catch (InvalidPathException malformed) {
      return false;
    }
  }

  /** Reads a file, or whatever else may find that the user's input cannot be used. */
  static <T> T read(Supplier<T> reader) {
    try {
      return reader.get();
    } catch (InputException wrong) {
      throw new BadInputException(describe(wrong), wrong);
    }
  }

  /** Does what refuses bad input with an {@link IllegalArgumentException} that says all. */
  static <T> T checked(Supplier<T> work) {
    return read(
        () -> {
          try {
            return work.get();
          } catch (IllegalArgumentException wrong) {
            throw new BadInputException(String.valueOf(wrong.getMessage()), wrong);
          }
        });
  }

  /** Returns what is wrong as compilers say it: {@code file:line: field: what}. */
  static String describe(InputException wrong) {
    StringBuilder text = new StringBuilder(wrong.file());
    wrong.line().ifPresent(line -> text.append(':').append(line));
    text.append(": ");
    wrong.field().ifPresent(field -> text.append(field).append(": "));
    wrong.value().ifPresent(value -> text.append("was \"").append(shortened(value)).append("\", "));
    text.append(wrong.rule()).append('.');
    wrong.hint().ifPresent(hint -> text.append(" Maybe ").append(hint).append('.'));
    return text.toString();
  }

  private static String shortened(String value) {
    return value.length() <= LONGEST_QUOTE ? value : value.substring(0, LONGEST_QUOTE) + "...";
  }
}
