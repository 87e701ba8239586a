package dev.berth.core;

import dev.berth.api.Backoff;
import dev.berth.api.Host;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the settings of schedulers. Not thread-safe. One builder can build several. */
public final class SchedulerBuilder {

  private static final String NO_CONFIG = "{}";

  private @Nullable PolicyRegistry registry;
  private @Nullable Function<Supplier<PolicyRegistry>, ChosenPolicy> policy;
  private List<ServiceClass> classes = List.of();
  private @Nullable Long seed; // null: 0, or that of the snapshot
  @Nullable Duration watchdog;
  private int decisionLog = 1000;
  private @Nullable DecisionListener listener;
  int topScores;
  @Nullable Integer maxPlacements; // null: no limit, or that of the snapshot
  private @Nullable SchedulerSnapshot snapshot; // null: begin without hosts and instances
  @Nullable Backoff hostBackoff;
  @Nullable Backoff instanceBackoff;

  SchedulerBuilder() {}

  /** Chooses a policy by id, with its default configuration. {@link #build} looks it up. */
  public SchedulerBuilder policy(String id) {
    Objects.requireNonNull(id, "id");
    return policy(id, NO_CONFIG);
  }

  /**
   * Chooses a policy by id, with JSON text that overrides its defaults. {@link #build} looks it up
   * and binds the configuration.
   */
  public SchedulerBuilder policy(String id, String configJson) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(configJson, "configJson");
    this.policy =
        known ->
            ChosenPolicy.bound(known.get().get(id), TreeBinder.parse("policy " + id, configJson));
    return this;
  }

  /** Chooses a policy by its factory, with a complete configuration. */
  public <C extends Record> SchedulerBuilder policy(PolicyFactory<C> factory, C config) {
    Objects.requireNonNull(factory, "factory");
    Objects.requireNonNull(config, "config");
    this.policy = known -> ChosenPolicy.of(factory, config);
    return this;
  }

  /** Chooses a policy that a function creates, under an id for messages and reports. */
  public SchedulerBuilder policy(String id, Function<PolicyContext, Policy> maker) {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(maker, "maker");
    this.policy = known -> new ChosenPolicy(id, NO_CONFIG, maker);
    return this;
  }

  /** Sets the registry in which policies are looked up; default {@link PolicyRegistry#load()}. */
  public SchedulerBuilder registry(PolicyRegistry registry) {
    Objects.requireNonNull(registry, "registry");
    this.registry = registry;
    return this;
  }

  /**
   * Sets the service classes that requests may name; at least one, with distinct names.
   *
   * <p>The lowest objective of the classes fixes the unit in which {@code qos-driven} compares
   * instances, so that decisions are right for 36,500 days of service: a nanosecond if all
   * objectives exceed 0.439, 8 ns at 0.1, 1024 ns at 0.001. Instances whose metrics differ by less
   * than two units may be treated as equal.
   */
  public SchedulerBuilder serviceClasses(ServiceClass... serviceClasses) {
    Objects.requireNonNull(serviceClasses, "serviceClasses");
    return serviceClasses(Arrays.asList(serviceClasses)); // build() refuses null with words
  }

  /**
   * Sets the service classes that requests may name; at least one, with distinct names. See {@link
   * #serviceClasses(ServiceClass...)}.
   */
  public SchedulerBuilder serviceClasses(Collection<? extends ServiceClass> classes) {
    Objects.requireNonNull(classes, "classes");
    this.classes = new ArrayList<>(classes);
    return this;
  }

  /** Sets the seed of all random choices; default 0. */
  public SchedulerBuilder seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Sets the longest time between two passes. Overrides that of the policy.
   *
   * @throws IllegalArgumentException if not positive
   */
  public SchedulerBuilder watchdog(Duration longest) {
    Objects.requireNonNull(longest, "longest");
    requirePositive("scheduler", longest);
    this.watchdog = longest;
    return this;
  }

  /**
   * Sets how many decisions are kept for explanations; default 1000. With 0, passes record no
   * decisions, which saves time.
   *
   * @throws IllegalArgumentException if negative
   */
  public SchedulerBuilder decisionLog(int keepLast) {
    if (keepLast < 0) {
      throw new IllegalArgumentException(
          "decision log was %s, must be 0 or more.".formatted(keepLast));
    }
    this.decisionLog = keepLast;
    return this;
  }

  /**
   * Sets a listener that receives the decisions of each pass; default none. {@link
   * DecisionListener} states when it is called, and what it may do. With a listener, passes record
   * their decisions even if the {@linkplain #decisionLog log} keeps none.
   */
  public SchedulerBuilder onDecision(DecisionListener listener) {
    Objects.requireNonNull(listener, "listener");
    this.listener = listener;
    return this;
  }

  /**
   * Sets how many of the best hosts are recorded with each decision; default 0. With more, every
   * pass evaluates all hosts, which costs memory and time.
   *
   * @throws IllegalArgumentException if negative
   */
  public SchedulerBuilder topScores(int hosts) {
    if (hosts < 0) {
      throw new IllegalArgumentException("top scores was %s, must be 0 or more.".formatted(hosts));
    }
    this.topScores = hosts;
    return this;
  }

  /**
   * Sets the most instances that a pass places; default no limit. After a pass that places so many,
   * the next pass is due at once, with the trigger {@link Trigger#WAKE_UP}.
   *
   * <p>It bounds the size of a plan: an embedder that carries plans out slowly can report what
   * happened before the next decisions. Victims, and all other actions, are not counted.
   *
   * @throws IllegalArgumentException if not positive
   */
  public SchedulerBuilder maxPlacements(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(
          "placements of a pass were limited to %s, must be 1 or more.".formatted(most));
    }
    this.maxPlacements = most;
    return this;
  }

  /**
   * Makes {@link #build} restore a scheduler. It continues as the scheduler of the snapshot would:
   * the same events give the same plans, the same {@linkplain Scheduler#digest digests} and the
   * same explanations of what waits. {@link SchedulerSnapshot} says what is not restored.
   *
   * <p>Policy, configuration, seed, service classes, watchdog and limit of placements are those of
   * the snapshot. What this builder sets of them must be the same; it must set a policy that no
   * {@linkplain #registry registry} has.
   */
  public SchedulerBuilder restore(SchedulerSnapshot snapshot) {
    Objects.requireNonNull(snapshot, "snapshot");
    this.snapshot = snapshot;
    return this;
  }

  /**
   * Holds back hosts on which starts fail in a row; default: none. A start fails if {@link
   * Scheduler#rejected rejected} reports its action, or {@link Scheduler#failed failed} its
   * instance while it is starting. A host that is held back is {@linkplain Host#closed closed}. The
   * next start that succeeds there opens it and starts the count anew.
   *
   * <p>At the end of the time, a pass is due with the trigger {@link Trigger#HELD_BACK_ENDED}.
   */
  public SchedulerBuilder hostBackoff(Backoff times) {
    Objects.requireNonNull(times, "times");
    this.hostBackoff = times;
    return this;
  }

  /**
   * Holds back instances whose starts fail in a row, on whatever hosts; default: none. Starts fail
   * as for {@link #hostBackoff}, but a resumption or migration that is rejected does not count,
   * since its instance stays where it was. An instance that is held back stays pending, but no
   * policy can place it. Its next start that succeeds starts the count anew.
   *
   * <p>At the end of the time, a pass is due with the trigger {@link Trigger#HELD_BACK_ENDED}.
   */
  public SchedulerBuilder instanceBackoff(Backoff times) {
    Objects.requireNonNull(times, "times");
    this.instanceBackoff = times;
    return this;
  }

  /**
   * Returns a scheduler without hosts or instances, or the {@linkplain #restore restored} one.
   *
   * @throws IllegalArgumentException if no policy or no service class was chosen, two classes have
   *     one name, or a property of a class is null or outside its range
   * @throws UnknownPolicyException if no policy has the id
   * @throws ConfigException if the policy's configuration is wrong; it lists all problems
   * @throws SnapshotException if the snapshot is of an unknown format, has contents that do not fit
   *     together, or differs from what this builder sets, or if the policy does not say what it
   *     keeps from pass to pass; it lists all problems
   */
  public Scheduler build() {
    Restoration restoration = restoration();
    RecordedDecisions log = new RecordedDecisions(decisionLog);
    DecisionReport report = listener == null ? null : new DecisionReport(listener, log);
    return new Scheduler(this, restoration, cluster(restoration), log, report);
  }

  /** Returns the snapshot to restore, which fits these settings; null if there is none. */
  private @Nullable Restoration restoration() {
    if (snapshot == null) {
      return null;
    }
    Restoration restoration = Restoration.of(snapshot);
    restoration.requireMatch(choice(), this);
    return restoration;
  }

  /** Returns an empty cluster. */
  private ClusterState cluster(@Nullable Restoration restoration) {
    return new ClusterState(
        seed != null ? seed : restoration == null ? 0 : restoration.seed(),
        classes.isEmpty() && restoration != null ? restoration.serviceClasses() : classes);
  }

  /** Returns the policy, by default that of the snapshot. */
  ChosenPolicy choice() {
    if (policy == null && snapshot != null) {
      SchedulerSnapshot.Settings saved = snapshot.settings();
      return ChosenPolicy.bound(
          registryOrAll().get(saved.policy()),
          TreeBinder.parse("policy " + saved.policy(), saved.policyConfig()));
    }
    if (policy == null) {
      throw new IllegalArgumentException("no policy was chosen. Maybe policy(\"qos-driven\").");
    }
    return policy.apply(this::registryOrAll);
  }

  static void requirePositive(String owner, Duration watchdog) {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException(
          "%s: watchdog was %s, must be positive.".formatted(owner, watchdog));
    }
  }

  private PolicyRegistry registryOrAll() {
    return registry == null ? PolicyRegistry.load() : registry;
  }

  /** Returns how the settings of a snapshot differ from what this builder sets. */
  List<String> differences(ChosenPolicy choice, SchedulerSnapshot.Settings saved) {
    List<String> differences = new ArrayList<>();
    compare("policy", saved.policy(), choice.id(), differences);
    if (saved.policy().equals(choice.id())) {
      compare("configuration", saved.policyConfig(), choice.config(), differences);
    }
    if (seed != null) {
      compare("seed", saved.seed(), seed, differences);
    }
    if (!classes.isEmpty()) {
      compare(
          "service classes",
          Snapshots.byName(saved.serviceClasses()),
          Snapshots.byName(Snapshots.write(ClassRecord.rank(classes).values())),
          differences);
    }
    if (watchdog != null) {
      compare(
          "watchdog",
          saved.watchdog(),
          OptionalLong.of(Durations.toNanosSaturated(watchdog)),
          differences);
    }
    if (maxPlacements != null) {
      compare("limit of placements", saved.maxPlacements(), maxPlacements, differences);
    }
    return differences;
  }

  private static void compare(String what, Object saved, Object built, List<String> differences) {
    if (!saved.equals(built)) {
      differences.add(
          "its %s is %s, that of the builder is %s. They must be the same"
              .formatted(what, saved, built));
    }
  }
}
