package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.StaleReportException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The passes and events of a scheduler in a recording of JFR. */
@Isolated // a recording sees the schedulers of all threads
class FlightRecordsTest {

  private static final String PASS = "dev.berth.Pass";
  private static final String EVENT = "dev.berth.Event";

  @TempDir private Path directory;

  /** Some work, which the calling thread does. */
  private interface Work {
    void run();
  }

  private List<RecordedEvent> record(Work work, String... enabled) throws IOException {
    Path file = directory.resolve("some.jfr");
    try (Recording recording = new Recording()) {
      recording.disable(PASS);
      recording.disable(EVENT);
      for (String each : enabled) {
        recording.enable(each).withoutThreshold();
      }
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    String thread = Thread.currentThread().getName();
    return RecordingFile.readAllEvents(file).stream()
        .filter(each -> each.getEventType().getName().startsWith("dev.berth."))
        .filter(each -> each.getThread() != null && thread.equals(each.getThread().getJavaName()))
        .toList();
  }

  private static void somePasses() {
    Cluster cluster = Cluster.of(parts -> parts).at(1).host("h1", 2);
    cluster.pending("a", 1).pending("b", 1).pending("c", 1);
    cluster.pass();
    cluster.at(2).pass();
  }

  @Test
  void passesHaveTheirFigures() throws IOException {
    List<RecordedEvent> passes = record(FlightRecordsTest::somePasses, PASS);

    assertThat(passes)
        .extracting(
            each -> each.getEventType().getName(),
            each -> each.getLong("number"),
            each -> each.getInt("decisions"),
            each -> each.getInt("waiting"),
            each -> each.getInt("hosts"),
            each -> each.getBoolean("failed"))
        .containsExactly(tuple(PASS, 1L, 2, 1, 1, false), tuple(PASS, 2L, 0, 1, 1, false));
    assertThat(passes).allMatch(each -> each.getDuration().toNanos() > 0);
  }

  @Test
  void failedPassesAreMarked() throws IOException {
    Cluster cluster = Cluster.byHand().host("h1", 1);
    List<RecordedEvent> passes =
        record(
            () ->
                assertThatExceptionOfType(PolicyFailedException.class)
                    .isThrownBy(
                        () ->
                            cluster.pass(
                                pass -> {
                                  throw new IllegalStateException("given");
                                })),
            PASS);

    assertThat(passes)
        .extracting(each -> each.getLong("number"), each -> each.getBoolean("failed"))
        .containsExactly(tuple(1L, true));
  }

  @Test
  void eventsHaveTheirKindAndWhetherTheyWereRefused() throws IOException {
    List<RecordedEvent> events =
        record(
            () -> {
              Cluster cluster = Cluster.of(parts -> parts).at(1).host("h1", 2).pending("a", 1);
              Scheduler scheduler = cluster.scheduler();
              cluster.pass();
              scheduler.started("a", cluster.now());
              scheduler.cordon("h1", cluster.now());
              assertThatExceptionOfType(EventRefusedException.class)
                  .isThrownBy(() -> scheduler.cancel("nothing", cluster.now()));
              assertThatExceptionOfType(StaleReportException.class)
                  .isThrownBy(
                      () ->
                          scheduler.started(
                              new dev.berth.api.plan.Attempt("a", 1),
                              cluster.now(),
                              cluster.now()));
              scheduler.completed("a", cluster.now());
            },
            EVENT);

    assertThat(events)
        .extracting(each -> each.getString("kind"), each -> each.getBoolean("refused"))
        .containsExactly(
            tuple("addHost", false),
            tuple("submit", false),
            tuple("started", false),
            tuple("cordon", false),
            tuple("cancel", true),
            tuple("started", true),
            tuple("completed", false));
  }

  @Test
  void nothingIsRecordedWhenOff() throws IOException {
    assertThat(record(FlightRecordsTest::somePasses)).isEmpty();
    assertThat(record(FlightRecordsTest::somePasses, EVENT)).noneMatch(each -> isOf(PASS, each));
    assertThat(FlightRecords.beginPass()).isNull();
    assertThat(FlightRecords.beginEvent()).isNull();
  }

  private static boolean isOf(String name, RecordedEvent event) {
    return event.getEventType().getName().equals(name);
  }

  @Test
  void typesAndFieldsAreDescribed() throws IOException {
    assertThat(record(FlightRecordsTest::somePasses, PASS, EVENT))
        .isNotEmpty()
        .allMatch(each -> each.getStackTrace() == null);
    // By class: that of a name may have been loaded again, by FaultInjectionTest.
    EventType pass = EventType.getEventType(PassRecord.class);
    EventType event = EventType.getEventType(EventRecord.class);
    assertThat(pass.getName()).isEqualTo(PASS);
    assertThat(event.getName()).isEqualTo(EVENT);
    for (EventType each : List.of(pass, event)) {
      assertThat(each.getCategoryNames()).containsExactly("Berth");
      assertThat(each.getLabel()).isNotBlank();
      assertThat(each.getDescription()).isNotBlank();
    }
  }

  @Test
  void recordedCallsAnswerAsOthers() throws IOException {
    record(
        () -> {
          Cluster cluster = Cluster.of(parts -> parts).host("h1", 2).pending("a", 1);
          assertThat(cluster.pass().placements()).hasSize(1);
          assertThat(cluster.started("a").completed("a").id()).isEqualTo("a");
        },
        PASS,
        EVENT);
  }
}
