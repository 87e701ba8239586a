package dev.berth.experiments.queue;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.experiments.queue.PlainQueue.Rules;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.test.TestRun;
import dev.berth.traces.Readers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** On public logs, the schedule of every queue discipline is that of {@link PlainQueue}. */
class QueueLogsTest {

  private static final Path LOGS = Path.of("..", "..", "shared", "data", "swf");
  private static final int BEGINNING = TestRun.isFixed() ? 250 : 1_000; // jobs
  private static final long GIB = 1L << 30;

  /** Enough for every job. */
  private static final long PLENTY = 1L << 60;

  /**
   * A log and its host. The beginning of a log leaves a large machine idle, so its host is smaller.
   *
   * @param file the begin of the name of its file
   * @param memory of the host, in bytes
   * @param coresAtFirst cores of the host on which the beginning of the log runs
   */
  private record Log(String file, int cores, long memory, int coresAtFirst) {

    @Override
    public String toString() {
      return file;
    }
  }

  private static final List<Log> LOGGED =
      List.of(
          new Log("KTH", 100, PLENTY, 100),
          new Log("HPC2N", 240, 120 * GIB, 120),
          new Log("METACENTRUM", 1_500, PLENTY, 300), // without estimates
          new Log("CEA", 93_312, PLENTY, 5_000), // with jobs wider than 5,000
          new Log("LCG", 1_500, PLENTY, 300));

  static Stream<Arguments> disciplines() {
    return LOGGED.stream()
        .flatMap(
            log ->
                Stream.of(QueueDiscipline.values())
                    .flatMap(
                        order ->
                            Stream.of(Backfill.values())
                                .map(backfill -> Arguments.of(log, order, backfill))));
  }

  /**
   * Returns first in, first out with all kinds of backfilling, and the other orders with one; in
   * {@code mvn verify} only for a small log, and one of them for each other.
   */
  static Stream<Arguments> someDisciplines() {
    return disciplines()
        .filter(each -> each.get()[1] == QueueDiscipline.FIFO || each.get()[2] == Backfill.EASY)
        .filter(
            each ->
                !TestRun.isFixed()
                    || each.get()[0].toString().equals("KTH")
                    || (each.get()[1] == QueueDiscipline.FIFO && each.get()[2] == Backfill.EASY));
  }

  /** Returns all disciplines for a small log, and for the others those that take seconds. */
  static Stream<Arguments> affordableDisciplines() {
    return disciplines()
        .filter(
            each ->
                each.get()[0].toString().equals("KTH") || each.get()[2] != Backfill.CONSERVATIVE);
  }

  @ParameterizedTest
  @MethodSource("someDisciplines")
  void scheduleOfTheBeginning(Log log, QueueDiscipline order, Backfill backfill) {
    check(log, log.coresAtFirst, BEGINNING, order, backfill);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("affordableDisciplines")
  void scheduleOfTheWholeLog(Log log, QueueDiscipline order, Backfill backfill) {
    check(log, log.cores, Integer.MAX_VALUE, order, backfill);
  }

  private static void check(
      Log log, int cores, int jobs, QueueDiscipline order, Backfill backfill) {
    long core = Dimension.CPU.unitsPerWhole();
    BerthQueue.assertSameSchedule(
        read(file(log), jobs),
        Resources.of(Dimension.CPU, cores * core, Dimension.MEMORY, log.memory),
        new Rules(order, backfill, 1, core));
  }

  /** Returns the file of a log; skips the test, with a message, where it is absent. */
  private static Path file(Log log) {
    if (Files.isDirectory(LOGS)) {
      try (Stream<Path> files = Files.list(LOGS)) {
        return files
            .filter(each -> each.getFileName().toString().startsWith(log.file))
            .findFirst()
            .orElseGet(() -> skip(log));
      } catch (IOException unreadable) {
        throw new AssertionError(unreadable);
      }
    }
    return skip(log);
  }

  private static Path skip(Log log) {
    assumeTrue(false, () -> "SKIPPED: there is no log %s* in %s".formatted(log.file, LOGS));
    throw new AssertionError();
  }

  /**
   * Returns the first jobs of a log. Logs have no deadlines, so each is three to six times the run
   * time after the arrival, at random.
   */
  private static Workload read(Path file, int jobs) {
    Workload workload =
        Readers.workload(file.toString(), ServiceClasses.goldSilverBronze(Duration.ZERO));
    Random random = new Random(1);
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext() && arrivals.size() < jobs) {
        Arrival each = source.next();
        double factor = 3 + 3 * random.nextDouble();
        arrivals.add(each.withRequest(withDeadline(each, (long) (each.serviceTime() * factor))));
      }
    }
    return Workload.of(workload.name(), workload.serviceClasses(), arrivals);
  }

  private static Request withDeadline(Arrival arrival, long nanos) {
    Request logged = arrival.request();
    Request.Builder request =
        Request.builder(logged.id(), logged.serviceClass())
            .demand(logged.demand())
            .deadline(Duration.ofNanos(nanos));
    logged.estimatedRunTime().ifPresent(each -> request.estimatedRunTime(Duration.ofNanos(each)));
    return request.build();
  }
}
