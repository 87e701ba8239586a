package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Fixture: a small cluster with capacity in cores and time in seconds.
 *
 * <p>{@link #byHand} runs the actions given to {@link #pass(Consumer)}; {@link #of} runs a
 * pipeline. Every host has an attribute {@code name} with its id. {@link #running} uses it to place
 * instances of a pipeline on a given host.
 */
public final class Cluster {

  /** Service classes of the paper: objective 1, 0.9 and 0.5; importance 1, 2 and 3. */
  public static final ServiceClass GOLD = ServiceClass.builder("gold").build();

  public static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.9).importance(2).build();
  public static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(3).build();

  public static final long SECOND = 1_000_000_000;

  private final Scheduler scheduler;
  private final Script script;
  private long now;

  private Cluster(Scheduler.Builder builder, Script script) {
    this.scheduler = builder.serviceClasses(GOLD, SILVER, BRONZE).build();
    this.script = script;
  }

  /** Returns a cluster whose policy only runs the actions of {@link #pass(Consumer)}. */
  public static Cluster byHand() {
    return byHand(Scheduler.builder());
  }

  public static Cluster byHand(Scheduler.Builder settings) {
    Script script = new Script(true);
    return new Cluster(settings.policy("by-hand", context -> script), script);
  }

  /** Returns a cluster whose policy is a pipeline of these parts. */
  public static Cluster of(UnaryOperator<PipelineBuilder> parts) {
    return of(Scheduler.builder(), parts);
  }

  public static Cluster of(Scheduler.Builder settings, UnaryOperator<PipelineBuilder> parts) {
    return withPolicy(settings, context -> parts.apply(context.pipeline()).build());
  }

  public static Cluster withPolicy(
      Scheduler.Builder settings, Function<PolicyContext, Policy> maker) {
    return new Cluster(settings.policy("test", maker), new Script(false));
  }

  // ---- Amounts

  public static Resources cores(double cores) {
    return Resources.of(Dimension.CPU, Math.round(cores * 1e9));
  }

  public static Resources cores(double cores, double memory) {
    return Resources.of(
        Dimension.CPU, Math.round(cores * 1e9), Dimension.MEMORY, Math.round(memory * 1e9));
  }

  public static Request.Builder request(String id, String serviceClass, double cores) {
    return Request.builder(id, serviceClass).demand(cores(cores));
  }

  public static Request.Builder request(String id, double cores) {
    return request(id, "gold", cores);
  }

  /** Returns the state as plain data. */
  public SchedulerSnapshot snapshotData() {
    return scheduler.snapshot();
  }

  // ---- Events

  /** Sets the time of the calls that follow. */
  public Cluster at(double seconds) {
    now = Math.round(seconds * 1e9);
    return this;
  }

  public Cluster atNanos(long nanos) {
    now = nanos;
    return this;
  }

  public long now() {
    return now;
  }

  public Cluster host(String id, double cores, String... attributes) {
    return host(id, cores(cores), attributes);
  }

  /** Adds a host; attributes alternate name and value. */
  public Cluster host(String id, Resources capacity, String... attributes) {
    Map<String, String> named = new TreeMap<>(Map.of("name", id));
    for (int i = 0; i < attributes.length; i += 2) {
      named.put(attributes[i], attributes[i + 1]);
    }
    scheduler.addHost(new HostSpec(id, capacity, named), now);
    return this;
  }

  public Cluster removed(String host) {
    scheduler.removeHost(host, now);
    return this;
  }

  public Cluster cordoned(String host) {
    scheduler.cordon(host, now);
    return this;
  }

  public Cluster drained(String host, Drain how) {
    scheduler.drain(host, how, now);
    return this;
  }

  /** Changes the capacity of a host; attributes alternate name and value. */
  public Cluster changed(String id, double cores, String... attributes) {
    Map<String, String> named = new TreeMap<>(Map.of("name", id));
    for (int i = 0; i < attributes.length; i += 2) {
      named.put(attributes[i], attributes[i + 1]);
    }
    scheduler.changeHost(new HostSpec(id, cores(cores), named), now);
    return this;
  }

  public Cluster foreign(String host, double cores) {
    scheduler.foreignLoad(host, cores(cores), now);
    return this;
  }

  public Cluster uncordoned(String host) {
    scheduler.uncordon(host, now);
    return this;
  }

  public Cluster pending(Request.Builder request) {
    scheduler.submit(request.build(), now);
    return this;
  }

  public Cluster pending(String id, String serviceClass, double cores) {
    return pending(request(id, serviceClass, cores));
  }

  /** Submits a gold request. */
  public Cluster pending(String id, double cores) {
    return pending(id, "gold", cores);
  }

  /** Submits an instance and places it on a host with room, where it stays starting. */
  public Cluster starting(Request.Builder request, String host) {
    if (script.inUse) {
      return pending(request).place(request.build().id(), host);
    }
    Request bound = request.constraint(new Constraint.Equal("name", host)).build();
    scheduler.submit(bound, now);
    pass();
    assertThat(instance(bound.id()).host()).as("set-up: host of %s", bound).contains(host(host));
    return this;
  }

  public Cluster starting(String id, String serviceClass, double cores, String host) {
    return starting(request(id, serviceClass, cores), host);
  }

  /** Submits an instance, places it on a host with room and starts it. */
  public Cluster running(Request.Builder request, String host) {
    starting(request, host);
    return started(request.build().id());
  }

  public Cluster running(String id, String serviceClass, double cores, String host) {
    return running(request(id, serviceClass, cores), host);
  }

  /** Starts a gold instance. */
  public Cluster running(String id, double cores, String host) {
    return running(id, "gold", cores, host);
  }

  public Cluster started(String id) {
    scheduler.started(id, now);
    return this;
  }

  public Cluster failed(String id) {
    scheduler.failed(id, now);
    return this;
  }

  public InstanceReport completed(String id) {
    return scheduler.completed(id, now);
  }

  public InstanceReport cancel(String id) {
    return scheduler.cancel(id, now);
  }

  // ---- Passes

  public Plan pass() {
    return scheduler.schedule(now);
  }

  /** Runs a pass with these actions; only with {@link #byHand}. */
  public Plan pass(Consumer<SchedulingPass> actions) {
    assertThat(script.inUse).as("driven by hand").isTrue();
    script.next = actions;
    try {
      return pass();
    } finally {
      script.next = pass -> {};
    }
  }

  /** Runs a pass that places an instance with victims; only with {@link #byHand}. */
  public Cluster place(String instance, String host, String... victims) {
    pass(
        pass ->
            assertThat(
                    pass.place(
                            instance(instance),
                            host(host),
                            Stream.of(victims).map(this::instance).toList())
                        .refusal())
                .isEmpty());
    return this;
  }

  // ---- Queries

  /** Returns the reasons for which the policy makes pending instances wait, by id. */
  public Map<String, Reason> reasonsToWait() {
    return reasonsToWait(scheduler, now);
  }

  /** Returns the reasons for which a policy makes pending instances wait, by id. */
  static Map<String, Reason> reasonsToWait(Scheduler scheduler, long now) {
    Map<String, Reason> reasons = new TreeMap<>();
    for (Instance each : scheduler.instances()) {
      scheduler
          .explain()
          .whyPending(each.id(), now)
          .deferral()
          .ifPresent(why -> reasons.put(each.id(), why));
    }
    return reasons;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public Instance instance(String id) {
    return scheduler.instance(id).orElseThrow();
  }

  public Host host(String id) {
    return scheduler.host(id).orElseThrow();
  }

  public Snapshot snapshot() {
    return Snapshot.of(scheduler);
  }

  private static final class Script implements Policy {

    private final boolean inUse;
    private Consumer<SchedulingPass> next = pass -> {};

    Script(boolean inUse) {
      this.inUse = inUse;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      next.accept(pass);
    }
  }
}
