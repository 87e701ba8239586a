package dev.berth.testkit;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.asserting.Asserting;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small cluster for unit tests that read like the case they describe:
 *
 * <pre>{@code
 * TestCluster cluster =
 *     TestCluster.withPolicy("qos-driven")
 *         .host("h1", cpu(1))
 *         .running("r9", "bronze", cpu(1), "h1")
 *         .after(Duration.ofSeconds(15))
 *         .pending("r1", "gold", cpu(1));
 * assertThat(cluster.pass()).places("r1").on("h1").preempting("r9");
 * }</pre>
 *
 * <p>Time starts at zero and advances only by {@link #at} and {@link #after}; all events happen at
 * the current time. The {@linkplain Scheduler scheduler} rejects an invalid event with an {@link
 * EventRefusedException}.
 *
 * <p><b>Set-up does not call the policy.</b> {@link #place}, {@link #starting}, {@link #running},
 * {@link #resize}, {@link #pause}, {@link #suspend}, {@link #resume} and {@link #migrate} set up a
 * state regardless of the policy. Each is a pass of its own in which the test acts in place of the
 * policy. The laws of a {@link SchedulingPass} still hold. Such a pass counts: the next one has a
 * higher {@linkplain Plan#pass number}, and earlier {@linkplain Plan#triggers triggers} are gone.
 *
 * <p>Not thread-safe.
 */
public final class TestCluster {

  /** Objective 1, importance 1; as the other two a class of the paper. */
  public static final ServiceClass GOLD = ServiceClass.builder("gold").build();

  /** Objective 0.9, importance 2. */
  public static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.9).importance(2).build();

  /** Objective 0.5, importance 3. */
  public static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(3).build();

  private static final Reason BY_THE_TEST =
      new Reason.PolicyChoice("by-the-test", "requested by the test");

  private static final Duration LATEST = Duration.ofNanos(Long.MAX_VALUE);

  private final Scheduler scheduler;
  private @Nullable Consumer<SchedulingPass> substitute; // for the policy, in a pass of the test
  private long now;

  /**
   * Creates a cluster.
   *
   * @param withPolicy takes what lets the test act in place of a policy
   */
  private TestCluster(Function<UnaryOperator<Policy>, Scheduler.Builder> withPolicy) {
    this.scheduler = withPolicy.apply(this::steered).build();
  }

  private Policy steered(Policy policy) {
    return Asserting.withPasses(
        policy,
        pass -> {
          if (substitute == null) {
            policy.schedule(pass);
          } else {
            substitute.accept(pass);
          }
        });
  }

  // ---- Creation

  /**
   * Returns a cluster with a policy in its default configuration; see {@link #withPolicy(String,
   * String)}.
   */
  public static TestCluster withPolicy(String id) {
    return withPolicy(id, "{}");
  }

  /**
   * Returns a cluster with a policy of the class path, and gold, silver and bronze.
   *
   * @param id as {@link PolicyRegistry#load()} finds it
   * @param configJson over the defaults
   * @throws dev.berth.core.error.UnknownPolicyException if no policy has the id
   * @throws dev.berth.core.error.ConfigException if the configuration is wrong
   */
  public static TestCluster withPolicy(String id, String configJson) {
    return withPolicy(settings(), id, configJson);
  }

  /** Returns a cluster with the policy of a factory, and gold, silver and bronze. */
  public static <C extends Record> TestCluster withPolicy(PolicyFactory<C> factory, C config) {
    return withPolicy(settings(), factory, config);
  }

  /**
   * Returns a cluster with a hand-written policy, such as a pipeline, and gold, silver and bronze.
   */
  public static TestCluster withPolicy(Function<PolicyContext, Policy> maker) {
    return withPolicy(settings(), maker);
  }

  /**
   * Returns a cluster with custom settings and a policy of the class path.
   *
   * @param settings service classes, seed and so on; the policy and the registry are overwritten
   * @param id as {@link PolicyRegistry#load()} finds it
   * @param configJson over the defaults
   * @throws IllegalArgumentException if the settings have no service class
   * @throws dev.berth.core.error.UnknownPolicyException if no policy has the id
   * @throws dev.berth.core.error.ConfigException if the configuration is wrong
   */
  public static TestCluster withPolicy(Scheduler.Builder settings, String id, String configJson) {
    PolicyFactory<?> factory = PolicyRegistry.load().get(id);
    return new TestCluster(
        steering ->
            settings
                .registry(PolicyRegistry.of(new SteeredFactory<>(factory, steering)))
                .policy(id, configJson));
  }

  /**
   * Returns a cluster with custom settings and the policy of a factory.
   *
   * @param settings service classes, seed and so on; the policy is overwritten
   * @throws IllegalArgumentException if the settings have no service class
   */
  public static <C extends Record> TestCluster withPolicy(
      Scheduler.Builder settings, PolicyFactory<C> factory, C config) {
    return new TestCluster(
        steering -> settings.policy(new SteeredFactory<>(factory, steering), config));
  }

  /**
   * Returns a cluster with custom settings and a hand-written policy.
   *
   * @param settings service classes, seed and so on; the policy is overwritten
   * @throws IllegalArgumentException if the settings have no service class
   */
  public static TestCluster withPolicy(
      Scheduler.Builder settings, Function<PolicyContext, Policy> maker) {
    return withPolicy(settings, "test", maker);
  }

  /**
   * Returns a cluster whose policy does nothing, with gold, silver and bronze: only {@link #place}
   * and {@link #pass(Consumer)} decide.
   */
  public static TestCluster byHand() {
    return byHand(settings());
  }

  /**
   * Returns a cluster with custom settings whose policy does nothing.
   *
   * @param settings service classes, seed and so on; the policy is overwritten
   * @throws IllegalArgumentException if the settings have no service class
   */
  public static TestCluster byHand(Scheduler.Builder settings) {
    return withPolicy(settings, "by-hand", context -> pass -> {});
  }

  private static TestCluster withPolicy(
      Scheduler.Builder settings, String id, Function<PolicyContext, Policy> maker) {
    return new TestCluster(
        steering -> settings.policy(id, context -> steering.apply(maker.apply(context))));
  }

  private static Scheduler.Builder settings() {
    return Scheduler.builder().serviceClasses(GOLD, SILVER, BRONZE);
  }

  // ---- Amounts

  /**
   * Returns an amount of CPU.
   *
   * @param cores rounded to the nearest unit
   * @throws IllegalArgumentException if negative, not finite, or too large to count
   */
  public static Resources cpu(double cores) {
    return Resources.of(Dimension.CPU, units(Dimension.CPU, cores));
  }

  /**
   * Returns an amount of CPU and of memory.
   *
   * @param cores rounded to the nearest unit
   * @param gigabytes of 10<sup>9</sup> bytes, rounded to the nearest byte
   * @throws IllegalArgumentException if one is negative, not finite, or too large to count
   */
  public static Resources cpuAndMemory(double cores, double gigabytes) {
    return Resources.of(
        Dimension.CPU,
        units(Dimension.CPU, cores),
        Dimension.MEMORY,
        units(Dimension.MEMORY, gigabytes));
  }

  private static long units(Dimension dimension, double whole) {
    refuseIf(!Double.isFinite(whole), "%s was %s, must be finite.", dimension, whole);
    return dimension.units(BigDecimal.valueOf(whole));
  }

  // ---- Time

  /**
   * Advances to a time, counted from the beginning of the test.
   *
   * @throws IllegalArgumentException if that is in the past or more than 292 years off
   */
  public TestCluster at(Duration sinceBeginning) {
    Duration past = Duration.ofNanos(now);
    if (sinceBeginning.compareTo(past) < 0 || sinceBeginning.compareTo(LATEST) > 0) {
      throw new IllegalArgumentException(
          "time was to be %s, must be from %s to 292 years."
              .formatted(Durations.format(sinceBeginning), Durations.format(past)));
    }
    now = sinceBeginning.toNanos();
    return this;
  }

  /**
   * Advances time by a duration.
   *
   * @throws IllegalArgumentException if negative, or if that leads more than 292 years off
   */
  public TestCluster after(Duration passed) {
    return at(Duration.ofNanos(now).plus(passed));
  }

  /** Returns the time, in nanoseconds from the beginning of the test. */
  public long now() {
    return now;
  }

  // ---- Hosts

  /**
   * Adds a host.
   *
   * @param attributes name, value, name, value, …; possibly none
   * @throws IllegalArgumentException if the last name lacks a value, or a name is given twice
   */
  public TestCluster host(String id, Resources capacity, String... attributes) {
    scheduler.addHost(new HostSpec(id, capacity, named(id, attributes)), now);
    return this;
  }

  private static Map<String, String> named(String host, String... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException(
          "host %s: attribute %s has no value. Attributes are name, value, name, value."
              .formatted(host, attributes[attributes.length - 1]));
    }
    Map<String, String> named = new TreeMap<>();
    for (int i = 0; i < attributes.length; i += 2) {
      if (named.putIfAbsent(attributes[i], attributes[i + 1]) != null) {
        throw new IllegalArgumentException(
            "host %s: attribute %s was given twice.".formatted(host, attributes[i]));
      }
    }
    return named;
  }

  /** Removes a host; its instances are pending again. */
  public TestCluster removeHost(String id) {
    scheduler.removeHost(id, now);
    return this;
  }

  // ---- Instances

  /** Submits a request; its instance is pending. */
  public TestCluster submit(Request request) {
    scheduler.submit(request, now);
    return this;
  }

  /** Submits a request without constraints; its instance is pending. */
  public TestCluster pending(String id, String serviceClass, Resources demand) {
    return submit(request(id, serviceClass, demand));
  }

  /** As {@link #starting(Request, String)}, for a request without constraints. */
  public TestCluster starting(String id, String serviceClass, Resources demand, String hostId) {
    return starting(request(id, serviceClass, demand), hostId);
  }

  /**
   * Submits a request and places its instance, regardless of the policy; it is starting.
   *
   * @throws IllegalArgumentException if there is no such host
   * @throws IllegalStateException if it cannot be placed there; the message says why
   */
  public TestCluster starting(Request request, String hostId) {
    host(hostId); // before anything has happened
    return submit(request).place(request.id(), hostId);
  }

  /** As {@link #running(Request, String)}, for a request without constraints. */
  public TestCluster running(String id, String serviceClass, Resources demand, String hostId) {
    return running(request(id, serviceClass, demand), hostId);
  }

  /**
   * Submits a request and places its instance, regardless of the policy; it is running.
   *
   * @throws IllegalArgumentException if there is no such host
   * @throws IllegalStateException if it cannot be placed there; the message says why
   */
  public TestCluster running(Request request, String hostId) {
    return starting(request, hostId).ready(request.id());
  }

  /**
   * Places a pending instance, regardless of the policy.
   *
   * @param victimIds of instances on that host, which are preempted for it; possibly none
   * @throws IllegalArgumentException if there is no such instance, host or victim
   * @throws IllegalStateException if it cannot be placed there; the message says why, and nothing
   *     has changed
   */
  public TestCluster place(String instanceId, String hostId, String... victimIds) {
    Host host = host(hostId);
    List<Instance> victims = Stream.of(victimIds).map(this::instance).toList();
    String inPlaceOf = victims.isEmpty() ? "" : " in place of " + String.join(", ", victimIds);
    return act(
        instanceId,
        "placed on " + hostId + inPlaceOf,
        " On it: %s.".formatted(list(host.instances().stream().map(Instance::id).sorted())),
        (pass, instance) -> pass.place(instance, host, victims));
  }

  /**
   * Places a pending instance with a grant other than its demand, regardless of the policy. The
   * grant may be less only if the policy oversubscribes, or for moldable cores.
   *
   * @throws IllegalArgumentException if there is no such instance or host
   * @throws IllegalStateException if it cannot be placed there; the message says why, and nothing
   *     has changed
   */
  public TestCluster place(String instanceId, String hostId, Resources grant) {
    Host host = host(hostId);
    return act(
        instanceId,
        "placed on %s with %s".formatted(hostId, grant),
        (pass, instance) -> pass.place(instance, host, List.of(), grant));
  }

  /**
   * Resizes an instance on its host, regardless of the policy.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if the action is rejected; the message says why, and nothing has
   *     changed
   */
  public TestCluster resize(String instanceId, Resources grant) {
    return act(
        instanceId,
        "resized to " + grant,
        (pass, instance) -> pass.resize(instance, grant, BY_THE_TEST));
  }

  /**
   * Pauses a running instance, regardless of the policy.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if the action is rejected; the message says why, and nothing has
   *     changed
   */
  public TestCluster pause(String instanceId) {
    return act(instanceId, "paused", (pass, instance) -> pass.pause(instance, BY_THE_TEST));
  }

  /**
   * Suspends a running or paused instance, regardless of the policy.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if the action is rejected; the message says why, and nothing has
   *     changed
   */
  public TestCluster suspend(String instanceId) {
    return act(instanceId, "suspended", (pass, instance) -> pass.suspend(instance, BY_THE_TEST));
  }

  /**
   * Resumes a paused or suspended instance with its previous grant, regardless of the policy; it is
   * starting.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if the action is rejected; the message says why, and nothing has
   *     changed
   */
  public TestCluster resume(String instanceId) {
    return act(
        instanceId,
        "resumed",
        (pass, instance) -> pass.resume(instance, instance.granted(), BY_THE_TEST));
  }

  /**
   * Migrates an instance to another host with its previous grant, regardless of the policy; it is
   * starting there.
   *
   * @throws IllegalArgumentException if there is no such instance or host
   * @throws IllegalStateException if the action is rejected; the message says why, and nothing has
   *     changed
   */
  public TestCluster migrate(String instanceId, String hostId) {
    Host host = host(hostId);
    return act(
        instanceId,
        "migrated to " + hostId,
        (pass, instance) -> pass.migrate(instance, host, instance.granted(), BY_THE_TEST));
  }

  private TestCluster act(
      String instanceId, String what, BiFunction<SchedulingPass, Instance, Outcome> action) {
    return act(instanceId, what, "", action);
  }

  private TestCluster act(
      String instanceId,
      String what,
      String details,
      BiFunction<SchedulingPass, Instance, Outcome> action) {
    Instance instance = instance(instanceId);
    pass(
        pass -> {
          Optional<Reason> refusal = action.apply(pass, instance).refusal();
          if (refusal.isPresent()) {
            throw new IllegalStateException(
                "%s cannot be %s: %s.%s"
                    .formatted(instanceId, what, refusal.get().describe(), details));
          }
        });
    return this;
  }

  /** Reports that a starting instance is ready; it is running. */
  public TestCluster ready(String instanceId) {
    scheduler.started(instanceId, now);
    return this;
  }

  /** Reports the usage of an instance on a host, without a shortfall. */
  public TestCluster usageReported(String instanceId, Resources used) {
    return usageReported(instanceId, used, Resources.none());
  }

  /**
   * Reports the usage and the shortfall of an instance on a host.
   *
   * @param shortfall what it would use on top if it were granted more
   */
  public TestCluster usageReported(String instanceId, Resources used, Resources shortfall) {
    scheduler.usageReported(instanceId, used, shortfall, now);
    return this;
  }

  /** Reports that an instance on a host failed, in any state; it is pending again. */
  public TestCluster failed(String instanceId) {
    scheduler.failed(instanceId, now);
    return this;
  }

  /**
   * Reports that a running instance completed.
   *
   * @return its report
   */
  public InstanceReport completed(String instanceId) {
    return scheduler.completed(instanceId, now);
  }

  /**
   * Cancels an instance in any state.
   *
   * @return its report
   */
  public InstanceReport cancel(String instanceId) {
    return scheduler.cancel(instanceId, now);
  }

  private static Request request(String id, String serviceClass, Resources demand) {
    return Request.builder(id, serviceClass).demand(demand).build();
  }

  // ---- Passes

  /**
   * Runs a pass of the policy.
   *
   * @throws PolicyFailedException if the policy throws
   */
  public Plan pass() {
    return scheduler.schedule(now);
  }

  /**
   * Runs a pass in which the test acts in place of the policy. If {@code actions} throws, this
   * method throws the same and the pass has no effect.
   */
  public Plan pass(Consumer<SchedulingPass> actions) {
    substitute = actions;
    try {
      return pass();
    } catch (PolicyFailedException failure) {
      // The test failed, not the policy.
      if (failure.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (failure.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw failure;
    } finally {
      substitute = null;
    }
  }

  // ---- Views

  /** Returns the scheduler, for other methods such as its explanations. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Returns a live view of an instance.
   *
   * @throws IllegalArgumentException if no instance has that id, or it is done
   */
  public Instance instance(String id) {
    return require(
        "instance",
        id,
        scheduler.instance(id),
        scheduler.instances().stream().map(Instance::id).toList());
  }

  /**
   * Returns a live view of a host.
   *
   * @throws IllegalArgumentException if no host has that id
   */
  public Host host(String id) {
    return require(
        "host", id, scheduler.host(id), scheduler.hosts().stream().map(Host::id).toList());
  }

  private static <T> T require(
      String what, String id, Optional<T> found, Collection<String> present) {
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "no %s %s in the cluster. There is: %s."
                    .formatted(what, id, list(present.stream()))));
  }

  private static String list(Stream<String> ids) {
    List<String> all = ids.toList();
    return all.isEmpty() ? "none" : String.join(", ", all);
  }
}
