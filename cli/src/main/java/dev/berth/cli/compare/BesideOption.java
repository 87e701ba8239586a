package dev.berth.cli.compare;

import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.studies.qos.PublishedRun;
import dev.berth.simulator.Scenario;
import dev.berth.traces.input.InputException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --beside}: published replications that ours are compared with. */
public final class BesideOption {

  @Option(
      names = "--beside",
      paramLabel = "DIR",
      description =
          "Also shows a replication that the authors of QoS-driven scheduling published: a folder"
              + " with the logs of their Kubernetes cluster (waiting.dat, termination.dat or"
              + " running.dat) or simulator. Repeat for several.")
  private List<String> folders = new ArrayList<>();

  /**
   * Reads the replications.
   *
   * @param settings of our runs
   * @throws InputException if one cannot be read or does not match the workload
   */
  public List<PublishedRun> read(RunSettings settings) {
    Scenario scenario = settings.scenario();
    return folders.stream()
        .map(each -> PublishedRun.read(each, scenario.workload(), scenario.until()))
        .toList();
  }
}
