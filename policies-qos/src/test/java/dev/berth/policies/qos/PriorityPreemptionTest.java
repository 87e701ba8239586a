package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Victims and hosts that the priority policy chooses. */
class PriorityPreemptionTest {

  private final Scheduler scheduler =
      Scheduler.builder()
          .policy("priority")
          .serviceClasses(
              serviceClass("gold", 1), serviceClass("silver", 2), serviceClass("bronze", 3))
          .build();

  private static ServiceClass serviceClass(String name, int importance) {
    return ServiceClass.builder(name).importance(importance).build();
  }

  @Test
  void preemptsTheLeastImportantFirst() {
    host("h", 2);
    run("b", "bronze", 1, 0);
    run("s", "silver", 1, 1);

    assertThat(preemptedFor("gold", 1, 2)).containsExactly("b");
  }

  @Test
  void preemptsTheLatestAdmittedOfAClassFirst() {
    host("h", 5);
    long at = 0;
    for (String id : List.of("c", "a", "e", "b", "d")) {
      run(id, "bronze", 1, at++);
    }

    assertThat(preemptedFor("gold", 4, at)).containsExactly("d", "b", "e", "a");
  }

  @Test
  void preemptsTwoBronzeRatherThanOneSilver() {
    host("h1", 2);
    run("s", "silver", 2, 0);
    host("h2", 2);
    run("b1", "bronze", 1, 1);
    run("b2", "bronze", 1, 2);

    assertThat(preemptedFor("gold", 2, 3)).containsExactly("b2", "b1");
  }

  @Test
  void preemptsTheFewestAmongEquals() {
    host("h1", 2);
    run("b1", "bronze", 1, 0);
    run("b2", "bronze", 1, 1);
    host("h2", 2);
    run("b3", "bronze", 2, 2);

    assertThat(preemptedFor("gold", 2, 3)).containsExactly("b3");
  }

  @Test
  void servesAClassInOrderOfAdmission() {
    submit("first", "bronze", 1, 3);

    assertThat(new ByPriority().key(scheduler.instance("first").orElseThrow())).isEqualTo(3);
  }

  /** Classes do not change: neither time nor the value of a beneficiary alters a verdict. */
  @Test
  void verdictsNeverExpire() {
    PriorityFactory.LowerPriority rule = new PriorityFactory.LowerPriority(List.of());
    PreemptionPair any = new QosPreemptionCostTest.Victim(0, 0);

    assertThat(rule.allowedUpTo(any)).isEqualTo(Long.MAX_VALUE);
    assertThat(rule.refusedUntil(any)).isEqualTo(Long.MAX_VALUE);
  }

  private void host(String id, long slots) {
    scheduler.addHost(
        new HostSpec(id, Resources.of(Dimension.CPU, slots)), Math.max(0, scheduler.now()));
  }

  private void submit(String id, String serviceClass, long slots, long at) {
    scheduler.submit(
        Request.builder(id, serviceClass).demand(Resources.of(Dimension.CPU, slots)).build(), at);
  }

  /** Starts a running instance on the only host with room. */
  private void run(String id, String serviceClass, long slots, long at) {
    submit(id, serviceClass, slots, at);
    assertThat(scheduler.schedule(at).placements()).hasSize(1);
    scheduler.started(id, at);
  }

  private List<String> preemptedFor(String serviceClass, long slots, long at) {
    submit("new", serviceClass, slots, at);
    return scheduler.schedule(at).preemptions().stream().map(Action.Preempt::instance).toList();
  }
}
