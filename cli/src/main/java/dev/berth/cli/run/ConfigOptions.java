package dev.berth.cli.run;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.PolicyChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the configuration of policies, shared by all commands that run policies. */
public final class ConfigOptions {

  @Option(
      names = "--config",
      paramLabel = "POLICY=JSON|POLICY=@FILE",
      arity = "1",
      description =
          "Settings of a policy that override its defaults; see 'berth policies'. Once per policy.")
  private List<String> configs = new ArrayList<>();

  /**
   * Returns policies with their configurations.
   *
   * @param registry where they are looked up
   * @param ids of the policies
   * @param watchdog longest time between two passes; it overrides that of a configuration
   * @param meanOverhead default {@code expectedOverhead} of configurations that have this setting
   * @throws BadInputException if there is no such policy, or its configuration cannot be used
   */
  public List<PolicyChoice<?>> policies(
      PolicyRegistry registry, List<String> ids, Duration watchdog, Duration meanOverhead) {
    return new PolicySelection(registry, watchdog, meanOverhead).choose(ids, configs);
  }
}
