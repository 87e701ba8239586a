package dev.berth.simulator.reader;

import dev.berth.simulator.LoggedJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Logs of parallel computers in the Standard Workload Format: lines of 18 or more numbers between
 * blanks, and comments that begin with {@code ;}.
 */
public final class SwfLog {

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int FIELDS = 18;
  private static final int NUMBER = 0;
  private static final int SUBMIT = 1;
  private static final int RUN_TIME = 3;
  private static final int PROCESSORS = 4;
  private static final int USER = 11;
  private static final String UNKNOWN = "-1";

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
        if (line.charAt(0) != ';') {
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
        if (line.charAt(0) != ';') {
          read(line, lines.place(), jobs);
        }
      }
    }
    jobs.sort(Comparator.comparingLong(LoggedJob::submit)); // stable: few are out of order
    return jobs;
  }

  private static void read(String line, Place place, List<LoggedJob> jobs) {
    String[] fields = BLANKS.split(line, FIELDS + 1);
    if (fields.length < FIELDS) {
      throw place.wrong(
          "has %s fields, must have %s".formatted(fields.length, FIELDS),
          "this is not the Standard Workload Format");
    }
    int number = new Field(place, "job number", fields[NUMBER]).whole(0, Integer.MAX_VALUE);
    if (fields[RUN_TIME].equals(UNKNOWN) || fields[PROCESSORS].equals(UNKNOWN)) {
      return;
    }
    long submit = new Field(place, "submit time", fields[SUBMIT]).nanos();
    long runTime = new Field(place, "run time", fields[RUN_TIME]).nanos();
    int processors = new Field(place, "processors", fields[PROCESSORS]).whole(0, Integer.MAX_VALUE);
    if (runTime > 0 && processors > 0) {
      int user = fields[USER].equals(UNKNOWN) ? -1 : user(place, fields[USER]);
      jobs.add(new LoggedJob(number, submit, runTime, processors, user));
    }
  }

  private static int user(Place place, String text) {
    return new Field(place, "user", text).whole(0, Integer.MAX_VALUE);
  }
}
