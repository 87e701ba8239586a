package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The study on samples of the Google trace, with a small trace of the same format. */
class SamplesStudyTest {

  private static final int USERS = 60;

  @TempDir private static Path folder;

  @BeforeAll
  static void writeTrace() throws IOException {
    StringBuilder tasks = new StringBuilder();
    for (int kind : List.of(0, 1, 4)) { // submitted, scheduled, finished
      for (int user = 0; user < USERS; user++) {
        for (int task = 0; task <= user % 4; task++) {
          tasks.append(
              "%s,,%s,%s,,%s,user-%s,0,%s,0.5,0.1,0,\n"
                  .formatted(
                      600_000_000L + kind * (kind * 100_000_000L),
                      user,
                      task,
                      kind,
                      user,
                      user % 3 * 5));
        }
      }
    }
    Files.writeString(folder.resolve("task_events-part-00000-of-00500.csv.gz"), tasks);
    Files.writeString(
        folder.resolve("machine_events-part-00000-of-00001.csv.gz"),
        "0,1,0,B,0.5,0.5\n0,2,0,B,0.5,0.25\n");
    Files.writeString(folder.resolve("mine.csv"), "id,cpu,memory\na,0.5,1\nb,0.5,1\nc,0.5,1\n");
    Files.writeString(folder.resolve("more.csv"), "id,cpu,memory\nd,8,8\n");
  }

  private static Cli.Result reproduce(String... options) {
    return reproduceStudy("google-samples", options);
  }

  private static Cli.Result reproduceStudy(String name, String... options) {
    List<String> args = new ArrayList<>(List.of("reproduce", name, "--log", folder.toString()));
    args.addAll(List.of(options));
    return Cli.run(args.toArray(String[]::new));
  }

  /** Returns the headings of the table: the hosts of each group of rows. */
  private static List<String> groups(Cli.Result result) {
    assertThat(result.exitCode()).as(result.err()).isZero();
    List<String> lines = result.outLines();
    return lines.stream()
        .filter(line -> lines.indexOf(line) < lines.size() - 1)
        .filter(
            line ->
                lines.get(lines.indexOf(line) + 1).strip().startsWith("penalties of priority over"))
        .map(line -> line.strip())
        .filter(line -> !line.startsWith("penalties"))
        .toList();
  }

  @Test
  void showsPreemptionsAndLostWorkAtEachSize() throws IOException {
    Path page = folder.resolve("experiments.md");
    Files.copy(Path.of("..", "docs", "experiments.md"), page);
    Cli.Result result = reproduce("--markdown", page.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    List<String> preemptions = rows(result, "preemptions  ");
    List<String> lost = rows(result, "lost work at 2 s a start, hours");
    assertThat(preemptions).hasSize(3);
    assertThat(lost).hasSize(3);
    assertThat(lost.get(2)).as("at 0.8 N instances take turns").doesNotEndWith(" 0.00");
    assertThat(result.out()).contains("+91.5 %");
    // The table of the study and the summary of all claims have the same figures.
    List<String> table = percentages(result.outLines(), "penalties of priority over qos-driven");
    assertThat(table)
        .isNotEmpty()
        .isEqualTo(percentages(Files.readAllLines(page), "causes higher penalties"));
  }

  /** Returns the published and our percentages in the lines that contain a text. */
  private static List<String> percentages(List<String> lines, String text) {
    return lines.stream()
        .filter(line -> line.contains(text))
        .flatMap(line -> Pattern.compile("[+-][0-9.]+ %").matcher(line).results())
        .map(MatchResult::group)
        .toList();
  }

  private static List<String> rows(Cli.Result result, String start) {
    return result.outLines().stream().filter(line -> line.strip().startsWith(start)).toList();
  }

  /** The samples with starts that take time, and with the policy that pays for them. */
  @Test
  void judgesHysteresisAtEachSize() throws IOException {
    Path series = folder.resolve("series");

    Cli.Result result = reproduceStudy("hysteresis-google", "--csv", series.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(rows(result, "At ")).hasSize(3);
    assertThat(result.outLines().stream().filter(line -> line.matches("sample [1-6], .*N")))
        .hasSize(15);
    assertThat(
            result.outLines().stream().filter(line -> line.matches("  (yes|no |undefined)  at .*")))
        .as("five targets at each size")
        .hasSize(15);
    assertThat(Files.readAllLines(series.resolve("hysteresis-google-classes.csv")))
        .filteredOn(line -> line.startsWith("\"sample 1, 0.8 N\",qos-hysteresis,3,"))
        .isNotEmpty();
  }

  @Test
  void runsAtAnyScale() {
    Cli.Result result = reproduce("--scale", "1.1,1,0.5");

    assertThat(groups(result)).containsExactly("1.1 N", "N", "0.5 N");
    assertThat(result.out()).contains("+91.5 %").doesNotContain("+193.7 %");
  }

  @Test
  void runsOnHostsOfTheUser() {
    Cli.Result result =
        reproduce(
            "--infrastructure",
            folder.resolve("mine.csv").toString(),
            "csv:" + folder.resolve("more.csv"));

    assertThat(groups(result)).containsExactly("mine.csv", "more.csv");
    assertThat(result.out())
        .as("figures that were published for other hosts")
        .doesNotContain("+91.5 %", "≥ .9975", "90 %");
  }

  @Test
  void runsOnHostsOfTheUserAtScales() {
    Cli.Result result =
        reproduce("--infrastructure", folder.resolve("mine.csv").toString(), "--scale", "0.6,1");

    assertThat(groups(result)).containsExactly("0.6 of mine.csv", "mine.csv");
  }

  /** Two files in the format of the authors, and their hosts at N. */
  @Test
  void runsTheSamplesOfTheAuthors(@TempDir Path data) throws IOException {
    Path repository = Files.createDirectories(data.resolve("a/qos-driven-scheduling-experiments"));
    Files.createDirectories(data.resolve("google2011-part0"));
    Path samples = Files.createDirectories(repository.resolve("workloads/google-samples"));
    Path hosts = Files.createDirectories(repository.resolve("infrastructures/google-samples"));
    Files.createFile(samples.resolve("google-samples.tar.gz"));
    String[] command = {"reproduce", "google-samples", "--data", data.toString()};

    Cli.Result packed = Cli.run(command);
    assertThat(packed.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(packed.err())
        .contains("must be unpacked where it is: tar -xzf google-samples.tar.gz");

    for (int sample : List.of(1, 10)) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 12 * sample; i++) {
        requests.append(
            "{%s,%s,7,600,0.125,0.125,%s,0,[]}.\n".formatted(i, i, List.of(1, 5, 9).get(i % 3)));
      }
      String name = "google-workload-sample" + sample;
      Files.writeString(samples.resolve(name + ".csv"), requests);
      Files.writeString(
          hosts.resolve(name + "-infra-N.txt"), "{1,\"a\",0.5,0.5,[]}.\n{2,\"b\",0.5,0.25,[]}.\n");
      Files.writeString(hosts.resolve(name + "-infra-N-10.txt"), "{1,\"a\",0.5,0.5,[]}.\n");
    }

    Cli.Result result = Cli.run(command);
    assertThat(groups(result)).containsExactly("N", "0.9 N", "0.8 N");
    assertThat(result.out()).contains("of the authors x 1, 2 cases", "+91.5 %");

    Files.delete(hosts.resolve("google-workload-sample10-infra-N.txt"));
    assertThat(Cli.run(command).err()).contains("has no hosts in sample10-infra-N.txt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "google-samples --log . --scale 15 | --scale was [15.0], must be different shares in (0, 10].",
        "google-samples --log . --scale 1,1 | --scale was [1.0, 1.0], must be different shares",
        "google-samples --log . --infrastructure a b a | --infrastructure was a b a, must name",
        "validation-1 --scale 0.5 | --scale was given, but validation-1 runs on its own hosts.",
        "all --infrastructure a.csv | --infrastructure was given, but validation-1 runs on its",
        "google-samples --log . --scale 0.5 --markdown x.md | --markdown takes no --infrastructure",
      })
  void refusesHostsThatNoStudyCanUse(String args, String message) {
    Cli.Result result = Cli.run(("reproduce " + args).split(" "));

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).startsWith("berth: " + message);
  }
}
