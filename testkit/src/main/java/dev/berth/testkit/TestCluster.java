package dev.berth.testkit;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.EventRefusedException;
import dev.berth.core.PolicyFailedException;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small cluster for unit tests that read like the case they are about:
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
 * <p>Time begins at zero and moves only by {@link #at} and {@link #after}; whatever is told in
 * between happens at that moment. What makes no sense to the {@linkplain Scheduler scheduler} is
 * refused as it refuses it, with an {@link EventRefusedException}.
 *
 * <p><b>Set-up does not ask the policy.</b> {@link #place}, {@link #starting}, {@link #running},
 * {@link #resize}, {@link #pause}, {@link #suspend}, {@link #resume} and {@link #migrate} bring a
 * state about whatever the policy would do: each is a pass of its own, in which the test acts in
 * place of the policy. The laws of a {@link SchedulingPass} hold all the same. Such a pass counts:
 * the next one has a higher {@linkplain Plan#pass number}, and what made a pass due so far is no
 * longer among its {@linkplain Plan#triggers triggers}.
 *
 * <p>Not thread-safe.
 */
public final class TestCluster {

  /** Objective 1, importance 1; like the other two a class of the paper. */
  public static final ServiceClass GOLD = ServiceClass.builder("gold").build();

  /** Objective 0.9, importance 2. */
  public static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.9).importance(2).build();

  /** Objective 0.5, importance 3. */
  public static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(3).build();

  private static final Reason BY_THE_TEST =
      new Reason.PolicyChoice("by-the-test", "the test wants it");

  private static final Duration LATEST = Duration.ofNanos(Long.MAX_VALUE);

  private final Scheduler scheduler;
  private final Wheel wheel;
  private long now;

  private TestCluster(Function<Wheel, Scheduler.Builder> withPolicy) {
    this.wheel = new Wheel();
    this.scheduler = withPolicy.apply(wheel).build();
  }

  // ---- Making one

  /**
   * A cluster with a policy in its default configuration; see {@link #withPolicy(String, String)}.
   */
  public static TestCluster withPolicy(String id) {
    return withPolicy(id, "{}");
  }

  /**
   * A cluster with a policy of the class path, and gold, silver and bronze.
   *
   * @param id as {@link PolicyRegistry#load()} finds it
   * @param configJson over the defaults
   * @throws dev.berth.core.UnknownPolicyException if no policy has the id
   * @throws dev.berth.core.ConfigException if the configuration is wrong
   */
  public static TestCluster withPolicy(String id, String configJson) {
    return withPolicy(settings(), id, configJson);
  }

  /** A cluster with the policy of a factory, and gold, silver and bronze. */
  public static <C extends Record> TestCluster withPolicy(PolicyFactory<C> factory, C config) {
    return withPolicy(settings(), factory, config);
  }

  /** A cluster with a policy made by hand, such as a pipeline, and gold, silver and bronze. */
  public static TestCluster withPolicy(Function<PolicyContext, Policy> maker) {
    return withPolicy(settings(), maker);
  }

  /**
   * A cluster with settings of one's own and a policy of the class path.
   *
   * @param settings service classes, seed and so on; the policy and the registry are overwritten
   * @param id as {@link PolicyRegistry#load()} finds it
   * @param configJson over the defaults
   * @throws IllegalArgumentException if the settings have no service class
   * @throws dev.berth.core.UnknownPolicyException if no policy has the id
   * @throws dev.berth.core.ConfigException if the configuration is wrong
   */
  public static TestCluster withPolicy(Scheduler.Builder settings, String id, String configJson) {
    PolicyFactory<?> factory = PolicyRegistry.load().get(id);
    return new TestCluster(
        wheel ->
            settings
                .registry(PolicyRegistry.of(new SteeredFactory<>(factory, wheel)))
                .policy(id, configJson));
  }

  /**
   * A cluster with settings of one's own and the policy of a factory.
   *
   * @param settings service classes, seed and so on; the policy is overwritten
   * @throws IllegalArgumentException if the settings have no service class
   */
  public static <C extends Record> TestCluster withPolicy(
      Scheduler.Builder settings, PolicyFactory<C> factory, C config) {
    return new TestCluster(wheel -> settings.policy(new SteeredFactory<>(factory, wheel), config));
  }

  /**
   * A cluster with settings of one's own and a policy made by hand.
   *
   * @param settings service classes, seed and so on; the policy is overwritten
   * @throws IllegalArgumentException if the settings have no service class
   */
  public static TestCluster withPolicy(
      Scheduler.Builder settings, Function<PolicyContext, Policy> maker) {
    return withPolicy(settings, "test", maker);
  }

  /**
   * A cluster whose policy does nothing, with gold, silver and bronze: only {@link #place} and
   * {@link #pass(Consumer)} decide.
   */
  public static TestCluster byHand() {
    return byHand(settings());
  }

  /**
   * A cluster whose policy does nothing, with settings of one's own.
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
        wheel -> settings.policy(id, context -> wheel.steering(maker.apply(context))));
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
    if (!Double.isFinite(whole)) {
      throw new IllegalArgumentException("%s was %s, must be finite.".formatted(dimension, whole));
    }
    return dimension.units(BigDecimal.valueOf(whole));
  }

  // ---- Time

  /**
   * Moves to a time, counted from the beginning of the test.
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
   * Lets time pass.
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
   * A host joins.
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

  /** A host leaves or fails; what was on it is pending again. */
  public TestCluster removeHost(String id) {
    scheduler.removeHost(id, now);
    return this;
  }

  // ---- Instances

  /** A request is admitted; its instance is pending. */
  public TestCluster submit(Request request) {
    scheduler.submit(request, now);
    return this;
  }

  /** A request without conditions is admitted; its instance is pending. */
  public TestCluster pending(String id, String serviceClass, Resources demand) {
    return submit(request(id, serviceClass, demand));
  }

  /** As {@link #starting(Request, String)}, for a request without conditions. */
  public TestCluster starting(String id, String serviceClass, Resources demand, String hostId) {
    return starting(request(id, serviceClass, demand), hostId);
  }

  /**
   * A request is admitted and its instance placed, whatever the policy would decide; it is left
   * starting.
   *
   * @throws IllegalArgumentException if there is no such host
   * @throws IllegalStateException if it may not be there; the message says why
   */
  public TestCluster starting(Request request, String hostId) {
    host(hostId); // before anything has happened
    return submit(request).place(request.id(), hostId);
  }

  /** As {@link #running(Request, String)}, for a request without conditions. */
  public TestCluster running(String id, String serviceClass, Resources demand, String hostId) {
    return running(request(id, serviceClass, demand), hostId);
  }

  /**
   * A request is admitted and its instance placed, whatever the policy would decide; it is ready at
   * once.
   *
   * @throws IllegalArgumentException if there is no such host
   * @throws IllegalStateException if it may not be there; the message says why
   */
  public TestCluster running(Request request, String hostId) {
    return starting(request, hostId).ready(request.id());
  }

  /**
   * A pending instance is placed, whatever the policy would decide.
   *
   * @param victimIds of instances on that host, which are preempted for it; possibly none
   * @throws IllegalArgumentException if there is no such instance, host or victim
   * @throws IllegalStateException if it may not be there; the message says why, and nothing has
   *     changed
   */
  public TestCluster place(String instanceId, String hostId, String... victimIds) {
    Instance instance = instance(instanceId);
    Host host = host(hostId);
    List<Instance> victims = Stream.of(victimIds).map(this::instance).toList();
    pass(
        pass ->
            pass.place(instance, host, victims)
                .refusal()
                .ifPresent(
                    why -> {
                      throw new IllegalStateException(
                          "%s cannot be placed on %s%s: %s. On it: %s."
                              .formatted(
                                  instanceId,
                                  hostId,
                                  victims.isEmpty()
                                      ? ""
                                      : " in place of " + String.join(", ", victimIds),
                                  why.describe(),
                                  list(host.instances().stream().map(Instance::id).sorted())));
                    }));
    return this;
  }

  /**
   * A pending instance is placed with another grant than its demand, whatever the policy would
   * decide. Less is granted only where the policy oversubscribes, or cores can be molded.
   *
   * @throws IllegalArgumentException if there is no such instance or host
   * @throws IllegalStateException if it may not be there; the message says why, and nothing has
   *     changed
   */
  public TestCluster place(String instanceId, String hostId, Resources grant) {
    Instance instance = instance(instanceId);
    Host host = host(hostId);
    return act(
        "%s cannot be placed on %s with %s".formatted(instanceId, hostId, grant),
        pass -> pass.place(instance, host, List.of(), grant));
  }

  /**
   * An instance is granted something else where it is, whatever the policy would decide.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if it may not; the message says why, and nothing has changed
   */
  public TestCluster resize(String instanceId, Resources grant) {
    Instance instance = instance(instanceId);
    return act(
        "%s cannot be resized to %s".formatted(instanceId, grant),
        pass -> pass.resize(instance, grant, BY_THE_TEST));
  }

  /**
   * A running instance is paused, whatever the policy would decide.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if it may not; the message says why, and nothing has changed
   */
  public TestCluster pause(String instanceId) {
    Instance instance = instance(instanceId);
    return act(instanceId + " cannot be paused", pass -> pass.pause(instance, BY_THE_TEST));
  }

  /**
   * A running or paused instance is suspended, whatever the policy would decide.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if it may not; the message says why, and nothing has changed
   */
  public TestCluster suspend(String instanceId) {
    Instance instance = instance(instanceId);
    return act(instanceId + " cannot be suspended", pass -> pass.suspend(instance, BY_THE_TEST));
  }

  /**
   * An instance that stands still is resumed with what it was granted before, whatever the policy
   * would decide; it is left starting.
   *
   * @throws IllegalArgumentException if there is no such instance
   * @throws IllegalStateException if it may not; the message says why, and nothing has changed
   */
  public TestCluster resume(String instanceId) {
    Instance instance = instance(instanceId);
    return act(
        instanceId + " cannot be resumed",
        pass -> pass.resume(instance, instance.granted(), BY_THE_TEST));
  }

  /**
   * An instance moves to another host with what it was granted before, whatever the policy would
   * decide; it is left starting there.
   *
   * @throws IllegalArgumentException if there is no such instance or host
   * @throws IllegalStateException if it may not; the message says why, and nothing has changed
   */
  public TestCluster migrate(String instanceId, String hostId) {
    Instance instance = instance(instanceId);
    Host host = host(hostId);
    return act(
        "%s cannot be migrated to %s".formatted(instanceId, hostId),
        pass -> pass.migrate(instance, host, instance.granted(), BY_THE_TEST));
  }

  private TestCluster act(String otherwise, Function<SchedulingPass, Outcome> action) {
    pass(
        pass ->
            action
                .apply(pass)
                .refusal()
                .ifPresent(
                    why -> {
                      throw new IllegalStateException(
                          "%s: %s.".formatted(otherwise, why.describe()));
                    }));
    return this;
  }

  /** A starting instance is ready and begins to serve. */
  public TestCluster ready(String instanceId) {
    scheduler.started(instanceId, now);
    return this;
  }

  /** An instance on a host is measured to use so much, and to have enough. */
  public TestCluster usageReported(String instanceId, Resources used) {
    return usageReported(instanceId, used, Resources.none());
  }

  /**
   * An instance on a host is measured to use so much, and to lack so much.
   *
   * @param shortfall what it would use on top if it were granted more
   */
  public TestCluster usageReported(String instanceId, Resources used, Resources shortfall) {
    scheduler.usageReported(instanceId, used, shortfall, now);
    return this;
  }

  /** An instance on a host fails, whatever its state there; it is pending again. */
  public TestCluster failed(String instanceId) {
    scheduler.failed(instanceId, now);
    return this;
  }

  /**
   * A running instance has done its work.
   *
   * @return what it got
   */
  public InstanceReport completed(String instanceId) {
    return scheduler.completed(instanceId, now);
  }

  /**
   * The user takes a request back.
   *
   * @return what its instance got
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
   * Runs a pass in which the test acts in place of the policy. What {@code actions} throws comes
   * out as it is, and then the pass has changed nothing.
   */
  public Plan pass(Consumer<SchedulingPass> actions) {
    wheel.driver = actions;
    try {
      return pass();
    } catch (PolicyFailedException failure) {
      // No policy failed: say what did.
      if (failure.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (failure.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw failure;
    } finally {
      wheel.driver = null;
    }
  }

  // ---- Looking

  /** Returns the scheduler, for all that is not here, such as its explanations. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Returns a live view of an instance.
   *
   * @throws IllegalArgumentException if there is none of that id, or it is done
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
   * @throws IllegalArgumentException if there is none of that id
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
    return all.isEmpty() ? "nobody" : String.join(", ", all);
  }

  // ---- Inside

  /** Who drives a pass: the policy, or for once the test. */
  private static final class Wheel {

    private @Nullable Consumer<SchedulingPass> driver;

    Policy steering(Policy policy) {
      return new Policy() {
        @Override
        public void schedule(SchedulingPass pass) {
          if (driver == null) {
            policy.schedule(pass);
          } else {
            driver.accept(pass);
          }
        }

        @Override
        public Optional<Duration> watchdog() {
          return policy.watchdog();
        }

        @Override
        public Set<Dimension> oversubscribes() {
          return policy.oversubscribes();
        }
      };
    }
  }

  /** A factory like another, of policies that the test can drive. */
  private record SteeredFactory<C extends Record>(PolicyFactory<C> factory, Wheel wheel)
      implements PolicyFactory<C> {

    @Override
    public String id() {
      return factory.id();
    }

    @Override
    public String summary() {
      return factory.summary();
    }

    @Override
    public C defaults() {
      return factory.defaults();
    }

    @Override
    public Policy create(C config, PolicyContext context) {
      return wheel.steering(factory.create(config, context));
    }
  }
}
