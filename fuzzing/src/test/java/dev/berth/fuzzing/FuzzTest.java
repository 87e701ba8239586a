package dev.berth.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Fuzzes each target with Jazzer in a process of its own, for {@code berth.fuzz.seconds}. Inputs
 * that cover more of the code are kept in {@code target/fuzz} for the next run.
 */
@EnabledIfSystemProperty(named = FuzzTest.SECONDS, matches = "[1-9][0-9]*")
class FuzzTest {

  static final String SECONDS = "berth.fuzz.seconds";

  private static final int LONGEST_INPUT = 4_096;
  private static final int LONGEST_SECONDS = 30; // for one input
  private static final Path WORK = Path.of("target", "fuzz").toAbsolutePath();

  @ParameterizedTest
  @EnumSource
  void findsNothing(Target target) throws IOException, InterruptedException {
    Path grown = Files.createDirectories(WORK.resolve("corpus").resolve(target.id()));
    Path findings = Files.createDirectories(WORK.resolve("findings").resolve(target.id()));
    Path log = WORK.resolve(target.id() + ".log");

    Process jazzer =
        new ProcessBuilder(command(target, findings, grown))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status;
    try {
      status = jazzer.waitFor();
    } finally {
      jazzer.destroyForcibly();
    }

    assertThat(status)
        .as("exit code of Jazzer. The log is %s, the input is in %s.", log, findings)
        .isZero();
  }

  private static List<String> command(Target target, Path findings, Path grown) {
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:+EnableDynamicAgentLoading",
            "-Dfile.encoding=UTF-8",
            "-Duser.language=tr",
            "-Duser.country=TR",
            "-cp",
            System.getProperty("java.class.path"),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + Fuzzer.class.getName(),
            "--target_args=" + target.name(),
            "--instrumentation_includes=dev.berth.**",
            "--reproducer_path=" + findings);
    Stream<String> libFuzzer =
        Stream.of(
            "-artifact_prefix=" + findings + "/",
            "-max_total_time=" + System.getProperty(SECONDS),
            "-max_len=" + LONGEST_INPUT,
            "-timeout=" + LONGEST_SECONDS,
            "-rss_limit_mb=0", // the heap is limited
            grown.toString(),
            target.corpus().toAbsolutePath().toString());
    return Stream.concat(java, libFuzzer).toList();
  }
}
