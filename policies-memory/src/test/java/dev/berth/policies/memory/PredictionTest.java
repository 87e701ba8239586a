package dev.berth.policies.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.policies.memory.Prediction.Job;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class PredictionTest {

  private static final long SECOND = Prediction.CYCLE;
  private static final long GB = 1_000_000_000L;

  /** In cycles, a multiple of five; short, because jobs that never end run to the horizon. */
  private static final long HORIZON = 20_000;

  /** Jobs and the capacity of their host. */
  record Sharing(List<Job> jobs, long capacity) {}

  @Property(tries = 1_000)
  void matchesStepwiseSimulation(@ForAll("sharings") Sharing sharing) {
    assertAgrees(new Prediction(HORIZON), sharing.jobs, sharing.capacity);
  }

  @Property(tries = 200)
  void isStatelessBetweenRuns(@ForAll("sharings") Sharing one, @ForAll("sharings") Sharing other) {
    Prediction prediction = new Prediction(HORIZON);
    assertAgrees(prediction, one.jobs, one.capacity);
    assertAgrees(prediction, other.jobs, other.capacity);
    prediction.run(one.capacity); // the same jobs again, on another host
    assertIs(prediction, StepwiseSimulation.run(other.jobs, one.capacity, HORIZON));
  }

  @Example
  void noInstanceEndsAtOnce() {
    assertAgrees(new Prediction(HORIZON), List.of(), 0);
  }

  @Example
  void endedInstanceNeedsNoMemory() {
    Job done = job(SECOND, SECOND, MemoryProfile.constant(GB));
    assertAgrees(
        new Prediction(HORIZON), List.of(done, job(SECOND, 0, MemoryProfile.constant(1))), 0);
  }

  @Example
  void slowsDownByTheMissingShare() {
    Prediction prediction = new Prediction(HORIZON);
    prediction.add(job(100 * SECOND, 0, MemoryProfile.constant(4 * GB)));
    prediction.add(job(100 * SECOND, 0, MemoryProfile.constant(2 * GB)));

    prediction.run(5 * GB);

    assertThat(prediction.end(0)).isEqualTo(100 * SECOND);
    // With half of its need until memory is shared after 100 s, then with all of it.
    assertThat(prediction.end(1)).isEqualTo(150 * SECOND);
    assertThat(prediction.peak()).isEqualTo(6 * GB);
  }

  /** Works that end just before, at and after the last sharing. */
  @Example
  void stopsAtTheHorizon() {
    List<Job> jobs = new ArrayList<>();
    for (long cycles = -6; cycles <= 11; cycles++) {
      long work = (HORIZON + cycles) * SECOND;
      // A need that changes after the last sharing is not part of the peak.
      jobs.add(
          job(
              work,
              0,
              MemoryProfile.of(
                  List.of(
                      new MemoryProfile.Step(0, 1),
                      new MemoryProfile.Step((HORIZON + 1) * SECOND, GB)))));
    }
    assertAgrees(new Prediction(HORIZON), jobs, GB);
  }

  @Example
  void acceptsTheLongestWork() {
    Job longest = job(Long.MAX_VALUE, 0, MemoryProfile.constant(1));
    assertAgrees(new Prediction(HORIZON), List.of(longest, longest), 2);
    assertAgrees(new Prediction(HORIZON), List.of(longest, longest), 1);
  }

  @Example
  void looksAYearAhead() {
    Prediction prediction = new Prediction();
    // Without memory the speed is a millionth: 30 s take 347 days, 32 s more than a year.
    prediction.add(job(30 * SECOND, 0, MemoryProfile.constant(GB)));
    prediction.add(job(32 * SECOND, 0, MemoryProfile.constant(GB)));
    prediction.run(0);
    assertThat(prediction.end(0)).isEqualTo(30_000_000 * SECOND);
    assertThat(prediction.end(1)).isEqualTo(Prediction.NEVER);
  }

  private static void assertAgrees(Prediction prediction, List<Job> jobs, long capacity) {
    prediction.clear();
    jobs.forEach(prediction::add);
    prediction.run(capacity);
    assertIs(prediction, StepwiseSimulation.run(jobs, capacity, HORIZON));
  }

  private static void assertIs(Prediction prediction, StepwiseSimulation.Result expected) {
    for (int i = 0; i < expected.ends().size(); i++) {
      assertThat(prediction.end(i)).as("end of job %s", i).isEqualTo(expected.ends().get(i));
    }
    assertThat(prediction.peak()).as("peak").isEqualTo(expected.peak());
    // A second search for the ends gives the same result.
    for (int i = 0; i < expected.ends().size(); i++) {
      assertThat(prediction.end(i)).as("end of job %s", i).isEqualTo(expected.ends().get(i));
    }
  }

  private static Job job(long work, long done, MemoryProfile memory) {
    return new Job(work, done, memory, Optional.empty());
  }

  // ---- Generators

  /** Hosts from no memory to enough for all jobs. */
  @Provide
  Arbitrary<Sharing> sharings() {
    return Combinators.combine(
            jobs().list().ofMaxSize(25),
            Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(0)),
                Tuple.of(8, Arbitraries.integers().between(1, 100)),
                Tuple.of(2, Arbitraries.just(100))))
        .as(
            (jobs, percent) -> {
              long all = jobs.stream().mapToLong(each -> each.memory().maximum()).sum();
              return new Sharing(jobs, all / 100 * percent + (percent == 100 ? all % 100 : 0));
            });
  }

  private static Arbitrary<Job> jobs() {
    return Combinators.combine(
            Arbitraries.of(1L, SECOND, 7 * SECOND, 100 * SECOND, 900 * SECOND),
            Arbitraries.longs().between(1, SECOND),
            Arbitraries.of(0.0, 0.0, 0.3, 0.99, 1.0, 1.5),
            profiles(),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(1, 20))
        .as(
            (length, fraction, share, memory, known, slower) -> {
              long work = length + fraction;
              long done = (long) (work * share);
              return new Job(
                  work,
                  done,
                  memory,
                  known ? Optional.of(performance(memory.maximum(), slower)) : Optional.empty());
            });
  }

  /** Steps of whole cycles and sharings, and of any length; needs from nothing to 5 GB. */
  private static Arbitrary<MemoryProfile> profiles() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 60),
            Arbitraries.of(5 * SECOND, SECOND, 1_234_567_891L, 30 * SECOND, 1L),
            Arbitraries.of(true, false),
            Arbitraries.longs())
        .as(PredictionTest::profile);
  }

  private static MemoryProfile profile(int size, long length, boolean even, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<MemoryProfile.Step> steps = new ArrayList<>();
    long from = 0;
    for (int i = 0; i < size; i++) {
      long need = random.nextInt(8) == 0 ? 0 : random.nextLong(5 * GB);
      steps.add(new MemoryProfile.Step(from, need));
      from += even ? length : 1 + random.nextLong(2 * length);
    }
    return MemoryProfile.of(steps);
  }

  /** Full speed with the whole need, slower with less. */
  private static PerformanceMemoryProfile performance(long most, int slower) {
    List<PerformanceMemoryProfile.Point> points = new ArrayList<>();
    points.add(new PerformanceMemoryProfile.Point(most + 4, 100 * SECOND));
    points.add(new PerformanceMemoryProfile.Point(most / 2 + 3, 103 * SECOND));
    points.add(new PerformanceMemoryProfile.Point(most / 3 + 2, 150 * SECOND + 1));
    points.add(new PerformanceMemoryProfile.Point(most / 4 + 1, slower * (151 * SECOND)));
    Collections.reverse(points);
    return PerformanceMemoryProfile.of(points);
  }
}
