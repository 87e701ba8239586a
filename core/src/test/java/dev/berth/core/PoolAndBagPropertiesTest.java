package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Properties that hold after any mix of events and actions on pools and bags of tasks. */
class PoolAndBagPropertiesTest {

  private static final Dimension CPU = Dimension.CPU;
  private static final Dimension MEMORY = Dimension.MEMORY;
  private static final long TICK = 20_000_000_000L; // three of them are the window of a load

  @Property(tries = 300)
  void discardedForkChangesNothing(@ForAll long seed) {
    Driver driver = new Driver(seed, Mode.FORKS_ASSERTING);
    for (int i = 0; i < 60; i++) {
      driver.step();
    }
  }

  @Property(tries = 300)
  void discardedForksAndFailedPassesLeaveNoTrace(@ForAll long seed) {
    Driver forking = new Driver(seed, Mode.FORKS);
    Driver plain = new Driver(seed, Mode.PLAIN);
    for (int i = 0; i < 80; i++) {
      forking.step();
      plain.step();
      assertThat(withoutErrors(forking.latest)).isEqualTo(withoutErrors(plain.latest));
      assertThat(Snapshot.of(forking.scheduler)).isEqualTo(Snapshot.of(plain.scheduler));
    }
  }

  @Property(tries = 300)
  void hostVersionChangesWithItsView(@ForAll long seed) {
    Driver driver = new Driver(seed, Mode.PLAIN);
    Map<Long, List<Object>> seen = new HashMap<>();
    driver.lookEachTime =
        host -> {
          List<Object> view = seenOf(host);
          assertThat(seen.computeIfAbsent(host.version(), version -> view))
              .as("version %s of %s", host.version(), host)
              .isEqualTo(view);
        };
    for (int i = 0; i < 60; i++) {
      driver.step();
    }
  }

  @Property(tries = 300)
  void heldEqualsCapacityMinusFree(@ForAll long seed) {
    Driver driver = new Driver(seed, Mode.PLAIN);
    driver.lookEachTime =
        host -> {
          for (Dimension each : List.of(CPU, MEMORY)) {
            long held =
                host.instances().stream().mapToLong(instance -> held(instance, host, each)).sum();
            assertThat(host.free(each) + held)
                .as("%s of %s with %s", each, host, host.instances())
                .isEqualTo(host.capacity().amount(each));
          }
        };
    for (int i = 0; i < 60; i++) {
      driver.step();
    }
  }

  @Property(tries = 300)
  void everyBagIsReportedOnceWithConsistentFigures(@ForAll long seed) {
    Driver driver = new Driver(seed, Mode.FORKS);
    Set<String> reported = new HashSet<>();
    for (int i = 0; i < 80; i++) {
      driver.step();
      if (driver.latest == null) {
        continue;
      }
      for (BagReport each : driver.latest.endedBags()) {
        assertThat(reported.add(each.bag() + " of " + each.submittedAt())).as("%s", each).isTrue();
        assertThat(each.completed() + each.cancelled().size()).isLessThanOrEqualTo(each.size());
        assertThat(each.why().isEmpty()).isEqualTo(each.cancelled().isEmpty());
        for (InstanceReport member : each.cancelled()) {
          assertThat(member.serviceTime() + member.waitingTime())
              .isEqualTo(each.endedAt() - each.submittedAt());
          assertThat(member.endedAt()).isEqualTo(each.endedAt());
        }
        long ofThese = each.cancelled().stream().mapToLong(InstanceReport::serviceTime).sum();
        assertThat(each.serviceTime() - ofThese)
            .isEqualTo(driver.serviceOfTheOthers.getOrDefault(each.bag() + each.submittedAt(), 0L));
      }
      for (Bag each : driver.scheduler.bags()) {
        assertThat(each.expiresAt().orElse(Long.MAX_VALUE)).isGreaterThan(driver.latest.now());
      }
    }
  }

  /** Guards the other properties against holding vacuously. */
  @Test
  void coversAllActions() {
    Set<String> observed = new TreeSet<>();
    for (long seed = 0; seed < 30; seed++) {
      Driver driver = new Driver(seed, Mode.FORKS);
      for (int i = 0; i < 80; i++) {
        driver.step();
        if (driver.latest != null) {
          driver.latest.actions().forEach(each -> observed.add(each.getClass().getSimpleName()));
          driver
              .latest
              .endedBags()
              .forEach(each -> observed.add(each.isComplete() ? "done" : "cut"));
          driver.latest.triggers().forEach(each -> observed.add(each.toString()));
        }
        observed.addAll(driver.happened);
      }
    }

    assertThat(observed)
        .contains("Assign", "Cancel", "Migrate", "Pause", "Place", "Preempt", "Provision")
        .contains("Reject", "Release", "Resize", "Resume", "Suspend", "done", "cut")
        .contains("EXPIRY", "WAKE_UP", "failed up", "thrown", "drained", "host came up");
  }

  /** Omits policy errors, which a plan reports even if their fork was discarded. */
  private static Optional<Plan> withoutErrors(@Nullable Plan plan) {
    return Optional.ofNullable(plan)
        .map(
            each ->
                new Plan(
                    each.pass(),
                    each.now(),
                    each.triggers(),
                    each.actions(),
                    each.deferrals(),
                    List.of(),
                    each.bagDeferrals(),
                    each.endedBags()));
  }

  private static List<Object> seenOf(Host host) {
    List<Object> seen = new ArrayList<>(List.of(Snapshot.HostView.of(host)));
    for (Instance each : host.instances()) {
      seen.add(Snapshot.InstanceView.of(each, each.stateSince()));
    }
    return seen;
  }

  private static long held(Instance instance, Host host, Dimension dimension) {
    boolean nothing = dimension.equals(CPU) && host.timeShared();
    return switch (instance.state()) {
      case STARTING, RUNNING -> nothing ? 0 : instance.granted().amount(dimension);
      case PAUSED -> dimension.equals(CPU) ? 0 : instance.granted().amount(dimension);
      case PENDING, SUSPENDED, DONE -> 0;
    };
  }

  private enum Mode {
    /** Tries every action in forks first and checks that they leave no trace. */
    FORKS_ASSERTING,
    /** Tries every action in forks first. */
    FORKS,
    /** Performs only the actions that remain. */
    PLAIN
  }

  /** Generates events and actions from one seed. Invalid ones are refused or do nothing. */
  private static final class Driver {

    private final Random random;
    private final Mode mode;
    private final Scheduler scheduler;
    private final Set<String> happened = new HashSet<>();
    private final Set<String> stopping = new TreeSet<>();
    private final Map<String, Long> serviceOfTheOthers = new HashMap<>();
    private Consumer<Host> lookEachTime = host -> {};
    private List<Consumer<SchedulingPass>> acts = List.of();
    private boolean throwing;
    private Plan latest;
    private long now = -40 * TICK;
    private int requests;
    private int bags;

    Driver(long seed, Mode mode) {
      this.random = new Random(seed);
      this.mode = mode;
      this.scheduler =
          Scheduler.builder()
              .policy(
                  "test",
                  context -> {
                    Policy pipeline =
                        context
                            .pipeline()
                            .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                            .preemptStarting(true)
                            .build();
                    return new Policy() {
                      @Override
                      public void schedule(SchedulingPass pass) {
                        act(pass, pipeline);
                      }

                      @Override
                      public Set<Dimension> oversubscribes() {
                        return Set.of(MEMORY);
                      }
                    };
                  })
              .serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE)
              .build();
      scheduler.addHost(new HostSpec("h0", capacity(6, 8), Map.of(), true), now);
      scheduler.addHost(new HostSpec("h1", capacity(6, 8)), now);
      offer(0);
      offer(1);
    }

    private static Resources capacity(long cores, long memory) {
      return Resources.of(CPU, cores * Cluster.SECOND, MEMORY, memory);
    }

    private void offer(int subject) {
      String name = subject % 2 == 0 ? "red" : "blue";
      scheduler.offerPool(
          new PoolSpec(name, capacity(4, 6), subject / 2 % 5 + subject % 2 + 1), now);
    }

    private void act(SchedulingPass pass, Policy pipeline) {
      look(pass);
      if (mode != Mode.PLAIN) {
        Snapshot before = mode == Mode.FORKS_ASSERTING ? Snapshot.of(pass) : null;
        try (Fork fork = pass.fork()) {
          acts.forEach(act -> act.accept(fork));
        }
        if (before != null) {
          assertThat(Snapshot.of(pass)).isEqualTo(before);
        }
        try (Fork outer = pass.fork()) {
          acts.stream().skip(acts.size() / 2).forEach(act -> act.accept(outer));
          try (Fork inner = outer.fork()) {
            acts.forEach(act -> act.accept(inner));
            inner.keep();
          }
          try (Fork inner = outer.fork()) {
            pipeline.schedule(inner);
          }
          acts.forEach(act -> act.accept(outer));
          outer.wakeAt(now + 1);
        }
        if (before != null) {
          assertThat(Snapshot.of(pass)).isEqualTo(before);
        }
      }
      if (throwing) {
        if (mode != Mode.PLAIN) {
          acts.forEach(act -> act.accept(pass));
        }
        throw new IllegalStateException("thrown by the test");
      }
      for (Consumer<SchedulingPass> each : acts.subList(0, acts.size() / 2)) {
        each.accept(pass);
        look(pass);
      }
      pipeline.schedule(pass);
      for (Consumer<SchedulingPass> each : acts.subList(acts.size() / 2, acts.size())) {
        each.accept(pass);
        look(pass);
      }
    }

    private void look(SchedulingPass pass) {
      pass.hosts().forEach(lookEachTime);
      pass.pools().forEach(this::look);
    }

    private void look(Pool pool) {
      pool.starting().forEach(lookEachTime);
      int there = pool.starting().size() + pool.up().size() + pool.stopping();
      assertThat(pool.room()).isEqualTo(Math.max(0, pool.spec().limit() - there));
    }

    void step() {
      now += random.nextInt(3) * TICK / 2;
      int subject = random.nextInt(1000);
      int choice = random.nextInt(18);
      List<Instance> all = List.copyOf(scheduler.instances());
      String id = all.isEmpty() ? "missing" : all.get(subject % all.size()).id();
      latest = null;
      try {
        happen(choice, subject, id);
      } catch (EventRefusedException refused) {
        happened.add("refused");
      }
      scheduler.hosts().forEach(lookEachTime);
      scheduler.pools().forEach(this::look);
    }

    private void happen(int choice, int subject, String id) {
      switch (choice) {
        case 0 -> scheduler.submit(request(subject), now);
        case 1, 2, 3 -> submitBag(subject);
        case 4, 5 -> hostComesUp(subject);
        case 6 -> hostLeaves(subject);
        case 7 -> offer(subject);
        case 8 -> scheduler.failed(id, now);
        case 9 -> {
          Instance done = scheduler.instance(id).orElse(null);
          scheduler.completed(id, Duration.ofNanos(subject), now);
          ended(done);
        }
        case 10 -> {
          Instance done = scheduler.instance(id).orElse(null);
          scheduler.cancel(id, now);
          ended(done);
        }
        case 11 -> scheduler.loadReported(subject % 2 == 0 ? "h0" : "h1", subject / 7.0, now);
        case 12 -> scheduler.usageReported(id, Resources.of(CPU, subject), Resources.none(), now);
        case 13 -> {
          if (subject % 4 == 0) {
            scheduler.cancelBag("b" + subject % 5, InstanceActs.WHY, now);
          }
        }
        default -> pass(subject);
      }
    }

    private void ended(Instance done) {
      if (done != null && done.bag().isPresent()) {
        serviceOfTheOthers.merge(
            done.bag().get() + done.admittedAt(), done.serviceTime(now), Long::sum);
      }
    }

    private void pass(int subject) {
      for (Instance each : List.copyOf(scheduler.instances())) {
        if (each.state() == InstanceState.STARTING && random.nextInt(4) > 0) {
          scheduler.started(each.id(), now);
        }
      }
      acts = acts();
      throwing = subject % 6 == 0;
      try {
        latest = scheduler.schedule(now);
      } catch (PolicyFailedException failed) {
        if (!throwing) {
          throw failed;
        }
        happened.add("thrown");
        return;
      }
      latest.actions(Action.Release.class).forEach(each -> stopping.add(each.host()));
    }

    private void submitBag(int subject) {
      now++; // so that bags with the same id differ in time
      List<Request> members = new ArrayList<>();
      for (int i = 0; i <= subject % 4; i++) {
        members.add(request(subject + i));
      }
      if (subject % 9 == 0) { // refused after the others were added
        members.add(Request.builder("x", "platinum").demand(Resources.of(GPU, 1)).build());
      }
      Snapshot before = Snapshot.of(scheduler);
      try {
        scheduler.submit(
            new BagSpec(
                "b" + (subject % 3 == 0 ? subject % 5 : 5 + bags++),
                members,
                subject % 2 == 0
                    ? Optional.of(Duration.ofNanos(1 + subject % 7 * TICK))
                    : Optional.empty()),
            now);
      } catch (EventRefusedException refused) {
        assertThat(Snapshot.of(scheduler)).isEqualTo(before);
      }
    }

    private static final Dimension GPU = new Dimension("gpu", 1);

    private Request request(int subject) {
      Request.Builder request =
          Request.builder("i" + requests++, List.of("gold", "silver", "bronze").get(subject % 3))
              .demand(capacity(subject % 4, subject % 5))
              .guaranteed(Resources.of(CPU, subject % 4 * Cluster.SECOND))
              .application("app");
      return (subject % 4 == 1 ? request.job("j").antiAffinity(subject % 8 == 1) : request).build();
    }

    private void hostComesUp(int subject) {
      List<Host> starting = scheduler.pools().stream().flatMap(p -> p.starting().stream()).toList();
      if (subject % 7 == 0) { // of no pool, with an id that the pool may generate
        scheduler.addHost(new HostSpec("red-" + subject % 40, capacity(2, 2)), now);
      } else if (!starting.isEmpty()) {
        String id = starting.get(subject % starting.size()).id();
        scheduler.addHost(new HostSpec(id, capacity(3 + subject % 2, 5)), now);
        happened.add("host came up");
      }
    }

    private void hostLeaves(int subject) {
      List<String> ids = new ArrayList<>(stopping);
      scheduler.pools().forEach(pool -> pool.starting().forEach(each -> ids.add(each.id())));
      scheduler.hosts().forEach(each -> ids.add(each.id()));
      String id = ids.get(subject % ids.size());
      stopping.remove(id);
      if (id.startsWith("h")) {
        return;
      }
      happened.add(scheduler.host(id).isPresent() ? "failed up" : "failed or gone");
      scheduler.removeHost(id, now);
    }

    private List<Consumer<SchedulingPass>> acts() {
      List<Consumer<SchedulingPass>> chosen = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int choice = random.nextInt(18);
        int subject = random.nextInt(1000);
        chosen.add(pass -> act(pass, choice, subject));
      }
      return chosen;
    }

    private void act(SchedulingPass pass, int choice, int subject) {
      List<Instance> all =
          List.copyOf(choice < 3 && !pass.pending().isEmpty() ? pass.pending() : pass.instances());
      Host host = pass.hosts().get(subject / 7 % pass.hosts().size());
      OptionalLong expiry =
          subject % 3 == 0 ? OptionalLong.empty() : OptionalLong.of(now + subject % 6 * TICK);
      Optional<String> cluster =
          subject % 5 == 0 ? Optional.empty() : Optional.of("c" + subject % 2);
      List<Bag> bags = pass.bags();
      switch (choice) {
        case 9, 10 -> {
          Pool pool = pass.pools().get(subject % 2);
          int count = subject % 3 + 1;
          boolean fits = count <= pool.room();
          assertThat(pass.provision(pool, count, cluster, expiry, InstanceActs.WHY).accepted())
              .isEqualTo(fits);
        }
        case 11 -> {
          List<Host> starting = pass.pools().get(subject % 2).starting();
          pass.release(
              starting.isEmpty() ? host : starting.get(subject % starting.size()),
              InstanceActs.WHY);
        }
        case 12 -> drain(pass, host);
        case 13 -> {
          if (!bags.isEmpty()) {
            pass.assign(
                bags.get(subject % bags.size()), "c" + subject % 2, expiry, InstanceActs.WHY);
          }
        }
        case 14 -> {
          if (!bags.isEmpty() && subject % 3 == 0) {
            pass.cancel(bags.get(subject % bags.size()), InstanceActs.WHY);
          }
        }
        case 15 -> pass.wakeAt(now + 1 + subject % 4 * TICK);
        case 16 -> pass.release(host, InstanceActs.WHY);
        default -> {
          if (!all.isEmpty()) {
            act(pass, choice, subject, all.get(subject % all.size()), host);
          }
        }
      }
    }

    /** Migrates all instances off a host and releases it if it is empty. */
    private void drain(SchedulingPass pass, Host host) {
      for (Instance each : host.instances()) {
        for (Host other : pass.hosts()) {
          if (pass.migrate(each, other, each.granted(), InstanceActs.WHY).accepted()) {
            break;
          }
        }
      }
      boolean moved = !host.instances().isEmpty();
      if (pass.release(host, InstanceActs.WHY).accepted()) {
        happened.add(moved ? "released" : "drained");
      }
    }

    private static void act(
        SchedulingPass pass, int choice, int subject, Instance instance, Host host) {
      Resources demand = instance.request().demand();
      Resources grant =
          Resources.of(CPU, demand.amount(CPU) + subject % 2 * Cluster.SECOND, MEMORY, subject % 6);
      InstanceActs.act(pass, choice, subject, instance, host, grant);
    }
  }
}
