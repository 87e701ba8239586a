package dev.berth.traces.format.swf;

import dev.berth.simulator.workload.LoggedJob;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads jobs from logs of parallel computers in the Standard Workload Format. A line has 18 numbers
 * separated by blanks, or 21 fields in logs of MetaCentrum; a comment begins with {@code ;}.
 */
public final class SwfLog {

  private SwfLog() {}

  /** Returns the format of such logs as workloads. */
  public static WorkloadFormat format() {
    return new SwfWorkloadFormat();
  }

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
    List<LoggedJob> jobs = thatRan(input, count);
    input.refuseIf(
        jobs.size() < count, "holds %s jobs that ran, must hold at least %s", jobs.size(), count);
    return jobs;
  }

  /**
   * Returns all jobs of a log that ran, in order of submission.
   *
   * @param file the path; the file may be compressed
   * @throws InputException if the file cannot be read
   */
  public static List<LoggedJob> allThatRan(String file) {
    List<LoggedJob> jobs = thatRan(Input.of(file), Integer.MAX_VALUE);
    jobs.sort(
        Comparator.comparingLong(LoggedJob::submit)); // a stable sort, and few are out of order
    return jobs;
  }

  private static List<LoggedJob> thatRan(Input input, int most) {
    List<LoggedJob> jobs = new ArrayList<>();
    try (EntryReader<LoggedJob> log = Entries.ofSome(SwfRow.rows(input), SwfLog::thatRan)) {
      LoggedJob next = most == 0 ? null : log.next();
      while (next != null) {
        jobs.add(next);
        next = jobs.size() == most ? null : log.next();
      }
    }
    return jobs;
  }

  private static Optional<LoggedJob> thatRan(SwfRow row) {
    int number = row.field("job number", SwfRow.NUMBER).whole(0, Integer.MAX_VALUE);
    if (!row.knows(SwfRow.SUBMIT) || !row.knows(SwfRow.RUN_TIME) || !row.knows(SwfRow.PROCESSORS)) {
      return Optional.empty();
    }
    long submit = row.field("submit time", SwfRow.SUBMIT).nanos();
    long runTime = row.field("run time", SwfRow.RUN_TIME).nanos();
    int processors = row.field("processors", SwfRow.PROCESSORS).whole(0, Integer.MAX_VALUE);
    if (runTime == 0 || processors == 0) {
      return Optional.empty();
    }
    int user =
        row.knows(SwfRow.USER) ? row.field("user", SwfRow.USER).whole(0, Integer.MAX_VALUE) : -1;
    return Optional.of(new LoggedJob(number, submit, runTime, processors, user, row.estimate()));
  }
}
