package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comparison reports requests that fit on no host, and details that many requests lack. */
class MissingDetailsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4, false", "5, true"})
  void notesRequestsThatFitNowhere(int cores, boolean noted) throws IOException {
    Path workload =
        Files.writeString(
            folder.resolve("jobs.csv"),
            "admitted,id,class,service_time,cpu,memory\n0,a,bronze,1m,1,1\n0,b,bronze,1m,%s,1\n"
                .formatted(cores));
    Path hosts = Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,4,4\nh2,4,4\n");

    Cli.Result result =
        Cli.run(
            "compare",
            "--policies",
            "first-fit",
            "--workload",
            workload.toString(),
            "--infrastructure",
            hosts.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s+", " ").contains("1 requests fit on no host"))
        .isEqualTo(noted);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "4, false", "5, true", "100, true"})
  void notesTheNumberOfRequestsWithoutADetail(int lacking, boolean noted) throws IOException {
    StringBuilder jobs = new StringBuilder("admitted,id,class,service_time,cpu,memory,estimate\n");
    for (int i = 0; i < 100; i++) {
      jobs.append("0,job-%s,bronze,1m,1,1,%s\n".formatted(i, i < lacking ? "" : "2m"));
    }
    Path workload = Files.writeString(folder.resolve("jobs.csv"), jobs);
    Path hosts = Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,100,100\n");

    Cli.Result result =
        Cli.run(
            "compare",
            "--policies",
            "first-fit",
            "--config",
            "first-fit={\"backfill\":\"easy\"}",
            "--workload",
            workload.toString(),
            "--infrastructure",
            hosts.toString(),
            "--json",
            "-");

    assertThat(result.exitCode()).as(result.err()).isZero();
    JsonNode root = new ObjectMapper().readTree(result.out());
    assertThat(root.has("notes")).isEqualTo(noted);
    if (noted) {
      assertThat(root.get("notes").get(0).textValue())
          .isEqualTo(
              "first-fit depends on details that many requests lack: %s of 100 requests have no estimated run time."
                  .formatted(lacking));
    }
  }
}
