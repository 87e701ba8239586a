package dev.berth.benchmarks;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import dev.berth.api.Attempt;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Observation;
import dev.berth.api.ObservedHost;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciler;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.history.Step;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * A digest of all plans over seeded histories under many policies: two engines with the same digest
 * make the same decisions. The digest depends on ids, order, amounts and times, not on type names
 * or texts. The argument is the number of histories; default 10,000.
 *
 * <p>Each history is replayed under four configurations, by rotation. Every {@value #LARGE_EVERY}th
 * is large: 65 to 300 hosts, and many equivalent requests of few kinds.
 */
public final class PlanDigest {

  private static final int STEPS = 50;
  private static final int LARGE_EVERY = 40;
  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final PolicyRegistry POLICIES = PolicyRegistry.load();

  /** The configurations that are used most. */
  private static final List<List<String>> FREQUENT =
      List.of(
          List.of("qos-driven", "{}"),
          List.of("priority", "{}"),
          List.of("qos-driven", "{'preemptStarting': true, 'expectedOverhead': '5s'}"),
          List.of("priority", "{'preemptStarting': true, 'minimizeVictims': false}"),
          List.of("qos-driven", "{'minimizeVictims': false, 'preemptionCost': 'as-printed'}"));

  /** The policies that are also used, with their default configurations. */
  private static final List<String> OTHERS =
      List.of(
          "never-preempt",
          "bin-packing",
          "first-fit",
          "best-fit",
          "worst-fit",
          "round-robin",
          "dedicated",
          "memic",
          "elastic-cluster",
          "elastic-site",
          "queue-depth",
          "random",
          "lottery",
          "cpu-load",
          "lottery-with-load",
          "power-of-two-choices",
          "wall-time-estimated");

  private static final List<List<String>> SETTINGS =
      List.of(
          List.of("qos-driven", "{'allocationScore': {'balancedAllocation': 0}}"),
          List.of("best-fit", "{'reservation': 'initial', 'backfill': 'aggressive'}"),
          List.of("worst-fit", "{'reservation': 'average', 'elasticity': {'migration': false}}"),
          List.of("round-robin", "{'queue': 'fcf', 'elasticity': {'headroom': 0.5}}"),
          List.of("dedicated", "{'backfill': 'easy', 'admission': 'in-time'}"),
          List.of("memic", "{'patience': 3, 'reservation': 'maximum'}"),
          List.of("elastic-cluster", "{'trim': true, 'timeToLive': 'published', 'maxHosts': 3}"),
          List.of("elastic-site", "{'holdUntilExpiry': false}"),
          List.of("queue-depth", "{'minHosts': 1, 'maxHosts': 4, 'shrinkCoolDown': '0s'}"),
          List.of("lottery-with-load", "{'estimate': false}"));

  private final List<Account> frequent = accounts(FREQUENT);
  private final List<Account> others = accounts(others());
  private final RandomGenerator<History> histories =
      HistoryArbitraries.ofUpTo(STEPS).generator(1000);

  private PlanDigest() {}

  /** Prints the digests. */
  public static void main(String[] args) {
    int count = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    System.out.println("overall " + of(count, System.out::println));
  }

  /**
   * Returns the digest of all plans of a number of histories.
   *
   * @param report receives a line for each configuration, and one that sums them up
   */
  static String of(int histories, Consumer<String> report) {
    AtomicReference<String> digest = new AtomicReference<>();
    JqwikSession.run( // generators need a session
        () -> digest.set(new PlanDigest().run(histories, report)));
    return Objects.requireNonNull(digest.get());
  }

  private String run(int count, Consumer<String> report) {
    for (int i = 0; i < count; i++) {
      boolean large = i % LARGE_EVERY == LARGE_EVERY - 1;
      int turn = large ? i / LARGE_EVERY : i;
      History history = large ? Large.history(SEED * i) : history(new Random(SEED * i));
      new Life(history, frequent.get(turn % frequent.size()), i % 3).live();
      for (int k = 0; k < 3; k++) {
        new Life(history, others.get((3 * turn + k) % others.size()), i % 3).live();
      }
    }
    Account all = new Account(List.of("all", ""));
    for (Account each : Stream.of(frequent, others).flatMap(List::stream).toList()) {
      String digest = each.digest();
      report.accept("%s  %6d plans  %s".formatted(digest.substring(0, 16), each.plans, each.name));
      all.word(digest);
      all.plans += each.plans;
      each.kinds.forEach((kind, times) -> all.kinds.merge(kind, times, Integer::sum));
    }
    report.accept("%d histories, %d plans, %s".formatted(count, all.plans, all.kinds));
    return all.digest();
  }

  // ---- Configurations

  private static List<Account> accounts(List<List<String>> names) {
    return names.stream().map(Account::new).toList();
  }

  private static List<List<String>> others() {
    List<List<String>> all = new ArrayList<>();
    OTHERS.forEach(each -> all.add(List.of(each, "{}")));
    all.addAll(SETTINGS);
    int turn = 0;
    for (String queue : List.of("fifo", "edf", "sgf", "sjf", "fcf")) {
      for (String backfill : List.of("none", "aggressive", "easy", "conservative")) {
        String config =
            "{'queue': '%s', 'backfill': '%s', 'molding': {'maxSlowdown': %s}, 'admission': '%s'}"
                .formatted(queue, backfill, turn % 2 + 1, turn % 3 == 0 ? "all" : "in-time");
        all.add(List.of("first-fit", config));
        all.add(List.of("memic", config.replace("maxSlowdown': 2", "maxSlowdown': 1.5")));
        turn++;
      }
    }
    return all;
  }

  // ---- Histories

  /**
   * Returns a random history, changed so that resizes (0), pools (1) or loads (2) are frequent, or
   * not changed.
   */
  private History history(Random random) {
    History it = histories.next(random).value();
    int kind = random.nextInt(5) % 4;
    if (kind == 3) {
      return it;
    }
    List<HostSpec> hosts = new ArrayList<>(it.hosts());
    List<PoolSpec> pools = new ArrayList<>(it.pools());
    List<Step> steps = new ArrayList<>();
    if (kind == 1) {
      pools.add(0, new PoolSpec("shared", it.scale().resources(List.of(2, 2, 2, 2)), 6));
      bag(6, steps);
      steps.addAll(List.of(new Step.Complete(0), new Step.Complete(1), new Step.Complete(2)));
      bag(2, steps);
      steps.addAll(List.of(new Step.Complete(3), new Step.Complete(3), new Step.Pass()));
    }
    if (kind == 2) {
      hosts.replaceAll(each -> new HostSpec(each.id(), each.capacity(), each.attributes(), true));
    }
    for (Step each : it.steps()) {
      steps.add(kind == 0 && each instanceof Step.Submit submit ? unpinned(submit) : each);
      if (kind == 0 && each instanceof Step.StartAll) {
        for (int pick = 0; pick < 10; pick++) {
          boolean lacks = random.nextInt(3) > 0;
          steps.add(new Step.ReportUsage(pick % 5, lacks ? 8 : 3, alike(lacks ? 1 + pick % 2 : 0)));
        }
        steps.add(new Step.Pass());
      } else if (kind == 2 && each instanceof Step.Pass) {
        steps.add(new Step.ReportLoad(random.nextInt(8), random.nextInt(20)));
        steps.add(new Step.ReportLoad(random.nextInt(8), random.nextInt(20)));
      }
    }
    int present = kind == 1 ? 0 : it.present();
    return new History(
        it.seed(), it.epoch(), it.serviceClasses(), it.scale(), hosts, present, pools, steps);
  }

  private static void bag(int tasks, List<Step> steps) {
    RequestShape task = new RequestShape(0, alike(1), List.of(), 0, false, false);
    steps.add(new Step.SubmitBag(Collections.nCopies(tasks, task), Optional.empty()));
    steps.addAll(List.of(new Step.Pass(), new Step.AllHostsUp(), new Step.Pass()));
    steps.addAll(List.of(new Step.StartAll(), new Step.Elapse(Duration.ofMinutes(1))));
  }

  /**
   * Makes the memory of a request reclaimable, unless the request has terms: few could be resized
   * otherwise.
   */
  private static Step unpinned(Step.Submit submit) {
    RequestShape it = submit.shape();
    return it.options().equals(RequestOptions.NONE)
        ? new Step.Submit(Large.with(it, Large.terms(List.of(8, 0, 8, 8), 0, 0, false)))
        : submit;
  }

  private static List<Integer> alike(int amount) {
    return Collections.nCopies(Scale.DIMENSIONS.size(), amount);
  }

  /** Draws large clusters whose queues are contended. */
  private static final class Large {

    private static final List<Constraint> CONSTRAINTS =
        List.of(
            new Constraint.Equal("zone", "a"),
            new Constraint.NotEqual("zone", "b"),
            new Constraint.In("zone", Set.of("b", "c")),
            new Constraint.GreaterThan("level", 1),
            new Constraint.LessThan("level", 3),
            new Constraint.Exists("level"));

    private final SplittableRandom random;
    private final List<Step> steps = new ArrayList<>();
    private final List<RequestShape> kinds = new ArrayList<>();
    private final List<HostSpec> hosts = new ArrayList<>();
    private final int size;
    private final Scale scale;

    private Large(long seed) {
      random = new SplittableRandom(seed);
      size = random.nextInt(65, 301);
      scale = new Scale(random.nextInt(1, 4), Scale.WHOLE);
    }

    static History history(long seed) {
      return new Large(seed).draw();
    }

    private History draw() {
      boolean shared = chance(15);
      int machines = random.nextInt(1, 4);
      for (int i = 1; i <= size; i++) {
        int machine = random.nextInt(machines);
        Map<String, String> attributes =
            chance(20)
                ? Map.of()
                : Map.of("zone", pick("a", "b", "c"), "level", pick("1", "2", "3", "high"));
        List<Integer> capacity = List.of(6 + 2 * machine, 8, 10 - machine, 8);
        hosts.add(new HostSpec("h" + i, scale.resources(capacity), attributes, shared));
      }
      int count = random.nextInt(2, 9);
      for (int i = 0; i < count; i++) {
        kinds.add(kind());
      }
      int rounds = random.nextInt(8, 15);
      for (int round = 0; round < rounds; round++) {
        round(round);
      }
      double limit = chance(50) ? 1 : 0.2;
      List<ServiceClass> classes =
          List.of(
              ServiceClass.builder("gold").slo(1).importance(1).build(),
              ServiceClass.builder("silver").slo(0.9).importance(2).build(),
              ServiceClass.builder("bronze").slo(0.5).preemptionOverheadLimit(limit).build());
      PoolSpec pool = new PoolSpec("pool", scale.resources(alike(8)), random.nextInt(5, 40));
      List<PoolSpec> pools = chance(40) ? List.of(pool) : List.of();
      int present = chance(50) ? size : random.nextInt(65, size + 1);
      return new History(
          random.nextLong(), 0, classes, scale, List.copyOf(hosts), present, pools, steps);
    }

    /** Requests arrive, a pass, instances end, a pass. */
    private void round(int round) {
      int come = round == 0 ? 3 * size : random.nextInt(chance(30) ? size : 20);
      while (come > 0) {
        RequestShape kind = kinds.get(random.nextInt(kinds.size()));
        List<RequestShape> alike =
            Collections.nCopies(1 + random.nextInt(Math.min(come, 30)), kind);
        come -= alike.size();
        if (chance(5)) {
          steps.add(new Step.SubmitBag(alike, Optional.of(Duration.ofMinutes(5))));
        } else {
          alike.forEach(each -> steps.add(new Step.Submit(each)));
        }
      }
      steps.add(new Step.Pass());
      some(20, 5, pick -> new Step.AllHostsUp());
      steps.add(new Step.Elapse(Duration.ofSeconds(random.nextInt(4))));
      some(90, 2, pick -> new Step.StartAll());
      some(10, 20, Step.Start::new);
      some(30, 20, pick -> new Step.ReportUsage(pick, pick % 3 > 0 ? 8 : 3, alike(pick % 3)));
      some(30, 20, pick -> new Step.ReportLoad(pick, pick % 20));
      steps.add(new Step.Elapse(Duration.ofSeconds(random.nextInt(chance(20) ? 600 : 30))));
      steps.add(new Step.Pass());
      some(70, size / 2, pick -> new Step.Complete(pick, Optional.of(Duration.ofSeconds(9))));
      some(40, 10, Step.Fail::new);
      some(30, 10, Step.Cancel::new);
      some(40, 6, Step.RemoveHost::new);
      some(40, 6, Step.AddHost::new);
      some(10, 6, pick -> new Step.AddOtherHost(pick, pick / 7));
      some(5, 2, Step.CancelBag::new);
      some(10, 3, Step.HostGone::new);
      some(10, 2, pick -> new Step.OfferPool(pick, pick % 30));
      steps.add(new Step.Pass());
    }

    private void some(int percent, int most, IntFunction<Step> step) {
      for (int left = chance(percent) ? random.nextInt(1, most + 1) : 0; left > 0; left--) {
        steps.add(step.apply(random.nextInt(1 << 20)));
      }
    }

    private RequestShape kind() {
      int most = chance(15) ? 9 : 4;
      List<Integer> demand =
          Stream.generate(() -> random.nextInt(1, most)).limit(Scale.DIMENSIONS.size()).toList();
      List<Constraint> constraints =
          chance(35) ? List.of(CONSTRAINTS.get(random.nextInt(CONSTRAINTS.size()))) : List.of();
      RequestOptions terms =
          chance(60)
              ? terms(
                  chance(50) ? List.of(8, random.nextInt(8), 8, 8) : List.of(),
                  random.nextInt(3) * 40,
                  random.nextInt(3) * 60,
                  chance(40))
              : RequestOptions.NONE;
      int job = chance(30) ? random.nextInt(1, 4) : 0;
      return new RequestShape(
          random.nextInt(3), demand, constraints, job, chance(70), chance(10), terms);
    }

    static RequestOptions terms(
        List<Integer> pinned, int estimate, int deadline, boolean moldable) {
      return new RequestOptions(
          pinned, seconds(estimate), seconds(deadline), moldable, List.of(), false, estimate / 40);
    }

    private static Optional<Duration> seconds(int count) {
      return Optional.of(Duration.ofSeconds(count)).filter(each -> !each.isZero());
    }

    static RequestShape with(RequestShape it, RequestOptions terms) {
      return new RequestShape(
          it.serviceClass(),
          it.demand(),
          it.constraints(),
          it.job(),
          it.antiAffinity(),
          it.reuseId(),
          terms);
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    private String pick(String... some) {
      return some[random.nextInt(some.length)];
    }
  }

  /** Replays a history on a scheduler; steps mean what they mean to the replay of the testkit. */
  private static final class Life {

    private static final int ACTIONS = 12; // that may be rejected
    private static final long LATEST = (1L << 62) + Duration.ofDays(1).toNanos();

    private final History history;
    private final Account account;
    private final Scheduler scheduler;
    private final Deque<String> freeIds = new ArrayDeque<>();
    private final List<String> stopping = new ArrayList<>();
    private final List<ActionId> latestActions = new ArrayList<>(); // the latest first
    private long now;
    private int submitted;
    private int bags;
    private int groups;

    /**
     * Starts a scheduler.
     *
     * @param notes 0: no decision is recorded; 2: the best hosts are recorded too
     */
    Life(History history, Account account, int notes) {
      this.history = history;
      this.account = account;
      this.now = history.epoch();
      this.scheduler =
          Scheduler.builder()
              .registry(POLICIES)
              .policy(account.name.get(0), account.name.get(1).replace('\'', '"'))
              .serviceClasses(history.serviceClasses())
              .seed(history.seed())
              .decisionLog(notes == 0 ? 0 : 1000)
              .topScores(notes == 2 ? 3 : 0)
              .build();
    }

    void live() {
      account.word("life");
      history.hosts().stream().limit(history.present()).forEach(host -> attempt(() -> add(host)));
      history.pools().forEach(pool -> attempt(() -> scheduler.offerPool(pool, now)));
      for (Step each : history.steps()) {
        if (!attempt(() -> play(each))) {
          return;
        }
      }
      for (Instance each : scheduler.instances()) {
        account.report(InstanceReport.of(each, now));
      }
    }

    /** Returns false if the policy failed, which ends the replay. */
    private boolean attempt(Runnable event) {
      try {
        event.run();
        return true;
      } catch (EventRefusedException | PolicyFailedException refused) {
        account.kind("refused");
        return refused instanceof EventRefusedException;
      }
    }

    private void play(Step step) {
      if (step instanceof Step.Submit it) {
        scheduler.submit(request(it.shape()), now);
      } else if (step instanceof Step.SubmitBag it) {
        List<Request> requests = it.shapes().stream().map(this::request).toList();
        scheduler.submit(new BagSpec("b" + ++bags, requests, it.timeToLive()), now);
      } else if (step instanceof Step.SubmitGroup it) {
        List<Request> requests = it.shapes().stream().map(this::request).toList();
        GroupSpec.OnLoss onLoss =
            it.releases() ? GroupSpec.OnLoss.RELEASE : GroupSpec.OnLoss.RESTORE;
        int minCount = Math.max(1, requests.size() - it.spare());
        scheduler.submit(new GroupSpec("g" + ++groups, requests, minCount, onLoss), now);
      } else if (step instanceof Step.CancelGroup it) {
        pick(it.pick(), scheduler.groups()).ifPresent(group -> takeBack(group.id()));
      } else if (step instanceof Step.CancelBag it) {
        pick(it.pick(), scheduler.bags()).ifPresent(this::takeBack);
      } else if (step instanceof Step.Start it) {
        pick(it.pick(), among(each -> each.state() == InstanceState.STARTING))
            .ifPresent(id -> scheduler.started(id, now));
      } else if (step instanceof Step.StartAll) {
        among(each -> each.state() == InstanceState.STARTING)
            .forEach(id -> scheduler.started(id, now));
      } else if (step instanceof Step.Fail it) {
        pick(it.pick(), among(each -> each.state().isOnHost()))
            .ifPresent(id -> scheduler.failed(id, now));
      } else if (step instanceof Step.ReportUsage it) {
        running(it.pick()).ifPresent(id -> use(id, it));
      } else if (step instanceof Step.Complete it) {
        running(it.pick()).ifPresent(id -> complete(id, it.cpuTime()));
      } else if (step instanceof Step.Cancel it) {
        pick(it.pick(), among(each -> true)).ifPresent(id -> end(scheduler.cancel(id, now)));
      } else if (step instanceof Step.RemoveHost it) {
        pick(it.pick(), scheduler.hosts()).ifPresent(host -> remove(host.id()));
      } else if (step instanceof Step.AddHost it) {
        pick(it.pick(), absent()).ifPresent(this::add);
      } else if (step instanceof Step.AddOtherHost it) {
        pick(it.pick(), absent()).ifPresent(host -> addAs(host.id(), it.like()));
      } else if (step instanceof Step.ReportLoad it) {
        pick(it.pick(), scheduler.hosts().stream().filter(Host::timeShared).toList())
            .ifPresent(host -> scheduler.loadReported(host.id(), it.quarters() / 4.0, now));
      } else if (step instanceof Step.ReportAttempt it) {
        pick(it.pick(), among(each -> each.attempt() > 0)).ifPresent(id -> report(id, it));
      } else if (step instanceof Step.RejectAction it) {
        pick(it.pick(), latestActions).ifPresent(this::reject);
      } else if (step instanceof Step.Reconcile it) {
        reconcile(it.drifts().isEmpty() ? -1 : it.drifts().get(0).pick());
      } else if (changesAHost(step)) {
        change(step);
      } else if (step instanceof Step.SetBudget it) {
        scheduler.setBudget("j" + it.job(), it.budget(), now);
      } else if (step instanceof Step.RemoveBudget it) {
        scheduler.removeBudget("j" + (1 + it.pick() % 3), now);
      } else if (step instanceof Step.OfferPool it) {
        pick(it.pick(), scheduler.pools()).ifPresent(pool -> offer(pool.spec(), it.limit()));
      } else if (step instanceof Step.HostUp it) {
        pick(it.pick(), starting()).ifPresent(this::add);
      } else if (step instanceof Step.OtherHostUp it) {
        pick(it.pick(), starting()).ifPresent(host -> addAs(host.id(), it.like()));
      } else if (step instanceof Step.AllHostsUp) {
        starting().forEach(this::add);
      } else if (step instanceof Step.HostStartFails it) {
        pick(it.pick(), starting()).ifPresent(host -> remove(host.id()));
      } else if (step instanceof Step.HostGone it) {
        pick(it.pick(), stopping).ifPresent(this::remove);
      } else if (step instanceof Step.Elapse it) {
        now += Math.min(it.length().toNanos(), (horizon(history) - now) / 2);
      } else if (step instanceof Step.Pass) {
        Plan plan = scheduler.schedule(now);
        account.plan(plan);
        for (int i = 0; i < plan.actions().size(); i++) {
          latestActions.add(0, plan.id(i));
        }
        latestActions
            .subList(Math.min(ACTIONS, latestActions.size()), latestActions.size())
            .clear();
        account.time(scheduler.nextPassAt());
        account.time(scheduler.nextTimerAt());
        plan.actions(Action.Release.class).forEach(each -> stopping.add(each.host()));
      } else {
        throw new AssertionError(step);
      }
    }

    /** The fleet has all that is believed, but for one instance, if there is that one. */
    private void reconcile(int missing) {
      List<ObservedHost> hosts = new ArrayList<>();
      for (Host each : scheduler.hosts()) {
        HostSpec spec =
            new HostSpec(each.id(), each.capacity(), each.attributes(), each.timeShared());
        hosts.add(new ObservedHost(spec, each.foreign()));
      }
      List<ObservedInstance> instances = new ArrayList<>();
      for (Instance each : scheduler.instances()) {
        each.host()
            .map(host -> new ObservedInstance(each.id(), host.id(), each.state()))
            .ifPresent(instances::add);
      }
      if (missing >= 0 && !instances.isEmpty()) {
        instances.remove(missing % instances.size());
      }
      scheduler
          .reconcile(new Observation(hosts, instances), Reconciler.DEFAULT, now)
          .differences()
          .forEach(each -> account.word(each.describe()));
    }

    private void report(String id, Step.ReportAttempt report) {
      int latest = scheduler.instance(id).orElseThrow().attempt();
      Attempt attempt = new Attempt(id, latest - report.back() % latest);
      long at = Math.max(history.epoch(), now - report.ago().toNanos());
      switch (report.what()) {
        case STARTED -> scheduler.started(attempt, at, now);
        case FAILED -> scheduler.failed(attempt, at, now);
        case COMPLETED -> end(scheduler.completed(attempt, at, now));
      }
    }

    private void reject(ActionId action) {
      Rejection rejection = scheduler.rejected(action, "the host refuses", now);
      account.word(rejection.toString());
      for (Rejection.Undone each : rejection.undone()) {
        latestActions.remove(each.id());
        if (each.action() instanceof Action.Release release) {
          stopping.remove(release.host());
        }
      }
    }

    private static boolean changesAHost(Step step) {
      return step instanceof Step.ChangeHost
          || step instanceof Step.ReportForeignLoad
          || step instanceof Step.Cordon
          || step instanceof Step.Uncordon
          || step instanceof Step.DrainHost;
    }

    private void change(Step step) {
      if (step instanceof Step.ChangeHost it) {
        pick(it.pick(), scheduler.hosts()).ifPresent(host -> changeTo(host, it.like()));
      } else if (step instanceof Step.ReportForeignLoad it) {
        Resources foreign = history.scale().resources(it.amounts());
        pick(it.pick(), scheduler.hosts())
            .ifPresent(host -> scheduler.foreignLoad(host.id(), foreign, now));
      } else if (step instanceof Step.Cordon it) {
        pick(it.pick(), scheduler.hosts()).ifPresent(host -> scheduler.cordon(host.id(), now));
      } else if (step instanceof Step.Uncordon it) {
        pick(it.pick(), scheduler.hosts().stream().filter(each -> isClosed(each)).toList())
            .ifPresent(host -> scheduler.uncordon(host.id(), now));
      } else if (step instanceof Step.DrainHost it) {
        pick(it.pick(), scheduler.hosts())
            .ifPresent(host -> scheduler.drain(host.id(), drain(it), now));
      }
    }

    private static boolean isClosed(Host host) {
      return host.closed().isPresent();
    }

    private void changeTo(Host host, int like) {
      pick(like, history.hosts())
          .map(it -> new HostSpec(host.id(), it.capacity(), it.attributes(), host.timeShared()))
          .ifPresent(spec -> scheduler.changeHost(spec, now));
    }

    private Drain drain(Step.DrainHost it) {
      int restarted = it.restarted() % (history.serviceClasses().size() + 1);
      Drain how =
          restarted == 0
              ? it.how()
              : it.how().restarting(history.serviceClasses().get(restarted - 1).name());
      return how.deadline().isPresent() ? how.until(now + how.deadline().getAsLong()) : how;
    }

    private Request request(RequestShape shape) {
      boolean again = shape.reuseId() && !freeIds.isEmpty();
      String id = again ? freeIds.removeLast() : "r" + ++submitted;
      return shape.request(id, history.serviceClasses(), history.scale());
    }

    private void takeBack(String group) {
      for (InstanceReport each : scheduler.cancelGroup(group, now)) {
        account.report(each);
        freeIds.add(each.id());
      }
    }

    private void takeBack(Bag bag) {
      List<String> left = bag.instances().stream().map(Instance::id).toList();
      Reason why = new Reason.PolicyChoice("taken-back", "its user takes it back");
      account.report(scheduler.cancelBag(bag.id(), why, now));
      freeIds.addAll(left);
    }

    private void use(String id, Step.ReportUsage it) {
      Resources granted = scheduler.instance(id).orElseThrow().granted();
      Resources.Builder used = Resources.builder();
      for (Dimension each : granted.dimensions()) {
        long amount = granted.amount(each);
        long rest = amount % RequestOptions.EIGHTHS * it.eighths() / RequestOptions.EIGHTHS;
        used.put(each, amount / RequestOptions.EIGHTHS * it.eighths() + rest);
      }
      scheduler.usageReported(id, used.build(), history.scale().resources(it.shortfall()), now);
    }

    /** The latest time, which histories approach; it must not change, or all digests would. */
    private static long horizon(History history) {
      long lowest =
          history.serviceClasses().stream()
              .mapToLong(each -> each.slo().partsPerBillion())
              .min()
              .orElseThrow();
      return Math.min(history.epoch() + (1L << 61) / 1_000_000_000 * lowest, LATEST);
    }

    private void complete(String id, Optional<Duration> cpuTime) {
      end(
          cpuTime.isPresent()
              ? scheduler.completed(id, cpuTime.get(), now)
              : scheduler.completed(id, now));
    }

    private void end(InstanceReport report) {
      account.report(report);
      freeIds.addLast(report.id());
    }

    private void add(HostSpec host) {
      scheduler.addHost(host, now);
    }

    private void addAs(String id, int like) {
      HostSpec it = pick(like, history.hosts()).orElseGet(() -> new HostSpec(id, Resources.none()));
      add(new HostSpec(id, it.capacity(), it.attributes(), it.timeShared()));
    }

    private void remove(String host) {
      scheduler.removeHost(host, now);
      stopping.remove(host);
    }

    private void offer(PoolSpec it, int limit) {
      scheduler.offerPool(
          new PoolSpec(
              it.name(), it.capacity(), it.attributes(), limit, it.startDelay(), it.stopDelay()),
          now);
    }

    private List<HostSpec> absent() {
      return history.hosts().stream().filter(it -> scheduler.host(it.id()).isEmpty()).toList();
    }

    private List<HostSpec> starting() {
      List<HostSpec> all = new ArrayList<>();
      for (Pool pool : scheduler.pools()) {
        pool.starting().forEach(host -> all.add(pool.spec().host(host.id())));
      }
      return all;
    }

    private Optional<String> running(int pick) {
      return pick(pick, among(each -> each.state() == InstanceState.RUNNING));
    }

    private List<String> among(Predicate<Instance> condition) {
      return scheduler.instances().stream().filter(condition).map(Instance::id).toList();
    }

    private static <T> Optional<T> pick(int pick, List<T> among) {
      return among.isEmpty() ? Optional.empty() : Optional.of(among.get(pick % among.size()));
    }
  }

  /** The digest of one configuration. */
  private static final class Account {

    final List<String> name;
    final Map<String, Integer> kinds = new TreeMap<>();
    private final MessageDigest sum;
    private final DataOutputStream out;
    int plans;

    Account(List<String> name) {
      this.name = name;
      try {
        sum = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException absent) {
        throw new IllegalStateException(absent);
      }
      OutputStream digesting = new DigestOutputStream(OutputStream.nullOutputStream(), sum);
      out = new DataOutputStream(new BufferedOutputStream(digesting));
    }

    /** Returns the digest; nothing may be added afterwards. */
    String digest() {
      try {
        out.flush();
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return HexFormat.of().formatHex(sum.digest());
    }

    void plan(Plan plan) {
      plans++;
      word("plan");
      number(plan.pass());
      number(plan.now());
      number(plan.triggers().size());
      plan.actions().forEach(this::action);
      plan.deferrals().keySet().forEach(id -> kind("deferred", id));
      plan.blockedHead().ifPresent(id -> kind("blocked", id));
      plan.bagDeferrals().keySet().forEach(id -> kind("bag-deferred", id));
      plan.policyErrors().forEach(each -> kind("error", each.subject()));
      plan.endedBags().forEach(each -> report(each));
    }

    private void action(Action action) {
      if (action instanceof Action.Place it) {
        kind("place", it.instance(), it.host());
        words(it.victims());
        it.grant().ifPresentOrElse(this::amounts, () -> word("whole"));
      } else if (action instanceof Action.Preempt it) {
        kind("preempt", it.instance(), it.host(), it.beneficiary());
      } else if (action instanceof Action.Evict it) {
        kind("evict", it.instance(), it.host(), it.why().code());
      } else if (action instanceof Action.Resize it) {
        kind("resize", it.instance(), it.host());
        amounts(it.grant());
      } else if (action instanceof Action.Pause it) {
        kind("pause", it.instance(), it.host());
      } else if (action instanceof Action.Suspend it) {
        kind("suspend", it.instance(), it.host());
      } else if (action instanceof Action.Resume it) {
        kind("resume", it.instance(), it.host());
        amounts(it.grant());
      } else if (action instanceof Action.Migrate it) {
        kind("migrate", it.instance(), it.from(), it.host());
        amounts(it.grant());
      } else if (action instanceof Action.Reject it) {
        kind("refuse", it.instance());
      } else if (action instanceof Action.Provision it) {
        kind("provision", it.pool(), it.cluster().orElse(""));
        words(it.hosts());
        time(it.expiresAt());
      } else if (action instanceof Action.Release it) {
        kind("release", it.host(), it.pool());
      } else if (action instanceof Action.Assign it) {
        kind("assign", it.bag(), it.cluster());
        time(it.expiresAt());
      } else if (action instanceof Action.Cancel it) {
        kind("cancel", it.bag());
        words(it.instances());
      } else {
        throw new AssertionError(action);
      }
    }

    void report(BagReport it) {
      kind(it.isComplete() ? "bag-completed" : "bag-ended", it.bag(), it.cluster().orElse(""));
      number(it.size());
      number(it.completed());
      number(it.why().isPresent() ? 1 : 0);
      number(it.submittedAt());
      time(it.assignedAt());
      number(it.endedAt());
      number(it.serviceTime());
      it.cancelled().forEach(each -> report(each));
    }

    void report(InstanceReport it) {
      word(it.id());
      word(it.serviceClass().name());
      number(it.admittedAt());
      number(it.endedAt());
      number(it.serviceTime());
      number(it.waitingTime());
      number(it.preemptions());
      number(it.placements());
      number(it.restartOverhead());
    }

    private void amounts(Resources resources) {
      for (Dimension each : resources.dimensions()) {
        word(each.name() + "=" + resources.amount(each));
      }
    }

    /** Counts and digests something that has a kind. */
    void kind(String kind, String... ids) {
      kinds.merge(kind, 1, Integer::sum);
      word(kind);
      words(List.of(ids));
    }

    private void words(Collection<String> words) {
      number(words.size());
      words.forEach(this::word);
    }

    void time(OptionalLong time) {
      number(time.isPresent() ? 1 : 0);
      time.ifPresent(this::number);
    }

    void word(String word) {
      try {
        out.writeUTF(word);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    private void number(long number) {
      try {
        out.writeLong(number);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }
}
