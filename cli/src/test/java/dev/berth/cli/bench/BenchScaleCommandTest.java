package dev.berth.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Cli;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.terminal.ProgressDisplay;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchScaleCommandTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  private static Cli.Result tiny(String... more) {
    List<String> args =
        new ArrayList<>(List.of("bench", "scale", "--scale", "0.001", "--days", "0.05"));
    args.addAll(List.of(more));
    Cli.Result result = Cli.run(args.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }

  private static JsonNode withoutCosts(Cli.Result result) throws IOException {
    JsonNode outcome = MAPPER.readTree(result.out());
    for (JsonNode run : outcome.get("runs")) {
      assertThat(((ObjectNode) run).remove("cost").get("eventsPerSecond").asDouble()).isPositive();
    }
    return outcome;
  }

  @Test
  void countsAllRequests() throws IOException {
    JsonNode outcome = withoutCosts(tiny("--json"));
    assertThat(outcome.at("/infrastructure/hosts").asInt()).isEqualTo(13); // 12.5
    assertThat(outcome.get("until").asText()).isEqualTo("1h12m");
    assertThat(outcome.get("runs")).hasSize(2);
    List<Long> requests = new ArrayList<>();
    for (JsonNode run : outcome.get("runs")) {
      long all = run.get("requests").asLong();
      requests.add(all);
      assertThat(all).isBetween(50L, 1_000L);
      assertThat(run.get("completed").asLong() + run.get("unfinished").asLong()).isEqualTo(all);
      assertThat(run.get("completed").asLong()).isPositive();
      long counted = 0;
      for (JsonNode each : run.get("classes")) {
        counted += each.get("count").asLong();
      }
      assertThat(counted).isEqualTo(all);
      // Each request arrives; each completed one also became ready and completed.
      assertThat(run.get("events").asLong())
          .isGreaterThanOrEqualTo(
              all + 2 * run.get("completed").asLong() + run.get("passes").asLong());
      assertThat(run.get("placements").asLong()).isGreaterThanOrEqualTo(all / 2);
      assertThat(run.get("steps")).hasSize(7);
      JsonNode end = run.get("steps").get(6);
      assertThat(end.get("endSeconds").asDouble()).isEqualTo(70 * 60);
      assertThat(end.get("live").asLong()).isBetween(1L, all);
      assertThat(end.at("/cpu/granted").asDouble()).isBetween(0.05, 1.0);
      assertThat(end.at("/cpu/demanded").asDouble())
          .isGreaterThanOrEqualTo(end.at("/cpu/granted").asDouble());
    }
    assertThat(requests.get(0)).isEqualTo(requests.get(1));
  }

  @Test
  void sameSeedGivesSameResultExceptCost() throws IOException {
    JsonNode first = withoutCosts(tiny("--json", "--seed", "3"));
    assertThat(withoutCosts(tiny("--json", "--seed", "3"))).isEqualTo(first);
    assertThat(withoutCosts(tiny("--json", "--seed", "4"))).isNotEqualTo(first);
  }

  @Test
  void printsColumnForEachPolicy() throws IOException {
    Path json = folder.resolve("outcome.json");
    Cli.Result result = tiny("--policies", "priority", "--json", json.toString());
    JsonNode run = MAPPER.readTree(Files.readString(json)).get("runs").get(0);
    assertThat(result.outLines())
        .startsWith("13 hosts for 1h12m, watchdog 30s, passes at least 1s apart, seed 3")
        .anyMatch(line -> line.matches(" +priority"))
        .anyMatch(line -> line.matches("requests +" + run.get("requests").asInt()))
        .anyMatch(line -> line.startsWith("pending, mean and maximum "))
        .anyMatch(line -> line.startsWith("gold: requests "))
        .anyMatch(line -> line.startsWith("events per second "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--scale | 0 | --scale was 0.0, must be from 0.0001, one host, to 10.",
        "--scale | 11 | --scale was 11.0, must be from 0.0001, one host, to 10.",
        "--days | 0 | --days was 0, must be above 0 and at most 3650.",
        "--days | -1 | --days was -1, must be above 0 and at most 3650.",
        "--watchdog | 0s | --watchdog was 0s, must be positive.",
        "--policies | priority,priority | policy priority is given twice."
      })
  void refusesBadInputInOneLine(String option, String value, String message) {
    Cli.Result result = Cli.run("bench", "scale", option, value);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines().findFirst()).contains("berth: " + message);
  }

  @Test
  void showsProgressOfRun() {
    StringWriter printed = new StringWriter();
    AtomicLong clock = new AtomicLong();
    ProgressDisplay display = ProgressDisplay.inLog(new PrintWriter(printed), clock::get);
    Duration until = Duration.ofDays(10);
    ScaleProgress progress = new ScaleProgress("edf", until, display, clock::get);
    for (int second = 1; second <= 30; second++) {
      clock.set(Duration.ofSeconds(second).toNanos());
      progress.reached(Duration.ofHours(4L * second), 1_000, 20, 7, 100L * second * second);
      display.refresh();
    }
    progress.end();
    assertThat(printed.toString().lines().map(line -> line.replaceAll("heap [^ ]+ MB", "heap")))
        .containsExactly(
            "edf: 16 %, 1d of 10d simulated, 7 pending, 20 live, 1,000 requests done, 1,500 events/s, heap, 10s so far, about 50s left",
            "edf: 50 %, 5d of 10d simulated, 7 pending, 20 live, 1,000 requests done, 5,500 events/s, heap, 30s so far, about 30s left");
  }
}
