package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.berth.cli.Cli;
import dev.berth.cli.CliProcess;
import dev.berth.cli.TrialExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recipes of the guide, each run part by part with the variables that its system sets. Their
 * number of parts is replaced by that of the test.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("long")
class ShardRecipesTest {

  private static final Path GUIDE = Path.of("../docs/guide/experiments.md");
  private static final int PARTS = 2;

  @TempDir private Path folder;
  private Path united;

  @BeforeEach
  void writeFiles() throws IOException {
    assumeThat(Path.of("/bin/sh")).isExecutable();
    TrialExperiment.write(folder, true);
    Files.move(folder.resolve("trial.json"), folder.resolve("samples.json"));
    united = Files.createDirectory(folder.resolve("united"));
    Path command = Files.createDirectory(folder.resolve("bin")).resolve("berth");
    List<String> java = CliProcess.command(List.of(), List.of()).command();
    Files.writeString(command, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(String.join("' '", java)));
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void slurm() throws Exception {
    String script = recipe("(?s)```sh\n(#!/bin/sh\n#SBATCH.*?)```");
    for (int part = 1; part <= PARTS; part++) {
      run(
          script,
          Map.of(
              "SLURM_ARRAY_TASK_ID",
              Integer.toString(part),
              "SLURM_ARRAY_TASK_COUNT",
              Integer.toString(PARTS),
              "SLURM_CPUS_PER_TASK",
              "1"));
      unite("cells-" + part);
    }
    requireAll();
  }

  @Test
  void kubernetes() throws Exception {
    String script =
        recipe("(?s)args:\n  - (.*?)```").replace("\n", " ").replace("/16", "/" + PARTS);
    for (int part = 0; part < PARTS; part++) {
      run(script, Map.of("JOB_COMPLETION_INDEX", Integer.toString(part)));
      unite("cells-" + part);
    }
    requireAll();
  }

  @Test
  void github() throws Exception {
    String script = recipe("- run: (.*)\n").replace("${{ strategy.job-total }}", "" + PARTS);
    for (int part = 1; part <= PARTS; part++) {
      run(script.replace("${{ matrix.part }}", Integer.toString(part)), Map.of());
      unite("cells");
    }
    requireAll();
  }

  private static String recipe(String pattern) throws IOException {
    Matcher recipe = Pattern.compile(pattern).matcher(Files.readString(GUIDE));
    assertThat(recipe.find()).isTrue();
    return recipe.group(1);
  }

  private void run(String script, Map<String, String> variables)
      throws IOException, InterruptedException {
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", script).directory(folder.toFile());
    shell.environment().merge("PATH", folder.resolve("bin") + ":", (path, bin) -> bin + path);
    shell.environment().putAll(variables);
    Path output = folder.resolve("output");
    Process started = shell.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    assertThat(started.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(started.exitValue()).as(Files.readString(output)).isZero();
  }

  /** Moves the files, so that another part may use the folder. */
  private void unite(String cells) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(cells))) {
      for (Path each : files.toList()) {
        Files.move(each, united.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private void requireAll() {
    Cli.Result result =
        Cli.run(
            "experiment", folder.resolve("samples.json").toString(), "--resume", united.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).isEqualTo("4 of 4 runs are stored already.\n");
  }
}
