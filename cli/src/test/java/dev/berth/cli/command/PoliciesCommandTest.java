package dev.berth.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import dev.berth.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoliciesCommandTest {

  @TempDir private static Path folder;

  @Test
  void listsPoliciesWithDefaults() {
    Cli.Result result = Cli.run("policies");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .containsSubsequence(
            "priority\n  serves",
            "\"watchdog\": \"10s\"",
            "qos-driven\n  ",
            "\"expectedOverhead\"");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void listsPoliciesAsJson() throws IOException {
    JsonNode root = new ObjectMapper().readTree(Cli.run("policies", "--json").out());
    assertThat(root.get("policies").findValuesAsText("id"))
        .containsExactlyInAnyOrder(
            "best-fit",
            "bin-packing",
            "cpu-load",
            "dedicated",
            "elastic-cluster",
            "elastic-site",
            "first-fit",
            "lottery",
            "lottery-with-load",
            "memic",
            "never-preempt",
            "power-of-two-choices",
            "priority",
            "qos-driven",
            "queue-depth",
            "random",
            "round-robin",
            "wall-time-estimated",
            "worst-fit");
    for (JsonNode policy : root.get("policies")) {
      assertThat(policy.get("id").isTextual()).isTrue();
      assertThat(policy.get("summary").textValue()).isNotBlank();
      assertThat(policy.get("config").isObject()).isTrue();
    }
  }

  @Test
  void listsPoliciesOfPlugins() throws IOException {
    PluginJar.write(folder);
    Cli.Result result = Cli.run("policies", "--plugins", folder.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("acme.first-fit\n  is FirstFit of Acme\n  {\n    \"patience\": 3\n  }\n")
        .contains("acme.broken", "acme.unmakeable", "qos-driven");
    assertThat(Cli.run("--plugins", folder.toString(), "policies")).isEqualTo(result);
  }

  @Test
  void listsBrokenPolicyWithReason(@TempDir Path plugins) throws IOException {
    PluginJar.write(plugins);
    String reason =
        "policy acme.impatient in %s cannot be created: IllegalArgumentException: patience must be 0 or more"
            .formatted(plugins.resolve("acme.jar").toUri().toURL());
    Cli.Result text = Cli.run("policies", "--plugins", plugins.toString());
    assertThat(text.out()).contains("acme.impatient\n  " + reason + "\n\n");
    Cli.Result json = Cli.run("policies", "--plugins", plugins.toString(), "--json");
    JsonNode listed = new ObjectMapper().readTree(json.out()).get("policies").get(2);
    assertThat(listed.get("id").textValue()).isEqualTo("acme.impatient");
    assertThat(listed.get("summary").textValue()).isEqualTo(reason);
    assertThat(listed.has("config")).isFalse();
    Cli.Result run =
        Cli.run("compare", "--plugins", plugins.toString(), "--policies", "acme.impatient");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).isEqualTo("berth: " + reason + "\n");
  }

  @Test
  void refusesDuplicateIdAndNamesJars(@TempDir Path rivals) throws IOException {
    PluginJar.write(rivals);
    PluginJar.writeRival(rivals);
    Cli.Result result = Cli.run("policies", "--plugins", rivals.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("acme.first-fit", "acme.jar", "rival.jar");
    assertThat(result.out()).isEmpty();
  }
}
