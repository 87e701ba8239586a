package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.SchedulingPass;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A small cluster under test: capacity in cores, time in seconds, one line for each thing in it.
 *
 * <p>{@link #byHand} is driven by what {@link #pass(Consumer)} is told; {@link #of} runs a
 * pipeline. Every host has an attribute {@code name} with its id, by which {@link #running} pins
 * instances of a pipeline.
 */
public final class Cluster {

  /** Classes of the paper: objective 1, 0.9 and 0.5; importance 1, 2 and 3. */
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

  /** A cluster whose policy does nothing but what {@link #pass(Consumer)} says. */
  public static Cluster byHand() {
    return byHand(Scheduler.builder());
  }

  public static Cluster byHand(Scheduler.Builder settings) {
    Script script = new Script(true);
    return new Cluster(settings.policy("by-hand", context -> script), script);
  }

  /** A cluster whose policy is a pipeline of these parts. */
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

  // ---- What happens

  /** Lets time pass; what follows happens then. */
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

  /** A host joins; attributes are name, value, name, value, … */
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

  public Cluster pending(Request.Builder request) {
    scheduler.submit(request.build(), now);
    return this;
  }

  public Cluster pending(String id, String serviceClass, double cores) {
    return pending(request(id, serviceClass, cores));
  }

  /** A gold request is admitted. */
  public Cluster pending(String id, double cores) {
    return pending(id, "gold", cores);
  }

  /** An instance is admitted, placed on a host with room for it, and left starting, all now. */
  public Cluster starting(Request.Builder request, String host) {
    if (script.inUse) {
      return pending(request).place(request.build().id(), host);
    }
    Request guaranteed = request.constraint(new Constraint.Equal("name", host)).build();
    scheduler.submit(guaranteed, now);
    pass();
    assertThat(instance(guaranteed.id()).host())
        .as("set-up: host of %s", guaranteed)
        .contains(host(host));
    return this;
  }

  public Cluster starting(String id, String serviceClass, double cores, String host) {
    return starting(request(id, serviceClass, cores), host);
  }

  /** An instance is admitted, placed on a host with room for it, and ready, all now. */
  public Cluster running(Request.Builder request, String host) {
    starting(request, host);
    return started(request.build().id());
  }

  public Cluster running(String id, String serviceClass, double cores, String host) {
    return running(request(id, serviceClass, cores), host);
  }

  /** A gold instance runs. */
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

  /** Runs a pass in which the policy does this; by hand only. */
  public Plan pass(Consumer<SchedulingPass> actions) {
    assertThat(script.inUse).as("driven by hand").isTrue();
    script.next = actions;
    try {
      return pass();
    } finally {
      script.next = pass -> {};
    }
  }

  /** Runs a pass that places an instance, preempting the victims; by hand only. */
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

  // ---- Looking

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
