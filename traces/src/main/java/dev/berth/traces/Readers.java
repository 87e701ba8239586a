package dev.berth.traces;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads workloads, infrastructures and host events from files.
 *
 * <p><b>Files</b> are text in UTF-8, plain or compressed with gzip, xz, zstd or bzip2, which is
 * told by the content. Blank lines and lines that begin with {@code #} or {@code %} are skipped. A
 * line has at most a mebibyte.
 *
 * <p><b>Formats</b> are found with {@link java.util.ServiceLoader}. That of a file is told by its
 * first line, that of a folder by the names in it, or it is forced by its name in front: {@code
 * csv:requests.dat}. {@link #workloadFormats} and the like tell which there are, and {@code
 * docs/guide/formats.md} what they mean.
 *
 * <p><b>Errors.</b> Whatever cannot be read is an {@link InputException} that says where and why.
 * Nothing is guessed or repaired, and what is left out is told in a {@link ReadReport}: what a
 * format says cannot be a request, and as many bad lines as {@link ReadOptions} bears. A workload
 * is checked to its last line when it is opened, so a simulation does not fail halfway.
 */
public final class Readers {

  private Readers() {}

  /** Returns the formats of workloads, by name. */
  public static List<WorkloadFormat> workloadFormats() {
    return Formats.load(WorkloadFormat.class).all();
  }

  /** Returns the formats of infrastructures, by name. */
  public static List<InfrastructureFormat> infrastructureFormats() {
    return Formats.load(InfrastructureFormat.class).all();
  }

  /** Returns the formats of host events, by name. */
  public static List<HostEventsFormat> hostEventsFormats() {
    return Formats.load(HostEventsFormat.class).all();
  }

  /**
   * Reads a workload. The file is read now, to check it, and again in every simulation; it is never
   * held in memory.
   *
   * @param location {@code path} or {@code format:path}
   * @param serviceClasses the classes that requests may name; for most foreign formats {@link
   *     dev.berth.simulator.ServiceClasses#goldSilverBronze}
   * @return a workload that is named after the file, with those of the classes that occur in it
   * @throws InputException if the file cannot be used
   */
  public static FileWorkload workload(
      String location, Collection<? extends ServiceClass> serviceClasses) {
    return workload(location, serviceClasses, ReadOptions.STRICT);
  }

  /**
   * Reads a workload as {@link #workload(String, Collection)}.
   *
   * @param options how it is read
   */
  public static FileWorkload workload(
      String location, Collection<? extends ServiceClass> serviceClasses, ReadOptions options) {
    Formats.Located<WorkloadFormat> where = Formats.load(WorkloadFormat.class).locate(location);
    return workload(where.format(), where.input(), serviceClasses, options);
  }

  /**
   * Reads a workload in a format that need not be known otherwise.
   *
   * @throws InputException if the file cannot be used
   */
  public static FileWorkload workload(
      WorkloadFormat format,
      Input input,
      Collection<? extends ServiceClass> serviceClasses,
      ReadOptions options) {
    return new FileWorkload(input, format, new Classes(serviceClasses), options);
  }

  /**
   * Reads an infrastructure.
   *
   * @param location {@code path} or {@code format:path}
   * @return an infrastructure that is named after the file
   * @throws InputException if the file cannot be used
   */
  public static Infrastructure infrastructure(String location) {
    return infrastructure(location, ReadOptions.STRICT).value();
  }

  /**
   * Reads an infrastructure as {@link #infrastructure(String)}, and tells what was left out.
   *
   * @param options how it is read
   */
  public static ReadResult<Infrastructure> infrastructure(String location, ReadOptions options) {
    Formats.Located<InfrastructureFormat> where =
        Formats.load(InfrastructureFormat.class).locate(location);
    return infrastructure(where.format(), where.input(), options);
  }

  /**
   * Reads an infrastructure in a format that need not be known otherwise.
   *
   * @throws InputException if the file cannot be used
   */
  public static ReadResult<Infrastructure> infrastructure(
      InfrastructureFormat format, Input input, ReadOptions options) {
    Map<String, Place> places = new HashMap<>();
    ReadResult<List<HostSpec>> read =
        all(
            input,
            leftOut -> format.open(input, leftOut),
            options,
            (host, place) -> {
              Place earlier = places.putIfAbsent(host.id(), place);
              if (earlier != null) {
                throw RepeatedIds.repeated(host.id(), place, earlier);
              }
            });
    if (read.value().isEmpty()) {
      throw input.wrong("holds no host");
    }
    return new ReadResult<>(new Infrastructure(input.name(), read.value()), read.report());
  }

  /**
   * Reads host events. Whether the hosts exist is checked by the simulation.
   *
   * @param location {@code path} or {@code format:path}
   * @throws InputException if the file cannot be used, or a host fails that is down or recovers
   *     that is up
   */
  public static List<HostEvent> hostEvents(String location) {
    return hostEvents(location, ReadOptions.STRICT).value();
  }

  /**
   * Reads host events as {@link #hostEvents(String)}, and tells what was left out.
   *
   * @param options how they are read
   */
  public static ReadResult<List<HostEvent>> hostEvents(String location, ReadOptions options) {
    Formats.Located<HostEventsFormat> where = Formats.load(HostEventsFormat.class).locate(location);
    return hostEvents(where.format(), where.input(), options);
  }

  /**
   * Reads host events in a format that need not be known otherwise.
   *
   * @throws InputException if the file cannot be used
   */
  public static ReadResult<List<HostEvent>> hostEvents(
      HostEventsFormat format, Input input, ReadOptions options) {
    ReadResult<List<HostEvent>> read =
        all(input, leftOut -> format.open(input, leftOut), options, new UpAndDown()::check);
    if (read.report().lines() == 0) {
      throw input.wrong("holds nothing");
    }
    return read;
  }

  /**
   * Reads service classes of one's own: a JSON list of objects with {@code name} and, where they
   * differ from the defaults of {@link ServiceClass#builder}, {@code slo}, {@code importance},
   * {@code safetyMargin} and {@code preemptionOverheadLimit}. There may be comments as in other
   * files.
   *
   * @param file its path
   * @param safetyMargin of the classes that tell none
   * @return at least one, in the order of the file
   * @throws InputException if the file cannot be used
   */
  public static List<ServiceClass> serviceClasses(String file, Duration safetyMargin) {
    return ServiceClassFile.read(Input.of(file), safetyMargin);
  }

  /** What all entries of an input are held to; throws an {@link InputException}. */
  private interface Check<T> {
    void check(T entry, Place place);
  }

  private static <T> ReadResult<List<T>> all(
      Input input, Opener<T> opener, ReadOptions options, Check<T> check) {
    List<T> all = new ArrayList<>();
    Tally leftOut = new Tally();
    BadLines bad = new BadLines(options.skipBad());
    try (Entries<T> entries = new Entries<>(opener.open(leftOut), bad)) {
      for (T each = entries.next(); each != null; each = entries.next()) {
        try {
          check.check(each, entries.place());
          all.add(each);
        } catch (InputException wrong) {
          bad.add(wrong);
        }
      }
    }
    return new ReadResult<>(
        List.copyOf(all),
        new ReadReport(all.size(), input.linesRead(), leftOut.counts(), bad.count(), bad.first()));
  }

  /** Hosts fail while they are up and recover while they are down, in order of time. */
  private static final class UpAndDown {

    private final Map<String, Boolean> down = new HashMap<>();
    private long latest;

    void check(HostEvent event, Place place) {
      boolean fails = event instanceof HostEvent.Fails;
      boolean isDown = down.getOrDefault(event.hostId(), false);
      if (fails == isDown) {
        throw new Field(place, "event", fails ? "fails" : "recovers")
            .wrong(
                "makes no sense, host %s is %s".formatted(event.hostId(), isDown ? "down" : "up"));
      }
      if (event.at() < latest) {
        throw place.wrong("is before an earlier event; events must be in order of time");
      }
      down.put(event.hostId(), fails);
      latest = event.at();
    }
  }
}
