package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.base.Splitter;
import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidationStudyTest {

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Cli.Result first;

  @BeforeAll
  static void run() {
    first = Cli.run("reproduce", "validation-1", "--seed", "4", "--csv", folder.toString());
    assertThat(first.exitCode()).as(first.err()).isZero();
  }

  /** {@code berth compare} runs the same simulation. */
  @ParameterizedTest
  @CsvSource({"validation-1, 3", "validation-2, 1"})
  void firstSeedMatchesCompare(String name, int classes) {
    List<String> compared =
        numbers(
            Cli.run(
                    "compare",
                    "--details",
                    "--policies",
                    "qos-driven,priority",
                    "--workload",
                    name,
                    "--no-bounds",
                    "--seed",
                    "4")
                .out(),
            "  (?:qos-driven|priority) +(\\S+) (\\S+) (\\S+)  .*");
    List<String> reproduced =
        numbers(
            (name.equals("validation-1") ? first : Cli.run("reproduce", name, "--seed", "4")).out(),
            "  ours, seed 4 +(\\S+) +(\\S+) +(\\S+) .*");

    assertThat(compared).hasSize(2 * classes);
    assertThat(reproduced).isEqualTo(compared);
  }

  private static List<String> numbers(String out, String row) {
    Pattern pattern = Pattern.compile(row);
    return out.lines()
        .map(pattern::matcher)
        .filter(Matcher::matches)
        .map(match -> "%s %s %s".formatted(match.group(1), match.group(2), match.group(3)))
        .toList();
  }

  @Test
  void seriesHaveAllRunsAndRequests() throws IOException {
    List<String> classes = Files.readAllLines(folder.resolve("validation-1-classes.csv"));
    List<String> requests = Files.readAllLines(folder.resolve("validation-1-requests.csv"));
    assertThat(classes).hasSize(1 + 2 * 20 * 3);
    assertThat(requests).hasSize(1 + 2 * 20 * 256);
    double sum = 0;
    int count = 0;
    for (String each : requests) {
      if (each.startsWith("qos-driven,7,") && each.contains(",bronze,")) {
        sum += Double.parseDouble(Splitter.on(',').splitToList(each).get(5));
        count++;
      }
    }
    assertThat(count).isEqualTo(96);
    String mean =
        classes.stream()
            .filter(each -> each.startsWith("qos-driven,7,bronze,"))
            .map(each -> Splitter.on(',').splitToList(each).get(4))
            .findFirst()
            .orElseThrow();
    assertThat(sum / count).isCloseTo(Double.parseDouble(mean), within(1e-6));
  }

  @Test
  void showsPublishedFiguresBesideOurs() {
    List<String> lines = first.outLines();

    assertThat(lines)
        .contains("bronze (SLO 0.5), 96 requests, qos-driven")
        .anyMatch(line -> line.matches("  their simulator +0.4680 0.4718 0.4749 +0.0000 +0 +4782"))
        .anyMatch(line -> line.matches("  their Kubernetes +0.4419 0.4731 0.5054 +0.0104 +0 +988"))
        .anyMatch(line -> line.matches("qos-driven +5600 +2003 +\\d+ +\\d+ +\\d+ +\\d+"));
    // In every column, the three figures of the spread ascend
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("  ours, least")) {
        List<Double> least = figures(lines.get(i));
        List<Double> median = figures(lines.get(i + 1));
        List<Double> most = figures(lines.get(i + 2));
        assertThat(least).hasSize(6);
        for (int column = 0; column < 6; column++) {
          assertThat(median.get(column)).isBetween(least.get(column), most.get(column));
        }
      }
    }
  }

  private static List<Double> figures(String row) {
    return Splitter.onPattern(" +")
        .splitToStream(row.replaceFirst("^  ours, \\w+ +", ""))
        .map(Double::valueOf)
        .toList();
  }
}
