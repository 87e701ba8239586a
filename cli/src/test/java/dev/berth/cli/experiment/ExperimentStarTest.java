package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A star on the page of an experiment needs a confidence interval. */
class ExperimentStarTest {

  private static final String STAR = "aria-label=\"best\"";

  @TempDir private Path folder;

  @Test
  void oneRunOfEachPolicyWinsNoStar() throws IOException {
    assertThat(page("1")).doesNotContain(STAR);
  }

  @Test
  void clearDifferenceOverSeveralRunsWinsAStar() throws IOException {
    assertThat(page("1, 2, 3")).contains(STAR);
  }

  private String page(String seeds) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("small.json"),
            """
            {"name": "small", "workloads": ["validation-1"], "policies": ["qos-driven", "priority"],
             "seeds": [%s], "scales": [0.8], "until": "12m",
             "metrics": {"interval": "2m", "sample": "30s"}}
            """
                .formatted(seeds));
    Path report = folder.resolve("report");
    Cli.Result result = Cli.run("experiment", file.toString(), "--report", report.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    return Files.readString(report.resolve("index.html"));
  }
}
