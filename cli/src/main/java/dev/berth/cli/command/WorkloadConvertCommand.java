package dev.berth.cli.command;

import dev.berth.cli.option.Inputs;
import dev.berth.cli.option.WorkloadParameter;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.Output;
import dev.berth.simulator.Workload;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth workload convert}: converts a workload into a format of Berth. */
@Command(
    name = "convert",
    header = "Writes a workload in another format.",
    footer = {
      "  berth workload convert requests.txt --out requests.csv",
      "  berth workload convert validation-1 --out requests.csv.gz"
    })
final class WorkloadConvertCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();

  @Mixin private OutTarget out = new OutTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  @Override
  public Integer call() {
    FormattedFile target = out.file();
    Workload workload = input.read();
    try (OutputFiles files = new OutputFiles()) {
      long count = Inputs.checked(() -> target.addTo(files, workload));
      files.commit();
      output.out().printf("%s: %s requests%n", target.path(), count);
    }
    return ExitCode.DONE;
  }
}
