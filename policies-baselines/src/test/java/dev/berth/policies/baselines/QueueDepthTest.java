package dev.berth.policies.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.testkit.simulation.BagRun;
import dev.berth.testkit.simulation.BagScenario;
import dev.berth.testkit.simulation.TaskBag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueDepthTest {

  private static final QueueDepthFactory FACTORY = new QueueDepthFactory();
  private static final long SECOND = 1_000_000_000;

  private static BagRun run(QueueDepthConfig config, TaskBag... bags) {
    return BagScenario.reliable(100, bags).run(FACTORY, config, Duration.ofHours(2));
  }

  private static TaskBag bag(int at, int tasks, int seconds) {
    return TaskBag.of(Duration.ofSeconds(at), tasks, Duration.ofSeconds(seconds));
  }

  private static QueueDepthConfig config(
      double target, int least, int most, Duration grow, Duration shrink) {
    return new QueueDepthConfig("", target, least, most, grow, shrink, Duration.ofMinutes(1));
  }

  @Test
  void requestsHostsForRunningAndPendingAtTheTarget() {
    BagRun run = run(FACTORY.defaults(), bag(0, 8, 60));

    assertThat(run.result().pools().requested()).isEqualTo(10); // eight at 80 %
    assertThat(run.result().completed()).isEqualTo(8);
  }

  @Test
  void releasesSpareHostsAfterTheCoolDown() {
    BagRun run = run(FACTORY.defaults(), bag(0, 8, 60));

    assertThat(run.samples())
        .filteredOn(each -> each.stopping() > 0)
        .first()
        .extracting(FleetSample::at)
        .isEqualTo(300 * SECOND);
    assertThat(run.result().pools().released()).isEqualTo(10);
  }

  @Test
  void staysWithinItsLimits() {
    Duration none = Duration.ZERO;
    BagRun run = run(config(1, 2, 5, none, none), bag(0, 8, 60));

    assertThat(run.result().pools().peak()).isEqualTo(5);
    assertThat(run.samples().get(run.samples().size() - 1).idle()).isEqualTo(2);
    assertThat(run.result().completed()).isEqualTo(8);
  }

  @Test
  void growsOncePerCoolDown() {
    BagRun run =
        run(
            config(1, 0, 100, Duration.ofSeconds(30), Duration.ofMinutes(5)),
            bag(0, 2, 200),
            bag(1, 3, 200));

    assertThat(run.samples())
        .filteredOn(each -> each.starting() > 0)
        .extracting(FleetSample::at)
        .startsWith(0L, 30 * SECOND)
        .hasSize(2);
  }

  @Test
  void refusesContradictoryLimits() {
    assertThatThrownBy(() -> config(1, 3, 2, Duration.ZERO, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("minHosts must be at most maxHosts");
  }

  // ---- Single passes

  private final Scheduler scheduler =
      Scheduler.builder()
          .policy(FACTORY, FACTORY.defaults())
          .serviceClasses(BagScenario.BATCH)
          .build();
  private long now;

  private static Resources cores(int count) {
    return Resources.of(Dimension.CPU, count * Dimension.CPU.unitsPerWhole());
  }

  private void offer(int limit, int cores) {
    scheduler.offerPool(
        new PoolSpec(
            "vm", cores(cores), Map.of(), limit, Duration.ofSeconds(10), Duration.ofSeconds(3)),
        now);
  }

  private void submit(String id, int cores) {
    scheduler.submit(Request.builder(id, "batch").demand(cores(cores)).build(), now);
  }

  private Plan pass() {
    Plan plan = scheduler.schedule(now);
    plan.placements().forEach(each -> scheduler.started(each.instance(), now));
    return plan;
  }

  private void allUp(int cores) {
    now += 10 * SECOND;
    for (Host each : List.copyOf(scheduler.pools().get(0).starting())) {
      scheduler.addHost(new HostSpec(each.id(), cores(cores)), now);
    }
  }

  /** Ten hosts are half used, which is below the target, but none has four free cores. */
  @Test
  void requestsAHostIfNoHostInUseHasRoom() {
    offer(100, 4);
    IntStream.range(0, 20).forEach(i -> submit("r" + i, 2));
    pass();
    allUp(4);
    pass();
    IntStream.range(0, 10).forEach(i -> scheduler.completed("r" + 2 * i, now));
    now += 600 * SECOND;
    pass();
    assertThat(scheduler.hosts()).hasSize(10);
    submit("whole", 4);

    assertThat(pass().actions(Action.Provision.class)).hasSize(1);
    allUp(4);
    assertThat(pass().placements()).extracting(Action.Place::instance).containsExactly("whole");
  }

  @Test
  void releasesIdleHostsTooSmallForThePendingInstances() {
    offer(1, 2);
    submit("r", 2);
    pass();
    allUp(1);
    now += 600 * SECOND;
    assertThat(pass().actions(Action.Release.class))
        .extracting(Action.Release::host)
        .containsExactly("vm-1");
    scheduler.removeHost("vm-1", now);
    pass();
    allUp(2);

    assertThat(pass().placements()).extracting(Action.Place::instance).containsExactly("r");
  }
}
