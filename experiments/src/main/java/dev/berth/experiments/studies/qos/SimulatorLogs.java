package dev.berth.experiments.studies.qos;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The logs of the simulator of the QoS-driven scheduling paper: fields separated by blanks. Times
 * are seconds since the start.
 *
 * <p>A task is in service while it is on a host, less the overhead of every placement but the
 * first: so says their own Termination log.
 */
record SimulatorLogs(LogFolder logs, Requests requests) {

  private static final List<String> ALLOCATION =
      List.of("time", "task", "host", "cpu", "ram", "index", "overhead");
  private static final List<String> PREEMPTION = List.of("time", "task", "host");
  private static final List<String> TERMINATION =
      List.of("time", "task", "host", "cpu", "ram", "run time", "index");

  private static final int TIME = 0;
  private static final int TASK = 1;
  private static final int OVERHEAD = 6;

  private enum Kind {
    /** Before placements: a preempted task is placed again in a later pass. */
    PREEMPTION,
    TERMINATION,
    PLACEMENT
  }

  /**
   * An entry of a log.
   *
   * @param overhead of a placement, in nanoseconds
   */
  private record Event(long at, Kind kind, Field task, long overhead) {}

  /** The life of a task. */
  private static final class Life {

    private static final long NOWHERE = -1;

    private long placedAt = NOWHERE;
    private long overhead;
    private boolean wasPlaced;
    private long service;
    private int preemptions;
    private final long until;
    private long end;

    Life(long until) {
      this.until = until;
      this.end = until;
    }

    boolean isPlaced() {
      return placedAt != NOWHERE;
    }

    void placed(Event event) {
      placedAt = event.at;
      overhead = wasPlaced ? event.overhead : 0;
      wasPlaced = true;
    }

    void left(long at) {
      // Their log subtracts an overhead that is not over, too. The lower bound prevents an
      // overflow; later service cannot make up for it.
      service = Math.max(-until, service + at - placedAt - overhead);
      placedAt = NOWHERE;
    }
  }

  /**
   * Reads the logs.
   *
   * @param until when availability is taken, in nanoseconds after the start
   * @throws InputException if a log is missing, cannot be read or breaks a rule
   */
  static ReplicationAccount read(LogFolder logs, Requests requests, long until) {
    return new SimulatorLogs(logs, requests).read(until);
  }

  private ReplicationAccount read(long until) {
    List<Event> events = new ArrayList<>();
    events.addAll(
        events(
            logs.require(
                "Allocation_.*", "waiting.dat of Kubernetes, or Allocation_Infra_Manager_1.dat"),
            Kind.PLACEMENT));
    events.addAll(
        events(logs.require("Preemption_.*", "Preemption_Infra_Manager_1.dat"), Kind.PREEMPTION));
    events.addAll(
        events(
            logs.require("Termination_.*", "Termination_Infra_Manager_1.dat"), Kind.TERMINATION));
    logs.requireUntil(events.stream().mapToLong(Event::at).max().orElse(0), until);
    events.removeIf(each -> each.at > until);
    events.sort(Comparator.comparingLong(Event::at).thenComparing(Event::kind)); // stable

    Map<String, Life> lives = new HashMap<>();
    requests.byId().keySet().forEach(id -> lives.put(id, new Life(until)));
    events.forEach(each -> happen(each, lives));
    ReplicationAccount account = new ReplicationAccount(PublishedRun.Source.SIMULATOR, requests);
    requests.byId().forEach((id, known) -> addTo(account, known, life(lives, id), until));
    account.placements(events.stream().filter(each -> each.kind == Kind.PLACEMENT).count());
    return account;
  }

  private static void addTo(
      ReplicationAccount account, Requests.Known known, Life life, long until) {
    if (life.isPlaced()) {
      life.left(until);
    }
    if (life.end > known.admitted()) {
      account.add(
          known.serviceClass(),
          Math.max(0, life.service),
          life.end - known.admitted(),
          life.preemptions);
    }
  }

  private static void happen(Event event, Map<String, Life> lives) {
    Life life = life(lives, event.task.text());
    if (event.kind == Kind.PLACEMENT) {
      event.task.refuseIf(life.isPlaced(), "must leave its host before it is placed again");
      life.placed(event);
      return;
    }
    event.task.refuseIf(!life.isPlaced(), "must be on a host, as it leaves one");
    life.left(event.at);
    if (event.kind == Kind.PREEMPTION) {
      life.preemptions++;
    } else {
      life.end = event.at;
    }
  }

  private static Life life(Map<String, Life> lives, String task) {
    Life life = lives.get(task);
    checkState(life != null, "task %s is unknown.", task);
    return life;
  }

  private List<Event> events(Input log, Kind kind) {
    List<Event> events = new ArrayList<>();
    try (Lines lines = log.open()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        events.add(event(lines.location(), line, kind));
      }
    }
    return events;
  }

  private Event event(SourceLocation location, String line, Kind kind) {
    List<String> columns =
        switch (kind) {
          case PLACEMENT -> ALLOCATION;
          case PREEMPTION -> PREEMPTION;
          case TERMINATION -> TERMINATION;
        };
    List<String> cells = List.of(line.split("\\s+"));
    int least = kind == Kind.PLACEMENT ? OVERHEAD : columns.size();
    if (cells.size() < least || cells.size() > columns.size()) {
      throw location.error(
          "has %s fields, must have %s: %s"
              .formatted(cells.size(), columns.size(), String.join(" ", columns)));
    }
    Field task = new Field(location, columns.get(TASK), cells.get(TASK));
    Requests.Known known =
        requests
            .find(task.required())
            .orElseThrow(
                () ->
                    task.error(
                        "must be a request of workload %s".formatted(requests.workload()),
                        Optional.of("name the workload of these logs with --workload FILE")));
    Field time = new Field(location, columns.get(TIME), cells.get(TIME));
    long at = time.nanos();
    time.refuseIf(at < known.admitted(), "must not be before the request is admitted");
    boolean hasOverhead = kind == Kind.PLACEMENT && cells.size() > OVERHEAD;
    return new Event(
        at,
        kind,
        task,
        hasOverhead ? new Field(location, columns.get(OVERHEAD), cells.get(OVERHEAD)).nanos() : 0);
  }
}
