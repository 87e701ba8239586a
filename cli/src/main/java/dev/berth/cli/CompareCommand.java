package dev.berth.cli;

import dev.berth.core.config.Durations;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code berth compare}: policies side by side on one scenario. */
@Command(
    name = "compare",
    header = "Compares policies on the same requests, hosts and luck.",
    description =
        "Shows what each service class got under each policy. For the validation workloads of the "
            + "QoS-driven scheduling paper, what its authors published stands beneath.",
    footer = {
      "  berth compare",
      "  berth compare --workload validation-2 --period 10s --json outcome.json",
      "  berth compare --policies qos-driven --config 'qos-driven={\"preemptionCost\":\"as-printed\"}'",
      "  berth compare --workload requests.csv --infrastructure hosts.csv --failures outages.csv",
      "  berth compare --plugins build/libs --policies qos-driven,acme.best-fit --json - | jq .runs"
    })
final class CompareCommand implements Callable<Integer> {

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Berth berth;

  @Option(
      names = "--policies",
      paramLabel = "POLICY[,POLICY...]",
      hideParamSyntax = true,
      split = ",",
      defaultValue = "qos-driven,priority",
      description = "What to compare; default ${DEFAULT-VALUE}.")
  private List<String> policyIds = new ArrayList<>();

  @Mixin private RunOptions run = new RunOptions();
  @Mixin private JsonTarget json = new JsonTarget();

  @Option(
      names = "--verbose",
      description = "Shows effective configurations, passes and placements, too.")
  private boolean verbose;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    json.check();
    try (Policies policies = berth.policies()) {
      List<PolicyChoice<?>> choices = run.policies(policies.registry(), policyIds);
      Comparison comparison = new Comparison(run.settings(), choices);
      List<RunOutcome> outcomes = comparison.run(berth.watcher(json));
      List<PublishedRun> published = published(comparison);
      if (!json.takesStandardOutput()) {
        new ComparisonTable(comparison, outcomes, published).render(verbose).forEach(out::println);
      }
      json.write(ComparisonJson.of(comparison, outcomes, published), out);
      return report(outcomes, err);
    }
  }

  private List<PublishedRun> published(Comparison comparison) {
    String workload = comparison.settings().scenario().workload().name();
    return run.isPublishedExperiment()
        ? PublishedResults.load().on(workload, comparison.policyIds())
        : List.of();
  }

  /** Says what failed, and how long the others took if that is wanted; returns the exit code. */
  private int report(List<RunOutcome> outcomes, PrintWriter err) {
    int exitCode = ExitCode.DONE;
    for (RunOutcome outcome : outcomes) {
      if (outcome instanceof RunOutcome.Failed failed) {
        berth.errors().failedRun(failed, err);
        exitCode = ExitCode.FAILED;
      } else if (verbose && outcome instanceof RunOutcome.Finished finished) {
        Duration wallTime = Duration.ofMillis(finished.wallTime().toMillis());
        err.printf("%s took %s.%n", finished.policy(), Durations.format(wallTime));
      }
    }
    return exitCode;
  }
}
