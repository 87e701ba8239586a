package acme.ci;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A file with a line before and after each start and stop, which {@link Audit} reads. */
final class Ledger {

  /** What a line says. */
  enum Entry {
    STARTING,
    STARTED,
    STOPPING,
    GONE // its processes have ended, for whatever reason
  }

  /** A line. */
  record Line(long at, Entry entry, String run) {}

  private final Path file;

  Ledger(Path root) {
    file = root.resolve("ledger");
  }

  /** Appends a line: time, what, run, instance, attempt, host, CPU, memory, a remark. */
  void write(Entry entry, Run run, String remark) {
    String line =
        "%d %s %s %s %d %s %d %d %s\n"
            .formatted(
                ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()),
                entry,
                Run.name(run.id()),
                run.attempt().instance(),
                run.attempt().number(),
                run.host(),
                run.amounts().amount(CPU),
                run.amounts().amount(MEMORY),
                remark);
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  List<Line> read() {
    try {
      return Files.readAllLines(file).stream()
          .map(each -> each.split(" "))
          .map(each -> new Line(Long.parseLong(each[0]), Entry.valueOf(each[1]), each[2]))
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
