package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison on files of Alibaba's spot GPU trace of 2026. */
class AlibabaSpotTest {

  @TempDir private Path folder;

  /** Job 2 waits for both A10s, of which job 1 has one for ten minutes. No host has a V100. */
  @Test
  void comparesAndNotesJobsOfAModelThatNoHostHas() throws IOException {
    Path jobs =
        Files.writeString(
            folder.resolve("job_info_df.csv"),
            """
            job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type
            1,13,A10,8.0,1.0,1,0.0,600.0,HP
            2,57,A10,8.0,1.0,2,0.0,300.0,Spot
            3,57,V100,8.0,1.0,2,60.0,300.0,Spot
            4,57,NaN,8.0,8.0,1,60.0,300.0,HP
            """);
    Path nodes =
        Files.writeString(
            folder.resolve("node_info_df.csv"),
            """
            gpu_model,gpu_capacity_num,cpu_num,node_name
            A10,1,128,0
            A10,1,128,1
            H800,8,192,2
            """);

    Cli.Result result = Cli.compare("alibaba-spot-2026:" + jobs, "alibaba-spot-2026:" + nodes);

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().replaceAll("\\s+", " "))
        .contains("job_info_df.csv (6 requests) on node_info_df.csv (3 hosts)")
        .contains("bronze (SLO 0.5), 4 requests qos-driven 0.0000 0.1657 0.3315")
        .contains("qos-driven: 4 of 6 by 1h")
        .contains("2 requests fit on no host")
        .contains("2 requests require model == V100, which holds on no host.");
  }
}
