package dev.berth.cli.bench;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.ValueConverters;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.run.ConfigOptions;
import dev.berth.cli.run.PoliciesOption;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.PolicyUnusableException;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.Numbers;
import dev.berth.report.render.TextRenderer;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.prepare.GoogleLikeMonth;
import dev.berth.traces.prepare.GoogleLikeWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth bench scale}: runs policies on a month of a cluster as large as Google's. */
@Command(
    name = "scale",
    header = "Runs policies on a month the size of the Google cluster trace of 2011.",
    description = {
      "The full scale has 12,500 hosts like those of the trace and, in 29 days, about 25 million "
          + "requests in three classes. Some jobs run from the start, and a quarter of them are "
          + "replaced when they complete. Other jobs arrive in bursts and follow the time of day. "
          + "Demand varies; with some seeds it exceeds capacity for hours, which slows qos-driven "
          + "down.",
      "",
      "Requests are generated on arrival and aggregated on completion, so heap use tracks live "
          + "requests. Progress is reported on standard error."
    },
    footer = {
      "  berth bench scale --scale 0.01 --days 2",
      "  berth bench scale --scale 0.1 --policies qos-driven --json outcome.json",
      "  berth bench scale"
    })
final class BenchScaleCommand extends SessionCommand implements Callable<Integer> {

  private static final double MOST_DAYS = 3_650;
  private static final double NANOS_OF_DAY = 86_400e9;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description =
          "Factor for the number of hosts and requests, from 0.0001 to 10; default "
              + "${DEFAULT-VALUE}. Below 1 the largest job shrinks in proportion.")
  private double scale;

  @Option(
      names = "--days",
      paramLabel = "DAYS",
      defaultValue = "" + GoogleLikeMonth.DAYS,
      description = "Simulated days, fractions allowed; default ${DEFAULT-VALUE}.")
  private double days;

  @Mixin private PoliciesOption compared = new PoliciesOption();

  @Mixin private ConfigOptions configs = new ConfigOptions();

  @Option(
      names = "--watchdog",
      paramLabel = "DURATION",
      description =
          "Longest time between two scheduling passes, and safety margin of all classes; default 30s.")
  private @Nullable Duration watchdog;

  @Option(
      names = "--apart",
      paramLabel = "DURATION",
      defaultValue = "1s",
      description =
          "Shortest time between two scheduling passes, 0s or more; default ${DEFAULT-VALUE}. One "
              + "pass handles all events since the previous pass.")
  private Duration apart = Duration.ofSeconds(1);

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "3",
      description = "Seed of all random choices; default ${DEFAULT-VALUE}.")
  private long seed;

  @Mixin private JsonTarget json = new JsonTarget();

  @Override
  public Integer call() {
    json.check();
    RunSettings settings = settings();
    try (Policies policies = session().policies()) {
      List<PolicyChoice<?>> choices =
          configs.policies(
              policies.registry(),
              compared.ids(),
              settings.watchdog(),
              settings.scenario().overheads().mean());
      List<RunOutcome.Failed> failures = new ArrayList<>();
      List<ScaleOutcome> outcomes = run(settings, choices, failures);
      json.write(
          out(),
          () -> new TextRenderer().render(ScaleDocument.of(settings, apart, outcomes)),
          ScaleJson.of(scale, settings, apart, outcomes));
      return failures.isEmpty()
          ? ExitCode.DONE
          : session().errors().endOfFailedRuns(failures, err());
    }
  }

  /**
   * Returns the outcomes of the runs that did not fail, and collects the failures of the others.
   */
  private List<ScaleOutcome> run(
      RunSettings settings, List<PolicyChoice<?>> choices, List<RunOutcome.Failed> failures) {
    List<ScaleOutcome> outcomes = new ArrayList<>();
    try (ProgressDisplay display = session().progress()) {
      for (PolicyChoice<?> each : choices) {
        ScaleProgress progress =
            new ScaleProgress(each.id(), settings.scenario().until(), display, System::nanoTime);
        try {
          outcomes.add(new ScaleRun(settings, apart, each, progress).run());
          progress.end();
        } catch (PolicyUnusableException | PolicyFailedException failure) {
          progress.end();
          RunOutcome.Failed failed =
              new RunOutcome.Failed(String.valueOf(failure.getMessage()), failure);
          session().errors().failedRun(failed, err());
          failures.add(failed);
        }
      }
    }
    return outcomes;
  }

  private RunSettings settings() {
    BadInputException.unless(
        days > 0 && days <= MOST_DAYS,
        "--days was %s, must be above 0 and at most %s."
            .formatted(Numbers.plain(days), Numbers.plain(MOST_DAYS)));
    Duration longest =
        ValueConverters.positive(
            "--watchdog", Optional.ofNullable(watchdog).orElse(RunSettings.WATCHDOG_OF_FILES));
    Duration until = Duration.ofNanos(Math.round(days * NANOS_OF_DAY));
    GoogleLikeWorkload workload =
        new GoogleLikeWorkload(
            Inputs.checked("--scale", () -> GoogleLikeMonth.profile(scale)),
            ServiceClasses.goldSilverBronze(longest),
            Long.MAX_VALUE,
            until.toNanos(),
            seed);
    Scenario scenario =
        new Scenario(
            workload, GoogleLikeMonth.hosts(scale, seed), until, RunSettings.OVERHEADS_OF_FILES);
    return Inputs.checked(() -> new RunSettings(scenario, longest, longest, List.of(), seed));
  }
}
