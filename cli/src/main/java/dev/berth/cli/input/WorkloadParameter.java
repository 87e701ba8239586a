package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.InputException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The workload of commands that read one, and the options for reading files. */
public final class WorkloadParameter {

  @Parameters(
      paramLabel = "NAME|[FORMAT:]FILE",
      description = "The workload: a file, gzipped or not, or one that is built in.")
  private String location = "";

  @Mixin private Inputs inputs = new Inputs();

  /** Returns the options for reading files. */
  public Inputs inputs() {
    return inputs;
  }

  /**
   * Reads the workload, while the policies are there and the display shows how far that is.
   *
   * @throws BadInputException if it does not exist
   * @throws InputException if it cannot be read
   */
  public Workload read(Session session, ProgressDisplay display) {
    display.begin("reading");
    return WatchedWorkload.of(session.read(() -> inputs.workload(location)), display);
  }
}
