package dev.berth.experiments.studies.slo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.studies.slo.WorkThatEndsStudy.Compared;
import dev.berth.simulator.workload.ArrivalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpotCasesTest {

  @TempDir private Path folder;

  /** A job a minute, of two workers with a GPU each for ten minutes: 20 GPUs on average. */
  @Test
  void hostsHaveTheLoadOfTheCase() throws IOException {
    StringBuilder jobs =
        new StringBuilder(
            "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n");
    for (int i = 0; i < 60; i++) {
      jobs.append("%d,1,A10,8.0,1.0,2,%d.0,600.0,Spot\n".formatted(i, 60 * i));
    }
    StringBuilder nodes = new StringBuilder("gpu_model,gpu_capacity_num,cpu_num,node_name\n");
    for (int i = 0; i < 100; i++) {
      nodes.append("A10,1,128,%d\n".formatted(i));
    }
    Files.writeString(folder.resolve("job_info_df.csv"), jobs);
    Files.writeString(folder.resolve("node_info_df.csv"), nodes);

    List<Compared> cases = SpotCases.in(folder, 81, new double[] {0.5, 1}, Duration.ofSeconds(30));

    assertThat(cases).extracting(Compared::name).allMatch(each -> each.contains(" at load "));
    RunSettings half = cases.get(0).settings().apply(1);
    RunSettings full = cases.get(1).settings().apply(1);
    assertThat(requests(full)).hasSize(82); // both workers of the last job
    assertThat(full.scenario().infrastructure().hosts()).hasSize(21); // 82 * 10 / 40
    assertThat(half.scenario().infrastructure().hosts()).hasSize(41);
    assertThat(full.scenario().until()).isEqualTo(Duration.ofDays(1).plusMinutes(40));
    assertThat(cases.get(1).settings().apply(1).scenario().infrastructure())
        .isEqualTo(full.scenario().infrastructure())
        .isNotEqualTo(cases.get(1).settings().apply(2).scenario().infrastructure());
  }

  private static List<Request> requests(RunSettings settings) {
    List<Request> all = new ArrayList<>();
    try (ArrivalSource source = settings.scenario().workload().open()) {
      source.forEachRemaining(each -> all.add(each.request()));
    }
    return all;
  }
}
