package dev.berth.policies.qos.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.event.Event;
import dev.berth.testkit.reference.CaseCoverage;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.reference.ReferenceScore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The reference model of {@code qos-attained} on small cases, worked out by hand, in seconds. */
class QosAttainedOnPaperTest {

  private static final Dimension CPU = new Dimension("cpu", 1);
  private static final ServiceClass SILVER =
      ServiceClass.builder("silver").slo(0.9).importance(2).build();
  private static final ServiceClass BRONZE =
      ServiceClass.builder("bronze").slo(0.5).importance(3).build();

  private final ReferenceScheduler scheduler =
      new ReferenceScheduler(
          new QosAttained(at(30), QosAttained.Estimates.LEARN, ReferenceScore.MEAN),
          List.of(BRONZE, SILVER),
          7,
          Optional.of(Duration.ofSeconds(10)));

  /** Without data, what is to come is as long as what was attained, and a minute. */
  @Test
  void ruleGPreemptsWhatHasFarMoreToCome() {
    running("k", BRONZE); // Q(600) = 600, above its margin of 10
    submit("j", BRONZE, 600);
    assertThat(victims(pass(600))).containsExactly("k");
    assertThat(scheduler.coverage().of(CaseCoverage.Mark.PREEMPTION_BY_RULE_G)).isEqualTo(1);
  }

  /** Twenty jobs of ten minutes tell that k, after five of them, ends before j does. */
  @Test
  void ruleGLearnsThatJobsAreAlike() {
    host();
    for (int i = 0; i < 20; i++) {
      submit("job" + i, BRONZE, 600 * i);
      pass(600 * i);
      scheduler.apply(new Event.StartedNow("job" + i), at(600 * i));
      scheduler.apply(new Event.CompletedNow("job" + i, Optional.empty()), at(600 * (i + 1)));
    }
    submit("k", BRONZE, 12_000);
    pass(12_000);
    scheduler.apply(new Event.StartedNow("k"), at(12_000));
    submit("j", BRONZE, 12_300);
    assertThat(pass(12_300).isEmpty()).isTrue();
  }

  /** Nothing is known of silver, so k is not likely to end. */
  @Test
  void ruleSPreemptsWhatIsFarAhead() {
    running("k", SILVER); // Q(900) = 1000 − 900 = 100 > 10 + 30
    submit("j", BRONZE, 880); // Q(900) = −20 < 10
    assertThat(victims(pass(900))).containsExactly("k");
    assertThat(scheduler.coverage().of(CaseCoverage.Mark.PREEMPTION_BY_RULE_S)).isEqualTo(1);
  }

  private void host() {
    scheduler.apply(new Event.HostAdded(new HostSpec("h1", Resources.of(CPU, 1))), 0);
  }

  private void submit(String id, ServiceClass serviceClass, int second) {
    Request request = Request.builder(id, serviceClass.name()).demand(Resources.of(CPU, 1)).build();
    scheduler.apply(new Event.Submitted(request), at(second));
  }

  private void running(String id, ServiceClass serviceClass) {
    host();
    submit(id, serviceClass, 0);
    pass(0);
    scheduler.apply(new Event.StartedNow(id), 0);
  }

  private Plan pass(int second) {
    return scheduler.schedule(at(second));
  }

  private static List<String> victims(Plan plan) {
    return plan.preemptions().stream().map(Action.Preempt::instance).toList();
  }

  private static long at(int second) {
    return Duration.ofSeconds(second).toNanos();
  }
}
