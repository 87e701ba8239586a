package dev.berth.experiments.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.experiments.bound.ClairvoyantAssignment.Assignment;
import dev.berth.experiments.bound.ClairvoyantAssignment.Job;
import dev.berth.experiments.bound.ClairvoyantAssignment.Site;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ClairvoyantAssignmentTest {

  private static final List<Site> ONE_CORE = List.of(new Site(1, 1));

  @Test
  void loneJobTakesWorkTimesSlowness() {
    Assignment alone =
        ClairvoyantAssignment.search(
            List.of(new Job(5, 100)), List.of(new Site(1, 4), new Site(2, 3), new Site(1, 8)));

    assertThat(alone.sites()).containsExactly(1);
    assertThat(alone.times()).containsExactly(300.0);
  }

  @Test
  void jobsShareACore() {
    Assignment shared =
        ClairvoyantAssignment.evaluate(
            List.of(new Job(0, 100), new Job(50, 25)), ONE_CORE, List.of(0, 0));

    // The second job gets half the core from 50 on and ends at 100, when the first has 25 left.
    assertThat(shared.times()).containsExactly(125.0, 50.0);
    assertThat(shared.mean()).isEqualTo(87.5);
  }

  @Test
  void twoJobsRunAtFullSpeedOnTwoCores() {
    List<Job> jobs = List.of(new Job(0, 100), new Job(0, 100), new Job(0, 100));

    assertThat(
            ClairvoyantAssignment.evaluate(jobs, List.of(new Site(2, 1)), List.of(0, 0, 0)).times())
        .containsExactly(150.0, 150.0, 150.0);
    assertThat(
            ClairvoyantAssignment.evaluate(
                    jobs.subList(0, 2), List.of(new Site(2, 1)), List.of(0, 0))
                .times())
        .containsExactly(100.0, 100.0);
  }

  @Test
  void searchAndBoundAgreeWithoutContention() {
    List<Job> jobs = Collections.nCopies(10, new Job(0, 60));
    List<Site> sites = Collections.nCopies(10, new Site(1, 1));

    assertThat(ClairvoyantAssignment.search(jobs, sites).mean()).isEqualTo(60);
    assertThat(ClairvoyantAssignment.lowerBound(jobs, sites)).isEqualTo(60);
  }

  @Test
  void searchReachesBoundForEqualJobs() {
    List<Job> jobs = Collections.nCopies(12, new Job(0, 60));
    List<Site> sites =
        List.of(new Site(1, 1), new Site(1, 1), new Site(1, 2), new Site(1, 4), new Site(1, 8));

    assertThat(ClairvoyantAssignment.search(jobs, sites).mean())
        .isCloseTo(ClairvoyantAssignment.lowerBound(jobs, sites), within(1e-6));
  }

  @Property(tries = 300)
  void optimumLiesBetweenBoundAndSearch(
      @ForAll @IntRange(min = 1, max = 6) int jobCount,
      @ForAll @IntRange(min = 1, max = 3) int siteCount,
      @ForAll long seed) {
    Random random = new Random(seed);
    boolean atOnce = random.nextBoolean();
    List<Job> jobs = new ArrayList<>();
    long time = random.nextInt(100);
    for (int i = 0; i < jobCount; i++) {
      jobs.add(new Job(time, 1 + random.nextInt(100)));
      time += atOnce ? 0 : random.nextInt(80);
    }
    List<Site> sites = new ArrayList<>();
    for (int i = 0; i < siteCount; i++) {
      sites.add(new Site(1 + random.nextInt(2), 1 << random.nextInt(4)));
    }

    double best = best(jobs, sites, new ArrayList<>());
    Assignment found = ClairvoyantAssignment.search(jobs, sites);

    assertThat(found.mean()).isGreaterThanOrEqualTo(best * (1 - 1e-9)).isLessThan(best * 1.25);
    assertThat(ClairvoyantAssignment.lowerBound(jobs, sites))
        .isLessThanOrEqualTo(best * (1 + 1e-9));
    assertThat(ClairvoyantAssignment.evaluate(jobs, sites, found.sites())).isEqualTo(found);
    assertThat(ClairvoyantAssignment.search(jobs, sites)).isEqualTo(found);
  }

  private static double best(List<Job> jobs, List<Site> sites, List<Integer> where) {
    if (where.size() == jobs.size()) {
      return ClairvoyantAssignment.evaluate(jobs, sites, where).mean();
    }
    double best = Double.POSITIVE_INFINITY;
    for (int site = 0; site < sites.size(); site++) {
      where.add(site);
      best = Math.min(best, best(jobs, sites, where));
      where.remove(where.size() - 1);
    }
    return best;
  }

  /** Compares the simulation with one in small steps. */
  @Property(tries = 50)
  void agreesWithStepwiseSimulation(
      @ForAll @IntRange(min = 1, max = 5) int jobCount, @ForAll long seed) {
    Random random = new Random(seed);
    Site site = new Site(1 + random.nextInt(2), 1 + random.nextInt(3));
    List<Job> jobs = new ArrayList<>();
    long time = 0;
    for (int i = 0; i < jobCount; i++) {
      jobs.add(new Job(time, 1 + random.nextInt(100)));
      time += random.nextInt(80);
    }
    double step = 1.0 / 64;
    double[] left = jobs.stream().mapToDouble(Job::work).toArray();
    double[] ended = new double[jobCount];
    for (double now = 0; now < 3_000; now += step) {
      int there = 0;
      for (int i = 0; i < jobCount; i++) {
        there += jobs.get(i).arrivesAt() <= now && left[i] > 0 ? 1 : 0;
      }
      for (int i = 0; i < jobCount; i++) {
        if (jobs.get(i).arrivesAt() <= now && left[i] > 0) {
          left[i] -= step * Math.min(1, site.cores() / there) / site.slowness();
          ended[i] = now + step;
        }
      }
    }

    List<Double> times =
        ClairvoyantAssignment.evaluate(jobs, List.of(site), Collections.nCopies(jobCount, 0))
            .times();

    for (int i = 0; i < jobCount; i++) {
      assertThat(times.get(i)).isCloseTo(ended[i] - jobs.get(i).arrivesAt(), within(0.5));
    }
  }

  @Test
  void refusesInvalidInput() {
    assertThatThrownBy(() -> new Job(0, 0)).hasMessageContaining("must be positive");
    assertThatThrownBy(() -> new Site(0, 1)).hasMessageContaining("must be positive");
    assertThatThrownBy(() -> ClairvoyantAssignment.search(List.of(), ONE_CORE))
        .hasMessageContaining("at least one job and one site are required");
    assertThatThrownBy(
            () -> ClairvoyantAssignment.search(List.of(new Job(1, 1), new Job(0, 1)), ONE_CORE))
        .hasMessageContaining("in order of time");
    assertThatThrownBy(
            () -> ClairvoyantAssignment.evaluate(List.of(new Job(1, 1)), ONE_CORE, List.of()))
        .hasMessageContaining("1 jobs, but 0 are assigned");
  }
}
