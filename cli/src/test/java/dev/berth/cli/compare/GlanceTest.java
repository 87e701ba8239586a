package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code berth compare} prints without {@code --details} fits on one screen. */
class GlanceTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"mixed", "validation-1", "validation-2", "render-farm"})
  void builtInWorkloadsFitOnAScreen(String workload) {
    List<String> lines = Cli.run("compare", "--workload", workload).outLines();

    assertThat(lines).hasSizeLessThanOrEqualTo(22).allMatch(each -> each.length() <= 100);
    assertThat(lines.get(0)).startsWith(workload);
    assertThat(lines)
        .anyMatch(each -> each.startsWith("qos-attained "))
        .anyMatch(each -> each.contains("berth explain "))
        .anyMatch(each -> each.contains("--details"));
  }

  @Test
  void saysWhichClassPoliciesServeMostDifferently() throws IOException {
    List<String> lines = Cli.run("compare", "--pictures", folder.toString()).outLines();
    String text = String.join(" ", lines).replaceAll("\\s+", " ");

    assertThat(text)
        .contains("Class batch is served better by qos-attained: 99.1 % meet the SLO, 81.5 % ")
        .contains("Penalty 0.58 core-hours under qos-attained, 34.94 under priority;")
        .doesNotContain("Class service", "Class ci");
    assertThat(Files.readString(Path.of("..", "README.md")))
        .contains(String.join("\n", lines.subList(2, 8)));
    assertThat(folder.resolve("timeline.svg"))
        .hasSameTextualContentAs(Path.of("..", "docs", "pictures", "timeline.svg"));
  }

  @Test
  void saysHowManyClassesTheTableLacks() throws IOException {
    List<String> classes = new ArrayList<>();
    StringBuilder jobs = new StringBuilder("admitted,id,class,service_time,cpu,memory\n");
    for (int i = 1; i <= 6; i++) {
      classes.add("{\"name\": \"c%s\", \"importance\": %s}".formatted(i, i));
      jobs.append("0,r%s,c%s,1m,1,1\n".formatted(i, i));
    }
    Cli.Result result =
        Cli.run(
            "compare",
            "--classes",
            Files.writeString(folder.resolve("c.json"), classes.toString()).toString(),
            "--workload",
            Files.writeString(folder.resolve("w.csv"), jobs).toString(),
            "--infrastructure",
            Files.writeString(folder.resolve("h.csv"), "id,cpu,memory\nh1,4,8\n").toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("The table has the 4 most important of 6 classes.");
  }

  @Test
  void notesWhatFitsNowhere() throws IOException {
    Path workload =
        Files.writeString(
            folder.resolve("w.csv"),
            "admitted,id,class,service_time,cpu,memory\n0,a,bronze,1m,9,1\n");
    Path hosts = Files.writeString(folder.resolve("h.csv"), "id,cpu,memory\nh1,4,4\n");

    Cli.Result result =
        Cli.run("compare", "--workload", workload.toString(), "--infrastructure", hosts.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("1 requests fit on no host")
        .contains("No class is clearly served better by one of the policies.");
  }
}
