package dev.berth.traces;

import dev.berth.api.ServiceClass;
import dev.berth.core.config.Durations;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import dev.berth.traces.RepeatedIds.Suspects;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workload in a file. The file is read to check it as a whole, so that a bad line is found before
 * anything runs, and then each time it is simulated, line by line.
 */
public final class FileWorkload implements Workload {

  private final Input input;
  private final Classes classes;
  private final Set<String> names;
  private final Opener<Arrival> opener;
  private final Set<String> usedClasses = new HashSet<>();
  private Suspects suspects = new RepeatedIds().suspects();
  private ReadReport report;

  /**
   * Reads and checks a file.
   *
   * @throws InputException if it cannot be used
   */
  FileWorkload(Input input, WorkloadFormat format, Classes classes, ReadOptions options) {
    this.input = input;
    this.classes = classes;
    this.names = classes.all().stream().map(ServiceClass::name).collect(Collectors.toSet());
    this.opener = format.prepare(input, classes);
    RepeatedIds ids = new RepeatedIds();
    this.report = survey(ids, options.skipBad());
    this.suspects = ids.suspects();
    if (!suspects.isEmpty()) {
      this.report = survey(new RepeatedIds(), options.skipBad());
    }
    if (report.entries() == 0) {
      throw input.wrong("holds no request");
    }
  }

  @Override
  public String name() {
    return input.name();
  }

  @Override
  public List<ServiceClass> serviceClasses() {
    return classes.all().stream().filter(each -> usedClasses.contains(each.name())).toList();
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(report.entries());
  }

  /** Returns what reading it came to. */
  public ReadReport report() {
    return report;
  }

  @Override
  public ArrivalSource open() {
    return new Source(reading(reason -> {}, new BadLines(report.badLines())));
  }

  private Reading reading(LeftOut leftOut, BadLines bad) {
    return new Reading(new Entries<>(opener.open(leftOut), bad), bad, names, suspects.seen());
  }

  private ReadReport survey(RepeatedIds ids, int skipBad) {
    Tally leftOut = new Tally();
    BadLines bad = new BadLines(skipBad);
    long linesBefore = input.linesRead();
    long size = 0;
    usedClasses.clear();
    try (Reading reading = reading(leftOut, bad)) {
      for (Arrival each = reading.next(); each != null; each = reading.next()) {
        ids.add(each.request().id());
        usedClasses.add(each.request().serviceClass());
        size++;
      }
    }
    return new ReadReport(
        size, input.linesRead() - linesBefore, leftOut.counts(), bad.count(), bad.first());
  }

  /** One reading of the file, with what every workload is held to. */
  private static final class Reading implements AutoCloseable {

    private final Entries<Arrival> entries;
    private final BadLines bad;
    private final Set<String> names;
    private final Suspects.Seen seen;
    private long latest;

    Reading(Entries<Arrival> entries, BadLines bad, Set<String> names, Suspects.Seen seen) {
      this.entries = entries;
      this.bad = bad;
      this.names = names;
      this.seen = seen;
    }

    @Nullable Arrival next() {
      for (Arrival each = entries.next(); each != null; each = entries.next()) {
        try {
          check(each);
        } catch (InputException wrong) {
          bad.add(wrong);
          continue;
        }
        latest = each.at();
        return each;
      }
      return null;
    }

    private void check(Arrival arrival) {
      if (arrival.at() < latest) {
        throw new Field(entries.place(), "admission", time(arrival.at()))
            .wrong(
                "must not be before that of an earlier request, %s; requests must be in order of time"
                    .formatted(time(latest)));
      }
      String name = arrival.request().serviceClass();
      if (!names.contains(name)) {
        throw new Field(entries.place(), "class", name)
            .wrong("must be one of %s".formatted(names.stream().sorted().toList()));
      }
      seen.check(arrival.request().id(), entries.place());
    }

    private static String time(long nanos) {
      return Durations.format(Duration.ofNanos(nanos));
    }

    @Override
    public void close() {
      entries.close();
    }
  }

  /** One reading of the file, a line ahead. */
  private static final class Source implements ArrivalSource {

    private final Reading reading;
    private @Nullable Arrival ahead;

    Source(Reading reading) {
      this.reading = reading;
      try {
        this.ahead = reading.next();
      } catch (RuntimeException failure) {
        reading.close();
        throw failure;
      }
    }

    @Override
    public boolean hasNext() {
      return ahead != null;
    }

    @Override
    public Arrival next() {
      Arrival next = ahead;
      if (next == null) {
        throw new NoSuchElementException();
      }
      ahead = reading.next();
      return next;
    }

    @Override
    public void close() {
      reading.close();
    }
  }
}
