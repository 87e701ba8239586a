package dev.berth.cli.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoliciesCommandTest {

  @TempDir private static Path folder;

  @Test
  void listsPoliciesInOneLineEach() {
    Cli.Result result = Cli.run("policies");
    assertThat(result.exitCode()).isZero();
    assertThat(result.outLines()).hasSize(21 + 2);
    assertThat(result.out())
        .containsSubsequence("\npriority              serves", "\nqos-driven            ");
    assertThat(result.outLines().get(22)).startsWith("'berth policies ID' explains");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void explainsEachKeyOfAPolicy() {
    Cli.Result result = Cli.run("policies", "qos-driven");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .startsWith("qos-driven\n")
        .contains(
            "  expectedOverhead: duration, from 0s to 36500d; default \"0s\"\n"
                + "      expected time to prepare a host",
            "  queue: text, one of by-metric, urgent-first; default \"by-metric\"\n",
            "  allocationScore.leastRequested: number, 0 or more; not both weights are 0; default 1.0\n",
            "  minimizeVictims: true or false; default true\n");
    assertThat(result.outLines()).allMatch(line -> line.length() <= 110);
    assertThat(Cli.run("policies", "queue-depth").out())
        .contains("  minHosts: whole number of hosts, from 0 to maxHosts; default 0\n");
    assertThat(Cli.run("policies", "random").out()).contains("Its configuration has no keys.");
  }

  @Test
  void eachKeyOfEachPolicyHasMeaningAndRange() throws IOException {
    JsonNode root = new ObjectMapper().readTree(Cli.run("policies", "--json").out());
    for (JsonNode policy : root.get("policies")) {
      for (JsonNode key : policy.get("keys")) {
        String name = policy.get("id").textValue() + " " + key.get("key").textValue();
        assertThat(key.get("meaning").textValue()).as(name).isNotBlank().doesNotEndWith(".");
        boolean free = List.of("true or false", "text").contains(key.get("type").textValue());
        assertThat(free || !key.get("range").textValue().isEmpty()).as("range of " + name).isTrue();
        JsonNode value =
            policy.get("config").at("/" + key.get("key").textValue().replace('.', '/'));
        assertThat(key.get("default").textValue()).as(name).isEqualTo(value.toString());
      }
    }
  }

  @Test
  void explainsPoliciesOfPluginsWithoutWords() throws IOException {
    PluginJar.write(folder);
    assertThat(Cli.run("policies", "acme.first-fit", "--plugins", folder.toString()).out())
        .contains(
            "acme.first-fit\n  is FirstFit of Acme\n", "  patience: whole number; default 3\n");
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
            "qos-attained",
            "qos-driven",
            "qos-hysteresis",
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
        .containsPattern("acme\\.first-fit +is FirstFit of Acme\n")
        .contains("acme.broken", "acme.unmakeable", "qos-driven");
    assertThat(Cli.run("--plugins", folder.toString(), "policies")).isEqualTo(result);
  }

  @Test
  void listsBrokenPolicyWithReason(@TempDir Path plugins) throws IOException {
    PluginJar.write(plugins);
    String reason =
        "policy acme.impatient in %s cannot be created: IllegalArgumentException: patience must be 0 or more"
            .formatted(plugins.resolve("acme.jar"));
    Cli.Result text = Cli.run("policies", "--plugins", plugins.toString());
    assertThat(text.out()).containsPattern("acme\\.impatient +" + Pattern.quote(reason) + "\n");
    Cli.Result json = Cli.run("policies", "--plugins", plugins.toString(), "--json");
    JsonNode listed = new ObjectMapper().readTree(json.out()).get("policies").get(2);
    assertThat(listed.get("id").textValue()).isEqualTo("acme.impatient");
    assertThat(listed.get("summary").textValue()).isEqualTo(reason);
    assertThat(listed.has("config")).isFalse();
    Cli.Result run =
        Cli.run(
            "compare",
            "--workload",
            "validation-1",
            "--plugins",
            plugins.toString(),
            "--policies",
            "acme.impatient");
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .isEqualTo(
            "berth: " + reason + "\nberth: add --verbose to see the class and line that failed.\n");
    assertThat(
            Cli.run(
                    "compare",
                    "--workload",
                    "validation-1",
                    "--plugins",
                    plugins.toString(),
                    "--policies",
                    "acme.impatient",
                    "--verbose")
                .err())
        .contains("berth: " + reason + "\nberth:   at com.acme.");
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
