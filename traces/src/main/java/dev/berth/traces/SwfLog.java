package dev.berth.traces;

import dev.berth.simulator.LoggedJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Logs of parallel computers in the Standard Workload Format: lines of 18 or more numbers between
 * blanks, and comments that begin with {@code ;}.
 */
public final class SwfLog {

  private SwfLog() {}

  /**
   * Reads the first jobs of a log that ran: whose run time and number of processors are known and
   * positive.
   *
   * @param file its path; plain or gzip
   * @param count how many are wanted
   * @throws InputException if the file cannot be read, or holds fewer
   */
  public static List<LoggedJob> firstThatRan(String file, int count) {
    List<LoggedJob> jobs = new ArrayList<>();
    try (Lines lines = Lines.open(file, Path.of(file))) {
      while (jobs.size() < count) {
        String line = lines.next();
        if (line == null) {
          break;
        }
        if (!SwfRow.isComment(line)) {
          read(line, lines.place(), jobs);
        }
      }
    }
    if (jobs.size() < count) {
      throw Place.wrongFile(
          file, "holds %s jobs that ran, must hold at least %s".formatted(jobs.size(), count));
    }
    return jobs;
  }

  /**
   * Reads all jobs of a log that ran, in order of submission.
   *
   * @param file its path; plain or gzip
   * @throws InputException if the file cannot be read
   */
  public static List<LoggedJob> allThatRan(String file) {
    List<LoggedJob> jobs = new ArrayList<>();
    try (Lines lines = Lines.open(file, Path.of(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (!SwfRow.isComment(line)) {
          read(line, lines.place(), jobs);
        }
      }
    }
    jobs.sort(Comparator.comparingLong(LoggedJob::submit)); // stable: few are out of order
    return jobs;
  }

  private static void read(String line, Place place, List<LoggedJob> jobs) {
    SwfRow row = SwfRow.of(place, line);
    int number = row.field("job number", SwfRow.NUMBER).whole(0, Integer.MAX_VALUE);
    if (!row.knows(SwfRow.RUN_TIME) || !row.knows(SwfRow.PROCESSORS)) {
      return;
    }
    long submit = row.field("submit time", SwfRow.SUBMIT).nanos();
    long runTime = row.field("run time", SwfRow.RUN_TIME).nanos();
    int processors = row.field("processors", SwfRow.PROCESSORS).whole(0, Integer.MAX_VALUE);
    if (runTime > 0 && processors > 0) {
      int user =
          row.knows(SwfRow.USER) ? row.field("user", SwfRow.USER).whole(0, Integer.MAX_VALUE) : -1;
      jobs.add(new LoggedJob(number, submit, runTime, processors, user));
    }
  }
}
