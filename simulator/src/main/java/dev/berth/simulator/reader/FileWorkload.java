package dev.berth.simulator.reader;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import dev.berth.simulator.reader.WorkloadFormat.RequestReader;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workload in a file. The file is read once to check it as a whole, so that a bad line is found
 * before anything runs, and then each time it is simulated, line by line.
 */
final class FileWorkload implements Workload {

  private final Location<WorkloadFormat> location;
  private final Classes classes;
  private final boolean jobInId;
  private final Set<String> usedClasses = new HashSet<>();
  private long size;

  private FileWorkload(Location<WorkloadFormat> location, Classes classes, boolean jobInId) {
    this.location = location;
    this.classes = classes;
    this.jobInId = jobInId;
  }

  /**
   * Reads and checks a file.
   *
   * @throws InputException if it cannot be used
   */
  static FileWorkload read(Location<WorkloadFormat> location, Classes classes) {
    FileWorkload workload = new FileWorkload(location, classes, false);
    RepeatedIds.Suspects suspects = workload.survey();
    if (suspects.isEmpty()) {
      return workload;
    }
    if (location.format().jobsHaveTasks()) {
      workload = new FileWorkload(location, classes, true);
      suspects = workload.survey();
    }
    workload.check(suspects);
    return workload;
  }

  @Override
  public String name() {
    return location.name();
  }

  @Override
  public List<ServiceClass> serviceClasses() {
    return classes.all().stream().filter(each -> usedClasses.contains(each.name())).toList();
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(size);
  }

  @Override
  public Source open() {
    Lines lines = Lines.open(location.file(), location.path());
    try {
      return new Source(lines, location.format().reader(lines, classes, jobInId));
    } catch (RuntimeException failure) {
      lines.close();
      throw failure;
    }
  }

  private RepeatedIds.Suspects survey() {
    RepeatedIds ids = new RepeatedIds();
    try (Source source = open()) {
      while (source.hasNext()) {
        Arrival arrival = source.next();
        ids.add(arrival.request().id());
        usedClasses.add(arrival.request().serviceClass());
        size++;
      }
    }
    if (size == 0) {
      throw Place.wrongFile(location.file(), "holds no request");
    }
    return ids.suspects();
  }

  private void check(RepeatedIds.Suspects suspects) {
    try (Source source = open()) {
      while (source.hasNext()) {
        suspects.check(source.peek().request().id(), source.place());
        source.next();
      }
    }
  }

  /** One reading of the file, a line ahead. */
  private static final class Source implements ArrivalSource {

    private final Lines lines;
    private final RequestReader reader;
    private @Nullable Arrival ahead;

    Source(Lines lines, RequestReader reader) {
      this.lines = lines;
      this.reader = reader;
      this.ahead = reader.next();
    }

    @Override
    public boolean hasNext() {
      return ahead != null;
    }

    @Override
    public Arrival next() {
      Arrival next = peek();
      ahead = reader.next();
      return next;
    }

    /** Returns what {@link #next} will return. */
    Arrival peek() {
      if (ahead == null) {
        throw new NoSuchElementException();
      }
      return ahead;
    }

    /** Returns where that stands. */
    Place place() {
      return lines.place();
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
