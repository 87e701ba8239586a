package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A small experiment of two policies on requests and hosts from files. It stores its results.
 *
 * @param folder holds its files
 * @param cells the folder of the stored results
 */
public record TrialExperiment(Path folder, Path cells) {

  /** Writes the files. */
  public static TrialExperiment write(Path folder, boolean bounds) throws IOException {
    Files.writeString(
        folder.resolve("requests.csv"),
        """
        admitted,id,class,service_time,cpu,memory
        0s,a,gold,10m,2,2
        0s,b,bronze,10m,1,1
        5s,c,bronze,10m,2,2
        9m,d,gold,3m,1,1
        """);
    Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\nh2,2,4\n");
    Files.writeString(
        folder.resolve("trial.json"),
        """
        {"name": "trial", "workloads": ["requests.csv"], "infrastructures": ["hosts.csv"],
         "policies": ["qos-driven", "priority"], "bounds": %s, "until": "20m"}
        """
            .formatted(bounds));
    return new TrialExperiment(folder, folder.resolve("cells"));
  }

  /** Runs the experiment, or resumes it, one run after another. */
  public Cli.Result run(String... outputs) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("experiment", folder.resolve("trial.json").toString()));
    arguments.addAll(List.of("--parallel", "1", "--resume", cells.toString()));
    arguments.addAll(List.of(outputs));
    return Cli.run(arguments.toArray(String[]::new));
  }

  /** Runs the experiment, which must succeed. */
  public Cli.Result succeed(String... outputs) {
    Cli.Result result = run(outputs);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.DONE);
    return result;
  }
}
