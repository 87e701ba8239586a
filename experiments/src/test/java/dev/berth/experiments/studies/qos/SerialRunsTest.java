package dev.berth.experiments.studies.qos;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The constants of the serial scheduler follow from the published log of the real run. */
class SerialRunsTest {

  private static final Path LOGS =
      Path.of("../../shared/data/qos-validation/published/validation1-kubernetes-slo-driven");
  private static final String NO_HOST = "NIL";
  private static final long FROM = 256; // all requests have arrived
  private static final long END = 3600;
  private static final int SLOTS = 200;

  /**
   * A pod of the log, in seconds since the first arrival.
   *
   * @param bound when it was bound, if it has a host
   */
  private record Pod(String request, boolean hasHost, long waits, long bound, long ends) {}

  private final List<Pod> pods = new ArrayList<>();

  @BeforeEach
  void readLog() {
    assumeTrue(Files.isDirectory(LOGS), () -> "SKIPPED: the published logs are missing: " + LOGS);
    Map<String, String[]> allocations = byPod("allocation");
    Map<String, String[]> starts = byPod("starting");
    Map<String, String[]> ends = byPod("termination");
    List<String[]> waiting = rows("waiting");
    long first = waiting.stream().mapToLong(row -> Long.parseLong(row[0])).min().orElseThrow();
    for (String[] row : waiting) {
      String[] start = starts.get(row[1]);
      long bound =
          start == null ? 0 : Long.parseLong(start[0]) - (long) Double.parseDouble(start[4]);
      pods.add(
          new Pod(
              row[2],
              !allocations.get(row[1])[3].equals(NO_HOST),
              Long.parseLong(row[0]) - first,
              bound - first,
              Long.parseLong(ends.get(row[1])[0]) - first));
    }
  }

  @Test
  void decisionTimesAreTheGapsBetweenPreemptions() {
    List<Long> preemptions =
        pods.stream()
            .filter(each -> each.hasHost() && each.ends() >= FROM && each.ends() < END)
            .map(Pod::ends)
            .sorted()
            .toList();
    Map<Integer, Integer> gaps = new HashMap<>();
    for (int i = 1; i < preemptions.size(); i++) {
      gaps.merge((int) (preemptions.get(i) - preemptions.get(i - 1)), 1, Integer::sum);
    }

    assertThat(gaps).isEqualTo(SerialRuns.GAPS);
    assertThat(SerialRuns.decisionTimes(false).preempting())
        .hasSize(preemptions.size() - 1)
        .endsWith(Duration.ofSeconds(5));
  }

  /** That log is not among the data: its mean and longest gap are those that were read from it. */
  @Test
  void decisionsOfValidation2HaveTheMeanAndTheLongestGapOfItsLog() {
    List<Duration> gaps = SerialRuns.decisionTimes(true).preempting();

    assertThat(gaps.stream().mapToLong(Duration::toMillis).average().orElseThrow() / 1e3)
        .isCloseTo(2.26, within(0.005));
    assertThat(gaps).endsWith(Duration.ofSeconds(42));
  }

  @Test
  void moreThanAThirdOfTheDecisionsDeletedAWaitingPod() {
    Map<Boolean, Long> decisions =
        pods.stream()
            .filter(each -> each.ends() >= FROM && each.ends() < END)
            .collect(groupingBy(Pod::hasHost, counting()));

    assertThat(decisions).isEqualTo(Map.of(true, 1926L, false, 1105L));
  }

  @Test
  void terminationIsTheMeanTimeOfAnEmptySlot() {
    List<Pod> placed = pods.stream().filter(Pod::hasHost).toList();
    long used =
        placed.stream()
            .mapToLong(
                each -> Math.max(0, Math.min(END, each.ends()) - Math.max(FROM, each.bound())))
            .sum();
    long bindings =
        placed.stream().filter(each -> each.bound() >= FROM && each.bound() < END).count();
    double empty = (double) (SLOTS * (END - FROM) - used) / bindings;

    assertThat(SerialRuns.TERMINATION.toMillis() / 1e3).isCloseTo(empty, within(0.005));
  }

  @Test
  void bindingWithoutPreemptionTakesNoTimeThatShows() {
    Map<String, Pod> first =
        pods.stream()
            .collect(
                Collectors.toMap(
                    Pod::request,
                    each -> each,
                    (a, b) -> Comparator.comparingLong(Pod::waits).compare(a, b) <= 0 ? a : b));

    assertThat(first.values())
        .filteredOn(each -> each.waits() < SLOTS - 1)
        .hasSize(SLOTS - 1)
        .allMatch(each -> each.bound() == each.waits());
    assertThat(SerialRuns.decisionTimes(false).plain()).containsExactly(Duration.ZERO);
  }

  private static Map<String, String[]> byPod(String log) {
    return rows(log).stream().collect(Collectors.toMap(row -> row[1], row -> row));
  }

  private static List<String[]> rows(String log) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(LOGS.resolve(log + ".dat.gz"))),
                StandardCharsets.UTF_8))) {
      return reader.lines().map(line -> line.split(",", -1)).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
