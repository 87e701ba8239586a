package dev.berth.cli.command;

import dev.berth.cli.option.DurationConverter;
import dev.berth.cli.option.Policies;
import dev.berth.cli.option.RunOptions;
import dev.berth.cli.output.Explanation;
import dev.berth.cli.output.ExplanationDocument;
import dev.berth.cli.output.ExplanationJson;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.Output;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.experiments.PolicyChoice;
import dev.berth.experiments.RunSettings;
import dev.berth.report.render.TextRenderer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code berth explain}: explains why an instance waits, or is on its host. */
@Command(
    name = "explain",
    header = "Explains why an instance waits, or is on its host, at a simulated time.",
    description =
        "Simulates one policy up to that time. Also prints how long the instance was in service, and "
            + "why it was last preempted.",
    footer = {
      "  berth explain bronze-17 --at 20m",
      "  berth explain bronze-17 --at 20m --policy priority",
      "  berth explain silver-3 --at 35m --workload validation-2 --json | jq .whyPending"
    })
public final class ExplainCommand implements Callable<Integer> {

  private static final int WIDTH = 90;

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  @Parameters(
      paramLabel = "INSTANCE",
      description = "Id of the instance, which is the id of its request.")
  private String instanceId = "";

  @Option(
      names = "--at",
      paramLabel = "DURATION",
      required = true,
      converter = DurationConverter.class,
      description = "Simulated time of the explanation.")
  private Duration at = Duration.ZERO;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      defaultValue = "qos-driven",
      description = "Policy that decides; default ${DEFAULT-VALUE}.")
  private String policyId = "";

  @Mixin private RunOptions run = new RunOptions();
  @Mixin private JsonTarget json = new JsonTarget();

  @Override
  public Integer call() {
    PrintWriter out = output.out();
    json.check();
    try (Policies policies = session.policies()) {
      PolicyChoice<?> policy = run.policies(policies.registry(), List.of(policyId)).get(0);
      RunSettings settings = run.settings();
      Explanation explanation;
      try (ProgressDisplay display = session.progress(output.err())) {
        explanation = new ExplainQuery(settings, policy, instanceId, at).answer(display);
      }
      if (!json.takesStandardOutput()) {
        out.print(new TextRenderer().wrappedAt(WIDTH).render(ExplanationDocument.of(explanation)));
      }
      try (OutputFiles files = new OutputFiles()) {
        json.addTo(files, ExplanationJson.of(explanation, settings), out);
        files.commit();
      }
    }
    return ExitCode.DONE;
  }
}
