package dev.berth.simulator;

import static com.google.common.base.Preconditions.checkState;
import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Backoff;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.HostSchedule;
import dev.berth.simulator.internal.SimulationSettings;
import dev.berth.simulator.internal.execution.Execution;
import dev.berth.simulator.internal.execution.ExecutionEngine;
import dev.berth.simulator.internal.execution.FleetLink;
import dev.berth.simulator.internal.execution.GroupRun;
import dev.berth.simulator.internal.fleet.DirectLink;
import dev.berth.simulator.internal.fleet.UnreliableFleet;
import dev.berth.simulator.result.PenaltyTable;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
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
 * <p><b>Events.</b> Time jumps from instant to instant. At each instant the simulation delivers all
 * events to the scheduler in a fixed order: completions, instances that become ready, host
 * failures, host recoveries, other host events, arrivals. If the scheduler then has a pass due, the
 * simulation runs it. So a pass sees all events up to its time, and completions at that instant
 * have freed their hosts. Passes take no time unless {@linkplain Builder#decisionTimes decisions}
 * do.
 *
 * <p><b>Instances.</b> A placed instance becomes ready after the {@linkplain Overheads overhead} of
 * the placement. It then works at the speed of the {@linkplain ExecutionModel execution model}. It
 * keeps its progress when it is paused, suspended, migrated or preempted, or when its host fails. A
 * suspended instance that resumes, and an instance that migrates, become ready after the
 * {@linkplain TransferCost transfer} of their memory. A paused instance resumes at once. Running
 * instances with a memory profile {@linkplain Builder#usageReports report} their usage at regular
 * intervals.
 *
 * <p><b>Hosts.</b> The {@link Provider} starts and stops the pool hosts that plans provision and
 * release. A released host stops only after all instances that migrate away have left. The
 * instances of a failed host are pending again. A recovered host has the same description, with its
 * latest taints, and keeps its images: instances that were ready there before start hot.
 *
 * <p><b>Dependencies.</b> A request starts {@linkplain Request#after after} those that it names and
 * that are live when it arrives. Others have ended, or are not part of the workload.
 *
 * <p><b>Limits and budgets.</b> Counted limits are 0 until a {@linkplain HostEvent.LimitSet host
 * event} sets them. An {@linkplain Arrival#budget arrival} sets the disruption budget of its job.
 *
 * <p><b>End.</b> The simulation ends after all events, and the pass, at the {@linkplain
 * Builder#until end} that was set. It ends earlier when all requests are done and no pool host is
 * left. Without an end, it also stops when only watchdog passes remain and the last pass decided
 * nothing: the requests that still wait would wait forever. A policy that delays requests by its
 * own choice must {@linkplain dev.berth.api.policy.SchedulingPass#wakeAt ask to be woken}, or needs
 * an end. A policy that can preempt instances before they are ready again and again, or that
 * provisions hosts that never start, needs an end too. Unfinished requests are accounted for at the
 * end.
 *
 * <p><b>Memory</b> use tracks live requests, not the size of the workload.
 *
 * <p><b>Checks.</b> The simulator keeps its own account of every instance. It compares this with
 * the account of the scheduler when the instance completes and at the end. A difference is a defect
 * of Berth and throws {@link IllegalStateException}.
 *
 * <p><b>Faults.</b> With {@linkplain Builder#faults faults}, what the scheduler believes may differ
 * from the truth, which is what happens to the executions. All figures are those of the truth. The
 * service of each request, as the scheduler accounts for it, is compared with the true one:
 *
 * <ul>
 *   <li>A report is <em>on time</em> if its first copy reaches the scheduler before anything that
 *       happened later to its instance: another report, a decision on it, a reconciliation that
 *       corrects it, or the loss of its host. The loss of a host is on time if it is reported at
 *       the instant at which it happens. A delay alone does not make a report late, since it says
 *       when something happened.
 *   <li>If all reports about an instance and the loss of its hosts were on time, both accounts of
 *       its service are equal.
 *   <li>Otherwise they differ by at most the time during which the scheduler believed the instance
 *       in another state or on another host than it was.
 * </ul>
 *
 * <p>After each reconciliation, hosts, capacities, foreign load, free amounts, instances, their
 * hosts and their states are as the scheduler believes.
 *
 * <p>Not thread-safe. Several simulations can run in parallel.
 */
public final class Simulation implements AutoCloseable {

  /** A century. Sums of a few such times fit in a {@code long}. */
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  /** How often a back-off time can grow to, in first times. */
  private static final int BACKOFF_GROWTH = 16;

  private final SimulationSettings settings;
  private final Listeners listeners;
  private final FleetLink link;
  private final EventQueue queue = new EventQueue();
  private final RunAccount account;
  private final ExecutionEngine engine;
  private final Provisioner provisioner;
  private final PlanExecutor executor;
  private final Map<String, List<Taint>> taints = new HashMap<>(); // those that changed, by host
  private @Nullable ArrivalReader arrivals;
  private @Nullable RunResult result;

  private long clock;
  private boolean moreArrivals;
  private boolean closed;
  private boolean lastPassWasEmpty;
  private long lastPassAt;
  private long busyUntil; // with the last decision
  private long passes;
  private long handledEvents;

  private Simulation(
      SimulationSettings settings,
      Listeners listeners,
      Scheduler.Builder builder,
      Scheduler scheduler) {
    this.settings = settings;
    this.listeners = listeners;
    this.account = new RunAccount(scheduler.serviceClasses(), settings, listeners);
    this.link =
        settings.faults().isEmpty()
            ? new DirectLink(scheduler, this::completed)
            : new UnreliableFleet(
                settings.faults().get(),
                queue,
                settings,
                builder,
                scheduler,
                this::completed,
                this::failHost,
                this::resized);
    this.engine =
        new ExecutionEngine(queue, link, settings, account::execution, this::complete, listeners);
    this.provisioner = new Provisioner(queue, link, settings, this::failHost, listeners);
    this.executor = new PlanExecutor(queue, link, engine, provisioner, account, listeners);
  }

  /** Returns a builder without workload, infrastructure and scheduler. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs to the end, from the start or from the time that {@link #runUntil} reached.
   *
   * @return the result; further calls return the same
   * @throws IllegalStateException if the simulation is closed, if the workload is out of order, or
   *     if a check fails
   */
  public RunResult run() {
    if (result == null) {
      advance(settings.until().orElse(EventQueue.NEVER - 1));
      result = finish();
      close();
    }
    return result;
  }

  /**
   * Runs until all events up to {@code time} have happened, including a pass at that instant. The
   * {@link #scheduler} can then be inspected, and the simulation can continue.
   *
   * @param time since the start; a time already reached has no effect
   * @throws IllegalArgumentException if {@code time} is beyond the end of the simulation
   * @throws IllegalStateException as {@link #run}
   */
  public void runUntil(Duration time) {
    long limit = nanos("time", time);
    OptionalLong until = settings.until();
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

  /** Returns the scheduler in its present state. Callers must not change it. */
  public Scheduler scheduler() {
    return link.scheduler();
  }

  /** Returns the time of the latest instant at which something happened. */
  public Duration now() {
    return Duration.ofNanos(clock);
  }

  /**
   * Returns the number of events so far: arrivals, instances that became ready or completed, all
   * other events of an instant, and scheduling passes. A bag or group that arrives is one event.
   */
  public long events() {
    return handledEvents + passes;
  }

  /** Closes the workload. {@link #run} closes it too; closing twice has no effect. */
  @Override
  public void close() {
    closed = true;
    if (arrivals != null) {
      arrivals.close();
    }
  }

  // ---- Time

  private void advance(long limit) {
    checkState(!closed, "the simulation is closed.");
    try {
      if (arrivals == null) {
        start();
      }
      runInstants(limit);
    } catch (RuntimeException | Error failure) {
      close(); // an instant that failed halfway cannot be resumed
      throw failure;
    }
  }

  private void runInstants(long limit) {
    while (!isOver()) {
      long instant = Math.min(queue.nextTime(), nextPassAt());
      if (instant > limit) {
        break;
      }
      listeners.sampleUntil(instant - 1, link.scheduler());
      clock = instant;
      for (var event = queue.pollDue(clock); event != null; event = queue.pollDue(clock)) {
        event.happen();
        handledEvents++;
      }
      if (nextPassAt() <= clock) {
        pass();
      }
      engine.updateSpeeds(clock);
      link.instantEnds(clock);
      provisioner.sample(clock);
      if (!listeners.isEmpty()) {
        listeners.instantPassed(clock, fraction());
      }
    }
  }

  private void start() {
    arrivals = new ArrivalReader(settings.workload());
    for (HostSpec host : settings.infrastructure().hosts()) {
      link.scheduler().addHost(host, clock);
      listeners.each(listener -> listener.hostUp(host, clock));
    }
    for (PoolSpec pool : settings.infrastructure().pools()) {
      link.scheduler().offerPool(pool, clock);
    }
    link.begin(clock);
    for (HostEvent event : settings.hostSchedule().events()) {
      queue.add(event.at(), HostSchedule.kind(event), () -> happen(event));
    }
    expectArrival(arrivals);
  }

  private boolean isOver() {
    if (!account.hasLive() && !moreArrivals && provisioner.isEmpty()) {
      return true;
    }
    return settings.until().isEmpty()
        && queue.size() == 0
        && lastPassWasEmpty
        && !isPassDelayed()
        && link.scheduler().nextTimerAt().isEmpty();
  }

  private long nextPassAt() {
    long due = link.scheduler().nextPassAt().orElse(EventQueue.NEVER);
    return due == EventQueue.NEVER || passes == 0
        ? due
        : Math.max(
            Math.max(due, Math.max(busyUntil, link.nextPassFrom())),
            lastPassAt + settings.minPassInterval());
  }

  /** Returns whether a pass is due, but the scheduler is busy or the last pass too recent. */
  private boolean isPassDelayed() {
    return link.scheduler().nextPassAt().orElse(EventQueue.NEVER) <= clock;
  }

  private void pass() {
    Plan plan = link.scheduler().schedule(clock);
    passes++;
    lastPassAt = clock;
    lastPassWasEmpty = plan.isEmpty();
    account.passed(plan);
    plan.endedBags().forEach(bag -> listeners.each(listener -> listener.bagEnded(bag)));
    if (!lastPassWasEmpty) {
      busyUntil = clock + decisionTime(executor.carryOut(plan, clock));
    }
  }

  /** Returns the time that the scheduler needs for the placements of a pass. */
  private long decisionTime(List<Execution> placed) {
    DecisionTimes times = settings.decisionTimes();
    if (times.areZero()) {
      return 0;
    }
    return placed.stream()
        .mapToLong(
            each ->
                times.draw(settings.seed(), each.id(), each.placements(), each.replacesVictims()))
        .sum();
  }

  private OptionalDouble fraction() {
    if (settings.until().isPresent()) {
      long until = settings.until().getAsLong();
      return OptionalDouble.of(until == 0 ? 1 : (double) clock / until);
    }
    OptionalLong size = settings.workload().size();
    return size.isPresent() && size.getAsLong() > 0
        ? OptionalDouble.of(Math.min(1, (double) account.admitted() / size.getAsLong()))
        : OptionalDouble.empty();
  }

  private RunResult finish() {
    OptionalLong until = settings.until();
    if (until.isPresent() && (account.hasLive() || !provisioner.isEmpty())) {
      clock = until.getAsLong();
    }
    link.end(clock);
    Scheduler scheduler = link.scheduler();
    listeners.sampleEnd(clock, scheduler);
    for (Instance each : scheduler.instances()) {
      Execution execution = account.execution(each.id());
      account.unfinished(link.ended(execution, InstanceReport.of(each, clock), clock));
    }
    listeners.progressed(clock, OptionalDouble.of(1));
    return account.result(
        settings, scheduler, clock, passes, provisioner.usage(clock), link.counts());
  }

  // ---- Events

  private void expectArrival(ArrivalReader reader) {
    List<Arrival> submission = reader.next();
    moreArrivals = submission != null;
    if (submission != null) {
      queue.add(submission.get(0).at(), Kind.ARRIVAL, () -> arrive(submission, reader));
    }
  }

  private void arrive(List<Arrival> arrived, ArrivalReader reader) {
    List<Arrival> submission = arrived.stream().map(this::dependent).toList();
    Optional<Arrival.InBag> bag = submission.get(0).bag();
    Optional<Arrival.InGroup> group = submission.get(0).group();
    List<Request> members = submission.stream().map(Arrival::request).toList();
    submission.forEach(this::setBudget);
    GroupRun run = null;
    if (group.isPresent()) {
      int minCount = Math.min(group.get().minCount().orElse(members.size()), members.size());
      link.scheduler()
          .submit(new GroupSpec(group.get().id(), members, minCount, group.get().onLoss()), clock);
      run = new GroupRun(minCount, members.size());
    } else if (bag.isEmpty()) {
      link.scheduler().submit(submission.get(0).request(), clock);
    } else {
      link.scheduler().submit(new BagSpec(bag.get().id(), members, bag.get().timeToLive()), clock);
    }
    for (Arrival each : submission) {
      link.admitted(account.admit(each, run));
      listeners.each(listener -> listener.admitted(each));
    }
    expectArrival(reader);
  }

  /** Returns an arrival that is to start after those only that are live. */
  private Arrival dependent(Arrival arrival) {
    List<String> others = arrival.request().after();
    List<String> live =
        others.stream()
            .filter(id -> account.isLive(id) && link.scheduler().instance(id).isPresent())
            .toList();
    return live.equals(others) ? arrival : arrival.withRequest(arrival.request().withAfter(live));
  }

  private void setBudget(Arrival arrival) {
    arrival
        .budget()
        .ifPresent(
            budget -> {
              String job = arrival.request().job().orElseThrow();
              link.scheduler().setBudget(job, budget, clock);
            });
  }

  private void complete(Execution execution) {
    Optional<Duration> cpuTime =
        execution.request().application().map(any -> engine.cpuTime(execution, clock));
    link.completed(execution, cpuTime, clock);
  }

  private void completed(Execution execution, InstanceReport report) {
    account.completed(execution, report, clock);
  }

  private void failHost(String hostId) {
    Host host = link.failing(hostId);
    if (host == null) {
      return;
    }
    for (Instance each : host.instances()) {
      engine.lose(account.execution(each.id()), clock);
    }
    engine.forgetHost(hostId);
    link.hostGone(hostId, clock);
    listeners.each(listener -> listener.hostDown(hostId, clock));
  }

  private void resized(Execution execution) {
    engine.resized(execution, clock);
  }

  private void happen(HostEvent event) {
    if (event instanceof HostEvent.Fails fails) {
      failHost(fails.hostId());
    } else if (event instanceof HostEvent.Recovers recovers) {
      HostSpec host = description(recovers.hostId());
      link.hostUp(host, clock);
      listeners.each(listener -> listener.hostUp(host, clock));
    } else if (event instanceof HostEvent.Tainted tainted) {
      taints.put(tainted.hostId(), tainted.taints());
      link.hostTainted(tainted.hostId(), tainted.taints(), clock);
    } else if (event instanceof HostEvent.LimitSet limit) {
      link.scheduler().setLimit(limit.limit(), limit.amount(), clock);
    }
  }

  private HostSpec description(String hostId) {
    HostSpec given = settings.hostSchedule().host(hostId);
    List<Taint> latest = taints.get(hostId);
    return latest == null ? given : HostSchedule.withTaints(given, latest);
  }

  private static long nanos(String what, Duration duration) {
    refuseIf(
        duration.isNegative() || duration.compareTo(MAX_DURATION) > 0,
        "%s was %s, must be from 0 to %s days.",
        what,
        duration,
        MAX_DURATION.toDays());
    return duration.toNanos();
  }

  /** Collects the settings of a simulation. Not thread-safe. */
  public static final class Builder {

    private @Nullable Workload workload;
    private @Nullable Infrastructure infrastructure;
    private Scheduler.@Nullable Builder scheduler;
    private OptionalLong until = OptionalLong.empty();
    private Overheads overheads = Overheads.none();
    private ExecutionModel executionModel = ExecutionModel.BY_GRANT;
    private TransferCost migrationCost = TransferCost.NONE;
    private TransferCost resumeCost = TransferCost.NONE;
    private long usageReportInterval = Duration.ofSeconds(5).toNanos();
    private long loadReportInterval = Duration.ofSeconds(15).toNanos();
    private Provider provider = Provider.reliable();
    private long seed;
    private long minPassInterval;
    private DecisionTimes decisionTimes = DecisionTimes.none();
    private List<HostEvent> hostEvents = List.of();
    private PenaltyTable penalties = PenaltyTable.PUBLISHED;
    private Optional<FaultSettings> faults = Optional.empty();
    private final List<Listeners.Registration> listeners = new ArrayList<>();

    private Builder() {}

    /** Sets the requests. Required. */
    public Builder workload(Workload workload) {
      this.workload = workload;
      return this;
    }

    /** Sets the hosts. Required. */
    public Builder infrastructure(Infrastructure infrastructure) {
      this.infrastructure = infrastructure;
      return this;
    }

    /** Sets workload, infrastructure, end, overheads and transfer costs at once. */
    public Builder scenario(Scenario scenario) {
      return workload(scenario.workload())
          .infrastructure(scenario.infrastructure())
          .until(scenario.until())
          .overheads(scenario.overheads())
          .migrationCost(scenario.migrationCost())
          .resumeCost(scenario.resumeCost());
    }

    /**
     * Sets the builder of the scheduler, with the policy and any other options. Required. The
     * simulation adds the service classes of the workload and the seed.
     */
    public Builder scheduler(Scheduler.Builder scheduler) {
      this.scheduler = scheduler;
      return this;
    }

    /**
     * Sets the end. By default there is none: the simulation runs until nothing more can happen.
     *
     * @throws IllegalArgumentException if negative or longer than a century
     */
    public Builder until(Duration end) {
      this.until = OptionalLong.of(nanos("end", end));
      return this;
    }

    /** Sets the overheads of placements; default none. */
    public Builder overheads(Overheads overheads) {
      this.overheads = Objects.requireNonNull(overheads, "overheads");
      return this;
    }

    /**
     * Sets the least time between two passes; default none. A pass that is due sooner waits, and
     * then sees everything that has happened meanwhile.
     *
     * @throws IllegalArgumentException if negative or longer than a century
     */
    public Builder minPassInterval(Duration interval) {
      this.minPassInterval = nanos("time between passes", interval);
      return this;
    }

    /**
     * Makes the scheduler decide one placement at a time, each of which takes equally long; default
     * 0. See {@link #decisionTimes}.
     *
     * @throws IllegalArgumentException if negative or longer than a century
     */
    public Builder decisionTime(Duration each) {
      return decisionTimes(DecisionTimes.of(each));
    }

    /**
     * Makes the scheduler decide one placement at a time; default {@link DecisionTimes#none}. A
     * pass then places one request, and the next pass waits until the time of that decision is
     * over. A pass that places nothing takes no time. {@link #build} sets the {@linkplain
     * Scheduler.Builder#maxPlacements placement limit} of the scheduler to 1, unless all times are
     * 0.
     */
    public Builder decisionTimes(DecisionTimes times) {
      this.decisionTimes = Objects.requireNonNull(times, "times");
      return this;
    }

    /** Sets the speed of instances; default {@link ExecutionModel#BY_GRANT}. */
    public Builder executionModel(ExecutionModel model) {
      this.executionModel = Objects.requireNonNull(model, "model");
      return this;
    }

    /** Sets the duration of migrations; default 0. */
    public Builder migrationCost(TransferCost cost) {
      this.migrationCost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /** Sets the time that a suspended instance takes to resume; default 0. */
    public Builder resumeCost(TransferCost cost) {
      this.resumeCost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * Sets the interval at which running instances with a known {@linkplain ActualBehaviour#memory
     * memory need} report their usage; default 5 s (MEMiC, section 5.2). Zero: never.
     *
     * @throws IllegalArgumentException if negative or longer than a century
     */
    public Builder usageReports(Duration interval) {
      this.usageReportInterval = nanos("usage reports", interval);
      return this;
    }

    /**
     * Sets the interval at which a time-shared host reports its load while it has any; default 15 s
     * (metascheduling policies, section 4). Zero: never.
     *
     * @throws IllegalArgumentException if negative or longer than a century
     */
    public Builder loadReports(Duration interval) {
      this.loadReportInterval = nanos("load reports", interval);
      return this;
    }

    /** Sets the behaviour of the pools' providers; default {@link Provider#reliable}. */
    public Builder provider(Provider provider) {
      this.provider = Objects.requireNonNull(provider, "provider");
      return this;
    }

    /** Sets the seed of the overheads, the provider and the scheduler; default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets failures, recoveries and taints of hosts, and limits, in any order; default none. Of
     * several changes of one host or limit at one time, the last one given counts.
     */
    public Builder hostEvents(Collection<? extends HostEvent> events) {
      this.hostEvents = new ArrayList<>(events);
      return this;
    }

    /**
     * Makes the fleet unreliable; default: it does what plans say, and every report arrives at
     * once. Needs an {@linkplain #until end}.
     */
    public Builder faults(FaultSettings faults) {
      this.faults = Optional.of(faults);
      return this;
    }

    /** Sets the cost of violated objectives; default {@link PenaltyTable#PUBLISHED}. */
    public Builder penalties(PenaltyTable penalties) {
      this.penalties = Objects.requireNonNull(penalties, "penalties");
      return this;
    }

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @throws IllegalArgumentException if its sample interval is not positive, or longer than a
     *     century
     */
    public Builder listener(SimulationListener listener) {
      long interval =
          listener.sampleInterval().map(each -> nanos("sample interval", each)).orElse(0L);
      refuseIf(
          interval == 0 && listener.sampleInterval().isPresent(),
          "sample interval was 0s, must be positive.");
      listeners.add(new Listeners.Registration(listener, interval));
      return this;
    }

    /**
     * Returns the simulation at its start. A builder makes one simulation.
     *
     * @throws IllegalArgumentException if the workload, the infrastructure or the scheduler is
     *     missing, or the host events are inconsistent; otherwise as {@link
     *     Scheduler.Builder#build}
     */
    public Simulation build() {
      Workload requests = required(workload, "workload");
      Infrastructure hosts = required(infrastructure, "infrastructure");
      SimulationSettings settings =
          new SimulationSettings(
              requests,
              hosts,
              until,
              overheads,
              executionModel,
              migrationCost,
              resumeCost,
              usageReportInterval,
              loadReportInterval,
              provider,
              seed,
              minPassInterval,
              decisionTimes,
              HostSchedule.of(hostEvents, hosts),
              penalties,
              faults);
      Scheduler.Builder its =
          required(scheduler, "scheduler").serviceClasses(requests.serviceClasses()).seed(seed);
      if (!decisionTimes.areZero()) {
        its.maxPlacements(1);
      }
      if (faults.isPresent()) {
        refuseIf(
            until.isEmpty(),
            "faults were given, but no end. A fleet with faults never comes to rest: set until.");
        backoff(faults.get().hostBackoff()).ifPresent(its::hostBackoff);
        backoff(faults.get().instanceBackoff()).ifPresent(its::instanceBackoff);
      }
      return new Simulation(settings, new Listeners(listeners), its, its.build());
    }

    private static Optional<Backoff> backoff(Duration first) {
      return first.isZero()
          ? Optional.empty()
          : Optional.of(new Backoff(first, first.multipliedBy(BACKOFF_GROWTH)));
    }

    private static <T> T required(@Nullable T setting, String name) {
      if (setting == null) {
        throw new IllegalArgumentException("no %s was given.".formatted(name));
      }
      return setting;
    }
  }
}
