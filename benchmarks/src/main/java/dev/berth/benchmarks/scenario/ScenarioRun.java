package dev.berth.benchmarks.scenario;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;

/**
 * A scenario, played pass by pass.
 *
 * <pre>{@code
 * run.next();              // somebody leaves, others arrive
 * Plan plan = run.pass();  // what is measured
 * run.check(plan);         // that it did what the scenario says
 * }</pre>
 */
public final class ScenarioRun {

  /** Of all draws. */
  static final long SEED = 1;

  /** The service classes that there are. */
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
  private Plan latestPlan = NOTHING; // nobody of which has started yet
  private long now;

  /**
   * Sets a cluster up and places its residents, which takes a while.
   *
   * @param hosts how many
   * @param batch how many requests arrive for a pass
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

  /** Returns what share of the cluster is held when so much is held on top. */
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
   * Lets a second pass in which some leave, others arrive, and whoever was placed is ready.
   *
   * @throws IllegalStateException if whoever was displaced does not find the way back
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
   * Runs a pass over those who wait.
   *
   * @return its plan, to be {@linkplain #check checked}
   */
  public Plan pass() {
    latestPlan = scheduler.schedule(now);
    return latestPlan;
  }

  /**
   * Checks that a pass after {@link #next} did to the arrivals what the scenario says.
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
   * Lets nothing happen until the watchdog fires.
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
   * Runs passes while time stands still, until one decides nothing: so the next will not either.
   *
   * @throws IllegalStateException if they go on deciding
   */
  public void passUntilIdle() {
    for (int i = 0; i < MOST_PASSES; i++) {
      if (pass().actions().isEmpty()) {
        return;
      }
    }
    throw new IllegalStateException("after %s passes something is left.".formatted(MOST_PASSES));
  }

  /** Returns how many requests arrive for a pass. */
  public int batch() {
    return batch;
  }

  /** Returns how many instances wait. */
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
          "%s instances found no host, all must.".formatted(scheduler.pendingCount()));
    }
  }
}
