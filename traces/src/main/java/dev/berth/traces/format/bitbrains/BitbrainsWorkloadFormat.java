package dev.berth.traces.format.bitbrains;

import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of the Bitbrains traces (GWA-T-12): one file for each virtual machine, or a folder of
 * such files. Each file becomes a request of the least important class with the name of the file.
 *
 * <p>The request is admitted at its first sample with cores and runs until 300 s after its last,
 * which is the time between two samples. Its demand is the peak of the provisioned cores and
 * memory. Its memory profile is the used memory; each sample is valid until the next. Some samples
 * exceed the memory that is provisioned at their time and count as all of it. Timestamps are in
 * seconds, contrary to the header. Time begins with the earliest sample of all machines. CPU, disk
 * and network usage are ignored.
 *
 * <p>Samples may be in any order. Those of the same time count as one with the greater of each
 * amount. The format skips machines that never have cores. A bad line makes its whole machine bad.
 *
 * <p>Memory use is limited to the samples of one file.
 */
public final class BitbrainsWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String NO_CORES = "machine that never has cores";

  private static final Shape SUFFIX = Shape.of("\\.csv(\\.[a-z0-9]+)?$");

  public BitbrainsWorkloadFormat() {
    super(
        "bitbrains",
        "usage of virtual machines by Bitbrains (GWA-T-12), a file or a folder of them",
        BitbrainsWorkloadFormat::holdsSamples);
  }

  private static boolean holdsSamples(Input input) {
    return files(input).stream()
        .limit(1)
        .anyMatch(
            each -> each.firstLine().filter(line -> line.startsWith(SampleFile.START)).isPresent());
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

  /** A file and when its machine begins; empty if the machine is bad or never has cores. */
  private record MachineFile(Input file, OptionalLong from) {}

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    List<MachineFile> machines = new ArrayList<>();
    for (Input each : files(input)) {
      machines.add(new MachineFile(each, begin(each)));
    }
    input.refuseIf(machines.isEmpty(), "holds no file *.csv");
    // Stable: equal times stay sorted by name.
    machines.sort(Comparator.comparingLong(each -> each.from.orElse(Long.MIN_VALUE)));
    long begin = machines.stream().flatMapToLong(each -> each.from.stream()).min().orElse(0);
    return skips -> new Reader(machines, begin, classes.leastImportant().name(), skips);
  }

  private static OptionalLong begin(Input file) {
    try (SampleFile samples = new SampleFile(file.open())) {
      Machine machine = Machine.of(samples.samples());
      return machine.hasCores() ? OptionalLong.of(machine.from()) : OptionalLong.empty();
    } catch (InputException bad) {
      if (bad.endsReading()) {
        throw bad;
      }
      return OptionalLong.empty(); // the actual reading reports it
    }
  }

  private static final class Reader implements EntryReader<Arrival> {

    private final Iterator<MachineFile> rest;
    private final long begin;
    private final String serviceClass;
    private final SkipReport skips;
    private SourceLocation location;

    Reader(List<MachineFile> machines, long begin, String serviceClass, SkipReport skips) {
      this.rest = machines.iterator();
      this.begin = begin;
      this.serviceClass = serviceClass;
      this.skips = skips;
      this.location = new SourceLocation(machines.get(0).file.file(), 1);
    }

    @Override
    public @Nullable Arrival next() {
      while (rest.hasNext()) {
        Input file = rest.next().file;
        Machine machine = read(file);
        if (machine.hasCores()) {
          machine.report(skips);
          return machine.arrival(withoutSuffix(file.name()), serviceClass, begin);
        }
        skips.count(NO_CORES);
      }
      return null;
    }

    /** Reads a file to its end or its first bad line, after which the next file follows. */
    private Machine read(Input file) {
      try (SampleFile samples = new SampleFile(file.open())) {
        try {
          return Machine.of(samples.samples());
        } finally {
          location = samples.location();
        }
      }
    }

    @Override
    public SourceLocation location() {
      return location;
    }

    @Override
    public void close() {
      // Each file is closed when it was read.
    }
  }
}
