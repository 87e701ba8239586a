package dev.berth.runtime;

import static dev.berth.runtime.StatusMachines.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.fleet.ObservedHost;
import dev.berth.runtime.journal.FileJournal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a loop records for JFR. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LoopFlightRecordsTest {

  private static final String FORCE = "dev.berth.JournalForce";
  private static final String RECONCILE = "dev.berth.Reconcile";

  @TempDir private Path directory;
  private final StatusMachines machines = new StatusMachines();

  private List<RecordedEvent> record(boolean enabled) throws Exception {
    synchronized (machines) {
      machines.hosts.add(new ObservedHost(host("h1", 2)));
      machines.hosts.add(new ObservedHost(host("h2", 2)));
    }
    Path file = directory.resolve("some.jfr");
    try (Recording recording = new Recording()) {
      for (String each : List.of(FORCE, RECONCILE, "dev.berth.Pass", "dev.berth.Event")) {
        if (enabled) {
          recording.enable(each).withoutThreshold();
        } else {
          recording.disable(each);
        }
      }
      recording.start();
      try (SchedulerLoop loop =
          machines.loop().journal(FileJournal.open(directory.resolve("journal"))).start()) {
        loop.reconcile().join();
      }
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(each -> each.getEventType().getName().startsWith("dev.berth."))
        .toList();
  }

  private static List<RecordedEvent> of(String type, List<RecordedEvent> events) {
    return events.stream().filter(each -> each.getEventType().getName().equals(type)).toList();
  }

  @Test
  void forcesAndReconciliationsHaveTheirFigures() throws Exception {
    List<RecordedEvent> events = record(true);

    assertThat(of(RECONCILE, events)).hasSize(1);
    assertThat(of(RECONCILE, events).get(0).getInt("differences")).isEqualTo(2);
    assertThat(of(FORCE, events)).isNotEmpty();
    RecordedEvent first = of(FORCE, events).get(0);
    assertThat(first.getLong("records")).isBetween(1L, 2L); // the input, and perhaps a pass
    assertThat(first.getLong("bytes")).isGreaterThan(50);
    assertThat(first.getDuration()).isPositive();
    assertThat(of("dev.berth.Pass", events)).isNotEmpty();
    assertThat(of("dev.berth.Event", events)).isNotEmpty();
  }

  @Test
  void nothingIsRecordedWhenOff() throws Exception {
    assertThat(record(false)).isEmpty();
    assertThat(FlightRecords.beginForce()).isNull();
    assertThat(FlightRecords.beginReconcile()).isNull();
  }
}
