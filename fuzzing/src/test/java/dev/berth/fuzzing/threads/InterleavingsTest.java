package dev.berth.fuzzing.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the tests of this package with jcstress in a process of its own. Each iteration takes {@code
 * berth.threads.millis}; there are two for each test. Threads are not pinned: that takes dozens of
 * processes for each test.
 */
@EnabledIfSystemProperty(named = InterleavingsTest.MILLIS, matches = "[1-9][0-9]*")
class InterleavingsTest {

  static final String MILLIS = "berth.threads.millis";

  private static final Path WORK = Path.of("target", "threads").toAbsolutePath();

  @Test
  void threadsFindNoForbiddenOutcome() throws IOException, InterruptedException {
    Files.createDirectories(WORK);
    List<Path> reports =
        Stream.of(DrainAndWish.class, FullQueue.class, SubmitAndClose.class, SubmitTwice.class)
            .map(each -> WORK.resolve("report").resolve(each.getName() + ".html"))
            .toList();
    for (Path each : reports) {
      Files.deleteIfExists(each); // of an earlier run
    }
    Path log = WORK.resolve("log.txt");

    Process stress =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.openjdk.jcstress.Main",
                    "-t",
                    "dev.berth.fuzzing.threads",
                    "-time",
                    System.getProperty(MILLIS),
                    "-sc",
                    "false",
                    "-af",
                    "NONE",
                    "-f",
                    "1",
                    "-fsm",
                    "1",
                    "-iters",
                    "2",
                    "-jvmArgs",
                    "-Xmx512m -XX:+UseSerialGC",
                    "-strideSize",
                    "8", // each state has a thread of its own
                    "-r",
                    WORK.resolve("report").toString()))
            .directory(WORK.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status;
    try {
      status = stress.waitFor();
    } finally {
      stress.destroyForcibly();
    }

    assertThat(status).as("exit code of jcstress. The log is %s.", log).isZero();
    for (Path each : reports) {
      assertThat(each).exists();
    }
  }
}
