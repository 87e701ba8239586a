package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.DisruptionBudget.Limit;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.Bag;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Policies for tests of the engine; most act at random. */
final class RandomPolicies {

  private RandomPolicies() {}

  /** The dimensions that the random policies oversubscribe. */
  static final Set<Dimension> OVERSUBSCRIBED = Set.of(Dimension.MEMORY);

  private static final Reason MOOD = new Reason.PolicyChoice("mood", "not now");

  /**
   * A policy.
   *
   * @param name its name
   * @param starts returns a scheduler that runs it and counts the actions it attempts
   */
  record TestPolicy(String name, BiFunction<Setting, ActionCounts, Scheduler.Builder> starts) {

    Scheduler.Builder builder(Setting setting, ActionCounts attempts) {
      return starts.apply(setting, attempts);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Performs random valid actions. */
  static TestPolicy randomValidActions() {
    return byHand("random-valid", (each, attempts) -> new AtRandom(true, attempts));
  }

  static Arbitrary<TestPolicy> any() {
    return Arbitraries.frequencyOf(
        Tuple.of(
            1,
            Arbitraries.of(
                byHand("in-order-of-admission", (each, attempts) -> each.pipeline().build()))),
        Tuple.of(1, Arbitraries.of(byHand("elders-first", (each, attempts) -> eldersFirst(each)))),
        Tuple.of(
            3, Arbitraries.of(byHand("random", (each, attempts) -> new AtRandom(false, attempts)))),
        Tuple.of(
            1,
            Arbitraries.of(
                byHand(
                    "failing", (each, attempts) -> new Failing(new AtRandom(false, attempts))))));
  }

  private static TestPolicy byHand(
      String name, BiFunction<PolicyContext, ActionCounts, Policy> maker) {
    return new TestPolicy(
        name,
        (setting, attempts) ->
            Scheduler.builder()
                .policy(name, context -> new Noting(maker.apply(context, attempts), attempts))
                .serviceClasses(setting.serviceClasses())
                .seed(setting.seed()));
  }

  /** Preempts later instances for earlier ones, starting and unneeded ones included. */
  private static Policy eldersFirst(PolicyContext context) {
    VictimOrder youngestFirst =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            return instance.admittedAt();
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    return context
        .pipeline()
        .preemption(
            youngestFirst,
            pair ->
                pair.victimValue() > pair.beneficiaryValue()
                    ? Verdict.allow("younger", "younger")
                    : Verdict.refuseRest("older", "older"))
        .preemptStarting(true)
        .minimizeVictims(false)
        .build();
  }

  /** Attempts random actions, valid and invalid, in forks and in the pass. */
  private record AtRandom(boolean validOnly, ActionCounts attempts) implements Policy {

    private static final int RESIZE = 0;
    private static final int PAUSE = 1;
    private static final int SUSPEND = 2;
    private static final int RESUME = 3;
    private static final int MIGRATE = 4;
    private static final int REJECT = 5;

    @Override
    public Set<Dimension> oversubscribes() {
      return OVERSUBSCRIBED;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      tryActions(pass, pass.random(), 0, new HashSet<>());
    }

    /**
     * Attempts some actions.
     *
     * @param acted ids of the instances that the pass has acted on
     */
    private void tryActions(
        SchedulingPass pass, RandomGenerator random, int depth, Set<String> acted) {
      int tries = random.nextInt(10);
      for (int i = 0; i < tries; i++) {
        if (depth < 3 && random.nextInt(4) == 0) {
          boolean keeps = random.nextBoolean();
          List<String> before = describe(pass);
          Set<String> actedThere = new HashSet<>(acted);
          try (SchedulingPass.Fork fork = pass.fork()) {
            tryActions(fork, fork.random(), depth + 1, actedThere);
            if (keeps) {
              fork.keep();
              acted.addAll(actedThere);
            }
          }
          if (!keeps && !describe(pass).equals(before)) {
            throw new AssertionError(
                "a discarded fork changed " + before + " to " + describe(pass));
          }
        } else if (random.nextInt(4) == 0) {
          tryPoolOrBagAction(pass, random, acted);
        } else if (random.nextBoolean()) {
          tryPlacing(pass, random, acted);
        } else {
          tryAdjusting(pass, random, acted);
        }
      }
    }

    private static List<String> describe(SchedulingPass pass) {
      List<String> all = new ArrayList<>();
      pass.pending().forEach(each -> all.add(each.id() + " waits"));
      pass.instances()
          .forEach(
              each ->
                  all.add(
                      "%s %s %s %s %s"
                          .formatted(
                              each,
                              each.granted(),
                              each.usage(),
                              each.migrations(),
                              each.serviceTime(pass.now()))));
      pass.hosts().forEach(each -> all.add(describe(each) + " " + each.free()));
      for (Pool each : pass.pools()) {
        all.add(each + " with " + each.stopping() + " stopping");
        each.starting().forEach(host -> all.add(describe(host)));
        each.up().forEach(host -> all.add(describe(host)));
      }
      for (Bag each : pass.bags()) {
        all.add("%s %s %s".formatted(each, each.cluster(), each.assignedAt()));
        all.add("%s %s %s".formatted(each, each.expiresAt(), each.instances()));
        all.add("%s %s %s".formatted(each, each.completed(), each.serviceTime(pass.now())));
      }
      return all;
    }

    private static String describe(Host host) {
      return "%s %s %s %s %s %s"
          .formatted(
              host,
              host.state(),
              host.pool(),
              host.cluster(),
              host.expiresAt(),
              host.recentCompletions());
    }

    /** Attempts an action on a pool or a bag. */
    private void tryPoolOrBagAction(
        SchedulingPass pass, RandomGenerator random, Set<String> acted) {
      if (random.nextBoolean()) {
        pass.wakeAt(pass.now() + 1 + random.nextInt(1_000));
      }
      List<Pool> pools = pass.pools();
      List<Bag> bags = pass.bags();
      if (!pools.isEmpty() && (bags.isEmpty() || random.nextBoolean())) {
        tryScaling(pass, random, pools.get(random.nextInt(pools.size())));
      } else if (!bags.isEmpty()) {
        tryAssigning(pass, random, bags.get(random.nextInt(bags.size())), acted);
      }
    }

    private void tryScaling(SchedulingPass pass, RandomGenerator random, Pool pool) {
      List<Host> hosts = new ArrayList<>(pool.starting());
      hosts.addAll(pool.up());
      if (hosts.isEmpty() || random.nextInt(4) == 0) {
        hosts.addAll(pass.hosts());
      }
      if (hosts.isEmpty() || random.nextBoolean()) {
        int count = random.nextInt(validOnly ? 3 : 5);
        Optional<String> cluster =
            random.nextInt(3) == 0 ? Optional.empty() : Optional.of(someCluster(random));
        attempt(
            Action.Provision.class,
            pool + " for " + count,
            RejectionOracle.ofProvisioning(pool, count, cluster),
            () -> pass.provision(pool, count, cluster, someTime(pass, random), MOOD));
      } else {
        Host host = hosts.get(random.nextInt(hosts.size()));
        attempt(
            Action.Release.class,
            describe(host),
            RejectionOracle.ofReleasing(host),
            () -> pass.release(host, MOOD));
      }
    }

    private void tryAssigning(
        SchedulingPass pass, RandomGenerator random, Bag bag, Set<String> acted) {
      if (random.nextBoolean()) {
        String cluster = someCluster(random);
        OptionalLong expiresAt = someTime(pass, random);
        attempt(
            Action.Assign.class,
            bag + " to " + cluster,
            RejectionOracle.ofAssigning(cluster, expiresAt, pass.now()),
            () -> pass.assign(bag, cluster, expiresAt, MOOD));
        return;
      }
      List<String> members = bag.instances().stream().map(Instance::id).toList();
      boolean bagActed = members.stream().anyMatch(acted::contains) || acted.contains(of(bag.id()));
      Optional<String> objection =
          bagActed
              ? Optional.of("an instance of it was acted on")
              : protection(
                  pass,
                  bag.instances().stream()
                      .filter(each -> limit(pass, each).equals(Optional.of(Limit.MIN_UP)))
                      .toList());
      if (attempt(Action.Cancel.class, bag.toString(), objection, () -> pass.cancel(bag, MOOD))) {
        acted.addAll(members);
      }
    }

    /** Marks a bag of which an instance was acted on; the instance itself may be rejected. */
    private static String of(String bag) {
      return "member of bag " + bag;
    }

    private String someCluster(RandomGenerator random) {
      return random.nextInt(validOnly ? 2 : 3) < 2 ? "c" + random.nextInt(2) : " ";
    }

    /** Returns no time, a time from now on, or sometimes one in the past. */
    private OptionalLong someTime(SchedulingPass pass, RandomGenerator random) {
      return switch (random.nextInt(validOnly ? 3 : 4)) {
        case 0 -> OptionalLong.empty();
        case 1 -> OptionalLong.of(pass.now());
        case 2 -> OptionalLong.of(pass.now() + 10_000_000_000L);
        default -> OptionalLong.of(pass.now() - 1);
      };
    }

    private void tryPlacing(SchedulingPass pass, RandomGenerator random, Set<String> acted) {
      List<Instance> instances =
          validOnly || random.nextInt(5) > 0 ? pass.pending() : List.copyOf(pass.instances());
      List<Host> hosts = pass.hosts();
      if (instances.isEmpty() || hosts.isEmpty()) {
        return;
      }
      Instance instance = instances.get(random.nextInt(instances.size()));
      if (random.nextInt(10) == 0) {
        pass.defer(instance, MOOD);
        return;
      }
      Host host = hosts.get(random.nextInt(hosts.size()));
      List<Instance> victims = new ArrayList<>();
      List<Instance> there =
          random.nextInt(8) > 0 ? List.copyOf(host.instances()) : List.copyOf(pass.instances());
      for (Instance each : there) {
        if (random.nextInt(3) == 0) {
          victims.add(each);
        }
      }
      if (!victims.isEmpty() && random.nextInt(16) == 0) {
        victims.add(victims.get(0));
      }
      Resources grant =
          random.nextInt(3) == 0 ? someGrant(instance, random) : instance.request().demand();
      Optional<Reason> obstacle = pass.obstacle(instance, host, victims, grant);
      if (validOnly && obstacle.isPresent()) {
        return;
      }
      Optional<String> objection = protection(pass, victims);
      Outcome outcome = pass.place(instance, host, victims, grant);
      if (!outcome.refusal().equals(obstacle)) {
        throw new AssertionError("foretold " + obstacle + ", but it was " + outcome);
      }
      if (outcome.accepted() && objection.isPresent()) {
        throw new AssertionError("predicted %s for %s".formatted(objection, victims));
      }
      attempts.count(Action.Place.class, outcome.accepted());
      if (outcome.accepted()) {
        actedOn(instance, acted);
        victims.forEach(each -> actedOn(each, acted));
      }
    }

    private void tryAdjusting(SchedulingPass pass, RandomGenerator random, Set<String> acted) {
      List<Instance> instances = new ArrayList<>(pass.instances());
      List<Host> hosts = pass.hosts();
      if (instances.isEmpty() || hosts.isEmpty()) {
        return;
      }
      Predicate<Instance> ready =
          each -> holdsAHost(each) && !acted.contains(each.id()); // few, and soon gone
      if (random.nextInt(4) > 0 && instances.stream().anyMatch(ready)) {
        instances.removeIf(ready.negate());
      }
      Instance instance = instances.get(random.nextInt(instances.size()));
      Host host = hosts.get(random.nextInt(hosts.size()));
      Resources grant = random.nextBoolean() ? instance.granted() : someGrant(instance, random);
      RejectionOracle oracle =
          new RejectionOracle(
              instance,
              acted.contains(instance.id()),
              OVERSUBSCRIBED,
              instance.bag().map(id -> bag(pass, id)));
      switch (chooseKind(instance, random)) {
        case RESIZE ->
            attempt(
                Action.Resize.class,
                acted,
                instance,
                oracle.ofResizing(grant),
                () -> pass.resize(instance, grant, MOOD));
        case PAUSE ->
            attempt(
                Action.Pause.class,
                acted,
                instance,
                oracle.ofPausing().or(() -> protection(pass, List.of(instance))),
                () -> pass.pause(instance, MOOD));
        case SUSPEND ->
            attempt(
                Action.Suspend.class,
                acted,
                instance,
                oracle.ofSuspending().or(() -> protection(pass, List.of(instance))),
                () -> pass.suspend(instance, MOOD));
        case RESUME ->
            attempt(
                Action.Resume.class,
                acted,
                instance,
                oracle.ofResuming(grant),
                () -> pass.resume(instance, grant, MOOD));
        case MIGRATE ->
            attempt(
                Action.Migrate.class,
                acted,
                instance,
                oracle.ofMigrating(host, grant).or(() -> protection(pass, List.of(instance))),
                () -> pass.migrate(instance, host, grant, MOOD));
        default ->
            attempt(
                Action.Reject.class,
                acted,
                instance,
                oracle.ofRejecting(),
                () -> pass.reject(instance, MOOD));
      }
    }

    // ---- Disruption budgets, counted from what the pass shows

    /** Returns that budgets do not allow to take instances down together, or empty. */
    private static Optional<String> protection(SchedulingPass pass, List<Instance> leaving) {
      return leaving.stream()
          .filter(each -> each.state() == InstanceState.RUNNING)
          .flatMap(each -> each.request().job().stream())
          .distinct()
          .filter(job -> pass.budget(job).isPresent() && !holds(pass, job, leaving))
          .findFirst()
          .map(job -> "the budget of job " + job);
    }

    private static boolean holds(SchedulingPass pass, String job, List<Instance> leaving) {
      List<Instance> members =
          pass.instances().stream()
              .filter(each -> each.request().job().equals(Optional.of(job)))
              .toList();
      long up =
          members.stream()
              .filter(each -> each.state() == InstanceState.RUNNING && !leaving.contains(each))
              .count();
      DisruptionBudget budget = pass.budget(job).orElseThrow();
      return budget.limit() == Limit.MAX_DOWN
          ? members.size() - up <= budget.members()
          : up >= budget.members();
    }

    private static Optional<Limit> limit(SchedulingPass pass, Instance instance) {
      return instance.request().job().flatMap(pass::budget).map(DisruptionBudget::limit);
    }

    /** Mostly chooses an action that may be valid, since few are. */
    private static int chooseKind(Instance instance, RandomGenerator random) {
      if (random.nextInt(3) == 0) {
        return random.nextInt(REJECT + 1);
      }
      int[] kinds =
          switch (instance.state()) {
            case PENDING, DONE -> new int[] {REJECT, RESIZE, SUSPEND, MIGRATE};
            case STARTING -> new int[] {RESIZE};
            case RUNNING -> new int[] {RESIZE, PAUSE, PAUSE, SUSPEND, MIGRATE, MIGRATE};
            case PAUSED -> new int[] {RESIZE, SUSPEND, RESUME, RESUME, RESUME, MIGRATE};
            case SUSPENDED -> new int[] {RESUME, RESUME, RESUME, MIGRATE};
          };
      return kinds[random.nextInt(kinds.length)];
    }

    private static Bag bag(SchedulingPass pass, String id) {
      return pass.bags().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    }

    private void attempt(
        Class<? extends Action> kind,
        Set<String> acted,
        Instance instance,
        Optional<String> objection,
        Supplier<Outcome> action) {
      String before = instance + " with " + instance.granted();
      if (attempt(kind, before, objection, action)) {
        actedOn(instance, acted);
      }
    }

    private static void actedOn(Instance instance, Set<String> acted) {
      acted.add(instance.id());
      instance.bag().ifPresent(each -> acted.add(of(each)));
    }

    /** Returns whether the action was performed. */
    private boolean attempt(
        Class<? extends Action> kind,
        String before,
        Optional<String> objection,
        Supplier<Outcome> action) {
      if (validOnly && objection.isPresent()) {
        return false;
      }
      Outcome outcome = action.get();
      Reason refusal = outcome.refusal().orElse(null);
      if (refusal instanceof Reason.HostDrained
          || refusal instanceof Reason.Expelled
          || refusal instanceof Reason.GroupBroken) {
        return false; // the engine has moved it, which an oracle cannot see
      }
      if (refusal instanceof Reason.NotNear
          || refusal instanceof Reason.KeptApart
          || refusal instanceof Reason.Uneven) {
        return false; // depends on all hosts; P48 checks what is accepted
      }
      if (outcome.accepted() == objection.isPresent()) {
        throw new AssertionError(
            "%s of %s: predicted %s, but got %s"
                .formatted(kind.getSimpleName(), before, objection, outcome));
      }
      attempts.count(kind, outcome.accepted());
      return outcome.accepted();
    }

    private Resources someGrant(Instance instance, RandomGenerator random) {
      Resources granted = instance.granted();
      Request request = instance.request();
      return switch (random.nextInt(validOnly ? 5 : 7)) {
        case 0 -> request.demand();
        case 1 -> granted;
        case 2 -> with(granted, Dimension.MEMORY, request.guaranteed().amount(Dimension.MEMORY));
        case 3 -> each(granted, amount -> amount + Math.min(amount / 4, Long.MAX_VALUE - amount));
        case 4 ->
            with(
                granted,
                Dimension.CPU,
                (long)
                    Math.ceil(
                        request.moldability().map(Moldability::leastShare).orElse(1.0)
                            * request.demand().amount(Dimension.CPU)));
        case 5 -> each(granted, amount -> amount / 2);
        default -> with(granted, RejectionOracle.UNKNOWN, 1);
      };
    }

    private static Resources each(Resources resources, LongUnaryOperator change) {
      Resources.Builder changed = Resources.builder();
      resources
          .dimensions()
          .forEach(each -> changed.put(each, change.applyAsLong(resources.amount(each))));
      return changed.build();
    }

    private static Resources with(Resources resources, Dimension dimension, long amount) {
      Resources.Builder changed = Resources.builder();
      resources.dimensions().stream()
          .filter(each -> !each.name().equals(dimension.name()))
          .forEach(each -> changed.put(each, resources.amount(each)));
      return changed.put(dimension, amount).build();
    }
  }

  private static boolean holdsAHost(Instance instance) {
    return instance.state().isOnHost() && instance.state() != InstanceState.STARTING;
  }

  /** Notes the completions that passes report, and runs another policy. */
  private record Noting(Policy policy, ActionCounts noted) implements Policy {

    @Override
    public Optional<Duration> watchdog() {
      return policy.watchdog();
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return policy.memory();
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return policy.oversubscribes();
    }

    @Override
    public void schedule(SchedulingPass pass) {
      noted.note(pass.completions());
      policy.schedule(pass);
    }
  }

  /** Runs another policy and throws in every other pass. */
  private static final class Failing implements Policy {

    private final Policy policy;
    private boolean fails;

    Failing(Policy policy) {
      this.policy = policy;
    }

    @Override
    public Set<Dimension> oversubscribes() {
      return policy.oversubscribes();
    }

    @Override
    public void schedule(SchedulingPass pass) {
      fails = !fails;
      policy.schedule(pass);
      if (fails) {
        throw new IllegalStateException("fails on purpose");
      }
    }
  }
}
