package dev.berth.cli.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.Moment;
import dev.berth.cli.journal.JournalFolder;
import dev.berth.cli.journal.JournalReplay;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.run.RunOptions;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.render.TextRenderer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth explain}: explains why an instance waits, or is on its host. */
@Command(
    name = "explain",
    header = "Explains why an instance waits, or is on its host, at a time.",
    description =
        "Simulates one policy up to that time. With --journal, runs the journal of a scheduler again "
            + "up to that time instead, and says what its policy had decided. Also prints how long the "
            + "instance was in service, and why it was last preempted.",
    footer = {
      "  berth explain batch-185 --at 3h",
      "  berth explain batch-200 --at 3h --policy priority",
      "  berth explain silver-3 --at 35m --workload validation-2 --json | jq .whyPending",
      "  berth explain --journal journal/ render-17",
      "  berth explain --journal journal/ render-17 --at 2025-11-24T16:00:40Z"
    })
public final class ExplainCommand extends SessionCommand implements Runnable {

  private static final int WIDTH = 90;

  /** The options that go with a journal; all others are about a simulation. */
  private static final Set<String> WITH_JOURNAL =
      Set.of("--journal", "--at", "--json", "--plugins", "--verbose", "--quiet");

  @Parameters(
      paramLabel = "INSTANCE",
      description = "Id of the instance, which is the id of its request.")
  private String instanceId = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Time of the explanation, from the start of the simulation on. With --journal, from the first "
              + "input in it on, or from its oldest snapshot if that input is gone; or a time such as "
              + "2025-11-24T16:00:40Z; default: the end of the journal.")
  private @Nullable Moment at;

  @Option(
      names = "--journal",
      paramLabel = "JOURNAL",
      description =
          "Folder of the journal of a scheduler, which may run. Takes the place of --policy and of all "
              + "options for the scenario.")
  private @Nullable String journal;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      defaultValue = "qos-attained",
      description = "Policy that decides; default ${DEFAULT-VALUE}.")
  private String policyId = "";

  @Mixin private RunOptions run = new RunOptions();
  @Mixin private JsonTarget json = new JsonTarget();

  @Override
  public void run() {
    json.check();
    if (journal == null) {
      explainSimulation();
    } else {
      requireJournalAlone();
      explainJournal(new JournalFolder("--journal", journal));
    }
  }

  private void explainSimulation() {
    Duration time = simulatedTime();
    try (Policies policies = session().policies()) {
      PolicyChoice<?> policy = run.policies(policies.registry(), List.of(policyId)).get(0);
      RunSettings settings = run.settings();
      Explanation explanation;
      try (ProgressDisplay display = session().progress()) {
        explanation = new ExplainQuery(settings, policy, instanceId, time).answer(display);
      }
      print(explanation, ExplanationJson.of(explanation, settings));
    }
  }

  private Duration simulatedTime() {
    if (at == null) {
      throw new BadInputException("--at is missing, must be --at=DURATION.");
    }
    return at.since()
        .orElseThrow(
            () ->
                new BadInputException(
                    "--at was %s, must be a duration such as 3h, since a simulation has no dates."
                        .formatted(at)));
  }

  private void explainJournal(JournalFolder folder) {
    JournalQuery query = new JournalQuery(folder.name(), instanceId, Optional.ofNullable(at));
    Explanation explanation = new JournalReplay(folder, session(), err()).run(query::answer);
    print(explanation, ExplanationJson.ofJournal(explanation, folder.name()));
  }

  private void print(Explanation explanation, ObjectNode asJson) {
    json.write(
        out(),
        () -> new TextRenderer().wrappedAt(WIDTH).render(ExplanationDocument.of(explanation)),
        asJson);
  }

  private void requireJournalAlone() {
    BadInputException.ifAny(
        spec().commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(each -> !WITH_JOURNAL.contains(each))
            .map(
                each ->
                    "%s is about a simulation, must not be given with --journal. Maybe leave it out."
                        .formatted(each))
            .toList());
  }
}
