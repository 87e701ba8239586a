package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LastServicesTest {

  private static final ServiceClass JOB = ServiceClass.builder("job").build();

  private final LastServices services = new LastServices();

  private static Request of(UnaryOperator<Request.Builder> how) {
    return StubJob.request("any", JOB, how);
  }

  private static Request ofUser(String name) {
    return of(job -> job.user(name));
  }

  private static Request ofApplication(String name) {
    return of(job -> job.user("all").application(name));
  }

  private void completed(Request request, long... nanos) {
    for (long each : nanos) {
      services.add(new Completion(request, JOB, each));
    }
  }

  private static Map<String, Object> saved(LastServices services) {
    Map<String, Object> saved = new HashMap<>();
    services.save(saved);
    return saved;
  }

  @ParameterizedTest(name = "after {0}, {1} and {2} ns: {3}")
  @CsvSource({
    "7, 20, 40, 30",
    "7, 1, 1, 1", // known, though it rounds to 0
    "7, 3, 0, 1",
    "7, 0, 3, 0", // as if there were only one
  })
  void expectsTheMeanOfTheLastTwo(long first, long second, long third, long expected) {
    completed(ofUser("u"), first, second, third);
    assertThat(services.expected(ofUser("u"))).as("before the tables change").isZero();

    services.renew();

    assertThat(services.expected(ofUser("u"))).isEqualTo(expected);
  }

  @Test
  void expectsNothingAfterOneOrWithoutAName() {
    completed(ofUser("u"), 10);
    services.renew();
    assertThat(services.expected(ofUser("u"))).isZero();
    completed(ofUser("u"), 30);
    services.renew();

    assertThat(services.expected(ofUser("u"))).isEqualTo(20);
    assertThat(services.expected(ofUser("v"))).isZero();
    assertThat(services.expected(of(job -> job))).isZero();
    assertThat(services.expected(ofApplication("u"))).as("an application of that name").isZero();
  }

  @Test
  void restoresWhatItSaved() {
    completed(ofUser("x"), 10, 30);
    completed(ofApplication("x"), 100, 300);
    services.renew();
    completed(ofUser("x"), 50);
    Map<String, Object> saved = saved(services);

    assertThat(saved)
        .isEqualTo(
            Map.of(
                "lastServices",
                List.of(List.of(0L, "x", 30L, 10L), List.of(1L, "x", 300L, 100L)),
                "newServices",
                List.of(List.of(0L, "x", 50L, 30L))));

    LastServices restored = new LastServices();
    restored.add(new Completion(ofUser("y"), JOB, 1));
    restored.restore(saved);
    assertThat(saved(restored)).isEqualTo(saved);
    assertThat(restored.expected(ofUser("x"))).isEqualTo(20);
    assertThat(restored.expected(ofApplication("x"))).isEqualTo(200);

    restored.renew();
    assertThat(restored.expected(ofUser("x"))).isEqualTo(40);
    assertThat(saved(restored)).containsEntry("newServices", List.of());
    restored.restore(Map.of());
    assertThat(restored.expected(ofApplication("x"))).isZero();
  }

  /** The latest 1024; one that completes again is late again. */
  @Test
  void forgetsTheOldest() {
    for (int i = 0; i < 1024; i++) {
      completed(ofUser("u" + i), 10, 10);
    }
    services.renew();
    assertThat(services.expected(ofUser("u0"))).isEqualTo(10);
    completed(ofUser("u0"), 10);
    services.renew();
    completed(ofUser("new"), 10, 10);
    services.renew();

    assertThat(services.expected(ofUser("u0"))).isEqualTo(10);
    assertThat(services.expected(ofUser("u1"))).isZero();
    assertThat(services.expected(ofUser("u2"))).isEqualTo(10);
    assertThat(services.expected(ofUser("new"))).isEqualTo(10);
  }
}
