package dev.berth.traces.format.swf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.workload.LoggedJob;
import dev.berth.traces.SharedData;
import dev.berth.traces.TextFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwfLogTest {

  private static final long SECOND = 1_000_000_000;
  private static final String REST = " -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  private static String line(String number, String submit, String runTime, String processors) {
    return "  %s  %s 7 %s\t%s".formatted(number, submit, runTime, processors) + REST;
  }

  @Test
  void readsPlainAndGzipAndSkipsComments() {
    String[] lines = {
      "; Version: 2.2", "  ;indented", "", line("1", "0", "10", "4"), line("2", "5", "2.5", "1")
    };
    List<LoggedJob> jobs =
        List.of(
            new LoggedJob(1, 0, 10 * SECOND, 4, -1, 0),
            new LoggedJob(2, 5 * SECOND, 5 * SECOND / 2, 1, -1, 0));

    assertThat(SwfLog.firstThatRan(files.write("x.swf", lines), 2)).isEqualTo(jobs);
    assertThat(SwfLog.firstThatRan(files.gzip("x.swf.gz", lines), 2)).isEqualTo(jobs);
    assertThat(SwfLog.firstThatRan(files.write("x.swf", lines), 1)).isEqualTo(jobs.subList(0, 1));
  }

  @Test
  void skipsJobsThatDidNotRunOrWhoseSubmitTimeIsUnknown() {
    String file =
        files.write(
            "x",
            line("1", "0", "-1", "4"),
            line("2", "0", "0", "4"),
            line("3", "0", "9", "-1"),
            line("4", "0", "9", "0"),
            line("6", "-1", "9", "2"),
            line("5", "0", "9", "2"));

    assertThat(SwfLog.firstThatRan(file, 1))
        .containsExactly(new LoggedJob(5, 0, 9 * SECOND, 2, -1, 0));
    assertThat(SwfLog.allThatRan(file)).hasSize(1);
  }

  @Test
  void ignoresTheHostsAndNodesOfMetaCentrum() {
    String file = files.write("x", line("1", "0", "9", "2") + " {h/0*4} q 2:ppn=2");

    assertThat(SwfLog.firstThatRan(file, 1))
        .containsExactly(new LoggedJob(1, 0, 9 * SECOND, 2, -1, 0));
  }

  @Test
  void ignoresLinesAfterTheRequestedJobs() {
    String file = files.write("x", line("1", "0", "9", "2"), "\u0007 no line at all");

    assertThat(SwfLog.firstThatRan(file, 1)).hasSize(1);
  }

  @Test
  void errorOfAForeignFormatNamesTheLocation() {
    String file = files.write("x", "; comment", "id,cpu,memory", line("1", "0", "9", "2"));

    files.assertRefused(
        "x, line 2: has 1 fields, must have 18. Maybe this is not the Standard Workload Format.",
        () -> SwfLog.firstThatRan(file, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "one, 0, 9, 2, 'job number was \"one\", must be a number.'",
    "-3, 0, 9, 2, 'job number was \"-3\", must be a whole number from 0 to 2147483647.'",
    "1, 0, 9, 2.5, 'processors was \"2.5\", must be a whole number from 0 to 2147483647.'",
    "1, 0, -9, 2, 'run time was \"-9\", must not be negative.'",
    "1, -2, 9, 2, 'submit time was \"-2\", must not be negative.'"
  })
  void errorOfANumberNamesTheLocation(
      String number, String submit, String runTime, String processors, String message) {
    String file = files.write("x", "; comment", line(number, submit, runTime, processors));

    files.assertRefused("x, line 2: " + message, () -> SwfLog.firstThatRan(file, 1));
  }

  @Test
  void refusesTooFewJobs() {
    String file = files.write("x", line("1", "0", "9", "2"), line("2", "0", "-1", "2"));

    files.assertRefused(
        "x: holds 1 jobs that ran, must hold at least 2.", () -> SwfLog.firstThatRan(file, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "swf/CEA-Curie-2011-2.1-cln.swf.gz, 350, 272755, 17, 256",
    "swf/HPC2N-2002-2.2-cln.swf.gz, 200, 313, 31288, 30",
    "metacentrum-zewura-2013/wagap-2013.swf.gz, 400, 399, 58562, 64"
  })
  void readsRealLogs(String name, int count, int number, long runTime, int processors) {
    List<LoggedJob> jobs = SwfLog.firstThatRan(SharedData.require(name).toString(), count);

    assertThat(jobs).hasSize(count);
    LoggedJob last = jobs.get(count - 1);
    assertThat(last)
        .isEqualTo(
            new LoggedJob(
                number, last.submit(), runTime * SECOND, processors, last.user(), last.estimate()));
    assertThat(jobs).extracting(LoggedJob::submit).isSorted();
  }
}
