package dev.berth.cli.workload;

import dev.berth.cli.error.ExitCode;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.WatchedWorkload;
import dev.berth.cli.input.WorkloadParameter;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.terminal.Output;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.simulator.Workload;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

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

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private WorkloadCommand parent;

  @Mixin private OutTarget out = new OutTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  @Override
  public Integer call() {
    FormattedFile target = out.file();
    try (ProgressDisplay display = parent.session().progress(output.err());
        OutputFiles files = new OutputFiles()) {
      display.begin("reading");
      Workload workload = WatchedWorkload.of(parent.session().read(input::read), display);
      display.begin("writing " + target.path());
      long count = Inputs.checked(() -> target.addTo(files, workload));
      files.commit();
      display.end();
      output.out().printf("%s: %s requests%n", target.path(), count);
    }
    return ExitCode.DONE;
  }
}
