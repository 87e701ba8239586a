package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.simulator.Workload;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The workload of commands that read one, and the options for reading files. */
public final class WorkloadParameter {

  @Parameters(
      paramLabel = "NAME|[FORMAT:]FILE",
      description = "The workload: a file, gzipped or not, or one that is built in.")
  private String location = "";

  @Mixin private ReadingOptions reading = new ReadingOptions();

  /**
   * Returns the settings for reading files.
   *
   * @throws BadInputException if an option is out of range
   */
  public Inputs.Reading reading() {
    return reading.reading();
  }

  /**
   * Reads the workload.
   *
   * @throws BadInputException if it does not exist, or cannot be read
   */
  public Workload read() {
    return Inputs.workload(location, reading());
  }
}
