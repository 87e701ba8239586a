package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A named pipe as any input is refused at once, and never waited for. */
class FifoInputTest {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  @TempDir private static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException, InterruptedException {
    assumeTrue(Fifo.available(), "SKIPPED: there is no mkfifo");
    write("requests.csv", "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10s,1,1\n");
    write("hosts.csv", "id,cpu,memory\nh1,2,4\n");
    write("small.json", experiment("requests.csv", "hosts.csv", ""));
    write("on-pipe.json", experiment("pipe", "hosts.csv", ""));
    write("hosts-on-pipe.json", experiment("requests.csv", "csv:pipe", ""));
    write("failures-on-pipe.json", experiment("requests.csv", "hosts.csv", ",\"events\":\"pipe\""));
    write(
        "classes-on-pipe.json",
        experiment("requests.csv", "hosts.csv", "")
            .replace("\"requests.csv\"", "{\"from\":\"requests.csv\",\"classes\":\"pipe\"}"));
    write("members-on-pipe.json", experiment("google", "hosts.csv", ""));
    Fifo.create(folder.resolve("pipe"));
    Fifo.create(folder.resolve("pipe.gz"));
    Fifo.create(Files.createDirectory(folder.resolve("jars")).resolve("acme.jar"));
    Fifo.create(Files.createDirectory(folder.resolve("cells")).resolve(".lock"));
    Fifo.create(Files.createDirectory(folder.resolve("data")).resolve("KTH-SP2-1996-2.1-cln.swf"));
    Path google = Files.createDirectories(folder.resolve("google/task_events"));
    Fifo.create(google.resolve("part-00000-of-00500.csv"));
  }

  private static void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static String experiment(String workload, String infrastructure, String more) {
    return """
        {"workloads": ["%s"], "infrastructures": ["%s"], "policies": ["priority"], "until": "1m"%s}
        """
        .formatted(workload, infrastructure, more);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "compare --until 1m --workload @pipe --infrastructure @hosts.csv | pipe",
        "compare --until 1m --workload csv:@pipe --infrastructure @hosts.csv | pipe",
        "compare --until 1m --workload @pipe.gz --infrastructure @hosts.csv | pipe.gz",
        "compare --until 1m --workload @requests.csv --infrastructure @pipe | pipe",
        "compare --until 1m --workload @requests.csv --infrastructure @hosts.csv --classes @pipe | pipe",
        "compare --until 1m --workload @requests.csv --infrastructure @hosts.csv --events @pipe | pipe",
        "compare --until 1m --workload google-2011:@google --infrastructure @hosts.csv | part-00000-of-00500.csv",
        "compare --until 1m --policies priority --config priority=@@pipe | pipe",
        "compare --until 1m --plugins @jars | acme.jar",
        "policies --plugins @jars | acme.jar",
        "policies --plugins @pipe | pipe",
        "experiment @pipe | pipe",
        "experiment @on-pipe.json | pipe",
        "experiment @hosts-on-pipe.json | pipe",
        "experiment @failures-on-pipe.json | pipe",
        "experiment @classes-on-pipe.json | pipe",
        "experiment @members-on-pipe.json | google",
        "experiment @small.json --resume @pipe | pipe",
        "experiment @small.json --resume @cells | .lock",
        "workload describe @pipe | pipe",
        "workload generate --profile @pipe --out @out.csv | pipe",
        "workload convert @pipe --out @out.csv | pipe",
        "infrastructure size @requests.csv --mix @pipe --out @out.csv | pipe",
        "reproduce memic-4 --markdown @pipe | pipe",
        "reproduce google-samples --log @pipe | pipe",
        "reproduce borgsim-snapshots --log @pipe | pipe",
        "reproduce meta-all --log @pipe | pipe",
        "reproduce queues-cea --log @pipe | pipe",
      })
  void isRefusedAtOnce(String command, String named) {
    String[] args =
        Arrays.stream(command.split(" "))
            .map(each -> each.replaceFirst("@(?!@)", folder.toString().replace("\\", "/") + "/"))
            .toArray(String[]::new);
    Cli.Result result = assertTimeoutPreemptively(LONGEST, () -> Cli.run(args), command);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith("berth: ")
        .contains(named)
        .doesNotContain("unexpected failure", "Unknown option", "Unmatched", "Missing required");
    assertThat(folder.resolve("out.csv")).doesNotExist();
  }
}
