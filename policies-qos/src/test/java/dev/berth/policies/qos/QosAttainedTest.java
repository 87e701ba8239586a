package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which jobs {@code qos-attained} serves first on one host with room for one of them. */
class QosAttainedTest {

  private static final long SECOND = 1_000_000_000;
  private static final List<ServiceClass> CLASSES =
      List.of(
          ServiceClass.builder("gold").slo(1).importance(1).build(),
          ServiceClass.builder("bronze").slo(0.5).importance(2).build());
  private static final int JOBS = 40;

  private List<ServiceClass> classes = CLASSES;
  private Scheduler scheduler;
  private long now;

  private void withEstimates(String estimates) {
    QosAttainedFactory factory = new QosAttainedFactory();
    QosAttainedConfig defaults = factory.defaults();
    scheduler =
        Scheduler.builder()
            .policy(
                factory,
                new QosAttainedConfig(
                    defaults.price(),
                    Estimates.valueOf(estimates),
                    defaults.watchdog(),
                    defaults.allocationScore()))
            .serviceClasses(classes)
            .build();
    scheduler.addHost(new HostSpec("h", Resources.of(Dimension.CPU, 1)), now);
  }

  private void submit(String id, String serviceClass, UnaryOperator<Request.Builder> how) {
    scheduler.submit(
        how.apply(Request.builder(id, serviceClass).demand(Resources.of(Dimension.CPU, 1))).build(),
        now);
  }

  /** Runs the job that is placed next for a time, and returns its id. */
  private String run(long seconds) {
    String id = place();
    now += seconds * SECOND;
    scheduler.completed(id, now);
    return id;
  }

  private String place() {
    String id = scheduler.schedule(now).placements().get(0).instance();
    scheduler.started(id, now);
    return id;
  }

  private List<String> preempted() {
    return scheduler.schedule(now).preemptions().stream().map(Action.Preempt::instance).toList();
  }

  /** Every third job runs for an hour, the others for a minute. */
  private static long seconds(int job) {
    return job % 3 == 0 ? 3_600 : 60;
  }

  private void learnFrom(String what) {
    for (int i = 0; i < JOBS; i++) {
      long seconds = seconds(i);
      submit("job-" + i, "bronze", job -> with(what, job, seconds));
      run(seconds);
    }
  }

  private static Request.Builder with(String what, Request.Builder job, long seconds) {
    return switch (what) {
      case "estimate" -> job.estimatedRunTime(Duration.ofSeconds(seconds));
      case "wrong" -> job.estimatedRunTime(Duration.ofSeconds(3_660 - seconds));
      case "user" -> job.user("runs " + seconds);
      case "application" -> job.user("all").application("runs " + seconds);
      default -> job;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "LEARN, estimate, short",
    "USE, estimate, short",
    "IGNORE, estimate, long",
    "LEARN, user, short",
    "USE, user, long",
    "IGNORE, user, long",
    "LEARN, application, short",
    "USE, application, long",
    "LEARN, nothing, long"
  })
  void whatIsExpectedToBeShortGoesFirst(String estimates, String what, String first) {
    withEstimates(estimates);
    learnFrom(what);
    submit("long", "bronze", job -> with(what, job, 3_600));
    now += SECOND;
    submit("short", "bronze", job -> with(what, job, 60));

    assertThat(run(60)).isEqualTo(first);
  }

  /** Those that were wrong by a factor of 60 before are not believed. */
  @Test
  void estimatesThatTellLessThanTheClassAreIgnored() {
    withEstimates("LEARN");
    learnFrom("wrong");
    submit("first", "bronze", job -> with("wrong", job, 60));
    now += SECOND;
    submit("second", "bronze", job -> with("wrong", job, 3_600));

    assertThat(run(60)).isEqualTo("first");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workThatWouldBeLostIsPreemptedOnlyForMoreImportantWork(boolean loses) {
    withEstimates("LEARN");
    learnFrom("estimate");
    submit("long", "bronze", job -> with("estimate", job, 3_600).losesProgress(loses));
    place();
    now += 300 * SECOND;
    submit("short", "bronze", job -> with("estimate", job, 60));

    assertThat(preempted()).isEqualTo(loses ? List.of() : List.of("long"));
  }

  @Test
  void ofThoseThatWouldLoseTheirWorkTheLatestStartYields() {
    withEstimates("LEARN");
    scheduler.addHost(new HostSpec("i", Resources.of(Dimension.CPU, 1)), now);
    submit("early", "bronze", job -> job.losesProgress(true));
    place();
    now += 600 * SECOND;
    submit("late", "bronze", job -> job.losesProgress(true));
    place();
    now += 60 * SECOND;
    submit("important", "gold", job -> job);

    assertThat(preempted()).containsExactly("late");
  }

  /** At the beginning of a simulation, and in 2026. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_780_000_000})
  void workThatWouldBeLostIsTheLastToYield(long seconds) {
    now = seconds * SECOND;
    withEstimates("LEARN");
    scheduler.addHost(new HostSpec("i", Resources.of(Dimension.CPU, 1)), now);
    submit("keeps", "bronze", job -> job);
    place();
    now += 60 * SECOND;
    submit("loses", "bronze", job -> job.losesProgress(true));
    place();
    now += 60 * SECOND;
    submit("important", "gold", job -> job);

    assertThat(preempted()).containsExactly("keeps");
  }

  /** At the very moment when it is in need, after a pass that refused this. */
  @Test
  void aServiceFarAheadYieldsToLessImportantWork() {
    classes =
        List.of(
            ServiceClass.builder("ahead").slo(0.9).importance(1).build(),
            ServiceClass.builder("behind")
                .slo(1)
                .importance(2)
                .safetyMargin(Duration.ZERO)
                .build());
    withEstimates("LEARN");
    submit("service", "ahead", job -> job);
    place();
    now += 600 * SECOND;
    submit("waits", "behind", job -> job);

    assertThat(preempted()).isEmpty();
    now++;
    assertThat(preempted()).containsExactly("service");
  }

  /** A long job that short ones overtake waits for a hundred mean services, 700 to 900 s each. */
  @Test
  void noJobWaitsForEver() {
    withEstimates("LEARN");
    learnFrom("estimate");
    submit("long", "bronze", job -> with("estimate", job, 3_600));
    long submitted = now;
    int shorter = 0;
    Duration waited = Duration.ZERO;
    String next = "";
    while (!next.equals("long")) {
      submit("short-" + shorter++, "bronze", job -> with("estimate", job, 60));
      next = place();
      waited = Duration.ofNanos(now - submitted);
      now += 600 * SECOND;
      if (!next.equals("long")) {
        scheduler.completed(next, now);
      }
    }
    submit("last", "bronze", job -> with("estimate", job, 60));

    assertThat(preempted()).isEmpty();
    scheduler.completed("long", now);
    submit("long", "bronze", job -> with("estimate", job, 60));
    assertThat(run(60)).as("an id that is used again has not waited").isNotEqualTo("long");
    assertThat(waited)
        .isBetween(Duration.ofSeconds(70_000), Duration.ofSeconds(90_000).plusHours(1));
  }

  /** Short jobs that keep coming preempt a long one only after a twentieth of its service. */
  @Test
  void aJobIsPreemptedTheLessOftenTheLongerItHasRun() {
    withEstimates("LEARN");
    learnFrom("estimate");
    submit("long", "bronze", job -> with("estimate", job, 36_000));
    place();
    long attained = 600 * SECOND;
    now += attained;
    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      submit("short-" + i, "bronze", job -> with("estimate", job, 60));
      long since = now;
      while (preempted().isEmpty()) {
        now += SECOND;
      }
      scheduler.started("short-" + i, now);
      turns.add((now - since) / SECOND);
      now += 60 * SECOND;
      scheduler.completed("short-" + i, now);
      place();
    }

    assertThat(turns).isSorted().endsWith(73L);
  }

  /** The service that was lost is no part of what such a job needs. */
  @Test
  void ofAJobThatLostItsWorkOnlyTheLastRunCounts() {
    withEstimates("LEARN");
    submit("job", "bronze", job -> job.losesProgress(true));
    place();
    now += 600 * SECOND;
    submit("gold", "gold", job -> job);
    assertThat(preempted()).containsExactly("job");
    scheduler.started("gold", now);
    now += SECOND;
    scheduler.completed("gold", now);
    run(60);

    assertThat(scheduler.snapshot().completions())
        .anySatisfy(
            each -> {
              assertThat(each.id()).isEqualTo("job");
              assertThat(each.serviceTime()).isEqualTo(60 * SECOND);
            });
  }

  @Test
  void damagedMemoriesAreRefused() {
    ServiceHistory history = new ServiceHistory(CLASSES, Estimates.LEARN);

    for (Object damaged : List.of("x", List.of(1L), List.of(List.of(), 1L, 1L))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> history.restore(Map.of("classes", Map.of("gold", damaged))))
          .withMessageStartingWith("history had ");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> history.restore(Map.of("lastServices", List.of(List.of(1L, "x", "y", 1L)))))
        .withMessage("history had y, must have a whole number.");
  }
}
