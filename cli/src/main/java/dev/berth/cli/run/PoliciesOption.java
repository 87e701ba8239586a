package dev.berth.cli.run;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --policies} of commands that run several policies. */
public final class PoliciesOption {

  @Option(
      names = "--policies",
      paramLabel = "POLICY[,POLICY...]",
      hideParamSyntax = true,
      split = ",",
      defaultValue = "qos-attained,priority",
      description = "Policies to run, one after another; default ${DEFAULT-VALUE}.")
  private List<String> ids = new ArrayList<>();

  /** Returns the ids of the policies, in the order in which they run. */
  public List<String> ids() {
    return ids;
  }
}
