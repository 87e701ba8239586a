package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.cores;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.result.PoolUsage;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Pool hosts in a simulation: start, stop, failures and cost. */
class ProvisionerTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final long PATIENCE = s(10);

  private final Map<String, RequestOutcome> outcomes = new HashMap<>();
  private final List<FleetSample> samples = new ArrayList<>();

  /** A pool of four hosts of one core that take 10 s to start and 5 s to stop. */
  private Simulation.Builder simulation(Policy policy, Arrival... arrivals) {
    return Simulation.builder()
        .workload(workload(arrivals))
        .infrastructure(pool(4, 10, 5))
        .scheduler(Scheduler.builder().policy("elastic", context -> policy))
        .listener(Cases.fleetTo(samples))
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> outcomes.put(outcome.report().id(), outcome)));
  }

  private static Infrastructure pool(int limit, double start, double stop) {
    return new Infrastructure(
        "test pool",
        List.of(),
        List.of(new PoolSpec("p", cores(1), Map.of(), limit, seconds(start), seconds(stop))));
  }

  private static Provider provider(
      OptionalInt most, double refused, double failing, double dying, List<Duration> lives) {
    return new Provider(List.of(), List.of(), most, refused, failing, dying, lives);
  }

  /**
   * Provisions a host for each pending instance, and releases all empty hosts if none is pending.
   * After a failure it waits for a while.
   */
  private static void elastic(SchedulingPass pass) {
    placeAll(pass);
    Pool pool = pass.pools().get(0);
    int waiting = waiting(pass);
    int wanted = Math.min(pool.room(), waiting - pool.starting().size());
    long again = pool.failures() == 0 ? pass.now() : pool.lastFailureAt().orElseThrow() + PATIENCE;
    if (wanted > 0 && pass.now() >= again) {
      pass.provision(pool, wanted, Optional.empty(), OptionalLong.empty(), WHY);
    } else if (wanted > 0) {
      pass.wakeAt(again);
    }
    if (waiting == 0) {
      pool.up().forEach(each -> releaseIfEmpty(pass, each));
      pool.starting().forEach(each -> releaseIfEmpty(pass, each));
    }
  }

  private static void placeAll(SchedulingPass pass) {
    for (Instance each : pass.pending()) {
      for (Host host : pass.hosts()) {
        if (pass.place(each, host).accepted()) {
          break;
        }
      }
    }
  }

  private static void releaseIfEmpty(SchedulingPass pass, Host host) {
    if (host.instances().isEmpty()) {
      pass.release(host, WHY);
    }
  }

  private static int waiting(SchedulingPass pass) {
    return (int)
        pass.instances().stream().filter(each -> each.state() == InstanceState.PENDING).count();
  }

  private long end(String id) {
    return outcomes.get(id).report().endedAt();
  }

  @Test
  void accountsForHostsFromProvisioningToRemoval() {
    RunResult result =
        simulation(ProvisionerTest::elastic, arrival("a", 0, s(20)), arrival("b", 0, s(30)))
            .build()
            .run();

    assertThat(end("a")).isEqualTo(s(30));
    assertThat(end("b")).isEqualTo(s(40));
    assertThat(samples)
        .containsExactly(
            new FleetSample(0, 2, 0, 0, 0),
            new FleetSample(s(10), 0, 0, 2, 0),
            new FleetSample(s(30), 0, 0, 1, 1),
            new FleetSample(s(35), 0, 0, 1, 0),
            new FleetSample(s(40), 0, 0, 0, 1),
            new FleetSample(s(45), 0, 0, 0, 0));
    assertThat(result.pools()).isEqualTo(new PoolUsage(2, 0, 2, 0, 2, 80e9, 50e9));
    assertThat(result.pools().hostHours()).isEqualTo(80 / 3600.0);
    assertThat(result.simulated()).isEqualTo(seconds(45));
  }

  @Test
  void accountsForRemainingHostsUntilTheEnd() {
    RunResult result =
        simulation(
                pass -> {
                  if (pass.number() == 1) {
                    ask(pass, 1);
                  }
                  placeAll(pass);
                },
                arrival("a", 0, s(20)))
            .until(seconds(100))
            .build()
            .run();

    assertThat(result.completed()).isEqualTo(1);
    assertThat(result.simulated()).isEqualTo(seconds(100));
    assertThat(result.pools()).isEqualTo(new PoolUsage(1, 0, 0, 0, 1, 100e9, 20e9));
  }

  @Test
  void unreleasedHostsDoNotProlongTheRun() {
    RunResult result =
        simulation(
                pass -> {
                  if (pass.number() == 1) {
                    ask(pass, 4);
                  }
                  placeAll(pass);
                },
                arrival("a", 0, s(20)))
            .build()
            .run();

    assertThat(result.simulated()).isEqualTo(seconds(30));
    assertThat(result.pools().peak()).isEqualTo(4);
  }

  private static void ask(SchedulingPass pass, int count) {
    pass.provision(pass.pools().get(0), count, Optional.empty(), OptionalLong.empty(), WHY);
  }

  // ---- Failures

  @Test
  void refusedHostFailsAtOnceAndCostsNothing() {
    RunResult result =
        simulation(ProvisionerTest::elastic, arrival("a", 0, s(20)))
            .provider(provider(OptionalInt.empty(), 1, 0, 0, List.of()))
            .until(seconds(95))
            .build()
            .run();

    assertThat(result.pools()).isEqualTo(new PoolUsage(10, 10, 0, 0, 1, 0, 0)); // one each 10 s
    assertThat(result.unfinished()).isEqualTo(1);
  }

  @Test
  void failingHostFailsAtItsStartTime() {
    RunResult result =
        simulation(ProvisionerTest::elastic, arrival("a", 0, s(20)))
            .provider(provider(OptionalInt.empty(), 0, 1, 0, List.of()))
            .until(seconds(45))
            .build()
            .run();

    // provisioned at 0, 20 and 40; each fails after 10 s
    assertThat(result.pools()).isEqualTo(new PoolUsage(3, 2, 0, 0, 1, 25e9, 0));
  }

  @Test
  void refusesHostsBeyondTheActualLimit() {
    RunResult result =
        simulation(
                ProvisionerTest::elastic,
                arrival("a", 0, s(20)),
                arrival("b", 0, s(20)),
                arrival("c", 0, s(20)))
            .provider(provider(OptionalInt.of(2), 0, 0, 0, List.of()))
            .build()
            .run();

    assertThat(result.completed()).isEqualTo(3);
    for (int i = 0; i + 1 < samples.size(); i++) { // the third is refused at once
      assertThat(samples.get(i).all() <= 2 || samples.get(i + 1).at() == samples.get(i).at())
          .as("%s", samples)
          .isTrue();
    }
    assertThat(result.pools().failed()).isPositive();
  }

  @Test
  void dyingHostLosesItsInstances() {
    RunResult result =
        simulation(ProvisionerTest::elastic, arrival("a", 0, s(20)))
            .provider(provider(OptionalInt.empty(), 0, 0, 0, List.of(seconds(15))))
            .build()
            .run();

    // up from 10 to 25, then from 35: 15 of 20 are done, and it is released at 40
    assertThat(end("a")).isEqualTo(s(40));
    assertThat(outcomes.get("a").report().placements()).isEqualTo(2);
    assertThat(result.pools()).isEqualTo(new PoolUsage(2, 0, 1, 1, 1, 45e9, 20e9));
  }

  // ---- Draining

  /**
   * Migrates every running instance off the first host at 20 s, and releases the host some seconds
   * later.
   */
  private static Policy draining(int later) {
    return pass -> {
      if (pass.number() == 1) {
        ask(pass, 2);
      }
      placeAll(pass);
      pass.wakeAt(pass.now() + s(1));
      List<Host> up = pass.pools().get(0).up();
      if (pass.now() == s(20) && up.size() == 2) {
        Instance moved = up.get(0).instances().iterator().next();
        assertThat(pass.migrate(moved, up.get(1), moved.granted(), WHY).accepted()).isTrue();
      }
      if (pass.now() == s(20 + later) && up.size() == 2) {
        assertThat(pass.release(up.get(0), WHY).accepted()).isTrue();
      }
    };
  }

  private RunResult drain(int later, double dying) {
    return simulation(draining(later), arrival("a", s(1), s(60)))
        .migrationCost(new TransferCost(seconds(8), Long.MAX_VALUE))
        .provider(provider(OptionalInt.empty(), 0, 0, dying, List.of()))
        .until(seconds(200))
        .build()
        .run();
  }

  @Test
  void releasedHostStopsAfterItsMigrations() {
    RunResult result = drain(0, 0);

    assertThat(samples.stream().filter(each -> each.stopping() == 0 && each.at() > s(20)))
        .first()
        .isEqualTo(new FleetSample(s(33), 0, 0, 1, 0)); // ready at 28, then 5 s to stop
    assertThat(end("a")).isEqualTo(s(78)); // 10 s until 20, the other 50 from 28
    assertThat(result.pools().released()).isEqualTo(1);
  }

  @Test
  void releasedHostWaitsForEarlierMigrations() {
    drain(2, 0);

    assertThat(samples.stream().filter(each -> each.all() == 1))
        .first()
        .isEqualTo(new FleetSample(s(33), 0, 0, 1, 0));
  }

  @Test
  void deathWhileDrainingLosesMigratingInstances() {
    for (int later : List.of(0, 2)) {
      samples.clear();
      drain(later, 1);

      // lost when the host is released, and placed on the other at once
      assertThat(end("a")).isEqualTo(s(70 + later));
      assertThat(outcomes.get("a").completed()).isTrue();
      assertThat(outcomes.get("a").report().placements()).isEqualTo(2);
      assertThat(outcomes.get("a").migrations()).isEqualTo(1);
      assertThat(samples.stream().filter(each -> each.all() == 1))
          .first()
          .extracting(FleetSample::at)
          .isEqualTo(s(20 + later));
    }
  }

  @Test
  void deathWhileDrainingSparesMigratedInstances() {
    drain(9, 1);

    assertThat(end("a")).isEqualTo(s(78));
    assertThat(outcomes.get("a").report().placements()).isEqualTo(1);
  }

  // ---- Arbitrary runs

  /** The outcome of a run. */
  private record Run(RunResult result, List<InstanceReport> slis, List<FleetSample> samples) {}

  /** A plain account of the hosts that the policy saw, which change only in passes. */
  private static final class Account implements Policy {
    private final boolean moves;
    private final Set<Trigger> seen = EnumSet.noneOf(Trigger.class);
    private long last;
    private int all;
    private int busy;
    private int most;
    private double hostNanos;
    private double busyNanos;

    Account(boolean moves) {
      this.moves = moves;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      settle(pass.now());
      seen.addAll(pass.triggers());
      elastic(pass);
      if (moves && pass.hosts().size() > 1 && pass.random().nextInt(3) == 0) {
        Host from = pass.hosts().get(0);
        for (Instance each : from.instances()) {
          for (Host to : pass.hosts()) {
            if (pass.migrate(each, to, each.granted(), WHY).accepted()) {
              break;
            }
          }
        }
        releaseIfEmpty(pass, from);
      }
      Pool pool = pass.pools().get(0);
      all = pool.starting().size() + pool.up().size() + pool.stopping();
      busy = (int) pool.up().stream().filter(each -> !each.instances().isEmpty()).count();
      most = Math.max(most, all);
      assertThat(all).isLessThanOrEqualTo(pool.spec().limit());
    }

    private void settle(long now) {
      hostNanos += (double) (now - last) * all;
      busyNanos += (double) (now - last) * busy;
      last = now;
    }
  }

  private static Run run(long seed, Account account) {
    Random random = new Random(seed);
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      arrivals.add(arrival("i" + i, s(random.nextInt(200)), s(1 + random.nextInt(60))));
    }
    List<InstanceReport> slis = new ArrayList<>();
    List<FleetSample> samples = new ArrayList<>();
    RunResult result =
        Simulation.builder()
            .workload(workload(arrivals.toArray(Arrival[]::new)))
            .infrastructure(pool(1 + random.nextInt(5), random.nextInt(20), random.nextInt(9)))
            .scheduler(Scheduler.builder().policy("account", context -> account))
            .provider(
                new Provider(
                    List.of(seconds(3), seconds(30)),
                    List.of(seconds(1), seconds(40)),
                    random.nextBoolean() ? OptionalInt.of(2) : OptionalInt.empty(),
                    random.nextInt(3) / 4.0,
                    random.nextInt(3) / 4.0,
                    random.nextInt(3) / 2.0,
                    random.nextBoolean() ? List.of(seconds(70), seconds(500)) : List.of()))
            .migrationCost(new TransferCost(seconds(random.nextInt(9)), Long.MAX_VALUE))
            .seed(seed)
            .listener(Cases.fleetTo(samples))
            .listener(SimulationListener.onRequestEnded(outcome -> slis.add(outcome.report())))
            .build()
            .run();
    return new Run(result, slis, samples);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void usageMatchesIndependentAccount(@ForAll long seed) {
    Account account = new Account(true);

    Run run = run(seed, account);

    account.settle(run.result().simulated().toNanos());
    PoolUsage use = run.result().pools();
    assertThat(use.hostNanos()).isEqualTo(account.hostNanos);
    assertThat(use.busyNanos()).isEqualTo(account.busyNanos);
    assertThat(use.peak()).isEqualTo(account.most);
    assertThat(run.result().completed()).isEqualTo(12);
    assertThat(use.requested()).isEqualTo(use.failed() + use.released() + use.died());
    assertThat(run.samples().get(run.samples().size() - 1).all()).isZero();
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void sameSeedGivesTheSameRun(@ForAll long seed) {
    assertThat(run(seed, new Account(true))).isEqualTo(run(seed, new Account(true)));
  }

  @Test
  void refusesInvalidProviders() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider(OptionalInt.of(-1), 0, 0, 0, List.of()))
        .withMessage("provider: most was -1, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider(OptionalInt.empty(), 1.1, 0, 0, List.of()))
        .withMessage("provider: share refused was 1.1, must be from 0 to 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider(OptionalInt.empty(), 0, Double.NaN, 0, List.of()))
        .withMessage("provider: share failing was NaN, must be from 0 to 1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider(OptionalInt.empty(), 0, 0, 0, List.of(seconds(-1))))
        .withMessage("provider: life was PT-1S, must not be negative.");
  }

  @Test
  void infiniteDelaysNeverEnd() {
    Provider slow =
        new Provider(
            List.of(Duration.ofSeconds(Long.MAX_VALUE)),
            List.of(),
            OptionalInt.empty(),
            0,
            0,
            0,
            List.of());

    RunResult result =
        simulation(ProvisionerTest::elastic, arrival("a", s(1), s(1)))
            .provider(slow)
            .until(seconds(60))
            .build()
            .run();

    assertThat(result.unfinished()).isEqualTo(1);
    assertThat(result.pools().hostNanos()).isEqualTo(59e9);
  }
}
