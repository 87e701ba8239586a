package dev.berth.traces;

import dev.berth.api.HostSpec;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Workload;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Writes workloads and infrastructures in our own formats, {@code csv} and {@code jsonl}, so that
 * {@link Readers} give the same arrivals and hosts again. Arrivals are written as they are read,
 * never held in memory.
 */
public final class Writers {

  /** The formats that can be written. */
  public static final List<String> FORMATS = List.of("csv", JsonWorkload.NAME);

  private Writers() {}

  /**
   * Writes a workload. In {@code csv} it is read twice, first for the columns it needs.
   *
   * @param format one of {@link #FORMATS}
   * @param out where to; lines end in {@code \n}
   * @return how many requests there were
   * @throws IllegalArgumentException if there is no such format, or it cannot tell a request, which
   *     the message names; something may have been written then
   * @throws IOException if that cannot be written to
   */
  public static long workload(Workload workload, String format, Appendable out) throws IOException {
    requireKnown(format);
    if (format.equals(JsonWorkload.NAME)) {
      return lines(workload, JsonWriter::line, out);
    }
    CsvColumns columns = new CsvColumns();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(columns::need);
    }
    line(out, columns.header());
    return lines(workload, columns::row, out);
  }

  private static long lines(
      Workload workload, Function<? super Arrival, String> row, Appendable out) throws IOException {
    long count = 0;
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        line(out, row.apply(source.next()));
        count++;
      }
    }
    return count;
  }

  /**
   * Writes an infrastructure.
   *
   * @param format one of {@link #FORMATS}
   * @param out where to; lines end in {@code \n}
   * @throws IllegalArgumentException if there is no such format, or it cannot tell a host, which
   *     the message names, or there are pools of hosts, which no format tells
   * @throws IOException if that cannot be written to
   */
  public static void infrastructure(Infrastructure infrastructure, String format, Appendable out)
      throws IOException {
    requireKnown(format);
    if (!infrastructure.pools().isEmpty()) {
      throw new IllegalArgumentException(
          "infrastructure %s has pools of hosts, which no format can tell."
              .formatted(infrastructure.name()));
    }
    if (format.equals(JsonWorkload.NAME)) {
      for (HostSpec each : infrastructure.hosts()) {
        line(out, JsonWriter.line(each));
      }
      return;
    }
    CsvHosts hosts = new CsvHosts(infrastructure.hosts());
    line(out, hosts.header());
    for (HostSpec each : infrastructure.hosts()) {
      line(out, hosts.row(each));
    }
  }

  private static void requireKnown(String format) {
    if (!FORMATS.contains(format)) {
      throw new IllegalArgumentException(
          "format was \"%s\", must be one of %s.".formatted(format, String.join(", ", FORMATS)));
    }
  }

  private static void line(Appendable out, String line) throws IOException {
    if (line.length() > Lines.LONGEST / 3) { // a character takes up to three bytes
      throw new IllegalArgumentException(
          "a line begins \"%s\" and is longer than can be read again."
              .formatted(InputException.quoted(line)));
    }
    out.append(line).append('\n');
  }
}
