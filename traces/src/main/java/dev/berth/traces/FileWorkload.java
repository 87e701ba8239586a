package dev.berth.traces;

import com.google.common.collect.AbstractIterator;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.internal.util.DuplicateIds;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workload in a file. The constructor reads the file once to check every line before a simulation
 * starts. Each simulation then reads it again, line by line.
 */
public final class FileWorkload implements Workload {

  private final Input input;
  private final ServiceClassCatalog classes;
  private final Set<String> classNames;
  private final ReaderSupplier<Arrival> readers;
  private final Set<String> usedClasses = new HashSet<>();
  private Set<Long> candidates = Set.of(); // for duplicate ids
  private ReadReport report;

  /**
   * Reads and checks a file.
   *
   * @throws InputException if the file cannot be used
   */
  FileWorkload(
      Input input, WorkloadFormat format, ServiceClassCatalog classes, ReadOptions options) {
    this.input = input;
    this.classes = classes;
    this.classNames =
        classes.all().stream()
            .map(ServiceClass::name)
            .collect(Collectors.toCollection(TreeSet::new));
    this.readers = format.prepare(input, classes);
    DuplicateIds ids = new DuplicateIds();
    this.report = survey(ids, options.skipBad());
    this.candidates = ids.candidates();
    if (!candidates.isEmpty()) {
      this.report = survey(new DuplicateIds(), options.skipBad());
    }
    input.refuseIf(report.entries() == 0, "holds no request%s", leftOut());
  }

  /** Returns why a file without requests has none; empty if nothing was skipped. */
  private String leftOut() {
    List<String> reasons = new ArrayList<>();
    report.skipped().forEach((reason, count) -> reasons.add(count + ": " + reason));
    report.firstBad().stream()
        .findFirst()
        .ifPresent(bad -> reasons.add("bad lines, the first of which: " + bad.getMessage()));
    return reasons.isEmpty() ? "" : "; left out " + withoutStop(String.join("; ", reasons));
  }

  private static String withoutStop(String text) {
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
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

  /** Returns a summary of what was read and what was skipped. */
  public ReadReport report() {
    return report;
  }

  @Override
  public ArrivalSource open() {
    LenientReader<Arrival> reader = reader(report.badLines());
    Iterator<Arrival> arrivals =
        new AbstractIterator<>() {
          @Override
          protected @Nullable Arrival computeNext() {
            Arrival next = reader.next();
            return next == null ? endOfData() : next;
          }
        };
    return ArrivalSource.of(arrivals, reader::close);
  }

  private LenientReader<Arrival> reader(long skipBad) {
    return new LenientReader<>(readers, skipBad, new ArrivalCheck());
  }

  private ReadReport survey(DuplicateIds ids, int skipBad) {
    long linesBefore = input.linesRead();
    usedClasses.clear();
    return reader(skipBad)
        .drain(
            input,
            linesBefore,
            each -> {
              ids.add(each.request().id());
              usedClasses.add(each.request().serviceClass());
            });
  }

  /** The rules for the arrivals of every workload, in one reading. */
  private final class ArrivalCheck implements LenientReader.Check<Arrival> {

    private final TimeOrder order = new TimeOrder();
    private final NameLimits limits = new NameLimits();
    private final DuplicateIds.Finder<SourceLocation> ids = new DuplicateIds.Finder<>(candidates);

    @Override
    public void check(Arrival arrival, SourceLocation location) {
      order.require(location, "admission", arrival.at());
      String name = arrival.request().serviceClass();
      if (!classNames.contains(name)) {
        throw new Field(location, "class", name).error("must be one of %s".formatted(classNames));
      }
      limits.check(arrival.request(), location);
      String id = arrival.request().id();
      ids.earlier(id, location)
          .ifPresent(
              earlier -> {
                throw LenientReader.repeatedId(id, location, earlier);
              });
      order.advance(arrival.at());
    }
  }
}
