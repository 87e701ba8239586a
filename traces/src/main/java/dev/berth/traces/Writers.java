package dev.berth.traces;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.HostSpec;
import dev.berth.core.error.Printable;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.Lines;
import dev.berth.traces.spi.EntryWriter;
import dev.berth.traces.spi.FormatWriter;
import java.io.IOException;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Writes workloads, infrastructures and host events, such that {@link Readers} returns the same
 * content again. Arrivals are written as they are read and are never held in memory.
 */
public final class Writers {

  private Writers() {}

  /** Returns the names of the formats that can be written, in alphabetical order. */
  public static List<String> formats() {
    return Formats.writers().stream().map(FormatWriter::name).toList();
  }

  /**
   * Writes a workload. Some formats read it twice: {@code csv} first collects the columns that it
   * needs.
   *
   * @param format one of {@link #formats}
   * @param out the destination; lines end in {@code \n}
   * @return the number of requests written
   * @throws IllegalArgumentException if the format is unknown or cannot represent a request; the
   *     message names the request. Part of the output may have been written.
   * @throws IOException if writing fails
   */
  public static long workload(Workload workload, String format, Appendable out) throws IOException {
    EntryWriter<Arrival> writer = find(format).workload(workload);
    header(writer, out);
    try (ArrivalSource source = workload.open()) {
      return write(writer, source, out);
    }
  }

  /**
   * Writes an infrastructure.
   *
   * @param format one of {@link #formats}
   * @param out the destination; lines end in {@code \n}
   * @throws IllegalArgumentException if the format is unknown or cannot represent a host, which the
   *     message names; or if the infrastructure has pools of hosts, which no format can represent
   * @throws IOException if writing fails
   */
  public static void infrastructure(Infrastructure infrastructure, String format, Appendable out)
      throws IOException {
    FormatWriter found = find(format);
    refuseIf(
        !infrastructure.pools().isEmpty(),
        "infrastructure %s has pools of hosts, which no format can represent.",
        infrastructure.name());
    EntryWriter<HostSpec> writer = found.hosts(infrastructure.hosts());
    header(writer, out);
    write(writer, infrastructure.hosts().iterator(), out);
  }

  /**
   * Writes host events.
   *
   * @param events in order of time
   * @param format one of {@link #formats}
   * @param out the destination; lines end in {@code \n}
   * @throws IllegalArgumentException if the format is unknown or cannot represent an event, which
   *     the message names
   * @throws IOException if writing fails
   */
  public static void hostEvents(
      Collection<? extends HostEvent> events, String format, Appendable out) throws IOException {
    EntryWriter<HostEvent> writer = find(format).hostEvents(List.copyOf(events));
    header(writer, out);
    write(writer, events.iterator(), out);
  }

  private static FormatWriter find(String format) {
    return Formats.writers().stream()
        .filter(each -> each.name().equals(format))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format was \"%s\", must be one of %s."
                        .formatted(format, String.join(", ", formats()))));
  }

  private static void header(EntryWriter<?> writer, Appendable out) throws IOException {
    Optional<String> header = writer.header();
    if (header.isPresent()) {
      line(out, header.get());
    }
  }

  private static <T> long write(
      EntryWriter<T> writer, Iterator<? extends T> entries, Appendable out) throws IOException {
    long count = 0;
    for (; entries.hasNext(); count++) {
      line(out, writer.line(entries.next()));
    }
    return count;
  }

  private static void line(Appendable out, String line) throws IOException {
    if (line.length() > Lines.LONGEST / 3) { // a character takes up to three bytes
      throw new IllegalArgumentException(
          "a line that begins with \"%s\" is too long to be read again."
              .formatted(Printable.quote(line)));
    }
    out.append(line).append('\n');
  }
}
