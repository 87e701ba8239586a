package dev.berth.simulator;

import dev.berth.api.Action;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.simulator.EventQueue.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workload on an infrastructure under a policy, in virtual time.
 *
 * <pre>{@code
 * Scenario scenario = BuiltInWorkloads.validation1(42, BuiltInWorkloads.PERIOD);
 * try (Simulation simulation =
 *     Simulation.builder()
 *         .scenario(scenario)
 *         .scheduler(Scheduler.builder().policy("qos-driven").watchdog(BuiltInWorkloads.PERIOD))
 *         .seed(42)
 *         .build()) {
 *   RunResult result = simulation.run();
 * }
 * }</pre>
 *
 * <p><b>What happens.</b> Time jumps from instant to instant. At each, all events are delivered to
 * the scheduler, in a fixed order: completions, instances getting ready, host failures, host
 * recoveries, arrivals. Then, if the scheduler says that a pass is due, there is one; so a pass
 * sees everything that happened by its time, and what completes at that instant has freed its host.
 * A placed instance is ready after the {@linkplain Overheads overhead} of the placement. It then
 * works, as fast as the {@linkplain ExecutionModel execution model} says, and keeps what it has
 * done when it is paused, suspended, migrated, preempted or loses its host. One that is resumed or
 * migrated is ready after the time that {@linkplain TransferCost moving its memory} takes; one that
 * was only paused, at once. Hosts that a plan asks for come up, and those it gives back go, as the
 * {@link Provider} lets them; one is not stopped before whoever was moved off it has left. Running
 * instances whose need of memory changes have what they use {@linkplain Builder#usageReports
 * reported} to the scheduler in regular intervals. A failed host's instances are pending again; the
 * host comes back with the same description and with its images: what was ready there before is
 * still hot.
 *
 * <p><b>Where it ends.</b> After all that happens at the {@linkplain Builder#until end} that was
 * set, a pass included; or earlier, when every request is done and no host of a pool is left.
 * Without an end it also stops when only passes of the watchdog are left to happen and one has
 * decided nothing: what still waits then waits for ever. (A policy that lets requests wait for a
 * time of its own choosing {@linkplain dev.berth.api.policy.SchedulingPass#wakeAt says so}, or
 * needs an end; one that may go on preempting instances before they are ready, or asking for hosts
 * that never come up, needs an end, too.) Requests that are not done are accounted for at the end.
 *
 * <p><b>Memory</b> follows the requests that are live at one time, not those of the whole workload.
 *
 * <p><b>Checks.</b> The simulator keeps its own account of every instance and compares it with the
 * scheduler's when the instance completes and at the end; a difference is an error in Berth and
 * throws {@link IllegalStateException}.
 *
 * <p>Not thread-safe. Several simulations may run side by side.
 */
public final class Simulation implements AutoCloseable {

  /** A century: sums of a few such times can still be counted. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final long REPORT_EVERY_INSTANTS = 1 << 12;
  private static final double REPORT_EVERY_FRACTION = 0.001;

  private final Workload workload;
  private final Infrastructure infrastructure;
  private final Scheduler scheduler;
  private final OptionalLong until;
  private final ExecutionEngine fleet;
  private final Provisioner supply;
  private final @Nullable Consumer<? super BagReport> bags;
  private final long seed;
  private final long apart; // passes, at least
  private final HostSchedule hostSchedule;
  private final @Nullable Progress progress;
  private final @Nullable StateListener samples;
  private final long sampleEvery;
  private final @Nullable Consumer<? super RequestOutcome> outcomes;

  private final EventQueue queue = new EventQueue();
  private final Map<String, Execution> live = new HashMap<>(); // by id; never iterated
  private final Map<String, ClassTally> tallies = new LinkedHashMap<>(); // most important first
  private @Nullable ArrivalSource arrivals;
  private final ArrayDeque<List<Arrival>> together = new ArrayDeque<>(); // read, not expected yet
  private @Nullable Arrival following; // read after those
  private long latestArrival; // of those that were read
  private boolean moreToArrive;
  private boolean closed;
  private @Nullable RunResult result;

  private long clock;
  private long sampledAt; // and not after
  private boolean lastPassWasEmpty;
  private long passedAt;
  private long admitted;
  private long completed;
  private long admittedAtEnd;
  private long happened;
  private long passes;
  private long placements;
  private long preemptions;
  private long refused;
  private long cancelled;
  private Adjustments adjustments = Adjustments.NONE;

  private long instantsSinceReport;
  private double reportedFraction;

  private Simulation(Builder builder) {
    this.workload = required(builder.workload, "workload");
    this.infrastructure = required(builder.infrastructure, "infrastructure");
    this.until = builder.until;
    this.seed = builder.seed;
    this.apart = builder.apart.toNanos();
    this.hostSchedule = HostSchedule.of(builder.hostEvents, infrastructure);
    this.progress = builder.progress;
    this.samples = builder.states;
    this.sampleEvery = builder.stateEvery;
    this.outcomes = builder.outcomes;
    this.scheduler =
        required(builder.scheduler, "scheduler")
            .serviceClasses(workload.serviceClasses())
            .seed(seed)
            .build();
    this.fleet =
        new ExecutionEngine(
            queue, scheduler, builder, infrastructure, this::execution, this::complete);
    this.supply = new Provisioner(queue, scheduler, builder, infrastructure, this::hostFails);
    this.bags = builder.bags;
    for (ServiceClass each : scheduler.serviceClasses()) {
      tallies.put(each.name(), new ClassTally(each));
    }
  }

  /** Starts a simulation. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs to the end; from the start, or from where {@link #runUntil} stopped.
   *
   * @return what it came to; the same if called again
   * @throws IllegalStateException if the simulation is closed, if the workload is out of order, or
   *     if a check fails
   */
  public RunResult run() {
    if (result == null) {
      advance(until.orElse(EventQueue.NEVER - 1));
      result = finish();
      close();
    }
    return result;
  }

  /**
   * Runs until everything that happens up to {@code time}, a pass at that instant included, has
   * happened, and leaves the {@link #scheduler} open to inspection. Can go on from there.
   *
   * @param time since the start; a time already reached does nothing
   * @throws IllegalArgumentException if it is beyond the end of the simulation
   * @throws IllegalStateException as {@link #run}
   */
  public void runUntil(Duration time) {
    long limit = nanos("time", time);
    if (until.isPresent() && limit > until.getAsLong()) {
      throw new IllegalArgumentException(
          "time was %s, must not be beyond the end of the simulation, %s."
              .formatted(
                  Durations.format(time), Durations.format(Duration.ofNanos(until.getAsLong()))));
    }
    if (result == null) {
      advance(limit);
    }
  }

  /** Returns the scheduler, in the state of the time reached. Look, do not touch. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Returns the time of the latest instant at which something happened. */
  public Duration now() {
    return Duration.ofNanos(clock);
  }

  /**
   * Returns how much has happened: arrivals, instances getting ready and completing, and whatever
   * else happens at an instant, each as one, and scheduling passes.
   */
  public long events() {
    return happened + passes;
  }

  /** Ends the reading of the workload. Harmless after {@link #run}, which does so itself. */
  @Override
  public void close() {
    closed = true;
    if (arrivals != null) {
      arrivals.close();
    }
  }

  // ---- Time

  private void advance(long limit) {
    if (closed) {
      throw new IllegalStateException("the simulation is closed.");
    }
    try {
      if (arrivals == null) {
        start();
      }
      runInstants(limit);
    } catch (RuntimeException | Error failure) {
      close(); // what was half done is not gone on with
      throw failure;
    }
  }

  private void runInstants(long limit) {
    while (!isOver()) {
      long instant = nextInstant();
      if (instant > limit) {
        break;
      }
      sampleUntil(instant - 1);
      clock = instant;
      for (var event = queue.pollDue(clock); event != null; event = queue.pollDue(clock)) {
        event.happen();
        happened++;
      }
      if (nextPassAt() <= clock) {
        pass();
      }
      fleet.slowDownTogether(clock);
      supply.sample(clock);
      report();
    }
  }

  private void start() {
    arrivals = workload.open();
    for (HostSpec host : infrastructure.hosts()) {
      scheduler.addHost(host, clock);
    }
    for (PoolSpec pool : infrastructure.pools()) {
      scheduler.offerPool(pool, clock);
    }
    for (HostEvent event : hostSchedule.events()) {
      if (event instanceof HostEvent.Fails) {
        queue.add(event.at(), Kind.HOST_FAILURE, () -> hostFails(event.hostId()));
      } else {
        queue.add(event.at(), Kind.HOST_RECOVERY, () -> hostRecovers(event.hostId()));
      }
    }
    expectArrival();
  }

  private boolean isOver() {
    if (live.isEmpty() && !moreToArrive && supply.isEmpty()) {
      return true;
    }
    return until.isEmpty()
        && queue.size() == 0
        && lastPassWasEmpty
        && !isPassOwed()
        && scheduler.nextTimerAt().isEmpty();
  }

  private long nextInstant() {
    return Math.min(queue.nextTime(), nextPassAt());
  }

  private long nextPassAt() {
    long due = scheduler.nextPassAt().orElse(EventQueue.NEVER);
    return due == EventQueue.NEVER || passes == 0 ? due : Math.max(due, passedAt + apart);
  }

  /** Returns whether a pass is due that only waits for the time between two. */
  private boolean isPassOwed() {
    return scheduler.nextPassAt().orElse(EventQueue.NEVER) <= clock;
  }

  // ---- Events

  private void expectArrival() {
    if (together.isEmpty()) {
      readTogether();
    }
    List<Arrival> submitted = together.poll();
    moreToArrive = submitted != null;
    if (submitted == null) {
      return;
    }
    Arrival first = submitted.get(0);
    if (first.bag().isEmpty()) {
      queue.add(first.at(), Kind.ARRIVAL, () -> arrive(first));
    } else {
      queue.add(first.at(), Kind.ARRIVAL, () -> arrive(first.bag().get(), submitted));
    }
  }

  /** Reads one arrival, or all of an instant as soon as one of them is in a bag. */
  private void readTogether() {
    Arrival first = nextArrival();
    if (first == null || first.bag().isEmpty()) {
      if (first != null) {
        together.add(List.of(first));
      }
      return;
    }
    Map<String, List<Arrival>> bags = new HashMap<>();
    Arrival each = first;
    for (; each != null && each.at() == first.at(); each = nextArrival()) {
      List<Arrival> members =
          each.bag()
              .map(bag -> bags.computeIfAbsent(bag.id(), id -> enqueue()))
              .orElseGet(this::enqueue);
      members.add(each);
    }
    following = each;
  }

  private List<Arrival> enqueue() {
    List<Arrival> submitted = new ArrayList<>();
    together.add(submitted);
    return submitted;
  }

  private @Nullable Arrival nextArrival() {
    Arrival kept = following;
    following = null;
    ArrivalSource source = Objects.requireNonNull(arrivals);
    if (kept != null || !source.hasNext()) {
      return kept;
    }
    Arrival next = source.next();
    if (next.at() < latestArrival) {
      throw new IllegalStateException(
          "workload %s: %s arrives at %s ns, after one at %s ns. Arrivals must be in order of time."
              .formatted(workload.name(), next.request(), next.at(), latestArrival));
    }
    latestArrival = next.at();
    return next;
  }

  private void arrive(Arrival arrival) {
    scheduler.submit(arrival.request(), clock);
    isLive(arrival);
    expectArrival();
  }

  private void arrive(Arrival.InBag bag, List<Arrival> members) {
    List<Request> requests = members.stream().map(Arrival::request).toList();
    scheduler.submit(new BagSpec(bag.id(), requests, bag.timeToLive()), clock);
    members.forEach(this::isLive);
    expectArrival();
  }

  private void isLive(Arrival arrival) {
    live.put(arrival.request().id(), new Execution(arrival, admitted));
    admitted++;
  }

  private void complete(Execution execution) {
    InstanceReport sli =
        execution.request().application().isEmpty()
            ? scheduler.completed(execution.id(), clock)
            : scheduler.completed(execution.id(), fleet.cpuTime(execution, clock), clock);
    live.remove(execution.id());
    completed++;
    account(execution, sli, RequestOutcome.End.COMPLETED);
  }

  private void hostFails(String hostId) {
    Host host =
        scheduler
            .host(hostId)
            .orElseThrow(() -> new IllegalStateException("host %s is gone.".formatted(hostId)));
    for (Instance each : host.instances()) {
      fleet.lose(execution(each.id()), clock);
    }
    fleet.gone(hostId);
    scheduler.removeHost(hostId, clock);
  }

  private void hostRecovers(String hostId) {
    scheduler.addHost(hostSchedule.host(hostId), clock);
  }

  // ---- Passes

  private void pass() {
    Plan plan = scheduler.schedule(clock);
    passes++;
    passedAt = clock;
    lastPassWasEmpty = plan.isEmpty();
    if (bags != null) {
      plan.endedBags().forEach(bags);
    }
    if (lastPassWasEmpty) {
      return;
    }
    List<Execution> placed = new ArrayList<>();
    for (Action action : plan.actions()) {
      adjustments = adjustments.plus(action);
      if (action instanceof Action.Provision provision) {
        supply.provision(provision, clock);
      } else if (action instanceof Action.Release release) {
        release(release);
      } else if (action instanceof Action.Cancel cancel) {
        cancel(cancel, plan);
      } else if (action instanceof Action.OnInstance onInstance) {
        carryOut(onInstance, placed);
      }
    }
    placed.forEach(each -> fleet.prepare(each, clock)); // it counts how many start together
  }

  private void carryOut(Action.OnInstance action, List<Execution> placed) {
    Execution execution = execution(action.instance());
    if (action instanceof Action.Reject) {
      refuse(execution);
    } else if (action instanceof Action.Place place) {
      fleet.place(execution, place, clock);
      placed.add(execution);
      placements++;
    } else {
      fleet.carryOut(execution, action, clock);
      preemptions += action instanceof Action.Preempt ? 1 : 0;
    }
  }

  private void release(Action.Release release) {
    fleet.gone(release.host());
    List<Execution> leaving = fleet.leaving(release.host());
    long left = clock;
    for (Execution each : leaving) {
      left = Math.max(left, fleet.readyAt(each));
    }
    if (supply.release(release, left, clock)) {
      for (Execution each : leaving) { // what was not copied yet is lost with the host
        if (fleet.readyAt(each) > clock) {
          queue.add(clock, Kind.HOST_FAILURE, () -> isLost(each));
        }
      }
    }
  }

  private void isLost(Execution execution) {
    fleet.drop(execution, clock);
    scheduler.failed(execution.id(), clock);
  }

  private void cancel(Action.Cancel cancel, Plan plan) {
    BagReport report =
        plan.endedBags().stream()
            .filter(each -> each.bag().equals(cancel.bag()) && !each.cancelled().isEmpty())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "bag %s is cancelled without a report.".formatted(cancel.bag())));
    for (InstanceReport each : report.cancelled()) {
      Execution execution = execution(each.id());
      fleet.drop(execution, clock);
      live.remove(each.id());
      cancelled++;
      account(execution, each, RequestOutcome.End.CANCELLED);
    }
  }

  private void refuse(Execution execution) {
    live.remove(execution.id());
    refused++;
    long life = clock - execution.admittedAt();
    ServiceClass serviceClass =
        Objects.requireNonNull(tallies.get(execution.request().serviceClass())).serviceClass();
    InstanceReport nothing =
        new InstanceReport(
            execution.id(), serviceClass, execution.admittedAt(), clock, 0, life, 0, 0, 0);
    account(execution, nothing, RequestOutcome.End.REFUSED);
  }

  private Execution execution(String id) {
    Execution execution = live.get(id);
    if (execution == null) {
      throw new IllegalStateException(
          "the scheduler acts on instance %s, which is not live.".formatted(id));
    }
    return execution;
  }

  // ---- Accounting

  private RunResult finish() {
    long unfinished = live.size();
    if (until.isPresent() && (unfinished > 0 || !supply.isEmpty())) {
      clock = until.getAsLong();
    }
    sampleUntil(clock - 1);
    sample(clock);
    for (Instance each : scheduler.instances()) {
      account(execution(each.id()), InstanceReport.of(each, clock), RequestOutcome.End.UNFINISHED);
    }
    if (progress != null) {
      progress.reached(now(), OptionalDouble.of(1));
    }
    return new RunResult(
        scheduler.policyId(),
        scheduler.policyConfig(),
        scheduler.watchdog(),
        workload.name(),
        infrastructure.name(),
        seed,
        now(),
        admitted,
        completed,
        unfinished,
        refused,
        cancelled,
        admittedAtEnd,
        passes,
        placements,
        preemptions,
        adjustments,
        supply.use(clock),
        tallies.values().stream().map(ClassTally::result).toList());
  }

  private void account(Execution execution, InstanceReport sli, RequestOutcome.End end) {
    execution.check(sli);
    RequestOutcome outcome = execution.outcome(end, sli);
    if (sli.availability().isEmpty()) {
      admittedAtEnd++;
    } else {
      tally(sli.serviceClass()).add(outcome);
    }
    if (outcomes != null) {
      outcomes.accept(outcome);
    }
  }

  private ClassTally tally(ServiceClass serviceClass) {
    return Objects.requireNonNull(tallies.get(serviceClass.name()), serviceClass.name());
  }

  // ---- Samples

  /** Nothing happens between two instants: what is true after one holds until the next. */
  private void sampleUntil(long latest) {
    while (samples != null && latest - sampledAt >= sampleEvery) {
      sample(sampledAt + sampleEvery);
    }
  }

  private void sample(long at) {
    if (samples != null) {
      samples.at(at, scheduler);
      sampledAt = at;
    }
  }

  // ---- Progress

  private void report() {
    if (progress == null) {
      return;
    }
    instantsSinceReport++;
    OptionalDouble fraction = fraction();
    boolean due =
        fraction.isPresent()
            ? fraction.getAsDouble() >= reportedFraction + REPORT_EVERY_FRACTION
            : instantsSinceReport >= REPORT_EVERY_INSTANTS;
    if (due) {
      instantsSinceReport = 0;
      reportedFraction = fraction.orElse(0);
      progress.reached(now(), fraction);
    }
  }

  private OptionalDouble fraction() {
    if (until.isPresent()) {
      return OptionalDouble.of(until.getAsLong() == 0 ? 1 : (double) clock / until.getAsLong());
    }
    OptionalLong size = workload.size();
    return size.isPresent() && size.getAsLong() > 0
        ? OptionalDouble.of(Math.min(1, (double) admitted / size.getAsLong()))
        : OptionalDouble.empty();
  }

  private static <T> T required(@Nullable T setting, String name) {
    if (setting == null) {
      throw new IllegalArgumentException("no %s was given.".formatted(name));
    }
    return setting;
  }

  private static long nanos(String what, Duration duration) {
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s was %s, must be from 0 to %s days.".formatted(what, duration, LONGEST.toDays()));
    }
    return duration.toNanos();
  }

  /** Collects the settings of a simulation; not thread-safe. */
  public static final class Builder {

    private @Nullable Workload workload;
    private @Nullable Infrastructure infrastructure;
    private Scheduler.@Nullable Builder scheduler;
    private OptionalLong until = OptionalLong.empty();
    Overheads overheads = Overheads.none();
    ExecutionModel model = ExecutionModel.BY_GRANT;
    TransferCost migrationCost = TransferCost.NONE;
    TransferCost resumeCost = TransferCost.NONE;
    Duration usageReports = Duration.ofSeconds(5);
    Duration loadReports = Duration.ofSeconds(15);
    Provider provider = Provider.reliable();
    @Nullable Consumer<? super FleetSample> samples;
    private @Nullable Consumer<? super BagReport> bags;
    long seed;
    private Duration apart = Duration.ZERO;
    private List<HostEvent> hostEvents = List.of();
    private @Nullable Progress progress;
    private @Nullable StateListener states;
    private long stateEvery;
    private @Nullable Consumer<? super RequestOutcome> outcomes;

    private Builder() {}

    /** Sets the requests. */
    public Builder workload(Workload workload) {
      this.workload = workload;
      return this;
    }

    /** Sets the hosts. */
    public Builder infrastructure(Infrastructure infrastructure) {
      this.infrastructure = infrastructure;
      return this;
    }

    /** Sets workload, infrastructure, end, overheads and the costs of moving memory at once. */
    public Builder scenario(Scenario scenario) {
      return workload(scenario.workload())
          .infrastructure(scenario.infrastructure())
          .until(scenario.until())
          .overheads(scenario.overheads())
          .migrationCost(scenario.migrationCost())
          .resumeCost(scenario.resumeCost());
    }

    /**
     * Sets what makes the scheduler: its policy is chosen, and whatever else is wanted is set. The
     * simulation adds the service classes of the workload and the seed.
     */
    public Builder scheduler(Scheduler.Builder scheduler) {
      this.scheduler = scheduler;
      return this;
    }

    /**
     * Sets the end; default none: the simulation runs until nothing can happen any more.
     *
     * @throws IllegalArgumentException if negative or beyond a century
     */
    public Builder until(Duration end) {
      this.until = OptionalLong.of(nanos("end", end));
      return this;
    }

    /** Sets what preparing a host costs; default nothing. */
    public Builder overheads(Overheads overheads) {
      this.overheads = Objects.requireNonNull(overheads, "overheads");
      return this;
    }

    /**
     * Sets the least time between two passes: one that is due sooner waits, and decides on all that
     * has happened by then; default none, so that there is a pass at every instant at which one is
     * due.
     *
     * @throws IllegalArgumentException if negative or beyond a century
     */
    public Builder minPassInterval(Duration least) {
      nanos("time between passes", least);
      this.apart = least;
      return this;
    }

    /** Sets how fast instances work; default {@link ExecutionModel#BY_GRANT}. */
    public Builder executionModel(ExecutionModel model) {
      this.model = Objects.requireNonNull(model, "model");
      return this;
    }

    /** Sets how long it takes to migrate an instance; default no time. */
    public Builder migrationCost(TransferCost cost) {
      this.migrationCost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /** Sets how long it takes to resume a suspended instance; default no time. */
    public Builder resumeCost(TransferCost cost) {
      this.resumeCost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * Sets how often the memory that running instances use is reported to the scheduler, of those
     * whose {@linkplain ActualBehaviour#memory need} is known; default every 5 s (MEMiC, section
     * 5.2). Zero: never.
     *
     * @throws IllegalArgumentException if negative or beyond a century
     */
    public Builder usageReports(Duration every) {
      nanos("usage reports", every);
      this.usageReports = every;
      return this;
    }

    /**
     * Sets how often a time-shared host reports its load to the scheduler while it has any; default
     * every 15 s (metascheduling policies, section 4). Zero: never.
     *
     * @throws IllegalArgumentException if negative or beyond a century
     */
    public Builder loadReports(Duration every) {
      nanos("load reports", every);
      this.loadReports = every;
      return this;
    }

    /** Sets how the providers of the pools behave; default {@link Provider#reliable}. */
    public Builder provider(Provider provider) {
      this.provider = Objects.requireNonNull(provider, "provider");
      return this;
    }

    /**
     * Sets who is told how many hosts of pools there are, whenever that has changed at the end of
     * an instant; default nobody.
     */
    public Builder fleetSamples(Consumer<? super FleetSample> listener) {
      this.samples = listener;
      return this;
    }

    /** Sets who is told what became of each bag of tasks, as it ends; default nobody. */
    public Builder bags(Consumer<? super BagReport> listener) {
      this.bags = listener;
      return this;
    }

    /** Sets the seed of the overheads and of the scheduler; default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /** Sets when hosts fail and recover, in any order; default never. */
    public Builder hostEvents(Collection<? extends HostEvent> events) {
      this.hostEvents = new ArrayList<>(events);
      return this;
    }

    /** Sets who is told how far the simulation has come; default nobody. */
    public Builder progress(Progress listener) {
      this.progress = listener;
      return this;
    }

    /**
     * Sets who is told what became of each request: of completed ones as they complete, of the
     * others at the end, in order of admission; default nobody.
     */
    public Builder outcomes(Consumer<? super RequestOutcome> listener) {
      this.outcomes = listener;
      return this;
    }

    /**
     * Sets who is shown the state in regular intervals: after {@code every}, twice that and so on,
     * each time after all that happens by then, and once more at the end, before the requests that
     * are not done are accounted for; default nobody.
     *
     * @throws IllegalArgumentException if the interval is not positive, or beyond a century
     */
    public Builder states(Duration every, StateListener listener) {
      this.stateEvery = nanos("interval of states", every);
      if (stateEvery == 0) {
        throw new IllegalArgumentException("interval of states was 0s, must be positive.");
      }
      this.states = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Returns the simulation, at its start.
     *
     * @throws IllegalArgumentException if workload, infrastructure or scheduler are missing, or a
     *     host event makes no sense; otherwise as {@link Scheduler.Builder#build}
     */
    public Simulation build() {
      return new Simulation(this);
    }
  }
}
