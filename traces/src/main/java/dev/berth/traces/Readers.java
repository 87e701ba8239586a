package dev.berth.traces;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.FormatProvider;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads workloads, infrastructures and host events from files.
 *
 * <p><b>Files</b> are UTF-8 text, either plain or compressed with gzip, xz, zstd or bzip2. The
 * content determines the compression. Blank lines and lines that begin with {@code #} or {@code %}
 * are ignored. A line has at most one mebibyte.
 *
 * <p><b>Formats</b> come from {@linkplain FormatProvider providers}. The first line of a file, or
 * the names in a folder, determine the format. The line must be a header or a good line of that
 * format. A prefix selects the format explicitly: {@code csv:requests.dat}. {@link
 * #workloadFormats} and its siblings list the formats; {@code docs/guide/formats.md} describes
 * them.
 *
 * <p><b>Errors.</b> An {@link InputException} names the location and the reason. Input is never
 * guessed or repaired. A {@link ReadReport} counts what was skipped: items that a format cannot
 * represent, and as many bad lines as {@link ReadOptions} allows. A workload is checked to its last
 * line when it is opened, so that a simulation does not fail halfway.
 *
 * <p>All methods are safe for use by several threads.
 */
public final class Readers {

  private Readers() {}

  /** Returns the formats for workloads, sorted by name. */
  public static List<WorkloadFormat> workloadFormats() {
    return Formats.workloads(usualClasses()).all();
  }

  /** Returns the formats for infrastructures, sorted by name. */
  public static List<InfrastructureFormat> infrastructureFormats() {
    return Formats.infrastructures().all();
  }

  /** Returns the formats for host events, sorted by name. */
  public static List<HostEventsFormat> hostEventsFormats() {
    return Formats.hostEvents().all();
  }

  /**
   * Reads a workload and refuses bad lines. The file is read now, to check it, and again in every
   * simulation. It is never held in memory.
   *
   * @param location {@code path} or {@code format:path}
   * @param serviceClasses the classes that requests may name; for most foreign formats {@link
   *     dev.berth.simulator.workload.ServiceClasses#goldSilverBronze}
   * @return a workload with the name of the file and with the classes that occur in it
   * @throws InputException if the file cannot be used
   */
  public static FileWorkload workload(
      String location, Collection<? extends ServiceClass> serviceClasses) {
    return workload(location, serviceClasses, ReadOptions.STRICT);
  }

  /**
   * Reads a workload like {@link #workload(String, Collection)}, with options.
   *
   * @param options how strictly the file is read
   */
  public static FileWorkload workload(
      String location, Collection<? extends ServiceClass> serviceClasses, ReadOptions options) {
    ServiceClassCatalog classes = new ServiceClassCatalog(serviceClasses);
    Formats.Located<WorkloadFormat> located = Formats.workloads(classes).locate(location);
    return new FileWorkload(located.input(), located.format(), classes, options);
  }

  /**
   * Reads a workload like {@link #workload(String, Collection, ReadOptions)}, with the service
   * classes that the input {@linkplain WorkloadFormat#serviceClasses defines itself}.
   *
   * @param otherwise the classes that requests may name if the input defines none
   */
  public static FileWorkload workloadWithOwnClasses(
      String location, Collection<? extends ServiceClass> otherwise, ReadOptions options) {
    ServiceClassCatalog usual = new ServiceClassCatalog(otherwise);
    Formats.Located<WorkloadFormat> located = Formats.workloads(usual).locate(location);
    List<ServiceClass> own = located.format().serviceClasses(located.input());
    return new FileWorkload(
        located.input(),
        located.format(),
        own.isEmpty() ? usual : new ServiceClassCatalog(own),
        options);
  }

  /**
   * Returns whether a workload {@linkplain WorkloadFormat#hasHosts also holds its hosts}, so that
   * the same location is an infrastructure and host events.
   *
   * @param location {@code path} or {@code format:path}
   * @throws InputException if the file does not exist, or its format cannot be determined
   */
  public static boolean hasHosts(String location) {
    return Formats.workloads(usualClasses()).locate(location).format().hasHosts();
  }

  /**
   * Reads a workload in a given format, which no provider needs to supply.
   *
   * @throws InputException if the file cannot be used
   */
  public static FileWorkload workload(
      WorkloadFormat format,
      Input input,
      Collection<? extends ServiceClass> serviceClasses,
      ReadOptions options) {
    return new FileWorkload(input, format, new ServiceClassCatalog(serviceClasses), options);
  }

  /**
   * Reads an infrastructure and refuses bad lines.
   *
   * @param location {@code path} or {@code format:path}
   * @return an infrastructure with the name of the file
   * @throws InputException if the file cannot be used
   */
  public static Infrastructure infrastructure(String location) {
    return infrastructure(location, ReadOptions.STRICT).value();
  }

  /**
   * Reads an infrastructure and reports what was skipped.
   *
   * @param location {@code path} or {@code format:path}
   * @param options how strictly the file is read
   * @throws InputException if the file cannot be used
   */
  public static ReadResult<Infrastructure> infrastructure(String location, ReadOptions options) {
    Formats.Located<InfrastructureFormat> located = Formats.infrastructures().locate(location);
    return infrastructure(located.format(), located.input(), options);
  }

  /**
   * Reads an infrastructure in a given format, which no provider needs to supply.
   *
   * @throws InputException if the file cannot be used
   */
  public static ReadResult<Infrastructure> infrastructure(
      InfrastructureFormat format, Input input, ReadOptions options) {
    Map<String, SourceLocation> locations = new HashMap<>();
    NameLimits limits = new NameLimits();
    ReadResult<List<HostSpec>> read =
        all(
            input,
            skips -> format.open(input, skips),
            options,
            (host, location) -> {
              limits.check(host, location);
              SourceLocation earlier = locations.putIfAbsent(host.id(), location);
              if (earlier != null) {
                throw LenientReader.repeatedId(host.id(), location, earlier);
              }
            });
    input.refuseIf(read.value().isEmpty(), "holds no host");
    return new ReadResult<>(new Infrastructure(input.name(), read.value()), read.report());
  }

  /**
   * Reads host events and refuses bad lines. The simulation checks that the hosts exist.
   *
   * @param location {@code path} or {@code format:path}
   * @return the events in order of time; a host fails only while it is up and recovers only while
   *     it is down
   * @throws InputException if the file cannot be used
   */
  public static List<HostEvent> hostEvents(String location) {
    return hostEvents(location, ReadOptions.STRICT).value();
  }

  /**
   * Reads host events like {@link #hostEvents(String)}, and reports what was skipped.
   *
   * @param options how strictly the file is read
   */
  public static ReadResult<List<HostEvent>> hostEvents(String location, ReadOptions options) {
    Formats.Located<HostEventsFormat> located = Formats.hostEvents().locate(location);
    return hostEvents(located.format(), located.input(), options);
  }

  /**
   * Reads host events in a given format, which no provider needs to supply.
   *
   * @throws InputException if the file cannot be used
   */
  public static ReadResult<List<HostEvent>> hostEvents(
      HostEventsFormat format, Input input, ReadOptions options) {
    ReadResult<List<HostEvent>> read =
        all(input, skips -> format.open(input, skips), options, new HostEventCheck());
    if (read.report().lines() == 0 && read.value().isEmpty() && !input.isFolder()) {
      throw input.error("holds nothing");
    }
    return read;
  }

  /**
   * Reads user-defined service classes: a JSON list of objects with {@code name} and optionally
   * {@code slo}, {@code importance}, {@code safetyMargin} and {@code preemptionOverheadLimit}.
   * Omitted members have the defaults of {@link ServiceClass#builder}. Comments are allowed as in
   * other files.
   *
   * @param file the path
   * @param safetyMargin the margin of classes that omit it
   * @return at least one class, in the order of the file
   * @throws InputException if the file cannot be used
   */
  public static List<ServiceClass> serviceClasses(String file, Duration safetyMargin) {
    return serviceClasses(Input.of(file), safetyMargin);
  }

  /**
   * Reads service classes like {@link #serviceClasses(String, Duration)}.
   *
   * @throws InputException if the input cannot be used
   */
  public static List<ServiceClass> serviceClasses(Input input, Duration safetyMargin) {
    try {
      return ServiceClassFile.read(input, safetyMargin);
    } catch (InputException wrong) {
      FileKind kind = FileKind.of(input).orElse(FileKind.SERVICE_CLASSES);
      throw kind == FileKind.SERVICE_CLASSES
          ? wrong
          : kind.insteadOf(FileKind.SERVICE_CLASSES, input);
    }
  }

  private static ServiceClassCatalog usualClasses() {
    return new ServiceClassCatalog(ServiceClasses.goldSilverBronze(Duration.ZERO));
  }

  private static <T> ReadResult<List<T>> all(
      Input input,
      ReaderSupplier<T> readers,
      ReadOptions options,
      LenientReader.Check<? super T> check) {
    List<T> all = new ArrayList<>();
    LenientReader<T> reader = new LenientReader<>(readers, options.skipBad(), check);
    ReadReport report = reader.drain(input, 0, all::add);
    return new ReadResult<>(List.copyOf(all), report);
  }

  /** A host fails while it is up and recovers while it is down, and events are in order of time. */
  private static final class HostEventCheck implements LenientReader.Check<HostEvent> {

    private final Map<String, Boolean> down = new HashMap<>();
    private final TimeOrder order = new TimeOrder();

    @Override
    public void check(HostEvent event, SourceLocation location) {
      NameLimits.check(event, location);
      if (event instanceof HostEvent.Fails fails) {
        turn(fails, true, location);
      } else if (event instanceof HostEvent.Recovers recovers) {
        turn(recovers, false, location);
      } else {
        order.require(location, "time", event.at());
      }
      order.advance(event.at());
    }

    private void turn(HostEvent.OfHost event, boolean fails, SourceLocation location) {
      boolean isDown = down.getOrDefault(event.hostId(), false);
      if (fails == isDown) {
        throw new Field(location, "event", fails ? "fails" : "recovers")
            .error(
                "is impossible, host %s is %s".formatted(event.hostId(), isDown ? "down" : "up"));
      }
      order.require(location, "time", event.at());
      down.put(event.hostId(), fails);
    }
  }
}
