package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.EventRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Properties that hold after any mix of valid and invalid events and actions. */
class ActionPropertiesTest {

  private static final Dimension CPU = Dimension.CPU;
  private static final Dimension MEMORY = Dimension.MEMORY;
  private static final Dimension DISK = new Dimension("disk", 1);

  @Property(tries = 150)
  void freePlusHeldEqualsCapacity(@ForAll long seed) {
    Driver driver = new Driver(seed, acts -> pass -> acts.forEach(act -> act.accept(pass)));
    for (int i = 0; i < 60; i++) {
      driver.step();
      driver.scheduler.hosts().forEach(ActionPropertiesTest::assertLawful);
    }
  }

  @Property(tries = 150)
  void discardedForkChangesNothing(@ForAll long seed) {
    Driver driver =
        new Driver(
            seed,
            acts ->
                pass -> {
                  Snapshot before = Snapshot.of(pass);
                  try (Fork fork = pass.fork()) {
                    acts.forEach(act -> act.accept(fork));
                  }
                  assertThat(Snapshot.of(pass)).isEqualTo(before);
                  acts.stream().limit(acts.size() / 2).forEach(act -> act.accept(pass));
                });
    for (int i = 0; i < 40; i++) {
      driver.step();
    }
  }

  @Property(tries = 150)
  void discardedForkDoesNotChangePipelinePlans(@ForAll long seed) {
    for (UnaryOperator<PipelineBuilder> parts :
        List.<UnaryOperator<PipelineBuilder>>of(
            builder ->
                builder
                    .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                    .preemptStarting(true)
                    .molding(new Molding(2)),
            builder -> builder.backfill(Backfill.CONSERVATIVE),
            builder -> builder.backfill(Backfill.EASY).molding(new Molding(2)))) {
      Driver forking = Driver.withPipeline(seed, true, parts);
      Driver plain = Driver.withPipeline(seed, false, parts);
      for (int i = 0; i < 40; i++) {
        forking.step();
        plain.step();
        assertThat(forking.latest == null ? List.of() : forking.latest.actions())
            .isEqualTo(plain.latest == null ? List.of() : plain.latest.actions());
        assertThat(Snapshot.of(forking.scheduler)).isEqualTo(Snapshot.of(plain.scheduler));
      }
    }
  }

  /** Guards the other properties against holding vacuously. */
  @Test
  void coversAllActions() {
    Set<Class<?>> actionTypes = new HashSet<>();
    for (long seed = 0; seed < 20; seed++) {
      Driver driver = new Driver(seed, acts -> pass -> acts.forEach(act -> act.accept(pass)));
      for (int i = 0; i < 60; i++) {
        driver.step();
      }
      actionTypes.addAll(driver.actionTypes);
    }

    assertThat(actionTypes)
        .containsExactlyInAnyOrder(
            Action.Place.class,
            Action.Preempt.class,
            Action.Resize.class,
            Action.Pause.class,
            Action.Suspend.class,
            Action.Resume.class,
            Action.Migrate.class,
            Action.Reject.class);
  }

  private static void assertLawful(Host host) {
    for (Dimension each : List.of(CPU, MEMORY, DISK)) {
      long held = host.instances().stream().mapToLong(instance -> held(instance, each)).sum();
      assertThat(host.free(each) + held)
          .as("%s of %s with %s", each, host, host.instances())
          .isEqualTo(host.capacity().amount(each));
      assertThat(host.free(each)).isNotNegative();
    }
    assertThat(host.instances()).allSatisfy(each -> assertThat(each.host()).containsSame(host));
  }

  /** Returns what an instance holds according to the documentation. */
  private static long held(Instance instance, Dimension dimension) {
    return switch (instance.state()) {
      case STARTING, RUNNING -> instance.granted().amount(dimension);
      case PAUSED -> dimension.equals(CPU) ? 0 : instance.granted().amount(dimension);
      case PENDING, SUSPENDED, DONE -> 0;
    };
  }

  /** Generates events and actions from one seed. Invalid ones are refused or do nothing. */
  private static final class Driver {

    private final Random random;
    private final Set<Class<?>> actionTypes = new HashSet<>();
    private final Scheduler scheduler;
    private List<Consumer<SchedulingPass>> acts = List.of();
    private Plan latest;
    private long now;
    private int requests;

    Driver(long seed, Function<List<Consumer<SchedulingPass>>, Consumer<SchedulingPass>> policy) {
      this(
          seed,
          (driver, pipeline) -> pass -> policy.apply(driver.acts).accept(pass),
          parts -> parts);
    }

    private interface Making {
      Consumer<SchedulingPass> of(Driver driver, Policy pipeline);
    }

    private Driver(long seed, Making making, UnaryOperator<PipelineBuilder> parts) {
      this.random = new Random(seed);
      this.scheduler =
          Scheduler.builder()
              .policy(
                  "test",
                  context -> {
                    Policy pipeline =
                        parts
                            .apply(context.pipeline())
                            .ties(TieBreak.IN_TURN)
                            .allocationScore(fit -> 0)
                            .build();
                    Consumer<SchedulingPass> act = making.of(this, pipeline);
                    return new Policy() {
                      @Override
                      public void schedule(SchedulingPass pass) {
                        act.accept(pass);
                      }

                      @Override
                      public Set<Dimension> oversubscribes() {
                        return Set.of(MEMORY);
                      }
                    };
                  })
              .serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE)
              .build();
      for (int i = 0; i < 3; i++) {
        addHost("h" + i);
      }
    }

    static Driver withPipeline(long seed, boolean forks, UnaryOperator<PipelineBuilder> parts) {
      return new Driver(
          seed,
          (driver, pipeline) ->
              pass -> {
                if (forks) {
                  try (Fork fork = pass.fork()) {
                    driver.acts.forEach(act -> act.accept(fork));
                  }
                  try (Fork fork = pass.fork()) {
                    pipeline.schedule(fork);
                  }
                }
                pipeline.schedule(pass);
                driver.acts.forEach(
                    act -> act.accept(pass)); // so that some instances are paused or suspended
              },
          parts);
    }

    void step() {
      now += random.nextInt(3);
      int subject = random.nextInt(1000);
      int choice = random.nextInt(12);
      List<Instance> all = List.copyOf(scheduler.instances());
      String id = all.isEmpty() ? "missing" : all.get(subject % all.size()).id();
      latest = null;
      try {
        switch (choice) {
          case 0, 1, 2 -> scheduler.submit(request(subject), now);
          case 3 -> {
            if (subject % 4 == 0) {
              scheduler.removeHost("h" + subject % 3, now);
            } else {
              addHost("h" + subject % 3);
            }
          }
          case 4 -> scheduler.failed(id, now);
          case 5 -> scheduler.completed(id, now);
          case 6 -> scheduler.usageReported(id, Resources.of(CPU, 1), Resources.none(), now);
          case 7 -> {
            if (subject % 3 == 0) {
              scheduler.cancel(id, now);
            }
          }
          default -> {
            for (Instance each : all) {
              if (each.state() == InstanceState.STARTING && random.nextInt(4) > 0) {
                scheduler.started(each.id(), now);
              }
            }
            acts = acts();
            latest = scheduler.schedule(now);
            latest.actions().forEach(each -> actionTypes.add(each.getClass()));
          }
        }
      } catch (EventRefusedException refused) {
        assertThat(choice).as("%s", refused.getMessage()).isNotZero();
      }
    }

    private void addHost(String id) {
      Resources.Builder capacity = Resources.builder().put(CPU, 6_000_000_000L).put(MEMORY, 8);
      scheduler.addHost(
          new HostSpec(id, (id.equals("h1") ? capacity.put(DISK, 5) : capacity).build(), Map.of()),
          now);
    }

    private Request request(int subject) {
      Resources.Builder demand =
          Resources.builder().put(CPU, subject % 7 * 1_000_000_000L).put(MEMORY, subject % 5);
      if (subject % 6 == 0) {
        demand.put(DISK, 2);
      }
      Request.Builder request =
          Request.builder("i" + requests++, List.of("gold", "silver", "bronze").get(subject % 3))
              .demand(demand.build())
              .moldability(Moldability.LINPACK);
      if (subject % 2 == 0) {
        request.guaranteed(Resources.of(CPU, subject % 7 * 1_000_000_000L));
        request.estimatedRunTime(Duration.ofNanos(1 + subject % 11));
      }
      if (subject % 4 == 1) {
        request.job("j").antiAffinity(subject % 8 == 1);
      }
      return request.build();
    }

    private List<Consumer<SchedulingPass>> acts() {
      List<Consumer<SchedulingPass>> chosen = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int choice = random.nextInt(9);
        int subject = random.nextInt(1000);
        chosen.add(pass -> act(pass, choice, subject));
      }
      return chosen;
    }

    private static void act(SchedulingPass pass, int choice, int subject) {
      List<Instance> all =
          List.copyOf(choice < 3 && !pass.pending().isEmpty() ? pass.pending() : pass.instances());
      if (all.isEmpty() || pass.hosts().isEmpty()) {
        return;
      }
      Instance instance = all.get(subject % all.size());
      Host host = pass.hosts().get(subject / 7 % pass.hosts().size());
      Resources demand = instance.request().demand();
      Resources grant =
          Resources.builder()
              .put(CPU, demand.amount(CPU) + subject % 3 * 500_000_000L)
              .put(MEMORY, subject % 6)
              .put(DISK, demand.amount(DISK))
              .build();
      InstanceActs.act(pass, choice, subject, instance, host, grant);
    }
  }
}
