package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command says of a policy that places instances that it may not place. */
class InvalidActionsTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String PLACES_ALL =
      """
      return pass -> {
        for (Instance instance : pass.instances()) {
          for (Host host : pass.hosts()) {
            if (pass.place(instance, host).accepted()) break;
          }
        }
      };
      """;

  private static final String ADVICE =
      "The engine refused them. Test the policy with the contract test, rule P04.";

  @TempDir private Path folder;
  private Path plugins;

  @BeforeEach
  void writePlugin() throws IOException {
    plugins = Files.createDirectory(folder.resolve("plugins"));
    PluginJar.write(plugins, "Trial", "trial.x", PLACES_ALL, "");
  }

  @Test
  void comparisonWarnsOfInvalidActions() throws IOException {
    Path json = folder.resolve("outcome.json");
    Path page = folder.resolve("page");
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--workload",
            "validation-1",
            "--plugins",
            plugins.toString(),
            "--policies",
            "trial.x,priority",
            "--until",
            "1m",
            "--no-bounds",
            "--json",
            json.toString(),
            "--report",
            page.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("(?m)^warning: trial\\.x tried [\\d,]+ invalid actions:$")
        .containsPattern("(?m)^  the first, in pass \\d+, on \\S+: instance \\S+ must be pending")
        .contains("  " + ADVICE)
        .doesNotContain("warning: priority");
    JsonNode warnings = MAPPER.readTree(json.toFile()).get("warnings");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0).textValue()).startsWith("trial.x tried ").endsWith(ADVICE);
    assertThat(Files.readString(page.resolve("index.html"))).contains("Warning: trial.x tried ");
  }

  @Test
  void experimentWarnsToo() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("trial.json"),
            """
            {"workloads": ["validation-2"], "policies": ["trial.x"], "until": "1m",
             "seeds": [1, 2], "bounds": false}
            """);
    Path json = folder.resolve("outcome.json");
    Cli.Result result =
        Cli.run(
            "experiment",
            file.toString(),
            "--plugins",
            plugins.toString(),
            "--json",
            json.toString());

    assertThat(result.out())
        .containsPattern("warning: trial\\.x in 2 of 2 runs tried [\\d,]+ invalid actions:");
    assertThat(MAPPER.readTree(json.toFile()).get("warnings")).hasSize(1);
  }
}
