package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceHistoryTest {

  private static final long SECOND = 1_000_000_000;
  private static final ServiceClass JOB = ServiceClass.builder("job").slo(0.5).build();
  private static final ServiceClass OTHER = ServiceClass.builder("other").slo(0.9).build();
  private static final long FIRST = 1_000 * SECOND;

  private static ServiceHistory history(Estimates estimates) {
    return new ServiceHistory(List.of(JOB, OTHER), estimates);
  }

  private static Request request(String id, UnaryOperator<Request.Builder> how) {
    return StubJob.request(id, JOB, how);
  }

  private static StubJob pending(String id, long admittedAt) {
    return StubJob.pending(request(id, job -> job), JOB, admittedAt);
  }

  private static List<Completion> completed(int count, long seconds) {
    return StubPass.completions(count, request("done", job -> job), JOB, seconds);
  }

  /** The second pass reports completions; the tables change in time, or only later. */
  @ParameterizedTest(name = "passes after 0 and {0} s: the tables changed {1}, until {2} s")
  @CsvSource({
    "59.999999999, false, 60",
    "60, true, 120",
    "240, true, 300",
    "244, true, 305",
    "14400, true, 18000",
    "14404, true, 18004",
  })
  void tablesChangeAtKnownTimes(double seconds, boolean changed, long until) {
    ServiceHistory history = history(Estimates.LEARN);
    history.observe(StubPass.at(FIRST, List.of()));
    assertThat(history.until()).isEqualTo(FIRST + 60 * SECOND);

    long now = FIRST + Math.round(seconds * SECOND);
    history.observe(StubPass.at(now, completed(100, 600)));

    assertThat(history.until()).isEqualTo(FIRST + until * SECOND);
    assertThat(history.of(pending("new", now), now).ends()).isEqualTo(changed);
  }

  @ParameterizedTest(name = "loses its progress {0}, running {1}: attained {2} s of 100 and 10")
  @CsvSource({"false, true, 110", "false, false, 100", "true, true, 10", "true, false, 0"})
  void whatAnInstanceLosesItHasNotAttained(boolean loses, boolean running, long attained) {
    Request request = request("a", job -> job.losesProgress(loses));
    StubJob job = StubJob.pending(request, JOB, 0).thatServed(100 * SECOND);
    job = running ? job.runningSince(200 * SECOND) : job;

    Outlook its = history(Estimates.LEARN).of(job, 210 * SECOND);

    assertThat(its.attained()).isEqualTo(attained * SECOND);
  }

  /** Jobs of a minute completed, so that a hundred mean services are 6000 s. */
  @ParameterizedTest(name = "a admitted {0} s ago served {1} s, b {2} s ago and {3} s: {4}")
  @CsvSource({
    "6000, 0, 10, 0, a",
    "5999.999999999, 0, 10, 0, none",
    "6010, 10, 10, 0, a",
    "6010, 11, 10, 0, none",
    "6000, 0, 6001, 0, b",
    "6000, 0, 6000, 0, a", // admitted at once: by id
    "9600, 3600, 10, 0, none", // likely a service
    "9600, 3600, 6000, 0, b",
  })
  void whoHasWaitedForAHundredMeanServicesIsFirst(
      double admittedA, long servedA, double admittedB, long servedB, String longest) {
    long now = 10_000 * SECOND;
    StubJob a = pending("a", now - Math.round(admittedA * SECOND)).thatServed(servedA * SECOND);
    StubJob b = pending("b", now - Math.round(admittedB * SECOND)).thatServed(servedB * SECOND);
    ServiceHistory history = history(Estimates.LEARN);

    history.observe(StubPass.at(now, completed(20, 60), b, a));

    assertThat(history.hasWaitedLongest(a)).isEqualTo(longest.equals("a"));
    assertThat(history.hasWaitedLongest(b)).isEqualTo(longest.equals("b"));
    assertThat(history.hasWaitedLongest(pending("a", now))).as("the id again").isFalse();
    assertThat(history.hasWaitedLongest(StubJob.pending(a.request(), OTHER, a.admittedAt())))
        .isFalse();
    history.observe(StubPass.at(history.until(), List.of()));
    assertThat(history.hasWaitedLongest(a) || history.hasWaitedLongest(b)).as("done").isFalse();
  }

  /** Half of the jobs run for a minute and half for an hour. */
  @ParameterizedTest(name = "{0}, estimates right {1}, applications alike {2}: {3} h expected")
  @CsvSource({
    "LEARN, true, false, 0.5",
    "LEARN, false, true, 0.25",
    "LEARN, true, true, 0.5", // an estimate, if nothing is clearly better
    "LEARN, false, false, 1", // as many as of the class
    "USE, true, true, 0.5",
    "USE, false, true, 1",
    "IGNORE, true, true, 1",
  })
  void whatHasVariedLeastIsTrusted(
      Estimates estimates, boolean right, boolean alike, double hours) {
    ServiceHistory history = history(estimates);
    List<Completion> all = new ArrayList<>();
    for (long seconds : List.of(60L, 3_600L)) {
      UnaryOperator<Request.Builder> how =
          job ->
              job.estimatedRunTime(Duration.ofSeconds(right ? seconds : 600))
                  .application(alike ? "runs " + seconds : "all");
      all.addAll(StubPass.completions(10, request("done", how), JOB, seconds));
    }
    all.addAll(
        StubPass.completions(2, request("done", job -> job.application("quarter")), JOB, 900));
    history.observe(StubPass.at(0, all));
    history.observe(StubPass.at(history.until(), all));
    ServiceHistory restored = history(estimates);
    restored.restore(history.save());

    StubJob both =
        StubJob.pending(
            request(
                "a", job -> job.estimatedRunTime(Duration.ofMinutes(30)).application("quarter")),
            JOB,
            0);
    for (ServiceHistory each : List.of(history, restored)) {
      assertThat(each.of(both, 0).scale()).isEqualTo(hours);
      assertThat(each.of(0, both, 0)).isEqualTo(each.of(both, 0));
      assertThat(each.of(pending("no", 0), 0).scale()).as("nothing is expected of it").isOne();
    }
  }

  private static List<Long> at(int step, long value) {
    List<Long> all = new ArrayList<>(Collections.nCopies(step, 0L));
    all.add(value);
    return all;
  }

  /** Half a minute is in step 2, a minute in step 4; half an hour in step 19, an hour in 23. */
  @Test
  void savesAllThatItKnows() {
    Request known =
        request("a", job -> job.estimatedRunTime(Duration.ofMinutes(1)).application("minute"));
    long now = 10_000 * SECOND;
    StubJob a = StubJob.pending(known, JOB, 7).thatServed(30 * SECOND);
    ServiceHistory history = history(Estimates.LEARN);
    assertThat(history.save()).as("before the first pass").isEmpty();

    history.observe(
        StubPass.at(now, StubPass.completions(20, known, JOB, 60), a, pending("b", now)));
    Map<String, Object> saved = history.save();

    long minute = 60 * SECOND;
    List<Object> nothing = Collections.nCopies(5, List.of());
    assertThat(saved)
        .isEqualTo(
            Map.of(
                "since",
                now,
                "until",
                now + minute,
                "classes",
                Map.of(
                    "job",
                    List.of(
                        "a",
                        7L,
                        List.of(
                            at(4, 20), at(4, 1200), at(4, 20), at(4, 1200), List.of(1L, 0L, 1L)),
                        List.of(at(23, 20), at(23, 72_000), at(23, 20), at(23, 72_000), at(19, 1)),
                        List.of(List.of(), List.of(), List.of(), List.of(), at(19, 1))),
                    "other",
                    List.of("", 0L, nothing, nothing, nothing)),
                "lastServices",
                List.of(List.of(1L, "minute", minute, minute)),
                "newServices",
                List.of()));
    assertThat(history.save()).as("nothing changed").isSameAs(saved);

    ServiceHistory restored = history(Estimates.LEARN);
    restored.restore(saved);
    assertThat(restored.save()).isEqualTo(saved);
    assertThat(restored.until()).isEqualTo(history.until());
    assertThat(restored.hasWaitedLongest(a)).isTrue();
    assertThat(restored.of(a, now).ends()).isTrue();

    restored.restore(Map.of());
    assertThat(restored.save()).isEmpty();
    assertThat(restored.until()).isEqualTo(Long.MIN_VALUE);
    assertThat(restored.hasWaitedLongest(a)).isFalse();
    assertThat(restored.of(a, now).ends()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"IGNORE", "USE"})
  void savesLastServicesOnlyIfItLearnsFromThem(Estimates estimates) {
    ServiceHistory history = history(estimates);
    history.observe(StubPass.at(0, completed(20, 60)));

    assertThat(history.save()).containsOnlyKeys("since", "until", "classes");
  }

  @Test
  void knowsNoOtherClasses() {
    ServiceClass unknown = ServiceClass.builder("unknown").build();
    Request request = StubJob.request("a", unknown, job -> job);
    StubJob instance = StubJob.pending(request, unknown, 0);
    ServiceHistory history = history(Estimates.LEARN);
    history.observe(StubPass.at(0, StubPass.completions(1, request, unknown, 60), instance));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> history.of(instance, 0))
        .withMessage("unknown is no service class");
  }
}
