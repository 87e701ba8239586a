package dev.berth.cli.workload;

import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.WorkloadParameter;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.simulator.workload.Workload;
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
final class WorkloadConvertCommand extends SessionCommand implements Runnable {

  @Mixin private OutTarget out = new OutTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  @Override
  public void run() {
    FormattedFile target = out.file();
    try (ProgressDisplay display = session().progress();
        OutputFiles files = new OutputFiles()) {
      Workload workload = input.read(session(), display);
      display.begin("writing " + target.path());
      long count = Inputs.checked(() -> target.addTo(files, workload));
      files.commit();
      display.end();
      out().printf("%s: %s requests%n", target.path(), count);
    }
  }
}
