package dev.berth.runtime.micrometer;

import dev.berth.api.InstanceState;
import dev.berth.core.WaitingStats;
import dev.berth.runtime.LoopStatus;
import dev.berth.runtime.Recovery;
import dev.berth.runtime.SchedulerLoop;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one loop in one registry. */
final class Binding {

  private static final String WAITING = "berth.waiting";
  private static final String HOSTS = "berth.hosts";
  private static final String OTHER = "other";
  private static final LoopStatus.Waits NO_WAITS = new LoopStatus.Waits(0, Duration.ZERO, Map.of());
  private static final long BURST = TimeUnit.MILLISECONDS.toNanos(BerthMetrics.BURST_MILLIS);
  private static final long LONGEST_BURST = TimeUnit.SECONDS.toNanos(5);

  private final SchedulerLoop loop;
  private final Tags tags;
  private final MeterRegistry registry;
  private final LongSupplier nanoTime;

  // Guarded by this
  private LoopStatus status;
  private long statusAt;
  private long readAt;
  private Set<Row> shown = Set.of(); // rows that have a gauge since before the status
  private final Set<Row> rows = new HashSet<>();

  private final Queue<Meter> bound = new ConcurrentLinkedQueue<>();

  /** A gauge of a number of instances or hosts. */
  private record Row(String name, String serviceClass, String key) {}

  Binding(SchedulerLoop loop, Tags tags, MeterRegistry registry, LongSupplier nanoTime) {
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.statusAt = nanoTime.getAsLong();
    this.readAt = statusAt;
    this.tags = tags;
    this.registry = registry;
    this.status = loop.status();
  }

  // ---- Reading

  /** Returns the status that the readings of one burst share. */
  private LoopStatus read() {
    List<Row> added;
    LoopStatus current;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      boolean isNewBurst = now - readAt > BURST || now - statusAt > LONGEST_BURST;
      if (!isNewBurst) {
        readAt = now;
        return status;
      }
      status = loop.status();
      statusAt = nanoTime.getAsLong();
      readAt = statusAt;
      shown = Set.copyOf(rows);
      added = newRows(status);
      current = status;
    }
    added.forEach(this::register); // without the lock: the registry has locks of its own
    return current;
  }

  /** Notes the rows of a status that have no gauge yet. */
  private synchronized List<Row> newRows(LoopStatus of) {
    List<Row> added = new ArrayList<>();
    of.waiting()
        .forEach(
            (name, reasons) ->
                reasons.keySet().forEach(each -> addRow(new Row(WAITING, name, each), added)));
    of.hosts().keySet().forEach(each -> addRow(new Row(HOSTS, "", each), added));
    return added;
  }

  private synchronized void addRow(Row row, List<Row> added) {
    long present = rows.stream().filter(each -> each.name().equals(row.name())).count();
    if (present < BerthMetrics.MOST_ROWS && rows.add(row)) {
      added.add(row);
    }
  }

  private synchronized double value(Row row) {
    Map<String, Integer> counts =
        row.name().equals(HOSTS)
            ? status.hosts()
            : status.waiting().getOrDefault(row.serviceClass(), Map.of());
    if (!row.key().equals(OTHER)) {
      return shown.contains(row) ? counts.getOrDefault(row.key(), 0) : 0;
    }
    int rest = 0;
    for (Map.Entry<String, Integer> each : counts.entrySet()) {
      boolean has = shown.contains(new Row(row.name(), row.serviceClass(), each.getKey()));
      rest += has && !each.getKey().equals(OTHER) ? 0 : each.getValue();
    }
    return rest;
  }

  // ---- Registering

  /** Removes the meters. */
  void remove() {
    for (Meter each = bound.poll(); each != null; each = bound.poll()) {
      registry.remove(each);
    }
  }

  void register() {
    general();
    instances();
    passes();
    actions();
    if (status.journal().isPresent()) {
      journal();
    }
    counter(
        "berth.reconciliations", "Comparisons with the fleet", it -> it.reconciliations().count());
    counter(
        "berth.differences",
        "Differences that comparisons with the fleet found and corrected",
        it -> it.reconciliations().differences());
    gauge(
        "berth.passes.held",
        "Whether no pass runs until the next comparison with the fleet",
        it -> it.reconciliations().holdsPasses() ? 1 : 0);
  }

  private void general() {
    gauge(
        "berth.up",
        "Whether the loop runs or drains",
        it ->
            it.phase() == LoopStatus.Phase.RUNNING || it.phase() == LoopStatus.Phase.DRAINING
                ? 1
                : 0);
    timeGauge(
        "berth.status.age",
        "Age of the figures",
        it -> {
          Duration age = Duration.between(it.taken(), Instant.now());
          return age.isNegative() ? Duration.ZERO : age;
        });
    gauge(
        "berth.inputs.queued",
        tags,
        null,
        "Inputs in the queue",
        it -> it.loop.waitingInputs()); // even if it hangs
    counter(
        "berth.inputs.overloaded",
        "Inputs that found the queue full",
        it -> it.inputs().overloaded());
    gauge("berth.inputs.capacity", "Most inputs in the queue", it -> it.inputs().capacity());
    counter("berth.inputs", "Inputs that were taken from the queue", it -> it.inputs().applied());
    counter(
        "berth.inputs.refused",
        "Inputs that the scheduler refused, other than stale reports",
        it -> it.inputs().refused());
  }

  private void instances() {
    List<Row> first = new ArrayList<>();
    synchronized (this) {
      for (String each : status.waiting().keySet()) {
        for (String reason : List.of(WaitingStats.UNDECIDED, WaitingStats.NO_ROOM, OTHER)) {
          addRow(new Row(WAITING, each, reason), first);
        }
      }
      addRow(new Row(HOSTS, "", "open"), first);
      addRow(new Row(HOSTS, "", OTHER), first);
      first.addAll(newRows(status));
      shown = Set.copyOf(rows);
    }
    first.forEach(this::register);
    timeGauge(
        "berth.waiting.longest",
        "Longest time that an instance has been pending",
        it -> it.longestWait().orElse(Duration.ZERO));
    for (String each : status.instances().keySet()) {
      for (InstanceState state : InstanceState.values()) {
        if (state != InstanceState.DONE) {
          gauge(
              "berth.instances",
              tags.and("class", each, "state", state.name().toLowerCase(Locale.ROOT)),
              null,
              "Instances that are not done",
              it -> it.read().instances().getOrDefault(each, Map.of()).getOrDefault(state, 0));
        }
      }
      gauge(
          "berth.slo.fulfilment",
          tags.and("class", each),
          null,
          "Share of the instances whose availability so far meets the objective",
          it -> it.read().fulfilment().getOrDefault(each, Double.NaN));
    }
  }

  private void register(Row row) {
    boolean isOfHosts = row.name().equals(HOSTS);
    gauge(
        row.name(),
        isOfHosts
            ? tags.and("state", row.key())
            : tags.and("class", row.serviceClass(), "reason", row.key()),
        isOfHosts ? "hosts" : "instances",
        isOfHosts ? "Hosts by state" : "Pending instances by class and reason",
        it -> {
          it.read();
          return it.value(row);
        });
  }

  private void passes() {
    counter("berth.passes", "Passes that succeeded", it -> it.passes().count());
    counter("berth.passes.failed", "Passes that failed", it -> it.passes().failed());
    timer(
        "berth.pass.duration",
        "Duration of the passes that succeeded",
        it -> it.passes().count(),
        it -> it.passes().time());
    timeGauge(
        "berth.pass.duration.recent.max",
        "Longest of the last 20 passes",
        it ->
            it.passes().latest().stream()
                .map(LoopStatus.Pass::time)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO));
    counter("berth.decisions", "Actions in all plans", it -> it.passes().decisions());
    for (String each : status.passes().preemptions().keySet()) {
      counter(
          "berth.preemptions",
          tags.and("class", each),
          "Preemptions by the class of the victim",
          it -> it.passes().preemptions().getOrDefault(each, 0L));
      firstWaits(each);
    }
  }

  /** Registers the histogram of a class, with the label by which Prometheus knows its bounds. */
  private void firstWaits(String serviceClass) {
    Tags ofClass = tags.and("class", serviceClass);
    Function<LoopStatus, LoopStatus.Waits> waits =
        it -> it.passes().firstWaits().getOrDefault(serviceClass, NO_WAITS);
    timer(
        "berth.wait",
        ofClass,
        "Waits from admission until the first placement",
        it -> waits.apply(it).count(),
        it -> waits.apply(it).total());
    for (Duration each : LoopStatus.Waits.BOUNDS) {
      counter(
          "berth.wait.within",
          ofClass.and("le", Double.toString(each.toNanos() / 1e9)),
          "Waits from admission until the first placement that were no longer than le, in seconds",
          it -> waits.apply(it).within().getOrDefault(each, 0L));
    }
    counter(
        "berth.wait.within",
        ofClass.and("le", "+Inf"),
        "Waits from admission until the first placement that were no longer than le, in seconds",
        it -> waits.apply(it).count());
  }

  private void actions() {
    gauge("berth.actions.open", "Actions that are not carried out yet", it -> it.actions().open());
    gauge(
        "berth.actions.underway",
        "Actions that the fleet is carrying out",
        it -> it.actions().underWay());
    counter("berth.actions.attempts", "Attempts to carry out actions", it -> it.actions().begun());
    counter(
        "berth.actions.retried",
        "Attempts that repeated an earlier one",
        it -> it.actions().retried());
    counter("berth.actions.timedout", "Attempts that took too long", it -> it.actions().timedOut());
    counter(
        "berth.actions.rejected",
        "Actions that could not be carried out, and were undone",
        it -> it.actions().rejected());
  }

  private void journal() {
    gauge(
        "berth.journal.size",
        tags,
        "bytes",
        "Size of the records and snapshots",
        it -> it.read().journal().map(LoopStatus.JournalUse::bytes).orElse(0L));
    timer(
        "berth.journal.force",
        "Waits for the disk",
        it -> it.journal().map(LoopStatus.JournalUse::forces).orElse(0L),
        it -> it.journal().map(LoopStatus.JournalUse::forceTime).orElse(Duration.ZERO));
    timeGauge(
        "berth.journal.force.longest",
        "Longest wait for the disk since the start",
        it -> it.journal().map(LoopStatus.JournalUse::longestForce).orElse(Duration.ZERO));
    counter(
        "berth.snapshots.failed",
        "Snapshots that were not saved; each is tried again later",
        it -> it.journal().map(LoopStatus.JournalUse::failedSnapshots).orElse(0L));
    Recovery recovery = loop.recovery();
    timeGauge("berth.recovery.time", "Time of the recovery at the start", it -> recovery.time());
    gauge(
        "berth.recovery.inputs",
        "Inputs that were applied again at the start",
        it -> recovery.inputs());
    gauge("berth.recovery.passes", "Passes that ran again at the start", it -> recovery.passes());
    gauge(
        "berth.recovery.actions",
        "Actions that were under way before the start",
        it -> recovery.underWay());
  }

  private void gauge(String name, String description, ToDoubleFunction<LoopStatus> of) {
    gauge(name, tags, null, description, it -> of.applyAsDouble(it.read()));
  }

  private void gauge(
      String name,
      Tags with,
      @Nullable String unit,
      String description,
      ToDoubleFunction<Binding> value) {
    bound.add(
        Gauge.builder(name, this, value)
            .tags(with)
            .baseUnit(unit)
            .description(description)
            .strongReference(
                true) // of all meters: those without it live as long as one that has it
            .register(registry));
  }

  private void timeGauge(String name, String description, Function<LoopStatus, Duration> of) {
    bound.add(
        TimeGauge.builder(
                name, this, TimeUnit.NANOSECONDS, it -> (double) of.apply(it.read()).toNanos())
            .tags(tags)
            .description(description)
            .strongReference(true)
            .register(registry));
  }

  private void counter(String name, String description, ToLongFunction<LoopStatus> of) {
    counter(name, tags, description, of);
  }

  private void counter(String name, Tags with, String description, ToLongFunction<LoopStatus> of) {
    bound.add(
        FunctionCounter.builder(name, this, it -> of.applyAsLong(it.read()))
            .tags(with)
            .description(description)
            .register(registry));
  }

  private void timer(
      String name,
      String description,
      ToLongFunction<LoopStatus> count,
      Function<LoopStatus, Duration> total) {
    timer(name, tags, description, count, total);
  }

  /** Returns nanoseconds; a sum of waits may be longer than a long has of these. */
  private static double nanos(Duration time) {
    return time.getSeconds() * 1e9 + time.getNano();
  }

  private void timer(
      String name,
      Tags with,
      String description,
      ToLongFunction<LoopStatus> count,
      Function<LoopStatus, Duration> total) {
    bound.add(
        FunctionTimer.builder(
                name,
                this,
                it -> count.applyAsLong(it.read()),
                it -> nanos(total.apply(it.read())),
                TimeUnit.NANOSECONDS)
            .tags(with)
            .description(description)
            .register(registry));
  }
}
