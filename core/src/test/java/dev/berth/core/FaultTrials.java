package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.base.Throwables;
import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.faults.Steps;
import dev.berth.core.faults.Trial;
import dev.berth.core.faults.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The passes, events and explanations in which {@link FaultInjectionTest} lets each step fail. */
public final class FaultTrials implements Trials {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final OptionalLong NEVER = OptionalLong.empty();

  /** An act on a pass, whose cluster the test knows. */
  interface Act {
    Object on(SchedulingPass pass, Cluster cluster);
  }

  private static final class Given extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A trial on a cluster, which the fault-free continuation of an equal cluster judges. */
  static final class OnCluster implements Trial {

    private final Supplier<Cluster> maker;
    private final Consumer<Cluster> work;
    private final Function<Cluster, List<Plan>> continuation;
    private @Nullable Cluster cluster;
    private @Nullable Snapshot before;
    private @Nullable List<Plan> expected; // the plans of an equal cluster without a fault

    OnCluster(Supplier<Cluster> maker, Consumer<Cluster> work) {
      this(maker, work, FaultTrials::continuation);
    }

    OnCluster(
        Supplier<Cluster> maker,
        Consumer<Cluster> work,
        Function<Cluster, List<Plan>> continuation) {
      this.maker = maker;
      this.work = work;
      this.continuation = continuation;
    }

    @Override
    public void prepare() {
      cluster = maker.get();
      if (before == null) {
        before = cluster.snapshot();
        expected = continuation.apply(maker.get());
      }
    }

    @Override
    public void run() {
      work.accept(cluster);
    }

    @Override
    public boolean check(@Nullable Throwable thrown, String when) {
      assertThat(thrown).as(when).isNotNull();
      if (Throwables.getRootCause(thrown) instanceof AssertionError wrong) {
        throw wrong;
      }
      Throwable refusal =
          catchThrowable(
              () -> cluster.scheduler().explain().whyPending("waits", cluster.scheduler().now()));
      if (refusal instanceof SchedulerFailedException) {
        assertFailed(cluster, when);
        return false;
      }
      assertThat(cluster.snapshot()).as(when).isEqualTo(before);
      assertThat(continuation.apply(cluster)).as("the plans after %s", when).isEqualTo(expected);
      return true;
    }
  }

  @Override
  public Map<String, Trial> all() {
    Map<String, Trial> all = new LinkedHashMap<>();
    all.put("pass", new OnCluster(FaultTrials::byHand, FaultTrials::act));
    all.put("undone pass", new OnCluster(FaultTrials::byHand, FaultTrials::actAndFail));
    all.put("caught error", new OnCluster(FaultTrials::byHand, FaultTrials::actInSpite));
    pipelines()
        .forEach(
            (name, parts) ->
                all.put("pass: " + name, new OnCluster(() -> piped(parts), Cluster::pass)));
    events()
        .forEach(
            (name, event) -> all.put("event: " + name, new OnCluster(FaultTrials::byHand, event)));
    events()
        .forEach(
            (name, event) ->
                all.put(
                    "event with pipeline: " + name,
                    new OnCluster(FaultTrials::withPreemption, event)));
    for (Supplier<Cluster> each :
        List.<Supplier<Cluster>>of(FaultTrials::byHand, FaultTrials::withPreemption)) {
      all.put(
          "event: host opens, " + all.size(),
          new OnCluster(
              () -> each.get().cordoned("h1").drained("h1", Drain.waiting()),
              in -> in.uncordoned("h1")));
    }
    all.put("pass that drains", new OnCluster(FaultTrials::draining, FaultTrials::act));
    all.put(
        "undone pass that drains", new OnCluster(FaultTrials::draining, FaultTrials::actAndFail));
    pipelines()
        .forEach(
            (name, parts) ->
                all.put(
                    "pass that drains: " + name,
                    new OnCluster(() -> draining(piped(parts)), Cluster::pass)));
    all.put("pass that frees a host", new OnCluster(FaultTrials::shrunk, FaultTrials::act));
    for (String name :
        List.of(
            "host leaves",
            "request",
            "request with a history",
            "start fails",
            "completion",
            "host grows",
            "cordoned host")) {
      all.put(
          "event with reservations: " + name,
          new OnCluster(FaultTrials::withReservations, events().get(name)));
    }
    List<Action> decided = act(byHand()).actions();
    for (int i = 0; i < decided.size(); i++) {
      int index = i;
      all.put(
          "rejection: " + decided.get(i).describe(),
          afterActs(
              in -> {
                ActionId id = new ActionId(in.scheduler().passes(), index);
                in.scheduler().rejected(id, "cannot", in.now());
              }));
    }
    Attempt first = new Attempt("c", 1);
    all.put("late start", afterActs(in -> in.scheduler().started(first, 0, in.now())));
    all.put("late failure", afterActs(in -> in.scheduler().failed(first, 0, in.now())));
    all.put("late completion", afterActs(in -> in.scheduler().completed(first, 0, in.now())));
    all.put(
        "explanation",
        new OnCluster(
            FaultTrials::withPreemption,
            cluster -> cluster.scheduler().explain().whyPending("waits", cluster.now())));
    return all;
  }

  // ---- A policy by hand

  /** Returns a trial of work on a cluster whose policy is driven by hand. */
  static OnCluster byHand(Consumer<Cluster> work) {
    return new OnCluster(FaultTrials::byHand, work);
  }

  /** Instances in all states, two bags, and a pool with a host that is up and one that starts. */
  private static Cluster byHand() {
    return byHand(Scheduler.builder());
  }

  private static Cluster byHand(Scheduler.Builder settings) {
    Cluster cluster = Cluster.byHand(settings).host("h1", 4).host("h2", 9);
    for (String id : List.of("resized", "paused", "suspended", "moved", "ready", "stays")) {
      cluster.running(guarded(id, 1), "h2");
    }
    cluster.running(guarded("victim", 2), "h1").running(guarded("another", 1), "h1");
    cluster.scheduler().setBudget("guarded", DisruptionBudget.maxDown(7), cluster.now());
    cluster.pass(pass -> pass.pause(cluster.instance("ready"), WHY));
    Scheduler scheduler = cluster.scheduler();
    scheduler.offerPool(new PoolSpec("p", cores(2), 9), cluster.now());
    cluster.pass(pass -> pass.provision(scheduler.pools().get(0), 2, Optional.empty(), NEVER, WHY));
    cluster.host("p-1", 2).at(5);
    cluster
        .scheduler()
        .submit(group("incomplete", request("g1").build(), request("g2").build()), cluster.now());
    return withBags(cluster)
        .pending("b", 3)
        .pending("c", 1)
        .pending("rejected", 1)
        .pending("waits", 9);
  }

  /** An instance of a job whose budget suffices for the acts, and for few more. */
  private static Request.Builder guarded(String id, double cores) {
    return Cluster.request(id, "bronze", cores).job("guarded");
  }

  /** Two hosts that are to be emptied, one of them at once. */
  private static Cluster draining() {
    Cluster cluster = byHand().host("empty", 2).starting("starts", "bronze", 1, "h2");
    cluster.running("leaves", "bronze", 2, "p-1").host("last", 1);
    return cluster.drained("p-1", Drain.moving()).drained("last", Drain.waiting().until(0));
  }

  private static Cluster draining(Cluster cluster) {
    return cluster
        .host("empty", 2)
        .drained("h1", Drain.moving())
        .drained("h3", Drain.waiting().until(0));
  }

  /** A host that holds more than its capacity until the pass suspends and pauses instances. */
  private static Cluster shrunk() {
    return byHand().changed("h2", 4);
  }

  private static GroupSpec group(String id, dev.berth.api.Request... members) {
    return new GroupSpec(id, List.of(members), members.length, GroupSpec.OnLoss.RELEASE);
  }

  private static Cluster withBags(Cluster cluster) {
    for (String bag : List.of("cancelled", "assigned")) {
      cluster
          .scheduler()
          .submit(
              new BagSpec(bag, List.of(Cluster.request(bag + "-member", 1).build())),
              cluster.now());
    }
    return cluster;
  }

  static List<Act> acts() {
    List<Act> acts = new ArrayList<>();
    acts.add(
        (pass, in) -> {
          try (Fork fork = pass.fork()) {
            return fork.place(in.instance("b"), in.host("h1"), victims(in));
          }
        });
    acts.add(
        (pass, in) -> {
          Fork fork = pass.fork();
          Outcome outcome = fork.place(in.instance("b"), in.host("h1"), victims(in));
          fork.keep();
          return outcome;
        });
    acts.add(
        (pass, in) -> {
          Fork fork = pass.fork();
          Fork inner = fork.fork();
          Outcome outcome = inner.place(in.instance("c"), in.host("h2"));
          fork.close();
          return outcome;
        });
    acts.add((pass, in) -> pass.place(in.instance("g1"), in.host("h1"))); // is undone at the end
    acts.add((pass, in) -> pass.place(in.instance("c"), in.host("h2")));
    acts.add((pass, in) -> pass.resize(in.instance("resized"), cores(1.5), WHY));
    acts.add((pass, in) -> pass.pause(in.instance("paused"), WHY));
    acts.add((pass, in) -> pass.suspend(in.instance("suspended"), WHY));
    acts.add((pass, in) -> pass.resume(in.instance("ready"), cores(1), WHY));
    acts.add((pass, in) -> pass.migrate(in.instance("moved"), in.host("p-1"), cores(1), WHY));
    acts.add((pass, in) -> pass.reject(in.instance("rejected"), WHY));
    acts.add((pass, in) -> pass.provision(pool(in), 1, Optional.empty(), NEVER, WHY));
    acts.add((pass, in) -> pass.release(pool(in).starting().get(0), WHY));
    acts.add((pass, in) -> pass.assign(bag(in, "assigned"), "cluster", NEVER, WHY));
    acts.add((pass, in) -> pass.cancel(bag(in, "cancelled"), WHY));
    acts.add((pass, in) -> pass.defer(in.instance("waits"), WHY));
    acts.add((pass, in) -> pass.defer(bag(in, "assigned"), WHY));
    acts.add(
        (pass, in) -> {
          pass.wakeAt(in.now() + 1);
          return "woken";
        });
    return acts;
  }

  private static List<Instance> victims(Cluster in) {
    return List.of(in.instance("victim"), in.instance("another"));
  }

  private static Pool pool(Cluster in) {
    return in.scheduler().pools().get(0);
  }

  private static Bag bag(Cluster in, String id) {
    return in.scheduler().bag(id).orElseThrow();
  }

  private static Plan act(Cluster cluster) {
    return cluster.pass(pass -> acts().forEach(each -> each.on(pass, cluster)));
  }

  /** Acts in a pass that then fails, which undoes it. */
  private static void actAndFail(Cluster cluster) {
    try {
      cluster.pass(
          pass -> {
            acts().forEach(each -> each.on(pass, cluster));
            throw new Given();
          });
    } catch (PolicyFailedException undone) {
      if (!(undone.getCause() instanceof Given)) {
        throw undone;
      }
    }
  }

  /** Acts in a pass whose policy catches errors and continues: no later act may be accepted. */
  private static void actInSpite(Cluster cluster) {
    cluster.pass(
        pass -> {
          Throwable caught = null;
          for (Act each : acts()) {
            Object done;
            try {
              done = each.on(pass, cluster);
            } catch (Throwable thrown) {
              Steps.recover();
              if (caught == null
                  && !(thrown instanceof VirtualMachineError && isDuringAnAct(thrown))) {
                throw thrown;
              }
              caught = thrown;
              continue;
            }
            if (caught != null && !(done instanceof Outcome outcome && !outcome.accepted())) {
              throw new AssertionError("after %s it accepted %s".formatted(caught, done), caught);
            }
          }
        });
  }

  /** Returns whether an error occurred while the pass acted, and not before, or in a query. */
  private static boolean isDuringAnAct(Throwable thrown) {
    return Stream.of(thrown.getStackTrace())
        .dropWhile(each -> !each.getMethodName().equals("step"))
        .skip(2) // the step and its method
        .anyMatch(each -> each.getMethodName().equals("stoppingOnError"));
  }

  // ---- After a pass

  /**
   * Returns a trial on a cluster that has decided actions of all kinds, and holds back failures.
   */
  private static OnCluster afterActs(Consumer<Cluster> work) {
    return new OnCluster(
        () -> {
          Backoff times = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(9));
          Cluster cluster = byHand(Scheduler.builder().hostBackoff(times).instanceBackoff(times));
          act(cluster);
          return cluster;
        },
        work,
        FaultTrials::continuationAfterActs);
  }

  /** Fails what is starting, and tries to place all that is pending, in several passes. */
  private static List<Plan> continuationAfterActs(Cluster cluster) {
    List<Plan> plans = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      plans.add(
          cluster.pass(
              pass -> {
                for (Instance each : pass.pending()) {
                  pass.hosts().forEach(host -> pass.place(each, host));
                }
              }));
      for (Instance each : cluster.scheduler().instances()) {
        if (each.state() == InstanceState.STARTING) {
          cluster.failed(each.id());
        }
      }
      cluster.at(10 + 5 * i);
    }
    return plans;
  }

  // ---- Pipelines

  private static Map<String, UnaryOperator<PipelineBuilder>> pipelines() {
    Map<String, UnaryOperator<PipelineBuilder>> all = new LinkedHashMap<>();
    all.put(
        "preemption",
        parts ->
            parts
                .queue(QueueDiscipline.FIFO)
                .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                .minimizeVictims(true));
    all.put("backfilling", parts -> parts.queue(QueueDiscipline.SJF).backfill(Backfill.EASY));
    all.put(
        "reservations and late requests",
        parts ->
            parts
                .queue(QueueDiscipline.EDF)
                .backfill(Backfill.CONSERVATIVE)
                .admission(Admission.IN_TIME));
    all.put(
        "filter and cost",
        parts ->
            parts
                .filter(
                    (instance, host, now) ->
                        host.id().equals("h3") && instance.id().length() == 1
                            ? Optional.of(WHY)
                            : Optional.empty())
                .preemptionCost(TestParts.cost(each -> each.request().demand().hashCode() % 3))
                .preemption(TestParts.latestFirst(), pair -> Verdict.allow("any", "any")));
    return all;
  }

  /** Returns a cluster whose pipeline preempts. */
  static Cluster withPreemption() {
    return piped(pipelines().get("preemption"));
  }

  private static Cluster withReservations() {
    return piped(pipelines().get("reservations and late requests"));
  }

  private static Cluster piped(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster =
        Cluster.of(Scheduler.builder().topScores(2).seed(7), parts)
            .host("h1", 4)
            .host("h2", 4)
            .host("h3", 2);
    cluster.running("victim", "bronze", 2, "h1").running("another", "bronze", 1, "h1");
    cluster.running("paused", "silver", 3, "h2").starting("resized", "bronze", 1, "h3");
    cluster.scheduler().offerPool(new PoolSpec("p", cores(2), 3), cluster.now());
    cluster.at(5);
    withBags(cluster).pending("b", "silver", 3);
    cluster.pending(job("late", 2, 9).deadline(Duration.ofSeconds(10)));
    cluster.pending(job("c", 2, 3)).pending("d", "gold", 2).pending("e", "gold", 2);
    cluster.pending(
        Cluster.request("constrained", 1)
            .job("job")
            .antiAffinity(true)
            .constraint(new Constraint.Equal("name", "h2")));
    cluster.pending(Cluster.request("sibling", 1).job("job").antiAffinity(true));
    cluster
        .scheduler()
        .submit(
            group(
                "incomplete",
                Cluster.request("g1", "bronze", 0.5).build(),
                Cluster.request("g2", "bronze", 4).build()),
            cluster.now());
    return cluster.at(7).pending("waits", "bronze", 4);
  }

  // ---- Events

  static Map<String, Consumer<Cluster>> events() {
    Map<String, Consumer<Cluster>> all = new LinkedHashMap<>();
    all.put("host joins", in -> in.host("h4", 1));
    all.put("provisioned host joins", in -> in.host("p-2", 2));
    all.put("host leaves", in -> in.removed("h1"));
    all.put("request", in -> in.pending(request("new")));
    all.put(
        "request with a history",
        in ->
            in.scheduler().submit(request("new").build(), History.since(0).preempted(), in.now()));
    all.put("start fails", in -> in.failed("victim"));
    all.put("completion", in -> in.completed("victim"));
    all.put(
        "completion with CPU time",
        in -> in.scheduler().completed("another", Duration.ofSeconds(1), in.now()));
    all.put("cancelled request", in -> in.cancel("b"));
    all.put("cancelled bag", in -> in.scheduler().cancelBag("cancelled", WHY, in.now()));
    all.put(
        "bag",
        in ->
            in.scheduler()
                .submit(
                    new BagSpec("new", List.of(request("n1").build(), request("n2").build())),
                    in.now()));
    all.put(
        "group",
        in ->
            in.scheduler()
                .submit(group("new", request("n1").build(), request("n2").build()), in.now()));
    all.put("cancelled group", in -> in.scheduler().cancelGroup("incomplete", in.now()));
    all.put("pool", in -> in.scheduler().offerPool(new PoolSpec("p", cores(2), 2), in.now()));
    all.put("usage", in -> in.scheduler().usageReported("victim", cores(1), cores(0), in.now()));
    all.put("load", in -> in.scheduler().loadReported("h1", 1, in.now()));
    all.put("host grows", in -> in.changed("h1", 9, "rack", "r1"));
    all.put("host shrinks", in -> in.changed("h1", 1));
    all.put(
        "host has another dimension",
        in ->
            in.scheduler()
                .changeHost(
                    new HostSpec(
                        "h1", Resources.of(new Dimension("gpu", 1), 2), Map.of("name", "h1")),
                    in.now()));
    all.put("foreign load", in -> in.foreign("h1", 2));
    all.put(
        "budget", in -> in.scheduler().setBudget("guarded", DisruptionBudget.minUp(1), in.now()));
    all.put(
        "budget of another job",
        in -> in.scheduler().setBudget("job", DisruptionBudget.maxDown(0), in.now()));
    all.put("no budget", in -> in.scheduler().removeBudget("guarded", in.now()));
    all.put("cordoned host", in -> in.cordoned("h1"));
    all.put("drained host", in -> in.drained("h1", Drain.moving().until(in.now())));
    return all;
  }

  private static Request.Builder request(String id) {
    return Cluster.request(id, 1).job("job").constraint(new Constraint.Equal("name", "h1"));
  }

  // ---- The law

  /** Returns the plans of the passes that follow, with some events between them. */
  private static List<Plan> continuation(Cluster cluster) {
    List<Plan> plans = new ArrayList<>();
    boolean piped = !cluster.instance("waits").request().serviceClass().equals("gold");
    plans.add(piped ? cluster.pass() : act(cluster));
    cluster.removed("h1").host("h5", 3).pending("later", "gold", 3);
    plans.add(cluster.pass());
    cluster.host("h1", 4);
    if (cluster.instance("resized").host().isPresent()) {
      cluster.failed("resized");
    }
    plans.add(cluster.pass());
    return plans;
  }

  static void assertFailed(Cluster cluster, String when) {
    Scheduler scheduler = cluster.scheduler();
    List<String> hosts = scheduler.hosts().stream().map(Host::toString).toList();
    events()
        .forEach(
            (name, event) ->
                assertThat(catchThrowable(() -> event.accept(cluster)))
                    .as("event '%s' after %s", name, when)
                    .isInstanceOf(SchedulerFailedException.class));
    assertThat(catchThrowable(cluster::pass))
        .as("a pass after %s", when)
        .isInstanceOf(SchedulerFailedException.class)
        .hasMessageContaining("takes no more events or passes");
    assertThat(scheduler.hosts().stream().map(Host::toString).toList())
        .as("hosts after %s", when)
        .isEqualTo(hosts);
    assertThat(scheduler.instances()).as("instances after %s", when).isNotEmpty();
    assertThat(catchThrowable(() -> read(scheduler))).as("queries after %s", when).isNull();
  }

  /** Reads all that a scheduler shows. */
  private static void read(Scheduler scheduler) {
    long now = scheduler.now();
    scheduler.hosts().forEach(Snapshot.HostView::of);
    scheduler.instances().forEach(each -> Snapshot.InstanceView.of(each, now));
    scheduler.pools().forEach(Snapshot.PoolView::of);
    scheduler.bags().forEach(each -> Snapshot.BagView.of(each, now));
    scheduler.decisions().all();
    scheduler.pendingCount();
    scheduler.passes();
    scheduler.nextPassAt();
    scheduler.nextTimerAt();
  }
}
