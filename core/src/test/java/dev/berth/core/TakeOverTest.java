package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.core.error.SnapshotException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scheduler with other settings takes the cluster of a snapshot over. */
class TakeOverTest {

  private static final ServiceClass STRICTER = ServiceClass.builder("gold").slo(0.99).build();

  private final Scheduler before =
      settings("first", parts -> parts.queue(QueueDiscipline.FIFO))
          .serviceClasses(Cluster.GOLD, Cluster.BRONZE)
          .build();

  private static Scheduler.Builder settings(String name, UnaryOperator<PipelineBuilder> parts) {
    return Scheduler.builder().policy(name, context -> parts.apply(context.pipeline()).build());
  }

  private static Request request(String id, double cores) {
    return Request.builder(id, "gold")
        .demand(cores(cores))
        .estimatedRunTime(Duration.ofSeconds((long) (10 * cores)))
        .job("j")
        .build();
  }

  @BeforeEach
  void fill() {
    before.addHost(new HostSpec("h1", cores(4)), 0);
    before.setBudget("j", new DisruptionBudget(DisruptionBudget.Limit.MAX_DOWN, 1), 0);
    before.submit(request("a", 4), 0);
    before.schedule(0);
    before.started("a", SECOND);
    before.submit(request("long", 4), 2 * SECOND);
    before.submit(request("short", 1), 3 * SECOND);
    before.schedule(3 * SECOND);
    before.cordon("h1", 4 * SECOND);
  }

  private Scheduler.Builder shortestFirst() {
    return settings("second", parts -> parts.queue(QueueDiscipline.SJF));
  }

  @Test
  void anotherPolicyDecidesFromItsNextPassOnByItsOwnOrder() {
    Scheduler after =
        shortestFirst()
            .serviceClasses(STRICTER, Cluster.BRONZE)
            .seed(7)
            .watchdog(Duration.ofMinutes(1))
            .takeOver(before.snapshot())
            .build();

    Instance a = after.instance("a").orElseThrow();
    assertThat(a.state()).isEqualTo(InstanceState.RUNNING);
    assertThat(a.serviceTime(4 * SECOND)).isEqualTo(3 * SECOND);
    assertThat(a.serviceClass().slo().share()).isEqualTo(0.99);
    assertThat(after.host("h1").orElseThrow().closed()).isPresent();
    assertThat(after.budget("j")).isEqualTo(before.budget("j")).isPresent();
    assertThat(after.seed()).isEqualTo(7);
    assertThat(after.watchdog()).contains(Duration.ofMinutes(1));
    assertThat(after.nextPassAt()).hasValue(4 * SECOND);
    after.uncordon("h1", 5 * SECOND);
    after.completed("a", 41 * SECOND);
    assertThat(after.schedule(41 * SECOND).placements())
        .extracting(Action.Place::instance)
        .containsExactly("short");
    assertThat(after.digest()).isEqualTo(after.snapshot().digest());
  }

  @Test
  void withTheSameSettingsItGoesOnAsTheFirst() {
    Scheduler after =
        settings("first", parts -> parts.queue(QueueDiscipline.FIFO))
            .serviceClasses(Cluster.GOLD, Cluster.BRONZE)
            .takeOver(before.snapshot())
            .build();

    for (Scheduler each : List.of(before, after)) {
      each.uncordon("h1", 5 * SECOND);
      each.completed("a", 41 * SECOND);
    }
    assertThat(after.schedule(41 * SECOND).actions())
        .isEqualTo(before.schedule(41 * SECOND).actions());
  }

  @Test
  void aClassThatIsGoneIsRefusedWhileAnInstanceIsOfIt() {
    Scheduler.Builder without = shortestFirst().serviceClasses(Cluster.BRONZE);
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> without.takeOver(before.snapshot()).build())
        .withMessageContaining(
            "instance a is of service class gold, which the builder does not have.");

    for (String each : List.of("a", "long", "short")) {
      before.cancel(each, 5 * SECOND);
    }
    before.submit(new BagSpec("bag", List.of(request("task", 1))), 5 * SECOND);
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> without.takeOver(before.snapshot()).build())
        .withMessageContaining("instance task is of service class gold");
    before.cancelBag("bag", new Reason.PolicyChoice("test", "a test"), 5 * SECOND);
    Scheduler after = without.takeOver(before.snapshot()).build();

    assertThat(after.serviceClasses()).containsExactly(Cluster.BRONZE);
    assertThat(after.hosts()).hasSize(1);
  }

  @Test
  void aSnapshotThatIsRestoredKeepsItsSettings() {
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(
            () -> shortestFirst().takeOver(before.snapshot()).restore(before.snapshot()).build())
        .withMessageContaining("its policy is first, that of the builder is second");
  }
}
