package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the command, or another program on the class path of the tests, in a process of its own. */
public final class CliProcess {

  private CliProcess() {}

  /** Returns what starts the command with some arguments, without progress on a slow machine. */
  public static ProcessBuilder command(List<String> jvmOptions, List<String> arguments) {
    List<String> quiet = new ArrayList<>(List.of("--quiet"));
    quiet.addAll(arguments);
    return program(Berth.class, jvmOptions, quiet);
  }

  /** Returns what starts a program with some arguments. */
  public static ProcessBuilder program(
      Class<?> main, List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** Starts a process whose output goes to the files stdout and stderr of a folder. */
  static Process start(ProcessBuilder process, Path folder) throws IOException {
    return process
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  /** Runs a process to its end, with its output in files of a folder. */
  static Cli.Result run(ProcessBuilder process, Path folder)
      throws IOException, InterruptedException {
    Process started = start(process, folder);
    assertThat(started.waitFor(10, TimeUnit.MINUTES)).isTrue();
    return new Cli.Result(
        started.exitValue(),
        Files.readString(folder.resolve("stdout")),
        Files.readString(folder.resolve("stderr")));
  }
}
