package dev.berth.traces.format.bitbrains;

import dev.berth.api.Dimension;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Cells;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The file of a machine: a header and a sample a line, in any order. */
record SampleFile(Lines lines) implements AutoCloseable {

  static final String START = "Timestamp [ms];";

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

  private static final BigDecimal KIB = BigDecimal.valueOf(1_024).movePointLeft(9);

  /**
   * Returns all samples, in the order of the file.
   *
   * @return at least one sample
   * @throws InputException if a line is bad, or there is no sample
   */
  List<Sample> samples() {
    String header = lines.next();
    if (header != null && !header.startsWith(START)) {
      throw lines.location().error("must be a header like \"" + START + " ...\"").endingReading();
    }
    List<Sample> samples = new ArrayList<>();
    for (String line = lines.next(); line != null; line = lines.next()) {
      samples.add(sample(lines.location(), line));
    }
    lines.location().refuseIf(samples.isEmpty(), "must be a sample; the file has none");
    return samples;
  }

  private static Sample sample(SourceLocation location, String line) {
    List<String> cells = Cells.split(line, ';', FIELDS.size() + 1);
    if (cells.size() != FIELDS.size()) {
      throw location.error(
          "has %s fields, must have %s: %s"
              .formatted(
                  cells.size() > FIELDS.size() ? "more than " + FIELDS.size() : cells.size(),
                  FIELDS.size(),
                  String.join("; ", FIELDS)));
    }
    long provisioned = bytes(field(location, cells, PROVISIONED));
    return new Sample(
        field(location, cells, TIME).nanos(),
        field(location, cells, CORES).units(Dimension.CPU),
        provisioned,
        Math.min(provisioned, bytes(field(location, cells, USED))));
  }

  private static Field field(SourceLocation location, List<String> cells, String name) {
    return new Field(location, name, cells.get(FIELDS.indexOf(name)).strip());
  }

  /** Returns KiB in bytes. Samples are means and have fractions of a byte. */
  private static long bytes(Field field) {
    BigDecimal kib = field.number();
    field.refuseIf(kib.signum() < 0, "must not be negative");
    try {
      return Dimension.MEMORY.units(kib.multiply(KIB));
    } catch (IllegalArgumentException tooLarge) {
      throw field.error("is too large to count");
    }
  }

  /** Returns the location of the latest line. */
  SourceLocation location() {
    return lines.location();
  }

  @Override
  public void close() {
    lines.close();
  }
}
