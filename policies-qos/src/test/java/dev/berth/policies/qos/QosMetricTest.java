package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QosMetricTest {

  private static final double MINUTE = 60e9;

  /** Returns an instance that first waited for p and then ran for e, at the time e + p. */
  private static Instance after(double slo, long waited, long served) {
    Scheduler scheduler =
        Scheduler.builder()
            .registry(Policies.REGISTRY)
            .policy("qos-driven")
            .serviceClasses(ServiceClass.builder("only").slo(slo).build())
            .build();
    scheduler.addHost(new HostSpec("h", Resources.none()), 0);
    Instance instance =
        scheduler.submit(Request.builder("r", "only").demand(Resources.none()).build(), 0);
    scheduler.schedule(0);
    scheduler.started("r", waited);
    scheduler.schedule(waited + served);
    return instance;
  }

  @ParameterizedTest(name = "slo {0}, e {1} min, p {2} min: {3} min")
  @CsvSource({
    "0.9, 58, 2, 4.4444", // section 3.2: "as much as 4.4 min"
    "0.9, 10, 0, 1.1111", // section 3.2: "after about 1.1 min"
    "0.9, 60, 3.157895, 3.5088", // availability 95 %, an hour of service: about 3.5 min
    "0.9, 10, 0.526316, 0.5848", // availability 95 %, ten minutes of service: about 35 s
    "1.0, 30, 0, 0",
    "0.5, 10, 20, -10", // below its objective: the time since it fell below
  })
  void matchesTheWorkedExamplesOfThePaper(double slo, double e, double p, double expected) {
    Instance instance = after(slo, Math.round(p * MINUTE), Math.round(e * MINUTE));
    long now = Math.round(p * MINUTE) + Math.round(e * MINUTE);
    assertThat(new QosMetric(Duration.ZERO, QosUnit.NANOSECOND).value(instance, now) / MINUTE)
        .isCloseTo(expected, within(0.0001));
  }

  @Test
  void isZeroAtTheInstantOfAdmissionAndFallsWhileWaiting() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("qos-driven")
            .serviceClasses(ServiceClass.builder("only").slo(0.9).build())
            .build();
    Instance instance =
        scheduler.submit(Request.builder("r", "only").demand(Resources.none()).build(), 7);
    QosMetric metric = new QosMetric(Duration.ZERO, QosUnit.NANOSECOND);
    assertThat(metric.value(instance, 7)).isZero();
    assertThat(metric.value(instance, 107)).isEqualTo(-100);
  }

  @Test
  void expectedOverheadLowersTheMetric() {
    Instance instance = after(0.9, 0, 600_000_000_000L);
    assertThat(
            new QosMetric(Duration.ofSeconds(3), QosUnit.NANOSECOND)
                .value(instance, 600_000_000_000L))
        .isEqualTo(
            new QosMetric(Duration.ZERO, QosUnit.NANOSECOND).value(instance, 600_000_000_000L)
                - 3_000_000_000L);
  }

  @Property
  void keyAndDriftAddUpToTheValueAtAnyTime(
      @ForAll @DoubleRange(min = 0.001, max = 1) @Scale(9) double slo,
      @ForAll @LongRange(min = 0, max = 1L << 50) long waited,
      @ForAll @LongRange(min = 0, max = 1L << 50) long served) {
    Instance instance = after(slo, waited, served);
    QosMetric metric = new QosMetric(Duration.ofSeconds(2), QosUnit.NANOSECOND);
    long now = waited + served;
    assertThat(instance.state()).isEqualTo(InstanceState.RUNNING);
    assertThat(
            metric.key(instance)
                + metric.drift(instance.serviceClass(), InstanceState.RUNNING, now))
        .isEqualTo(metric.value(instance, now));
  }

  @Property
  void matchesThePapersFormulaUpToRounding(
      @ForAll @DoubleRange(min = 0.01, max = 1) @Scale(9) double slo,
      @ForAll @LongRange(min = 0, max = 1L << 45) long waited,
      @ForAll @LongRange(min = 0, max = 1L << 45) long served) {
    Instance instance = after(slo, waited, served);
    double sigma = instance.serviceClass().slo().share();
    double expected = served / sigma - (served + waited);
    assertThat(
            (double)
                new QosMetric(Duration.ZERO, QosUnit.NANOSECOND).value(instance, waited + served))
        .isCloseTo(expected, within(2 + Math.abs(served / sigma) * 1e-15));
  }
}
