package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.simulator.Arrival;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of the Bitbrains traces (GWA-T-12): a file for each virtual machine, or a folder of
 * them, each a request of the least important class that is named after its file.
 *
 * <p>It is admitted at its first sample and runs until 300 s after its last, the time between two
 * samples. Its demand is the cores and the memory provisioned, its memory profile is the memory
 * used: each sample counts until the next. Samples above what is provisioned, which occur, count as
 * all of it. Timestamps are in seconds, whatever the header says. Time begins with the first sample
 * of all. Usage of CPU, disk and network is not read.
 *
 * <p>Takes the memory of one file's samples.
 */
public final class Bitbrains implements WorkloadFormat {

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

  private static final Pattern SEMICOLON = Pattern.compile(";");
  private static final Pattern SUFFIX = Pattern.compile("\\.csv(\\.[a-z0-9]+)?$");
  private static final long STEP = 300_000_000_000L;
  private static final BigDecimal KIB = BigDecimal.valueOf(1_024).movePointLeft(9);

  /** For the service loader. */
  public Bitbrains() {}

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
            .filter(each -> !each.isFolder() && SUFFIX.matcher(each.name()).find())
            .toList()
        : List.of(input);
  }

  private record Vm(Input file, long from) {}

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    List<Vm> machines = new ArrayList<>();
    for (Input each : files(input)) {
      try (Samples samples = new Samples(each)) {
        Sample first = samples.nextGood();
        if (first == null) {
          throw each.wrong("holds no sample");
        }
        machines.add(new Vm(each, first.at));
      }
    }
    if (machines.isEmpty()) {
      throw input.wrong("holds no file *.csv");
    }
    machines.sort(Comparator.comparingLong(Vm::from)); // stable: then by name
    return leftOut -> new Reader(machines, classes.leastImportant().name());
  }

  private record Sample(Place place, long at, long cores, long provisioned, long used) {}

  /** The samples in a file, in order of time. */
  private static final class Samples implements AutoCloseable {

    private final Lines lines;
    private final TimeOrder order = new TimeOrder();
    private boolean begun;

    Samples(Input file) {
      this.lines = file.open();
    }

    /** Returns the next one that can be used; null at the end. */
    @Nullable Sample nextGood() {
      while (true) {
        try {
          return next();
        } catch (InputException bad) {
          if (bad.endsReading()) {
            throw bad;
          }
          // It is met again.
        }
      }
    }

    @Nullable Sample next() {
      String line = lines.next();
      if (line != null && !begun) {
        begun = true;
        if (!line.startsWith(START)) {
          InputException wrong = lines.place().wrong("must be a header like \"" + START + " ...\"");
          throw wrong.endingReading();
        }
        line = lines.next();
      }
      return line == null ? null : sample(lines.place(), line);
    }

    private Sample sample(Place place, String line) {
      String[] cells = SEMICOLON.split(line, -1);
      if (cells.length != FIELDS.size()) {
        throw place.wrong(
            "has %s fields, must have %s: %s"
                .formatted(cells.length, FIELDS.size(), String.join("; ", FIELDS)));
      }
      Field time = field(place, cells, TIME);
      long at = time.nanos();
      long provisioned = bytes(field(place, cells, PROVISIONED));
      Sample sample =
          new Sample(
              place,
              at,
              field(place, cells, CORES).units(Dimension.CPU),
              provisioned,
              Math.min(provisioned, bytes(field(place, cells, USED))));
      order.read(time, at);
      return sample;
    }

    private static Field field(Place place, String[] cells, String name) {
      return new Field(place, name, cells[FIELDS.indexOf(name)].strip());
    }

    /** Returns KiB in bytes; the samples are means, to a fraction of a byte. */
    private static long bytes(Field field) {
      BigDecimal kib = field.number();
      if (kib.signum() < 0) {
        throw field.wrong("must not be negative");
      }
      try {
        return Dimension.MEMORY.units(kib.multiply(KIB));
      } catch (IllegalArgumentException tooLarge) {
        throw field.wrong("is too large to count");
      }
    }

    Place place() {
      return lines.place();
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
    private Place place;
    private @Nullable Course open;

    Reader(List<Vm> machines, String serviceClass) {
      this.rest = machines.iterator();
      this.begin = machines.get(0).from;
      this.serviceClass = serviceClass;
      this.place = new Place(machines.get(0).file.file(), 1);
    }

    @Override
    public @Nullable Arrival next() {
      if (open == null) {
        if (!rest.hasNext()) {
          return null;
        }
        open = new Course(rest.next());
      }
      Course course = open;
      try {
        course.finish();
      } finally {
        place = course.samples.place();
      }
      course.samples.close();
      open = null;
      return course.arrival(begin, serviceClass);
    }

    @Override
    public Place place() {
      return place;
    }

    @Override
    public void close() {
      if (open != null) {
        open.samples.close();
      }
    }
  }

  /** What one machine used, as far as it has been read; it goes on behind a bad line. */
  private static final class Course {

    private final Vm vm;
    private final Samples samples;
    private final List<MemoryProfile.Step> steps = new ArrayList<>();
    private @Nullable Sample first;
    private @Nullable Sample last;

    Course(Vm vm) {
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
        throw sample.place.wrong(
            "is provisioned with other cores or memory than line " + first.place.line());
      } else if (sample.at == last.at) {
        throw sample.place.wrong("is a second sample of the time of line " + last.place.line());
      }
      if (last == null || sample.used != last.used) {
        steps.add(new MemoryProfile.Step(sample.at - first.at, sample.used));
      }
      last = sample;
    }

    Arrival arrival(long begin, String serviceClass) {
      if (first == null || last == null) {
        throw vm.file.wrong("holds no sample");
      }
      Request request =
          Request.builder(SUFFIX.matcher(vm.file.name()).replaceFirst(""), serviceClass)
              .demand(Requests.amounts(first.cores, first.provisioned))
              .memoryProfile(MemoryProfile.of(steps))
              .build();
      return new Arrival(first.at - begin, request, last.at - first.at + STEP);
    }
  }
}
