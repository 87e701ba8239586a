package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Lines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkipBadTest {

  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));
  private static final String[] LINES = {
    "admitted,id,class,service_time,cpu,memory",
    "0,r1,gold,1,1,1",
    "1,r2,gold,1", // truncated
    "99,r3,gold,1,-1,1", // negative; its time is ignored
    "1,r1,gold,1,1,1", // id of line 2
    "1,r4,gold,1,1,1",
    "0.5,r5,gold,1,1,1", // too early
    "3,r6,none,1,1,1", // no such class
    "4,r7,gold,NaN,1,1",
    "5,r8,gold,1,1,1"
  };

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @Test
  void skipsAndReportsAllowedBadLines() {
    FileWorkload workload = read(6);

    assertThat(ids(workload)).containsExactly("r1", "r4", "r8");
    assertThat(ids(workload)).containsExactly("r1", "r4", "r8");
    assertThat(workload.size()).hasValue(3);
    ReadReport report = workload.report();
    assertThat(report.badLines()).isEqualTo(6);
    assertThat(report.lines()).isEqualTo(LINES.length);
    assertThat(report.isComplete()).isFalse();
    assertThat(report.firstBad())
        .extracting(bad -> bad.line().getAsLong())
        .containsExactly(3L, 4L, 5L, 7L, 8L);
  }

  @Test
  void refusesOneMoreBadLineThanAllowed() {
    files.assertRefused(
        "w.csv, line 9: service_time was \"NaN\", must be a number of seconds, or a duration such as 30s, 10m or 1h30m.",
        () -> read(5));
    files.assertRefused(
        "w.csv, line 3: has 4 fields, must have 6: admitted,id,class,service_time,cpu,memory.",
        () -> read(0));
  }

  @Test
  void endsReadingIfTheNextLineIsUnknown() {
    String file = files.write("w.csv", LINES[0], "x".repeat(Lines.LONGEST + 1), LINES[1]);

    files.assertRefused(
        "w.csv, line 2: is longer than 1048576 bytes.",
        () -> Readers.workload(file, CLASSES, new ReadOptions(1_000_000_000)));
  }

  @Test
  void neverSkipsABadHeader() {
    String file = files.write("w.csv", "id,class,service_time,cpu,memory", "r1,gold,1,1,1");

    files.assertRefused(
        "w.csv, line 1: header was \"id,class,service_time,cpu,memory\", must name the column"
            + " admitted.",
        () -> Readers.workload(file, CLASSES, new ReadOptions(1_000)));
  }

  @Test
  void appliesToHostsAndEvents() {
    String hosts = files.write("h.csv", "id,cpu,memory", "h1,1,1", "h1,1,1", "h2,x,1", "h3,1,1");
    assertThat(Readers.infrastructure(hosts, new ReadOptions(2)).value().hosts())
        .extracting(each -> each.id())
        .containsExactly("h1", "h3");
    files.assertRefused(
        "h.csv, line 4: cpu was \"x\", must be a number.",
        () -> Readers.infrastructure(hosts, new ReadOptions(1)));
    String events =
        files.write("e.csv", "time,host,event", "1,h1,fails", "2,h1,fails", "3,h1,recovers");
    assertThat(Readers.hostEvents(events, new ReadOptions(1)).value()).hasSize(2);
    files.assertRefused(
        "e.csv, line 3: event \"fails\" is impossible, host h1 is down.",
        () -> Readers.hostEvents(events));
  }

  private FileWorkload read(int skipBad) {
    return Readers.workload(files.write("w.csv", LINES), CLASSES, new ReadOptions(skipBad));
  }

  private static List<String> ids(FileWorkload workload) {
    List<String> ids = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      for (Arrival each; source.hasNext(); ids.add(each.request().id())) {
        each = source.next();
      }
    }
    return ids;
  }
}
