package dev.berth.traces.prepare;

import static dev.berth.traces.prepare.UserWorkloads.SECOND;
import static dev.berth.traces.prepare.UserWorkloads.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.SharedData;
import dev.berth.traces.prepare.GoogleLikeProfile.Burst;
import dev.berth.traces.prepare.GoogleLikeProfile.DailyWave;
import dev.berth.traces.prepare.GoogleLikeProfile.Jobs;
import dev.berth.traces.prepare.GoogleLikeProfile.Level;
import dev.berth.traces.prepare.GoogleLikeProfile.OfClass;
import dev.berth.traces.prepare.GoogleLikeProfile.ServiceTimes;
import dev.berth.traces.prepare.GoogleLikeProfile.Wish;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoogleLikeTest {

  private static final double NANOS = 1e9;
  private static final GoogleLikeProfile GOOGLE = GoogleLikeProfile.google2011();

  private static Workload generated(
      GoogleLikeProfile profile, long requests, Duration until, long seed) {
    return new GoogleLikeWorkload(
        profile, ServiceClasses.goldSilverBronze(Duration.ZERO), requests, until.toNanos(), seed);
  }

  // ---- Laws

  @Property(tries = 50)
  void aShorterWorkloadIsAPrefixOfALongerOne(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 2_000) int fewer,
      @ForAll @IntRange(min = 1, max = 2_000) int more) {
    GoogleLikeProfile profile = GOOGLE.scaled(0.01);
    List<Arrival> all =
        read(generated(profile, Math.max(fewer, more), Duration.ofDays(9_000), seed));
    List<Arrival> some =
        read(generated(profile, Math.min(fewer, more), Duration.ofDays(9_000), seed));
    assertThat(some).hasSize(Math.min(fewer, more));
    assertThat(texts(all).subList(0, some.size())).isEqualTo(texts(some));
    Duration until = Duration.ofNanos(some.get(some.size() - 1).at());
    assertThat(texts(read(generated(profile, all.size(), until, seed))))
        .startsWith(texts(some).toArray(String[]::new))
        .isEqualTo(texts(all.stream().filter(each -> each.at() <= until.toNanos()).toList()));
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).at()).isGreaterThanOrEqualTo(all.get(i - 1).at());
    }
    assertThat(all.stream().map(each -> each.request().id())).doesNotHaveDuplicates();
  }

  private static List<String> texts(List<Arrival> arrivals) {
    return arrivals.stream().map(Arrival::toString).toList();
  }

  /**
   * The digits are the same on every machine and in every release, because a seed identifies an
   * experiment.
   */
  @Test
  void theSeedDeterminesEveryDigit() {
    List<Arrival> arrivals = read(generated(GOOGLE.scaled(0.002), 1_000, Duration.ofDays(1), 42));
    List<String> lines =
        List.of(arrivals.get(0).toString(), arrivals.get(arrivals.size() - 1).toString());
    assertThat(lines)
        .containsExactly(
            "Arrival[at=0, request=request gold-1/1 (gold, cpu 0.006248, memory 0.0415, job gold-1,"
                + " user user-40), serviceTime=276253809000000]",
            "Arrival[at=4109447000000, request=request silver-5/890 (silver, cpu 0.006248, memory"
                + " 0.0043, job silver-5, user user-239), serviceTime=1014514000000]");
    assertThat(texts(read(generated(GOOGLE.scaled(0.002), 1_000, Duration.ofDays(1), 43))))
        .isNotEqualTo(texts(arrivals));
  }

  @Test
  void requestsOfAJobArriveTogetherWithEqualDemand() {
    Map<String, List<Arrival>> jobs = new LinkedHashMap<>();
    for (Arrival each : read(generated(GOOGLE.scaled(0.02), 20_000, Duration.ofDays(9), 1))) {
      jobs.computeIfAbsent(each.request().job().orElseThrow(), id -> new ArrayList<>()).add(each);
    }
    assertThat(jobs).hasSizeGreaterThan(300);
    for (List<Arrival> job : jobs.values()) {
      Arrival first = job.get(0);
      assertThat(job)
          .allMatch(each -> each.at() == first.at() && each.user().equals(first.user()))
          .allMatch(each -> each.request().demand().equals(first.request().demand()))
          .allMatch(each -> each.request().antiAffinity() == first.request().antiAffinity());
    }
    assertThat(jobs.values()).anyMatch(job -> job.size() == 1).anyMatch(job -> job.size() > 50);
  }

  // ---- Generated workload and profile

  /** A profile of one class in which every parameter has a distinct effect. */
  private static OfClass silver(Jobs running, Jobs arriving, Burst burst, List<Wish> wishes) {
    List<Level> demands = List.of(new Level(0.25, 0.5, 3), new Level(1, 0.125, 1));
    return new OfClass("silver", 10, 20, running, arriving, 0, burst, demands, wishes);
  }

  private static final ServiceTimes MINUTES = new ServiceTimes(60, 1, 0, 0, 1, 1, 1e9);
  private static final Jobs NONE = new Jobs(0, 1, 1, 1, 0, MINUTES);
  private static final Jobs SINGLES = new Jobs(600, 1, 1, 1, 0, MINUTES);
  private static final Burst ALONE = new Burst(0, 0);
  private static final DailyWave CALM = new DailyWave(0, 0);

  private static List<Arrival> jobs(DailyWave wave, OfClass of, double activity) {
    GoogleLikeProfile profile = new GoogleLikeProfile(100, activity, wave, List.of(of));
    return read(generated(profile, 60_000, Duration.ofDays(9_000), 7));
  }

  @Test
  void arrivalRateAndServiceTimesFollowTheProfile() {
    List<Arrival> jobs = jobs(CALM, silver(NONE, SINGLES, ALONE, List.of()), 0);
    assertThat(jobs.get(jobs.size() - 1).at() / NANOS).isEqualTo(60_000 * 6, within(5_000.0));
    double[] logs =
        jobs.stream().mapToDouble(each -> Math.log(each.serviceTime() / NANOS)).toArray();
    double mean = Arrays.stream(logs).average().orElseThrow();
    double variance =
        Arrays.stream(logs).map(each -> (each - mean) * (each - mean)).average().orElseThrow();
    assertThat(mean).isEqualTo(Math.log(60), within(0.02));
    assertThat(variance).isEqualTo(1, within(0.03));
    long small =
        jobs.stream()
            .filter(each -> each.request().demand().amountOf("cpu") == 250_000_000)
            .count();
    assertThat(small / 60_000.0).isEqualTo(0.75, within(0.01));
  }

  @Test
  void replacementsResembleInitialJobsAndArriveAtTheirRate() {
    ServiceTimes always = new ServiceTimes(50, 0, 0, 0, 1, 1, 1e9);
    Jobs running = new Jobs(5, 0, 1, 2, 1, always); // pairs
    OfClass of =
        new OfClass(
            "silver", 0, 3, running, NONE, 60, ALONE, List.of(new Level(1, 1, 1)), List.of());
    List<Arrival> all =
        read(
            generated(
                new GoogleLikeProfile(100, 0, CALM, List.of(of)),
                Long.MAX_VALUE,
                Duration.ofHours(100),
                7));
    assertThat(all)
        .allMatch(each -> each.serviceTime() == 50 * SECOND && each.request().antiAffinity());
    assertThat(all.stream().filter(each -> each.at() == 0)).hasSize(10);
    assertThat(all.size() - 10).isBetween(2 * 5_700, 2 * 6_300);
    assertThat(all.stream().map(each -> each.request().id())).doesNotHaveDuplicates();
  }

  @Test
  void tailsArePareto() {
    ServiceTimes tail = new ServiceTimes(60, 1, 0, 1, 100, 1.5, 1e9);
    List<Arrival> jobs =
        jobs(CALM, silver(NONE, new Jobs(600, 1, 1, 1, 0, tail), ALONE, List.of()), 0);
    for (double times : List.of(1.0, 2.0, 4.0, 16.0)) {
      long beyond = jobs.stream().filter(each -> each.serviceTime() / NANOS >= 100 * times).count();
      assertThat(beyond / 60_000.0).isEqualTo(Math.pow(times, -1.5), within(0.01));
    }
  }

  @Test
  void sizesAreOneOrBoundedPareto() {
    Jobs several = new Jobs(600, 0.25, 0.5, 99, 0.4, MINUTES);
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Boolean> apart = new HashMap<>();
    for (Arrival each : jobs(CALM, silver(NONE, several, ALONE, List.of()), 0)) {
      String job = each.request().job().orElseThrow();
      sizes.merge(job, 1, Integer::sum);
      apart.put(job, each.request().antiAffinity());
    }
    double count = sizes.size();
    assertThat(sizes.values()).allMatch(size -> size <= 99);
    assertThat(sizes.values().stream().filter(size -> size == 1).count() / count)
        .isEqualTo(0.25, within(0.02));
    double least = Math.pow(2, -0.5);
    for (int size : List.of(3, 10, 50)) {
      double expected = 0.75 * (Math.pow(size, -0.5) - 0.1) / (least - 0.1); // 100^-0.5 = 0.1
      assertThat(sizes.values().stream().filter(each -> each >= size).count() / count)
          .isEqualTo(expected, within(0.02));
    }
    assertThat(apart.values().stream().filter(each -> each).count() / count)
        .isEqualTo(0.75 * 0.4, within(0.02));
  }

  @Test
  void burstsHaveOneUserAndKeepTheRate() {
    List<Arrival> jobs = jobs(CALM, silver(NONE, SINGLES, new Burst(0.5, 0.01), List.of()), 0);
    int close = 0;
    for (int i = 1; i < jobs.size(); i++) {
      if (jobs.get(i).at() - jobs.get(i - 1).at() < SECOND / 10) {
        close++;
        assertThat(jobs.get(i).user()).as("job %s", i).isPresent();
      }
    }
    assertThat(close / 60_000.0).isEqualTo(0.5 + 0.5 * (1 - Math.exp(-0.1 / 12)), within(0.01));
    assertThat(jobs.get(jobs.size() - 1).at() / NANOS).isEqualTo(60_000 * 6, within(9_000.0));
  }

  @Test
  void userActivityFollowsZipfsLaw() {
    Map<String, Integer> users = new HashMap<>();
    for (Arrival each : jobs(CALM, silver(NONE, SINGLES, ALONE, List.of()), 1)) {
      users.merge(each.user().orElseThrow(), 1, Integer::sum);
    }
    double harmonic = 0;
    for (int rank = 1; rank <= 20; rank++) {
      harmonic += 1.0 / rank;
    }
    assertThat(users).hasSize(20);
    for (int rank : List.of(1, 2, 5, 20)) {
      assertThat(users.get("user-" + (9 + rank)) / 60_000.0)
          .isEqualTo(1 / (rank * harmonic), within(0.01));
    }
  }

  @Test
  void arrivalRatesHaveADailyWave() {
    int[] byHour = new int[24];
    List<Arrival> jobs = jobs(new DailyWave(0.5, 14), silver(NONE, SINGLES, ALONE, List.of()), 0);
    for (Arrival each : jobs.subList(0, 57_600)) { // four days
      byHour[(int) (each.at() / (3_600 * SECOND) % 24)]++;
    }
    assertThat((byHour[13] + byHour[14]) / 8.0).isEqualTo(600 * 1.5, within(60.0));
    assertThat((byHour[1] + byHour[2]) / 8.0).isEqualTo(600 * 0.5, within(60.0));
  }

  @Test
  void initialJobsPrecedeArrivalsAndWishesBecomeConstraints() {
    Jobs running = new Jobs(1_000, 1, 1, 1, 0, MINUTES);
    List<Arrival> jobs =
        jobs(CALM, silver(running, SINGLES, ALONE, List.of(new Wish("zone", "a", 0.3))), 0);
    assertThat(jobs.subList(0, 1_000)).allMatch(each -> each.at() == 0);
    assertThat(jobs.get(1_000).at()).isPositive();
    List<Arrival> choosy =
        jobs.stream().filter(each -> !each.request().constraints().isEmpty()).toList();
    assertThat(choosy.size() / 60_000.0).isEqualTo(0.3, within(0.01));
    assertThat(choosy.get(0).request().constraints())
        .containsExactly(new Constraint.Equal("zone", "a"));
  }

  @Test
  void endsIfNothingArrives() {
    Jobs running = new Jobs(3, 1, 1, 1, 0, MINUTES);
    assertThat(jobs(CALM, silver(running, NONE, ALONE, List.of()), 0)).hasSize(3);
    assertThat(jobs(CALM, silver(NONE, NONE, ALONE, List.of()), 0)).isEmpty();
  }

  // ---- Profile and trace

  /** The figures of the trace to which the default profile is fitted. */
  @ParameterizedTest
  @CsvSource({"gold, 2525, 90", "silver, 326, 455", "bronze, 1130, 369"})
  void theProfileMatchesTheTrace(String serviceClass, int running, int arriving)
      throws IOException {
    Map<String, TraceJob> jobs = traceJobs();
    List<TraceJob> theirs =
        jobs.values().stream().filter(job -> job.serviceClass.equals(serviceClass)).toList();
    List<TraceJob> atStart = theirs.stream().filter(job -> job.at == 0).toList();
    assertThat(atStart).hasSize(running);
    assertThat(theirs.size() - running).isEqualTo(arriving);
    OfClass profile =
        GOOGLE.classes().stream()
            .filter(each -> each.name().equals(serviceClass))
            .findFirst()
            .orElseThrow();
    assertThat(profile.running().number()).isEqualTo(running);
    assertThat(profile.arriving().number()).isEqualTo(arriving / 5_011.0 * 3_600, within(2.0));
    assertThat(profile.users())
        .isEqualTo((int) theirs.stream().map(job -> job.user).distinct().count());
    assertThat(singles(atStart)).isEqualTo(profile.running().singleShare(), within(0.005));
    double cpu = theirs.stream().mapToDouble(job -> job.cpu).average().orElseThrow();
    double weights = profile.demands().stream().mapToDouble(Level::weight).sum();
    double mean =
        profile.demands().stream().mapToDouble(each -> each.cpu() * each.weight()).sum() / weights;
    assertThat(mean).isEqualTo(cpu, within(cpu * 0.15));

    // The generated workload has as many requests as the trace, on average over many seeds and
    // within a wide margin, since the sizes have heavy tails.
    double requests = 0;
    int seeds = 5;
    for (int seed = 1; seed <= seeds; seed++) {
      GoogleLikeProfile alone =
          new GoogleLikeProfile(
              GOOGLE.hosts(), GOOGLE.activity(), GOOGLE.dailyWave(), List.of(profile));
      requests += read(generated(alone, Long.MAX_VALUE, Duration.ofSeconds(5_011), seed)).size();
    }
    double tasks = theirs.stream().mapToInt(job -> job.tasks).sum();
    assertThat(requests / seeds / tasks).isBetween(0.6, 1.4);
  }

  private static double singles(List<TraceJob> jobs) {
    return jobs.stream().filter(job -> job.tasks == 1).count() / (double) jobs.size();
  }

  /** A job of the trace, from the first submission of each of its tasks. */
  private static final class TraceJob {
    private final long at;
    private final String user;
    private final String serviceClass;
    private final double cpu;
    private int tasks;

    TraceJob(String[] row) {
      this.at = Long.parseLong(row[0]);
      this.user = row[6];
      int priority = Integer.parseInt(row[8]);
      this.serviceClass = priority >= 9 ? "gold" : priority >= 2 ? "silver" : "bronze";
      this.cpu = row[9].isEmpty() ? 0 : Double.parseDouble(row[9]);
    }
  }

  private static Map<String, TraceJob> traceJobs() throws IOException {
    Map<String, TraceJob> jobs = new LinkedHashMap<>();
    Map<String, Integer> seen = new HashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(
                        SharedData.require(
                            "google2011-part0/task_events-part-00000-of-00500.csv.gz"))),
                StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] row = line.split(",", -1);
        if (row[5].equals("0") && seen.putIfAbsent(row[2] + "/" + row[3], 1) == null) {
          jobs.computeIfAbsent(row[2], id -> new TraceJob(row)).tasks++;
        }
      }
    }
    return jobs;
  }

  // ---- Profiles

  @Test
  void aWrittenProfileReadsBackEqual() {
    assertThat(GoogleLikeProfile.parse(GOOGLE.toJson().toString())).isEqualTo(GOOGLE);
  }

  @Test
  void errorOfAProfileNamesThePath() {
    String good = GOOGLE.toJson().toPrettyString();
    assertThatThrownBy(() -> GoogleLikeProfile.parse(good.replace("0.25", "1.25")))
        .hasMessageMatching("dailyWave: amplitude was 1.25, must be from 0 to 0.99\\.");
    assertThatThrownBy(
            () ->
                GoogleLikeProfile.parse(
                    good.replace("\"dailyWave\"", "\"wave\" : 1, \"dailyWave\"")))
        .hasMessageMatching(
            "wave: there is no such key; known: activity, classes, dailyWave, hosts\\.");
    assertThatThrownBy(() -> GoogleLikeProfile.parse(good.replace("peakHour", "peekHour")))
        .hasMessageMatching("dailyWave.peakHour: is missing\\.");
    assertThatThrownBy(() -> GoogleLikeProfile.parse("{\"hosts\": 1, \"activity\": 1}"))
        .hasMessageContaining("dailyWave: is missing.");
    assertThatThrownBy(() -> GoogleLikeProfile.parse(good + "x")).hasMessageContaining("line ");
    assertThatThrownBy(
            () ->
                new GoogleLikeProfile(
                    100,
                    1,
                    CALM,
                    List.of(
                        silver(NONE, NONE, ALONE, List.of()),
                        silver(NONE, NONE, ALONE, List.of()))))
        .hasMessage("class silver was given twice.");
  }

  @Test
  void refusesAProfileWithUnknownClasses() {
    OfClass silver = silver(NONE, NONE, ALONE, List.of());
    assertThatThrownBy(
            () ->
                new GoogleLikeWorkload(
                    new GoogleLikeProfile(100, 1, CALM, List.of(silver)),
                    List.of(ServiceClasses.bronze(Duration.ZERO)),
                    1,
                    1,
                    1))
        .hasMessage("class of the profile was \"silver\", must be one of bronze.");
  }

  @Test
  void aTenthOfTheClusterHasATenthOfTheRequests() {
    double tenth = count(generated(GOOGLE.scaled(0.1), Long.MAX_VALUE, Duration.ofHours(36), 1));
    double all = count(generated(GOOGLE, Long.MAX_VALUE, Duration.ofHours(36), 1));
    assertThat(tenth / all).isBetween(0.08, 0.12);
  }

  private static double count(Workload workload) {
    long count = 0;
    try (ArrivalSource source = workload.open()) {
      for (; source.hasNext(); source.next()) {
        count++;
      }
    }
    return count;
  }

  // ---- Hosts

  @Test
  void theMixHasThePublishedTotals() {
    Infrastructure mix = GoogleLikeHosts.mix();
    assertThat(mix.hosts()).hasSize(12_477);
    assertThat(InfrastructureSizing.total(mix, Dimension.CPU).doubleValue() / NANOS)
        .isEqualTo(6_603.25, within(0.01));
    assertThat(InfrastructureSizing.total(mix, Dimension.MEMORY).doubleValue() / NANOS)
        .isEqualTo(5_862.75, within(0.01));
  }

  @Test
  void drawnHostsComeFromTheMix() {
    Infrastructure hosts = GoogleLikeHosts.of(10_000, 1);
    Map<String, Integer> platforms = new TreeMap<>();
    for (HostSpec each : hosts.hosts()) {
      platforms.merge(each.attributes().get(GoogleLikeHosts.PLATFORM), 1, Integer::sum);
    }
    assertThat(platforms).containsOnlyKeys("A", "B", "C");
    assertThat(platforms.get("C") / 10_000.0).isEqualTo(791 / 12_477.0, within(0.01));
    assertThat(InfrastructureSizing.total(hosts, Dimension.CPU).doubleValue() / NANOS)
        .isEqualTo(6_603.25 * 10_000 / 12_477, within(100.0));
    assertThat(GoogleLikeHosts.of(100, 1).hosts()).isEqualTo(hosts.hosts().subList(0, 100));
    assertThatThrownBy(() -> GoogleLikeHosts.of(0, 1))
        .hasMessage("number of hosts was 0, must be positive.");
  }

  @Test
  void profileNamesTheHostsThatItIsMeantFor() {
    assertThat(GOOGLE.hosts()).isEqualTo(GoogleLikeHosts.mix().hosts().size());
    assertThat(GOOGLE.scaled(0.1).hosts()).isEqualTo(1_248);
    assertThat(GOOGLE.scaled(0.00001).hosts()).isEqualTo(1);
    assertThat(GoogleLikeMonth.profile(0.01).hosts())
        .isEqualTo(GoogleLikeMonth.hosts(0.01, 1).hosts().size());
  }
}
