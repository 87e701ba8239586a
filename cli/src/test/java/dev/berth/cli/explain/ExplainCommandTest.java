package dev.berth.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

  @TempDir private static Path folder;
  private static Path requests;
  private static Path hosts;

  /**
   * A host for two requests. A more important one arrives at 10s; one that needs all of it at 60s.
   */
  @BeforeAll
  static void writeFiles() throws IOException {
    requests =
        Files.writeString(
            folder.resolve("requests.csv"),
            """
            admitted,id,class,service_time,cpu,memory
            0s,first,bronze,30s,1,1
            0s,second,bronze,1h,1,1
            10s,third,silver,1h,1,1
            60s,last,gold,1h,2,2
            """);
    hosts = Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\n");
  }

  @Test
  void explainsPlacement() {
    assertThat(explain("first", "20s"))
        .isEqualTo(
            """
            first at 20s, under priority: running on h1 since 2s, for 18s
              class bronze, SLO 0.5; demand cpu 1, memory 1
              admitted at 0s; in service 18s, not in service 2s
              availability 0.9000: it meets its SLO, and can wait another 16s
              placed once, never preempted

            why it is there
              first was placed on h1 at 0s, in pass 1: best allocation score (0.6875) of those with
                room
            """);
    assertThat(why("first", "20s", "whyHere"))
        .isEqualTo(
            "  first was placed on h1 at 0s, in pass 1: best allocation score (0.6875) of those"
                + " with room\n");
  }

  @Test
  void explainsWaitingAndPreemption() {
    String text = explain("second", "90s");
    assertThat(text)
        .startsWith(
            """
            second at 1m30s, under priority: pending since 1m, for 30s
              class bronze, SLO 0.5; demand cpu 1, memory 1
            """)
        .contains("why it waits\n  0 of 1 hosts: 1 full (cpu short by 1)")
        .contains("why it was preempted last\n  second was preempted at ")
        .contains(" for last");
  }

  @Test
  void explainsDoneInstance() {
    assertThat(explain("first", "10m"))
        .startsWith("first at 10m, under priority: done since ")
        .contains("SLO met");
  }

  @Test
  void explainsAsJson() throws IOException {
    Cli.Result result = run("second", "90s", "--json");
    assertThat(result.exitCode()).isZero();
    JsonNode root = new ObjectMapper().readTree(result.out());
    assertThat(root.get("instance").textValue()).isEqualTo("second");
    assertThat(root.get("policy").textValue()).isEqualTo("priority");
    assertThat(root.get("config").isObject()).isTrue();
    assertThat(root.get("state").textValue()).isEqualTo("pending");
    assertThat(root.has("host")).isFalse();
    assertThat(root.get("serviceSeconds").doubleValue() + root.get("waitingSeconds").doubleValue())
        .isEqualTo(90);
    assertThat(root.get("availability").isDouble()).isTrue();
    assertThat(root.get("demand").get("cpu").doubleValue()).isEqualTo(1);
    JsonNode why = root.get("whyPending");
    assertThat(why.get("hosts").intValue()).isEqualTo(1);
    assertThat(why.get("obstacles").get(0).get("code").textValue()).isEqualTo("short-of-capacity");
    assertThat(why.get("text").textValue()).startsWith("0 of 1 hosts");
    assertThat(root.get("whyPreempted").get("beneficiary").textValue()).isEqualTo("last");
    assertThat(root.has("whyHere")).isFalse();
  }

  /** The members that berth-json writes; a program reads one shape from the command and the SDK. */
  @Test
  void jsonHasTheShapeOfTheSdk() throws IOException {
    JsonNode why =
        new ObjectMapper().readTree(run("second", "90s", "--json").out()).get("whyPending");
    assertThat(why.get("instance").textValue()).isEqualTo("second");
    assertThat(why.get("timeSeconds").intValue()).isEqualTo(90);
    assertThat(why.get("state").textValue()).isEqualTo("pending");
    assertThat(why.get("policyErrors").isEmpty()).isTrue();
  }

  @Test
  void writesJsonFileBesideText() throws IOException {
    Path file = folder.resolve("why.json");
    Cli.Result result = run("second", "90s", "--json", file.toString());
    assertThat(result.out()).startsWith("second at 1m30s");
    assertThat(new ObjectMapper().readTree(file.toFile()).get("at").textValue()).isEqualTo("1m30s");
  }

  @Test
  void sameSeedGivesSameText() {
    Cli.Result once =
        Cli.run(
            "explain",
            "--workload",
            "validation-1",
            "--policy",
            "qos-driven",
            "bronze-17",
            "--at",
            "20m");
    assertThat(once.exitCode()).isZero();
    assertThat(once.out()).startsWith("bronze-17 at 20m, under qos-driven: ");
    assertThat(
            Cli.run(
                "explain",
                "--workload",
                "validation-1",
                "--policy",
                "qos-driven",
                "bronze-17",
                "--at",
                "20m"))
        .isEqualTo(once);
  }

  @Test
  void unknownInstanceListsKnownOnes() {
    Cli.Result result = run("nobody", "90s");
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .contains(
            "no instance \"nobody\" in requests.csv. There are 4: first, second, third, last.");
  }

  @Test
  void laterInstanceHasItsAdmissionTime() {
    Cli.Result result = run("last", "30s");
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("instance last does not exist yet at 30s", "admitted at 1m");
  }

  @Test
  void failedPolicyIsFailedRun(@TempDir Path plugins) throws IOException {
    PluginJar.write(plugins);
    for (String policy : new String[] {"acme.broken", "acme.unmakeable"}) {
      Cli.Result result =
          Cli.run(
              "explain",
              "--workload",
              "validation-1",
              "gold-1",
              "--at",
              "1m",
              "--policy",
              policy,
              "--plugins",
              plugins.toString());
      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err()).startsWith("berth: policy " + policy).doesNotContain("    at ");
    }
  }

  private static String explain(String instance, String at) {
    Cli.Result result = run(instance, at);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.out();
  }

  private static String why(String instance, String at, String key) {
    try {
      JsonNode root = new ObjectMapper().readTree(run(instance, at, "--json").out());
      return root.get(key).get("text").textValue().replace("; ", "\n").indent(2);
    } catch (IOException malformed) {
      throw new AssertionError(malformed);
    }
  }

  private static Cli.Result run(String instance, String at, String... more) {
    String[] args = {
      "explain",
      instance,
      "--at",
      at,
      "--policy",
      "priority",
      "--workload",
      requests.toString(),
      "--infrastructure",
      hosts.toString()
    };
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Cli.run(all);
  }

  @Test
  void aSimulationHasNoDates() {
    assertThat(Cli.run("explain", "batch-185", "--at", "2025-11-24T16:00:40Z").err())
        .startsWith("berth: --at was 2025-11-24T16:00:40Z, must be a duration such as 3h,");
  }
}
