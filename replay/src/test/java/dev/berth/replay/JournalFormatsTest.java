package dev.berth.replay;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Attempt;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.runtime.Replay;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.ReadResult;
import dev.berth.traces.Readers;
import dev.berth.traces.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal of a scheduler as a workload, an infrastructure and host events. */
class JournalFormatsTest {

  private static final long SECOND = 1_000_000_000;
  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(2).build();

  @TempDir private Path directory;

  @BeforeEach
  void record() throws IOException {
    try (FileJournal journal = FileJournal.open(directory)) {
      Scheduler scheduler = open(journal);
      apply(journal, scheduler, 100, new Event.HostAdded(host("h1")));
      apply(journal, scheduler, 100, new Event.LimitSet("maple", 2));
      apply(journal, scheduler, 101, new Event.Submitted(request("a", "gold")));
      apply(journal, scheduler, 102, new Event.Submitted(request("b", "bronze")));
      pass(journal, scheduler, 103);
      apply(journal, scheduler, 104, new Event.Started(new Attempt("a", 1), OptionalLong.empty()));
      apply(journal, scheduler, 105, new Event.Started(new Attempt("b", 1), OptionalLong.empty()));
      apply(journal, scheduler, 106, new Event.HostAdded(host("h2")));
      apply(journal, scheduler, 107, new Event.Submitted(request("c", "bronze")));
      apply(
          journal,
          scheduler,
          110,
          new Event.Completed(new Attempt("a", 1), Optional.empty(), OptionalLong.empty()));
      apply(
          journal,
          scheduler,
          111,
          new Event.HostChanged(host("h1").withTaints(Taint.noNew("disk", "full"))));
      apply(journal, scheduler, 112, new Event.HostCordoned("h2"));
      apply(journal, scheduler, 115, new Event.HostRemoved("h1"));
    }
  }

  private static Scheduler open(FileJournal journal) throws IOException {
    Scheduler scheduler =
        Scheduler.builder().policy("qos-driven").serviceClasses(GOLD, BRONZE).seed(3).build();
    journal.append(
        EntryFormat.toBytes(new Entry.Opened(Settings.of(scheduler, PolicyRegistry.load()))));
    return scheduler;
  }

  private static void apply(FileJournal journal, Scheduler scheduler, long second, Event<?> input)
      throws IOException {
    journal.append(EntryFormat.toBytes(new Entry.Applied(second * SECOND, input)));
    assertThat(scheduler.apply(input, second * SECOND)).isNotNull();
  }

  private static void pass(FileJournal journal, Scheduler scheduler, long second)
      throws IOException {
    journal.append(
        EntryFormat.toBytes(Entry.Passed.of(scheduler.schedule(second * SECOND), scheduler)));
  }

  private static HostSpec host(String id) {
    return new HostSpec(id, Resources.of(CPU, 2));
  }

  private static Request request(String id, String serviceClass) {
    return Request.builder(id, serviceClass).demand(Resources.of(CPU, 1)).build();
  }

  private String location() {
    return "journal:" + directory;
  }

  @Test
  void requestsHaveTheServiceThatTheyReceived() {
    assertThat(arrivals(location())).containsExactly("a at 1 for 6", "b at 2 for 10");
    assertThat(Readers.workload(location(), List.of(GOLD, BRONZE)).report().skipped())
        .containsEntry(JournalRecording.NEVER_RAN, 1L);
  }

  private static List<String> arrivals(String location) {
    List<String> arrivals = new ArrayList<>();
    try (ArrivalSource source = Readers.workload(location, List.of(GOLD, BRONZE)).open()) {
      while (source.hasNext()) {
        Arrival arrival = source.next();
        arrivals.add(
            "%s at %s for %s"
                .formatted(
                    arrival.request().id(), arrival.at() / SECOND, arrival.serviceTime() / SECOND));
      }
    }
    return arrivals;
  }

  @Test
  void hostsJoinAndLeaveAsTheyDid() {
    assertThat(Readers.infrastructure(location()).hosts())
        .extracting(HostSpec::id)
        .containsExactly("h1", "h2");
    assertThat(Readers.hostEvents(location()))
        .containsExactly(
            new HostEvent.Fails(0, "h2"),
            new HostEvent.LimitSet(0, "maple", 2),
            new HostEvent.Recovers(6 * SECOND, "h2"),
            new HostEvent.Tainted(11 * SECOND, "h1", List.of(Taint.noNew("disk", "full"))),
            new HostEvent.Fails(15 * SECOND, "h1"));
  }

  @Test
  void hasTheServiceClassesOfItsScheduler() {
    FileWorkload workload =
        Readers.workloadWithOwnClasses(
            location(), List.of(ServiceClass.builder("other").build()), ReadOptions.STRICT);

    assertThat(workload.serviceClasses()).containsExactly(GOLD, BRONZE);
    assertThat(Readers.hasHosts(location())).isTrue();
  }

  @Test
  void aJournalWithoutChangesOfHostsHasNoEvents() throws IOException {
    Path other = directory.resolve("other");
    try (FileJournal journal = FileJournal.open(other)) {
      Scheduler scheduler = open(journal);
      apply(journal, scheduler, 100, new Event.HostAdded(host("h1")));
      apply(journal, scheduler, 101, new Event.Submitted(request("a", "gold")));
    }

    assertThat(Readers.hostEvents("journal:" + other)).isEmpty();
  }

  @Test
  void aHostThatReturnsHasItsNewTaints() throws IOException {
    Path other = directory.resolve("other");
    HostSpec changed = new HostSpec("h1", Resources.of(CPU, 3)).withTaints(Taint.noNew("a", "b"));
    try (FileJournal journal = FileJournal.open(other)) {
      Scheduler scheduler = open(journal);
      apply(journal, scheduler, 100, new Event.HostAdded(host("h1")));
      apply(journal, scheduler, 105, new Event.HostRemoved("h1"));
      apply(journal, scheduler, 107, new Event.HostAdded(changed));
    }

    ReadResult<List<HostEvent>> read = Readers.hostEvents("journal:" + other, ReadOptions.STRICT);
    assertThat(read.value())
        .containsExactly(
            new HostEvent.Fails(5 * SECOND, "h1"),
            new HostEvent.Recovers(7 * SECOND, "h1"),
            new HostEvent.Tainted(7 * SECOND, "h1", changed.taints()));
    assertThat(read.report().skipped()).containsEntry(JournalRecording.CHANGE, 1L);
  }

  @Test
  void aComparisonWithTheFleetEndsAndAdoptsRequests() throws IOException {
    Path other = directory.resolve("other");
    try (FileJournal journal = FileJournal.open(other)) {
      Scheduler scheduler = open(journal);
      apply(journal, scheduler, 100, new Event.HostAdded(host("h1")));
      apply(journal, scheduler, 100, new Event.Submitted(request("a", "gold")));
      pass(journal, scheduler, 100);
      apply(journal, scheduler, 102, new Event.Started(new Attempt("a", 1), OptionalLong.empty()));
      apply(
          journal,
          scheduler,
          110,
          new Event.Reconciled(
              new Observation(
                  List.of(new ObservedHost(host("h1"))),
                  List.of(new ObservedInstance("b", "h1", InstanceState.RUNNING))),
              List.of(new Adoption(request("b", "bronze"), History.since(110 * SECOND))),
              List.of("a")));
      apply(
          journal,
          scheduler,
          115,
          new Event.Completed(new Attempt("b", 1), Optional.empty(), OptionalLong.empty()));
    }

    assertThat(arrivals("journal:" + other)).containsExactly("a at 0 for 8", "b at 10 for 5");
  }

  /** A request that comes again with its history is one arrival, with all its service. */
  @Test
  void aRequestThatContinuesIsOneArrival() throws IOException {
    Path other = directory.resolve("other");
    try (FileJournal journal = FileJournal.open(other)) {
      Scheduler scheduler = open(journal);
      apply(journal, scheduler, 100, new Event.HostAdded(host("h1")));
      apply(journal, scheduler, 101, new Event.Submitted(request("a", "gold")));
      pass(journal, scheduler, 102);
      apply(journal, scheduler, 103, new Event.StartedNow("a"));
      History history = History.of(scheduler.instance("a").orElseThrow(), 107 * SECOND).preempted();
      apply(journal, scheduler, 107, new Event.Cancelled("a"));
      apply(
          journal, scheduler, 107, new Event.Submitted(request("a", "gold"), Optional.of(history)));
      History ofAnother = History.since(90 * SECOND).served(Duration.ofSeconds(5));
      apply(
          journal,
          scheduler,
          108,
          new Event.Submitted(request("b", "gold"), Optional.of(ofAnother)));
      pass(journal, scheduler, 108);
      apply(journal, scheduler, 110, new Event.StartedNow("a"));
      apply(journal, scheduler, 110, new Event.StartedNow("b"));
      apply(journal, scheduler, 112, new Event.CompletedNow("a", Optional.empty()));
      apply(journal, scheduler, 113, new Event.CompletedNow("b", Optional.empty()));
    }

    assertThat(arrivals("journal:" + other)).containsExactly("a at 1 for 6", "b at 8 for 8");
  }

  @Test
  void isRecognised() {
    assertThat(Readers.infrastructure(directory.toString()).hosts()).hasSize(2);
  }

  @Test
  void aReplayVerifiesAndStopsAtATime() throws IOException {
    Replay replay = Replay.of(JournalInspection.of(directory), PolicyRegistry.load());

    assertThat(replay.verify().passes()).isEqualTo(1);
    assertThat(replay.verify().inputs()).isEqualTo(12);
    assertThat(replay.begin()).hasValue(100 * SECOND);
    assertThat(replay.end()).hasValue(115 * SECOND);
    assertThat(replay.settings().policy()).isEqualTo("qos-driven");
    assertThat(replay.until(102 * SECOND).instanceCount()).isEqualTo(2);
    assertThat(replay.until(108 * SECOND).pendingCount()).isEqualTo(1);
  }

  @Test
  void refusesWhatIsNoJournal() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));

    assertThatThrownBy(() -> Readers.infrastructure("journal:" + empty))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("cannot be replayed");
  }
}
