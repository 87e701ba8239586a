package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison on the accounting of a cluster with Slurm. */
class SacctCompareTest {

  @TempDir private Path folder;

  /** Job 11 needs both hosts, of which job 10 has one for ten minutes. */
  @Test
  void comparesJobsOfSlurm() throws IOException {
    Path jobs =
        Files.writeString(
            folder.resolve("jobs.txt"),
            """
            JobID|JobName|User|QOS|Submit|Start|End|Elapsed|Timelimit|State|NNodes|AllocCPUS|ReqMem
            10|train|ana|high|2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T12:10:00|00:10:00|01:00:00|COMPLETED|1|4|8G
            10.batch|batch|||2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T12:10:00|00:10:00||COMPLETED|1|4|
            11|sweep|bob|scavenger|2026-03-01T12:00:00|2026-03-01T12:10:00|2026-03-01T12:15:00|00:05:00|UNLIMITED|TIMEOUT|2|8|4G
            12|late|bob|normal|2026-03-01T12:20:00|2026-03-01T12:20:00|Unknown|00:05:00|UNLIMITED|RUNNING|1|8|4G
            13|x|bob|normal|2026-03-01T12:20:00|None|2026-03-01T12:25:00|00:00:00|UNLIMITED|CANCELLED by 7|1|0|4G
            """);
    Path hosts =
        Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nn1,4,16\nn2,4,16\n");

    Cli.Result result = Cli.compare(jobs.toString(), hosts.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("jobs.txt (3 requests) on hosts.csv (2 hosts)")
        .contains("gold (SLO 1), 1 request")
        .contains("bronze (SLO 0.5), 2 requests");
    assertThat(result.err())
        .contains("left out 1: step of a job")
        .contains("left out 1: job that had not ended")
        .contains("left out 1: job that never ran, or for no time");
  }
}
