package dev.berth.benchmarks.scenario;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;

/**
 * Runs a scenario pass by pass.
 *
 * <pre>{@code
 * run.next();              // instances leave, requests arrive
 * Plan plan = run.pass();  // what is measured
 * run.check(plan);         // that it did what the scenario says
 * }</pre>
 */
public final class ScenarioRun {

  /** Of all draws. */
  static final long SEED = 1;

  /** The names of the service classes. */
  static final List<String> CLASS_NAMES = List.of("gold", "silver", "bronze");

  private static final List<ServiceClass> CLASSES =
      List.of(
          ServiceClass.builder("gold").slo(1.0).importance(1).build(),
          ServiceClass.builder("silver").slo(0.9).importance(2).build(),
          ServiceClass.builder("bronze").slo(0.5).importance(3).build());

  private static final long SECOND = 1_000_000_000L;
  private static final double FULL = 0.8;
  private static final int MOST_PASSES = 10;
  private static final Plan NOTHING = new Plan(0, 0, Set.of(), List.of());

  private final BenchmarkScenario scenario;
  private final int batch;
  private final RequestStream requests;
  private final Scheduler scheduler;
  private final ArrayDeque<Request> present = new ArrayDeque<>(); // the oldest first
  private final long[] capacity = new long[2]; // of the cluster
  private final long[] held = new long[2];
  private List<Request> latest = List.of();
  private Plan latestPlan = NOTHING; // none of its placements has started yet
  private long now;

  /**
   * Sets up a cluster and places its residents, which is slow.
   *
   * @param hosts number of hosts
   * @param batch number of requests that arrive for a pass
   * @throws IllegalStateException if not all residents find a host
   */
  public ScenarioRun(
      BenchmarkScenario scenario, int hosts, int batch, Scheduler.Builder scheduler) {
    this.scenario = scenario;
    this.batch = batch;
    this.requests = new RequestStream(scenario);
    this.scheduler = scheduler.serviceClasses(CLASSES).seed(SEED).build();
    for (HostSpec each : scenario.hosts(hosts)) {
      this.scheduler.addHost(each, now);
      add(each.capacity(), capacity, 1);
    }
    settle();
  }

  /** Returns the service classes. */
  public static List<ServiceClass> serviceClasses() {
    return CLASSES;
  }

  private void settle() {
    Request next = requests.next(scenario.residents());
    while (share(next.demand()) <= scenario.occupancy()) {
      submit(next);
      next = requests.next(scenario.residents());
    }
    start(scheduler.schedule(now));
    requireNobodyWaits();
    now = 3600 * SECOND;
  }

  /** Returns the used share of the cluster with an additional amount. */
  private double share(Resources more) {
    double most = 0;
    for (int d = 0; d < capacity.length; d++) {
      most = Math.max(most, (double) (held[d] + more.amount(dimension(d))) / capacity[d]);
    }
    return most;
  }

  private static void add(Resources amounts, long[] sum, int times) {
    for (int d = 0; d < sum.length; d++) {
      sum[d] += times * amounts.amount(dimension(d));
    }
  }

  private static Dimension dimension(int number) {
    return number == 0 ? Dimension.CPU : Dimension.MEMORY;
  }

  /**
   * Advances by a second in which instances leave, requests arrive, and placed instances become
   * ready.
   *
   * @throws IllegalStateException if a preempted instance is not placed again
   */
  public void next() {
    now += SECOND;
    start(latestPlan);
    latestPlan = NOTHING;
    switch (scenario.departures()) {
      case WHEN_FULL -> {
        if (isFull()) {
          present.forEach(this::cancel);
          present.clear();
        }
      }
      case OLDEST -> {
        for (int i = 0; i < batch; i++) {
          cancel(present.removeFirst());
        }
      }
      case ARRIVALS -> {
        for (int i = 0; i < latest.size(); i++) {
          cancel(present.removeLast());
        }
        start(scheduler.schedule(now));
        requireNobodyWaits();
      }
    }
    latest = requests.next(scenario.arrivals(), batch);
    latest.forEach(this::submit);
  }

  private boolean isFull() {
    double share = share(Resources.none());
    return share + share / Math.max(1, present.size()) * batch > FULL;
  }

  /**
   * Runs a pass over the pending instances.
   *
   * @return its plan, to be {@linkplain #check checked}
   */
  public Plan pass() {
    latestPlan = scheduler.schedule(now);
    return latestPlan;
  }

  /**
   * Checks that a pass after {@link #next} had the outcome that the scenario expects.
   *
   * @throws IllegalStateException if not
   */
  public void check(Plan plan) {
    int placements = scenario.outcome() == BenchmarkScenario.Outcome.WAITING ? 0 : batch;
    int preemptions = scenario.outcome() == BenchmarkScenario.Outcome.DISPLACING ? batch : 0;
    if (plan.placements().size() != placements
        || plan.preemptions().size() != preemptions
        || plan.actions().size() != placements + preemptions) {
      throw new IllegalStateException(
          "expected %s placements and %s preemptions, got %s and %s among %s actions."
              .formatted(
                  placements,
                  preemptions,
                  plan.placements().size(),
                  plan.preemptions().size(),
                  plan.actions().size()));
    }
  }

  /**
   * Advances time to the watchdog without any event.
   *
   * @throws IllegalStateException if there is no watchdog
   */
  public void waitForWatchdog() {
    now +=
        scheduler
            .watchdog()
            .orElseThrow(() -> new IllegalStateException("there is no watchdog."))
            .toNanos();
  }

  /**
   * Runs passes at one instant until one decides nothing, so the next one will not either.
   *
   * @throws IllegalStateException if passes keep deciding
   */
  public void passUntilIdle() {
    for (int i = 0; i < MOST_PASSES; i++) {
      if (pass().actions().isEmpty()) {
        return;
      }
    }
    throw new IllegalStateException("passes still decide after %s passes.".formatted(MOST_PASSES));
  }

  /** Returns how many requests arrive for a pass. */
  public int batch() {
    return batch;
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return scheduler.pendingCount();
  }

  private void submit(Request request) {
    scheduler.submit(request, now);
    present.addLast(request);
    add(request.demand(), held, 1);
  }

  private void cancel(Request request) {
    scheduler.cancel(request.id(), now);
    add(request.demand(), held, -1);
  }

  private void start(Plan plan) {
    for (Action.Place each : plan.placements()) {
      scheduler.started(each.instance(), now);
    }
  }

  private void requireNobodyWaits() {
    if (scheduler.pendingCount() > 0) {
      throw new IllegalStateException(
          "%s instances have no host, all must have one.".formatted(scheduler.pendingCount()));
    }
  }
}
