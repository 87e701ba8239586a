package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code qos-driven} does to frames that lose their work, and what helps. */
class RenderFarmTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String WARNING =
      "qos-driven lost more work to preemptions than was kept: [\\d.]+ h lost, [\\d.]+ h kept, "
          + "[\\d,]+ preemptions, \\d+ of 2000 requests done\\. "
          + "Try qos-driven=\\{\"maxPreemptions\":0}, or priority\\.";

  @TempDir private Path folder;

  @Test
  void comparisonWarnsOfAPolicyThatLosesMoreThanIsKept() throws IOException {
    Path json = folder.resolve("outcome.json");
    Path page = folder.resolve("page");
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--policies",
            "qos-driven,priority",
            "--workload",
            "render-farm",
            "--until",
            "1h",
            "--no-bounds",
            "--json",
            json.toString(),
            "--report",
            page.toString());

    assertThat(result.exitCode()).isZero();
    assertThat(result.outLines())
        .contains("warning: qos-driven lost more work to preemptions than was kept:")
        .contains("  Try qos-driven={\"maxPreemptions\":0}, or priority.")
        .allMatch(line -> line.length() <= 90);
    assertThat(result.out()).doesNotContain("warning: priority");
    JsonNode root = MAPPER.readTree(json.toFile());
    assertThat(root.get("warnings")).hasSize(1);
    assertThat(root.get("warnings").get(0).asText()).matches(WARNING);
    JsonNode run = root.get("runs").get(0);
    assertThat(run.get("lostWorkHours").asDouble())
        .isGreaterThan(run.get("keptServiceHours").asDouble());
    assertThat(Files.readString(page.resolve("index.html")))
        .contains("Warning: qos-driven lost more work to preemptions than was kept");
  }

  @Test
  void experimentWarnsToo() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("farm.json"),
            """
            {"workloads": ["render-farm"], "policies": ["qos-driven"], "until": "50m",
             "seeds": [1, 2], "bounds": false}
            """);
    Path json = folder.resolve("outcome.json");
    Cli.Result result = Cli.run("experiment", file.toString(), "--json", json.toString());

    assertThat(result.out())
        .contains("warning: qos-driven in 2 of 2 runs lost more work to preemptions than was kept");
    assertThat(MAPPER.readTree(json.toFile()).get("warnings")).hasSize(1);
  }

  @Test
  void allFramesAreDoneWithALimitOfPreemptions() throws IOException {
    Path json = folder.resolve("outcome.json");
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--workload",
            "render-farm",
            "--no-bounds",
            "--policies",
            "qos-driven",
            "--config",
            "qos-driven={\"maxPreemptions\":0}",
            "--json",
            json.toString());

    assertThat(result.out()).contains("qos-driven: 2000 of 2000").doesNotContain("warning");
    assertThat(MAPPER.readTree(json.toFile()).has("warnings")).isFalse();
  }
}
