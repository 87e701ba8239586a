package dev.berth.cli;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Workload;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * A file for a workload or an infrastructure, in the format that the ending of its name tells:
 * {@code .csv}, or {@code .csv.gz} to have it compressed.
 */
final class OutputFormats {

  private static final String CSV = ".csv";
  private static final String GZIP = ".gz";
  private static final String OPTION = "--out";
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final OutputFile file;

  private OutputFormats(Path path, OutputFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Checks, before a long run, what can be known about a file to write.
   *
   * @throws BadInputException if its format is not known, or it cannot be written
   */
  static OutputFormats at(Path path) {
    if (!withoutGzip(path).endsWith(CSV)) {
      throw new BadInputException(
          "%s was \"%s\", must end in %s or %s%s.".formatted(OPTION, path, CSV, CSV, GZIP));
    }
    return new OutputFormats(path, OutputFile.at(path, OPTION));
  }

  /**
   * Returns one of several files: {@code a-SUFFIX.csv.gz} for {@code a.csv.gz}.
   *
   * @throws BadInputException as for {@link #at}
   */
  static OutputFormats at(Path path, String suffix) {
    at(path);
    String plain = withoutGzip(path);
    String stem = plain.substring(0, plain.length() - CSV.length());
    String ending = path.toString().substring(stem.length());
    return at(Path.of(stem + "-" + suffix + ending));
  }

  private static String withoutGzip(Path path) {
    String name = path.toString();
    return name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name;
  }

  Path path() {
    return path;
  }

  /**
   * Writes a workload, request by request.
   *
   * @return how many requests there were
   * @throws BadInputException if it has what the format cannot tell
   * @throws RunFailedException if it cannot be written
   */
  long write(Workload workload) {
    List<Dimension> dimensions = dimensions(workload);
    long[] count = new long[1];
    write(
        out -> {
          out.append("admitted,id,class,service_time,");
          out.append(header(dimensions)).append(",job,anti_affinity,constraints\n");
          try (ArrivalSource source = workload.open()) {
            while (source.hasNext()) {
              append(source.next(), dimensions, out);
              count[0]++;
            }
          }
        });
    return count[0];
  }

  /**
   * Writes the hosts of an infrastructure.
   *
   * @throws BadInputException if it has what the format cannot tell
   * @throws RunFailedException if it cannot be written
   */
  void write(Infrastructure infrastructure) {
    List<Dimension> dimensions =
        dimensions(infrastructure.hosts().stream().map(HostSpec::capacity).toList());
    write(
        out -> {
          out.append("id,").append(header(dimensions)).append(",attributes\n");
          for (HostSpec host : infrastructure.hosts()) {
            out.append(cell(host.id())).append(',');
            out.append(amounts(host.capacity(), dimensions)).append(',');
            out.append(cell(attributes(host))).append('\n');
          }
        });
  }

  private interface Text {
    void appendTo(Writer out) throws IOException;
  }

  private void write(Text text) {
    try {
      file.write(
          raw -> {
            OutputStream stream =
                path.toString().endsWith(GZIP) ? new GZIPOutputStream(raw, BUFFER) : raw;
            Writer out =
                new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), BUFFER);
            text.appendTo(out);
            out.flush();
            if (stream instanceof GZIPOutputStream gzip) {
              gzip.finish();
            }
          });
    } catch (IOException failure) {
      throw new RunFailedException(
          "%s \"%s\" cannot be written: %s".formatted(OPTION, path, ErrorReport.describe(failure)),
          failure);
    }
  }

  // ---- Columns

  private static List<Dimension> dimensions(Workload workload) {
    TreeSet<Dimension> found = new TreeSet<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        found.addAll(source.next().request().demand().dimensions());
      }
    }
    return cpuAndMemoryFirst(found);
  }

  private static List<Dimension> dimensions(Collection<Resources> amounts) {
    TreeSet<Dimension> found = new TreeSet<>();
    amounts.forEach(each -> found.addAll(each.dimensions()));
    return cpuAndMemoryFirst(found);
  }

  private static List<Dimension> cpuAndMemoryFirst(Collection<Dimension> found) {
    List<Dimension> dimensions = new ArrayList<>(List.of(Dimension.CPU, Dimension.MEMORY));
    found.stream().filter(each -> !dimensions.contains(each)).forEach(dimensions::add);
    return dimensions;
  }

  private static String header(List<Dimension> dimensions) {
    return dimensions.stream().map(each -> cell(each.name())).collect(Collectors.joining(","));
  }

  private static String amounts(Resources amounts, List<Dimension> dimensions) {
    return dimensions.stream()
        .map(each -> each.format(amounts.amount(each)))
        .collect(Collectors.joining(","));
  }

  private static void append(Arrival arrival, List<Dimension> dimensions, Writer out)
      throws IOException {
    out.append(seconds(arrival.at())).append(',');
    out.append(cell(arrival.request().id())).append(',');
    out.append(cell(arrival.request().serviceClass())).append(',');
    out.append(seconds(arrival.serviceTime())).append(',');
    out.append(amounts(arrival.request().demand(), dimensions)).append(',');
    out.append(cell(arrival.request().job().orElse(""))).append(',');
    out.append(arrival.request().antiAffinity() ? "true" : "false").append(',');
    out.append(cell(constraints(arrival))).append('\n');
  }

  private static String seconds(long nanos) {
    return nanos == 0 ? "0" : BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString();
  }

  private static String constraints(Arrival arrival) {
    return arrival.request().constraints().stream()
        .map(each -> clause(each, "request " + arrival.request().id()))
        .collect(Collectors.joining(";"));
  }

  private static String clause(Constraint constraint, String subject) {
    String attribute = plain(constraint.attribute(), subject);
    if (constraint instanceof Constraint.Equal equal) {
      return attribute + "==" + plain(equal.value(), subject);
    } else if (constraint instanceof Constraint.NotEqual notEqual) {
      return attribute + "!=" + plain(notEqual.value(), subject);
    } else if (constraint instanceof Constraint.LessThan less) {
      return attribute + "<" + less.bound();
    } else if (constraint instanceof Constraint.GreaterThan greater) {
      return attribute + ">" + greater.bound();
    } else if (constraint instanceof Constraint.In in) {
      return attribute
          + " in "
          + in.values().stream()
              .map(value -> plain(value, subject))
              .collect(Collectors.joining("|"));
    }
    return attribute + " exists";
  }

  private static String attributes(HostSpec host) {
    Map<String, String> sorted = new TreeMap<>(host.attributes());
    return sorted.entrySet().stream()
        .map(
            each ->
                plain(each.getKey(), "host " + host.id())
                    + "="
                    + plain(each.getValue(), "host " + host.id()))
        .collect(Collectors.joining(";"));
  }

  /** Returns a name or value that does not look like what separates them. */
  private static String plain(String text, String subject) {
    if (text.chars().anyMatch(each -> "=<>!;|".indexOf(each) >= 0)) {
      throw new BadInputException(
          "%s: \"%s\" cannot be written as csv, must not hold any of = < > ! ; |."
              .formatted(subject, text));
    }
    return text;
  }

  private static String cell(String text) {
    boolean needsQuotes =
        Arrays.asList(',', '"', '\n', '\r').stream().anyMatch(each -> text.indexOf(each) >= 0);
    return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
