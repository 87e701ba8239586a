package dev.berth.traces.format.bitbrains;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.Arrival;
import dev.berth.traces.EntryReader;
import dev.berth.traces.Field;
import dev.berth.traces.Input;
import dev.berth.traces.InputException;
import dev.berth.traces.Lines;
import dev.berth.traces.ReaderSupplier;
import dev.berth.traces.ServiceClassCatalog;
import dev.berth.traces.SourceLocation;
import dev.berth.traces.TimeOrder;
import dev.berth.traces.WorkloadFormat;
import dev.berth.traces.internal.FirstPass;
import dev.berth.traces.internal.util.Cells;
import dev.berth.traces.internal.util.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of the Bitbrains traces (GWA-T-12): one file for each virtual machine, or a folder of
 * such files. Each file becomes a request of the least important class with the name of the file.
 *
 * <p>The request is admitted at its first sample and runs until 300 s after its last, which is the
 * time between two samples. Its demand is the provisioned cores and memory. Its memory profile is
 * the used memory; each sample is valid until the next. Some samples exceed the provisioned memory
 * and count as all of it. Timestamps are in seconds, contrary to the header. Time begins with the
 * earliest sample of all files. CPU, disk and network usage are ignored.
 *
 * <p>Memory use is limited to the samples of one file.
 */
final class BitbrainsWorkloadFormat implements WorkloadFormat {

  private static final String START = "Timestamp [ms];";
  private static final String TIME = "timestamp";
  private static final String CORES = "CPU cores";
  private static final String PROVISIONED = "memory capacity provisioned";
  private static final String USED = "memory usage";
  private static final List<String> FIELDS =
      List.of(
          TIME,
          CORES,
          "CPU capacity provisioned",
          "CPU usage",
          "CPU usage in %",
          PROVISIONED,
          USED,
          "disk read",
          "disk write",
          "network received",
          "network transmitted");

  private static final Shape SUFFIX = Shape.of("\\.csv(\\.[a-z0-9]+)?$");
  private static final long STEP = 300_000_000_000L;
  private static final BigDecimal KIB = BigDecimal.valueOf(1_024).movePointLeft(9);

  @Override
  public String name() {
    return "bitbrains";
  }

  @Override
  public String description() {
    return "usage of virtual machines by Bitbrains (GWA-T-12), a file or a folder of them";
  }

  @Override
  public boolean recognises(Input input) {
    return files(input).stream()
        .limit(1)
        .anyMatch(each -> each.firstLine().filter(line -> line.startsWith(START)).isPresent());
  }

  private static List<Input> files(Input input) {
    return input.isFolder()
        ? input.members().stream()
            .filter(each -> !each.isFolder() && SUFFIX.find(each.name()).findAny().isPresent())
            .toList()
        : List.of(input);
  }

  private static String withoutSuffix(String name) {
    return SUFFIX
        .find(name)
        .findFirst()
        .map(found -> name.substring(0, found.start()))
        .orElse(name);
  }

  private record Vm(Input file, long from) {}

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    List<Vm> machines = new ArrayList<>();
    for (Input each : files(input)) {
      try (Samples samples = new Samples(each)) {
        Sample first = FirstPass.next(samples::next);
        if (first == null) {
          throw each.error("has no sample");
        }
        machines.add(new Vm(each, first.at));
      }
    }
    if (machines.isEmpty()) {
      throw input.error("holds no file *.csv");
    }
    machines.sort(Comparator.comparingLong(Vm::from)); // stable: equal times stay sorted by name
    return skips -> new Reader(machines, classes.leastImportant().name());
  }

  private record Sample(
      SourceLocation location, long at, long cores, long provisioned, long used) {}

  /** The samples in a file, in order of time. */
  private static final class Samples implements AutoCloseable {

    private final Lines lines;
    private final TimeOrder order = new TimeOrder();
    private boolean begun;

    Samples(Input file) {
      this.lines = file.open();
    }

    @Nullable Sample next() {
      String line = lines.next();
      if (line != null && !begun) {
        begun = true;
        if (!line.startsWith(START)) {
          InputException error =
              lines.location().error("must be a header like \"" + START + " ...\"");
          throw error.endingReading();
        }
        line = lines.next();
      }
      return line == null ? null : sample(lines.location(), line);
    }

    private Sample sample(SourceLocation location, String line) {
      List<String> cells = Cells.split(line, ';');
      if (cells.size() != FIELDS.size()) {
        throw location.error(
            "has %s fields, must have %s: %s"
                .formatted(cells.size(), FIELDS.size(), String.join("; ", FIELDS)));
      }
      Field time = field(location, cells, TIME);
      long at = time.nanos();
      long provisioned = bytes(field(location, cells, PROVISIONED));
      Sample sample =
          new Sample(
              location,
              at,
              field(location, cells, CORES).units(Dimension.CPU),
              provisioned,
              Math.min(provisioned, bytes(field(location, cells, USED))));
      order.check(time, at);
      return sample;
    }

    private static Field field(SourceLocation location, List<String> cells, String name) {
      return new Field(location, name, cells.get(FIELDS.indexOf(name)).strip());
    }

    /** Returns KiB in bytes. Samples are means and have fractions of a byte. */
    private static long bytes(Field field) {
      BigDecimal kib = field.number();
      if (kib.signum() < 0) {
        throw field.error("must not be negative");
      }
      try {
        return Dimension.MEMORY.units(kib.multiply(KIB));
      } catch (IllegalArgumentException tooLarge) {
        throw field.error("is too large to count");
      }
    }

    SourceLocation location() {
      return lines.location();
    }

    @Override
    public void close() {
      lines.close();
    }
  }

  private static final class Reader implements EntryReader<Arrival> {

    private final Iterator<Vm> rest;
    private final long begin;
    private final String serviceClass;
    private SourceLocation location;
    private @Nullable MachineHistory open;

    Reader(List<Vm> machines, String serviceClass) {
      this.rest = machines.iterator();
      this.begin = machines.get(0).from;
      this.serviceClass = serviceClass;
      this.location = new SourceLocation(machines.get(0).file.file(), 1);
    }

    @Override
    public @Nullable Arrival next() {
      if (open == null) {
        if (!rest.hasNext()) {
          return null;
        }
        open = new MachineHistory(rest.next());
      }
      MachineHistory history = open;
      try {
        history.finish();
      } finally {
        location = history.samples.location();
      }
      history.samples.close();
      open = null;
      return history.arrival(begin, serviceClass);
    }

    @Override
    public SourceLocation location() {
      return location;
    }

    @Override
    public void close() {
      if (open != null) {
        open.samples.close();
      }
    }
  }

  /** The samples of one machine read so far. After a bad line, reading resumes here. */
  private static final class MachineHistory {

    private final Vm vm;
    private final Samples samples;
    private final List<MemoryProfile.Step> steps = new ArrayList<>();
    private @Nullable Sample first;
    private @Nullable Sample last;

    MachineHistory(Vm vm) {
      this.vm = vm;
      this.samples = new Samples(vm.file);
    }

    void finish() {
      for (Sample each = samples.next(); each != null; each = samples.next()) {
        add(each);
      }
    }

    private void add(Sample sample) {
      if (first == null || last == null) {
        first = sample;
      } else if (sample.cores != first.cores || sample.provisioned != first.provisioned) {
        throw sample.location.error(
            "must have the provisioned cores and memory of line " + first.location.line());
      } else if (sample.at == last.at) {
        throw sample.location.error("must not have the time of line " + last.location.line());
      }
      if (last == null || sample.used != last.used) {
        steps.add(new MemoryProfile.Step(sample.at - first.at, sample.used));
      }
      last = sample;
    }

    Arrival arrival(long begin, String serviceClass) {
      if (first == null || last == null) {
        throw vm.file.error("has no sample");
      }
      Request request =
          Request.builder(withoutSuffix(vm.file.name()), serviceClass)
              .demand(Resources.of(Dimension.CPU, first.cores, Dimension.MEMORY, first.provisioned))
              .memoryProfile(MemoryProfile.of(steps))
              .build();
      return new Arrival(first.at - begin, request, last.at - first.at + STEP);
    }
  }
}
