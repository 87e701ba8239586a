package dev.berth.cli.command;

import dev.berth.cli.option.Inputs;
import dev.berth.cli.option.ReadingOptions;
import dev.berth.cli.output.OutputFormats;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.simulator.Workload;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth workload convert}: converts a workload into a format of Berth. */
@Command(
    name = "convert",
    header = "Writes a workload in another format.",
    footer = {
      "  berth workload convert requests.txt --out requests.csv",
      "  berth workload convert validation-1 --out requests.csv.gz"
    })
final class WorkloadConvertCommand implements Callable<Integer> {

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME|[FORMAT:]FILE",
      description = "The workload: a file, gzipped or not, or one that is built in.")
  private String from = "";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description =
          "File to write. Its name ends in .csv or .jsonl, with .gz appended to compress it.")
  private Path out = Path.of("");

  @Mixin private ReadingOptions reading = new ReadingOptions();

  @Override
  public Integer call() {
    Inputs.Reading how = reading.reading();
    OutputFormats target = OutputFormats.at(out);
    Workload workload = Inputs.workload(from, how);
    long count = Inputs.checked(() -> target.write(workload));
    spec.commandLine().getOut().printf("%s: %s requests%n", target.path(), count);
    return ExitCode.DONE;
  }
}
