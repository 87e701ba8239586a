package dev.berth.traces.format.swf;

import dev.berth.simulator.LoggedJob;
import dev.berth.traces.Input;
import dev.berth.traces.InputException;
import dev.berth.traces.Lines;
import dev.berth.traces.SourceLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads jobs from logs of parallel computers in the Standard Workload Format. A line has 18 numbers
 * separated by blanks, or 21 fields in logs of MetaCentrum; a comment begins with {@code ;}.
 */
public final class SwfLog {

  private SwfLog() {}

  /**
   * Returns the first jobs of a log that ran: their submit time is known, and their run time and
   * number of processors are known and positive.
   *
   * @param file the path; the file may be compressed
   * @param count the number of jobs to read
   * @throws InputException if the file cannot be read, or has fewer such jobs
   */
  public static List<LoggedJob> firstThatRan(String file, int count) {
    Input input = Input.of(file);
    List<LoggedJob> jobs = new ArrayList<>();
    try (Lines lines = input.open()) {
      while (jobs.size() < count) {
        String line = lines.next();
        if (line == null) {
          break;
        }
        if (!SwfRow.isComment(line)) {
          read(line, lines.location(), jobs);
        }
      }
    }
    if (jobs.size() < count) {
      throw input.error(
          "holds %s jobs that ran, must hold at least %s".formatted(jobs.size(), count));
    }
    return jobs;
  }

  /**
   * Returns all jobs of a log that ran, in order of submission.
   *
   * @param file the path; the file may be compressed
   * @throws InputException if the file cannot be read
   */
  public static List<LoggedJob> allThatRan(String file) {
    Input input = Input.of(file);
    List<LoggedJob> jobs = new ArrayList<>();
    try (Lines lines = input.open()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (!SwfRow.isComment(line)) {
          read(line, lines.location(), jobs);
        }
      }
    }
    jobs.sort(
        Comparator.comparingLong(LoggedJob::submit)); // a stable sort, and few are out of order
    return jobs;
  }

  private static void read(String line, SourceLocation location, List<LoggedJob> jobs) {
    SwfRow row = SwfRow.of(location, line);
    int number = row.field("job number", SwfRow.NUMBER).whole(0, Integer.MAX_VALUE);
    if (!row.knows(SwfRow.SUBMIT) || !row.knows(SwfRow.RUN_TIME) || !row.knows(SwfRow.PROCESSORS)) {
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
