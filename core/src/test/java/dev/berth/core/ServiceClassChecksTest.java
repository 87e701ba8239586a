package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A scheduler checks service classes of other implementations. */
class ServiceClassChecksTest {

  private static final Slo HALF = Slo.of(0.5);
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private record Other(
      @Nullable String name,
      @Nullable Slo slo,
      int importance,
      @Nullable Duration safetyMargin,
      double preemptionOverheadLimit)
      implements ServiceClass {}

  static Stream<Arguments> invalid() {
    return Stream.of(
        wrong(
            new Other(null, HALF, 1, MARGIN, 0), "service class null: name was null, must not be"),
        wrong(new Other(" ", HALF, 1, MARGIN, 0), "service class  : name was blank, must not be"),
        wrong(new Other("a", null, 1, MARGIN, 0), "service class a: slo was null, must be from"),
        wrong(new Other("a", HALF, 0, MARGIN, 0), "service class a: importance was 0, must be at"),
        wrong(new Other("a", HALF, -7, MARGIN, 0), "service class a: importance was -7, must be"),
        wrong(new Other("a", HALF, 1, null, 0), "service class a: safety margin was null, must"),
        wrong(
            new Other("a", HALF, 1, Duration.ofNanos(-1), 0),
            "service class a: safety margin was PT-0.000000001S, must be from 0 to a century"),
        wrong(
            new Other("a", HALF, 1, Duration.ofDays(36_500).plusNanos(1), 0),
            "service class a: safety margin was PT876000H0.000000001S, must be from 0 to a century"),
        wrong(
            new Other("a", HALF, 1, MARGIN, Double.NaN),
            "service class a: preemption-overhead limit was NaN, must be in [0, 1]"),
        wrong(
            new Other("a", HALF, 1, MARGIN, -0.1),
            "service class a: preemption-overhead limit was -0.1, must be in [0, 1]"),
        wrong(
            new Other("a", HALF, 1, MARGIN, 1.1),
            "service class a: preemption-overhead limit was 1.1, must be in [0, 1]"));
  }

  private static Arguments wrong(ServiceClass serviceClass, String message) {
    return Arguments.of(serviceClass, message);
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesAClassThatBreaksARule(ServiceClass serviceClass, String message) {
    Scheduler.Builder builder =
        Scheduler.builder()
            .policy("none", context -> pass -> {})
            .serviceClasses(Cluster.GOLD, serviceClass);

    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(builder::build)
        .withMessageStartingWith(message);
  }
}
