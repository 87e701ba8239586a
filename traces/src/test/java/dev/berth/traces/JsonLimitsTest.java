package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.InputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON parser has limits of its own, whose errors have no location. */
class JsonLimitsTest {

  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));
  private static final String GOOD =
      "{\"admitted\":0,\"id\":\"r1\",\"class\":\"gold\",\"serviceTime\":1}";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  static List<String> values() {
    return List.of(
        "[".repeat(2_000),
        "[".repeat(11) + "]".repeat(11),
        "{\"a\":".repeat(2_000),
        "1".repeat(1_001),
        "1." + "1".repeat(1_001),
        "1e" + "1".repeat(1_001),
        "1e99999999999",
        "-" + "1".repeat(1_001),
        "{\"" + "a".repeat(60_000) + "\":1}");
  }

  @ParameterizedTest
  @MethodSource("values")
  void aLineBeyondTheLimitsIsABadLine(String value) {
    String bad = "{\"admitted\":%s,\"id\":\"r2\"}".formatted(value);
    String file = files.write("x.jsonl", GOOD, bad);

    assertRefused("x.jsonl, line 2: ", () -> Readers.workload(file, CLASSES));
    ReadReport report = Readers.workload(file, CLASSES, new ReadOptions(1)).report();
    assertThat(report.entries()).isEqualTo(1);
    assertThat(report.badLines()).isEqualTo(1);
    String hosts = files.write("hosts.jsonl", "{\"id\":\"h1\"}", "{\"id\":" + value + "}");
    assertRefused("hosts.jsonl, line 2: ", () -> Readers.infrastructure(hosts));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aClassFileBeyondTheLimitsIsRefused(String value) {
    for (String content :
        List.of(
            "[{\"name\":\"best\",\n\"slo\":%s}]".formatted(value),
            "[\n%s]".formatted(value),
            "[{\"name\":\"best\",\n\"%s\":1}]".formatted("a".repeat(60_000)))) {
      String file = files.write("classes.json", content);
      assertRefused("classes.json, line 2: ", () -> Readers.serviceClasses(file, Duration.ZERO));
    }
  }

  @Test
  void theMessageOfALimitNamesIt() {
    String file = files.write("x.jsonl", GOOD, "{\"admitted\":" + "1".repeat(1_001) + "}");

    files.assertRefused(
        "x.jsonl, line 2: is not JSON: has a number with too many digits.",
        () -> Readers.workload(file, CLASSES));
  }

  private void assertRefused(String begin, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith(folder.resolve(begin).toString());
  }
}
