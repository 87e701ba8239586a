package dev.berth.cli.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreparationCommandsTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;
  private Path requests;

  @BeforeEach
  void writeRequests() throws IOException {
    requests =
        Files.writeString(
            folder.resolve("requests.csv"),
            """
            admitted,id,class,service_time,cpu,memory,gpu,job,anti_affinity,constraints
            0,web-1,gold,60,2,4,0,web,true,zone==a;rank<5
            10,batch-1,bronze,30,1,1,1,,false,
            40,web-2,gold,20,2,4,0,web,true,rack in r1|r2;os!=x;rank>-3;gpu exists
            """);
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private String content(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private static Cli.Result done(String... args) {
    Cli.Result result = Cli.run(args);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return result;
  }

  private static void refused(String message, String... args) {
    Cli.Result result = Cli.run(args);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines().findFirst().orElse("")).isEqualTo("berth: " + message);
  }

  // ---- describe

  @Test
  void describesAsText() {
    List<String> lines =
        done("workload", "describe", requests.toString(), "--interval", "20s").outLines();
    assertThat(lines)
        .startsWith(
            "requests.csv: admitted from 0s to 40s; if all run at once, done at 1m",
            "",
            "        requests  jobs  users  anti-affinity  constraints",
            "gold           2     1      0          1.000        1.000",
            "bronze         1     0      0          0.000        0.000",
            "all            3     1      0          0.667        0.667")
        .containsSequence(
            "in use at once   mean  peak   at",
            "cpu",
            "  gold          2.667     4  40s",
            "  bronze          0.5     1  10s",
            "  all           3.167     4  40s",
            "gpu",
            "  gold              0     0    –")
        .containsSequence(
            "cpu over time  gold  bronze  all",
            "  0s              2       0    2  ggggggggggggggg",
            "  20s             2       1    3  gggggggggggggggbbbbbbbb",
            "  40s             4       0    4  gggggggggggggggggggggggggggggg");
  }

  @Test
  void saysThatManyServiceTimesEndWithTheLog() throws IOException {
    StringBuilder log = new StringBuilder("admitted,id,class,service_time,cpu,memory\n");
    for (int i = 0; i < 20; i++) {
      log.append("%ss,r%s,gold,%ss,1,1\n".formatted(40 * i, i, i % 4 == 0 ? 1000 - 40 * i : 20));
    }
    Path file = Files.writeString(folder.resolve("log.csv"), log);
    assertThat(done("workload", "describe", file.toString()).out())
        .contains("\n25 % of service times end with the log, at 16m40s. ", "--until 16m40s\n");
    assertThat(done("workload", "describe", "validation-1").out()).doesNotContain("the log");
  }

  @Test
  void describesAsJson() throws IOException {
    JsonNode root =
        MAPPER.readTree(
            done("workload", "describe", requests.toString(), "--interval", "20s", "--json").out());
    assertThat(root.at("/workload").textValue()).isEqualTo("requests.csv");
    assertThat(root.at("/all/requests").intValue()).isEqualTo(3);
    assertThat(root.at("/all/demand/cpu/peak").doubleValue()).isEqualTo(4);
    assertThat(root.at("/all/demand/cpu/peakAt").doubleValue()).isEqualTo(40);
    assertThat(root.at("/classes/0/name").textValue()).isEqualTo("gold");
    assertThat(root.at("/classes/1/serviceTime/median").doubleValue()).isEqualTo(30);
    assertThat(root.at("/demand")).hasSize(3);
    assertThat(root.at("/demand/1/at").doubleValue()).isEqualTo(20);
    assertThat(root.at("/demand/1/bronze/gpu").doubleValue()).isEqualTo(1);
  }

  @Test
  void describesBuiltInWorkload() {
    List<String> lines = done("workload", "describe", "validation-2").outLines();
    assertThat(lines).contains("silver       221     0      0          0.000        0.000");
    assertThat(lines).allMatch(line -> line.length() <= 92);
    assertThat(lines).filteredOn(line -> line.contains("  sss")).hasSizeBetween(20, 60);
  }

  // ---- convert

  @Test
  void convertedWorkloadCanBeReadAgain() throws IOException {
    done("workload", "convert", requests.toString(), "--out", file("again.csv"));
    assertThat(content("again.csv").lines())
        .containsExactly(
            "admitted,id,class,service_time,cpu,memory,gpu,job,anti_affinity,constraints",
            "0,web-1,gold,60,2,4,0,web,true,zone==a;rank<5",
            "10,batch-1,bronze,30,1,1,1,,,",
            "40,web-2,gold,20,2,4,0,web,true,rack in r1|r2;os!=x;rank>-3;gpu exists");
    Cli.Result zipped = done("workload", "convert", file("again.csv"), "--out", file("a.csv.gz"));
    assertThat(zipped.out()).isEqualTo(file("a.csv.gz") + ": 3 requests" + System.lineSeparator());
    try (InputStream unzipped =
        new GZIPInputStream(Files.newInputStream(folder.resolve("a.csv.gz")))) {
      assertThat(new String(unzipped.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(content("again.csv"));
    }
    done("workload", "convert", file("a.csv.gz"), "--out", file("a.csv.gz")); // over itself
    assertThat(done("workload", "describe", file("a.csv.gz")).out())
        .isEqualTo(
            done("workload", "describe", requests.toString())
                .out()
                .replace("requests.csv", "a.csv.gz"));
  }

  @Test
  void refusesBadOutputBeforeReading() {
    String nowhere = file("nowhere/a.csv");
    refused(
        "--out was \"%s\", must end in .csv, .csv.gz, .jsonl, .jsonl.gz.".formatted(file("a.txt")),
        "workload",
        "convert",
        "missing",
        "--out",
        file("a.txt"));
    refused(
        "--out: \"%s\": folder \"%s\" does not exist. Maybe create it first."
            .formatted(nowhere, file("nowhere")),
        "workload",
        "generate",
        "--out",
        nowhere);
  }

  @Test
  void badInputHasLineAndKeepsPreviousFile() throws IOException {
    Files.writeString(folder.resolve("out.csv"), "before");
    Files.writeString(
        folder.resolve("bad.csv"), "admitted,id,class,service_time,cpu,memory\n0,a,gold,1,x,1\n");
    Cli.Result result = Cli.run("workload", "convert", file("bad.csv"), "--out", file("out.csv"));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).startsWith("berth: " + file("bad.csv") + ":2: cpu: was \"x\", must");
    assertThat(content("out.csv")).isEqualTo("before");
    assertThat(folder.toFile().list()).hasSize(3);
  }

  // ---- generate

  @Test
  void sameSeedGeneratesSameBytes() throws IOException {
    String[] args = {
      "workload", "generate", "--requests", "500", "--scale", "0.05", "--seed", "7", "--out", ""
    };
    args[9] = file("one.csv");
    done(args);
    args[9] = file("two.csv");
    Cli.Result again = done(args);
    assertThat(content("two.csv")).isEqualTo(content("one.csv")).hasLineCount(501);
    assertThat(again.out())
        .isEqualTo(file("two.csv") + ": 500 requests for 624 hosts, seed 7%n".formatted());
    args[7] = "8";
    done(args);
    assertThat(content("two.csv")).isNotEqualTo(content("one.csv"));
    done("workload", "describe", file("one.csv"));
  }

  @Test
  void generatesFromEditedProfile() throws IOException {
    JsonNode outcome =
        MAPPER.readTree(
            done("workload", "generate", "--requests", "5", "--out", file("a.csv"), "--json", "-")
                .out());
    assertThat(outcome.get("requests").intValue()).isEqualTo(5);
    String profile = outcome.get("profile").toPrettyString();
    Files.writeString(folder.resolve("profile.json"), profile);
    done(
        "workload",
        "generate",
        "--requests",
        "5",
        "--out",
        file("b.csv"),
        "--profile",
        file("profile.json"));
    assertThat(content("b.csv")).isEqualTo(content("a.csv"));
    Files.writeString(
        folder.resolve("profile.json"), profile.replace("\"users\" : 84", "\"users\" : 0"));
    Cli.Result wrong =
        Cli.run("workload", "generate", "--out", file("b.csv"), "--profile", file("profile.json"));
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(wrong.err())
        .startsWith("berth: --profile \"" + file("profile.json") + "\": ")
        .contains("classes[1]: users was 0, must be from 1 to");
  }

  @Test
  void notesJobWithMoreAntiAffineRequestsThanHosts() throws IOException {
    JsonNode usual =
        MAPPER.readTree(
            done("workload", "generate", "--requests", "50", "--out", file("a.csv"), "--json", "-")
                .out());
    assertThat(usual.get("hosts").intValue()).isEqualTo(12_477);
    String crowded =
        usual
            .get("profile")
            .toPrettyString()
            .replace("\"hosts\" : 12477", "\"hosts\" : 20")
            .replaceAll("\"(singleShare)\" : [0-9.]+", "\"$1\" : 0.0")
            .replaceAll("\"(antiAffinityShare)\" : [0-9.]+", "\"$1\" : 1.0");
    String profile = Files.writeString(folder.resolve("profile.json"), crowded).toString();

    Cli.Result result =
        Cli.run(
            "workload",
            "generate",
            "--requests",
            "5000",
            "--out",
            file("b.csv"),
            "--profile",
            profile);

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("5000 requests for 20 hosts");
    assertThat(result.err())
        .matches(
            "note: job gold-\\d+ has \\d+ requests that need a host each, more than the 20 hosts that the "
                + "profile is meant for\\. Maybe use .*\\R");
    int largest = Integer.parseInt(result.err().replaceAll("(?s).* has (\\d+) requests.*", "$1"));
    assertThat(largest).isBetween(21, 5000);
  }

  @Test
  void generateRefusesBadOptions() {
    refused(
        "--requests was 0, must be positive.",
        "workload",
        "generate",
        "--out",
        file("a.csv"),
        "--requests",
        "0");
    refused(
        "--scale was 0.0, must be above 0 and at most 1000.",
        "workload",
        "generate",
        "--out",
        file("a.csv"),
        "--scale",
        "0");
    refused(
        "--profile: \"nowhere.json\" does not exist.",
        "workload",
        "generate",
        "--out",
        file("a.csv"),
        "--profile",
        "nowhere.json");
    assertThat(folder.resolve("a.csv")).doesNotExist();
  }

  // ---- sample

  @Test
  void sampleNamesRequestWithoutUser() {
    Cli.Result result = Cli.run("workload", "sample", requests.toString(), "--out", file("s.csv"));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith("berth: workload requests.csv: request web-1 has no user, must have one");
    assertThat(folder.resolve("s.csv")).doesNotExist();
  }

  @Test
  void sampleHasAllRequestsOfItsUsers() throws IOException {
    Cli.run( // it notes a job larger than the cluster
        "workload", "generate", "--scale", "0.02", "--duration", "6h", "--out", file("all.jsonl"));
    JsonNode outcome =
        MAPPER.readTree(
            done(
                    "workload",
                    "sample",
                    file("all.jsonl"),
                    "--out",
                    file("s.csv"),
                    "--count",
                    "2",
                    "--share",
                    "0.3",
                    "--json",
                    "-")
                .out());
    assertThat(outcome.get("groups")).hasSizeBetween(2, 6);
    List<String> all = content("all.jsonl").lines().toList();
    for (JsonNode sample : outcome.get("samples")) {
      long expected = 0;
      for (JsonNode user : sample.get("users")) {
        String field = "\"user\":\"%s\"".formatted(user.textValue());
        expected += all.stream().filter(line -> line.contains(field)).count();
      }
      List<String> lines = Files.readAllLines(Path.of(sample.get("file").textValue()));
      assertThat(lines).hasSize((int) expected + 1);
      assertThat(sample.get("requests").longValue()).isEqualTo(expected).isPositive();
      assertThat(sample.get("shareOfRequests").doubleValue())
          .isEqualTo((double) expected / all.size());
    }
    assertThat(content("s-1.csv")).isNotEqualTo(content("s-2.csv"));
    List<String> text =
        done("workload", "sample", file("all.jsonl"), "--out", file("t.csv"), "--share", "0.3")
            .outLines();
    assertThat(text).startsWith("all.jsonl, seed 1").contains("groups of users", "samples");
    assertThat(text)
        .anyMatch(line -> line.matches(" +users +requests +share of requests"))
        .anyMatch(line -> line.matches("  all .* 1\\.000"))
        .anyMatch(line -> line.matches("  .*t\\.csv .* 0\\.\\d{3}"));
    assertThat(content("t.csv")).isEqualTo(content("s-1.csv"));
  }

  @Test
  void sampleRefusesCountOfZero() {
    refused(
        "--count was 0, must be positive.",
        "workload",
        "sample",
        requests.toString(),
        "--out",
        file("s.csv"),
        "--count",
        "0");
  }

  // ---- size

  @Test
  void sizesHostsForWorkload() throws IOException {
    Files.writeString(
        folder.resolve("mix.csv"),
        "id,cpu,memory,attributes\nbig,1,2,rank=1;zone=a\nlean,0.5,2,zone=b\n");
    Cli.Result result =
        done(
            "infrastructure",
            "size",
            "validation-1",
            "--mix",
            file("mix.csv"),
            "--out",
            file("hosts.csv"),
            "--scale",
            "1,0.9,0.8");
    assertThat(result.outLines())
        .startsWith(
            "validation-1 on hosts drawn from mix.csv, seed 1",
            "peak demand cpu 96, memory 96; N is that of cpu");
    assertThat(result.outLines().get(3)).endsWith("hosts      cpu    of N  fit nowhere");
    List<String> all = content("hosts-1.csv").lines().toList();
    List<String> most = content("hosts-0.9.csv").lines().toList();
    List<String> some = content("hosts-0.8.csv").lines().toList();
    assertThat(all).startsWith("id,cpu,memory,attributes").containsAll(most);
    assertThat(most).containsAll(some);
    assertThat(all.subList(1, all.size()))
        .allMatch(line -> line.matches("(big~\\d+,1,2,rank=1;zone=a)|(lean~\\d+,0.5,2,zone=b)"));
    assertThat(cpu(all)).isBetween(96.0, 96.5);
    assertThat(cpu(most)).isBetween(86.4, 87.4);
    assertThat(cpu(some)).isBetween(76.8, 77.8);
    done(
        "compare",
        "--policies",
        "qos-driven,priority",
        "--workload",
        "validation-1",
        "--infrastructure",
        file("hosts-1.csv"),
        "--until",
        "1m");
  }

  private static double cpu(List<String> lines) {
    return lines.stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[1]))
        .sum();
  }

  @Test
  void sizesAsJsonWithDefaultMix() throws IOException {
    JsonNode root =
        MAPPER.readTree(
            done(
                    "infrastructure",
                    "size",
                    "validation-1",
                    "--driving",
                    "memory",
                    "--out",
                    file("hosts.csv"),
                    "--json",
                    "-")
                .out());
    assertThat(root.get("mix").textValue()).isEqualTo("google-2011");
    assertThat(root.get("driving").textValue()).isEqualTo("memory");
    assertThat(root.at("/peak/cpu").doubleValue()).isEqualTo(96);
    JsonNode only = root.at("/infrastructures/0");
    assertThat(only.get("capacity").doubleValue()).isBetween(96.0, 97.0);
    assertThat(only.get("hosts").intValue()).isBetween(160, 250);
    assertThat(only.get("fitNowhere").intValue()).isZero();
    assertThat(content("hosts.csv")).contains("platform=B");
  }

  @Test
  void sizeRefusesBadOptions() throws IOException {
    String[] args = {"infrastructure", "size", "validation-1", "--out", file("h.csv"), "", ""};
    args[5] = "--scale";
    args[6] = "10.5";
    refused("--scale was 10.5, must be in (0, 10].", args);
    args[6] = "1,1";
    refused("--scale must not hold a size twice.", args);
    args[5] = "--driving";
    args[6] = "gpu";
    refused("--driving was \"gpu\", must be one of cpu, memory.", args);
    Files.writeString(folder.resolve("no-gpu.csv"), "id,cpu,memory\nh,1,1\n");
    refused(
        "gpu of 1 is needed, but no host of no-gpu.csv has any.",
        "infrastructure",
        "size",
        requests.toString(),
        "--mix",
        file("no-gpu.csv"),
        "--out",
        file("h.csv"));
    assertThat(folder.resolve("h.csv")).doesNotExist();
  }

  // ---- Help

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workload",
        "workload describe",
        "workload sample",
        "workload generate",
        "workload convert",
        "infrastructure",
        "infrastructure size"
      })
  void helpHasExamples(String command) {
    Cli.Result help = done((command + " --help").split(" ", -1));
    assertThat(help.out()).contains("Usage: berth " + command, "Examples:", "  berth " + command);
    assertThat(help.outLines()).allMatch(line -> line.length() <= 92);
  }
}
