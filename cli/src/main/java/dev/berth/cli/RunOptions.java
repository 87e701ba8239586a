package dev.berth.cli;

import dev.berth.core.PolicyRegistry;
import dev.berth.simulator.BuiltInWorkloads;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Overheads;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say what is simulated; the same for all commands that simulate. */
final class RunOptions {

  private static final String DURATIONS = "DURATION[xN][,DURATION[xN]...]";

  private static final List<Duration> OVERHEADS_OF_FILES =
      List.of(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(3));

  @Option(
      names = "--workload",
      paramLabel = "NAME|[FORMAT:]FILE",
      defaultValue = "validation-1",
      description =
          "The requests: validation-1 or validation-2 of the QoS-driven scheduling paper, memic-1, "
              + "memic-2 or memic-4 of the thesis on memory elasticity, or a file, compressed or not; "
              + "default ${DEFAULT-VALUE}. Formats, told by the content unless given: "
              + "${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.Workloads.class)
  private String workload = "";

  @Option(
      names = "--infrastructure",
      paramLabel = "[FORMAT:]FILE",
      description =
          "The hosts; default those of the built-in workloads. Formats: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.Infrastructures.class)
  private @Nullable String infrastructure;

  @Option(
      names = "--config",
      paramLabel = "POLICY=JSON|POLICY=@FILE",
      arity = "1",
      description =
          "Settings of a policy over its defaults, which 'berth policies' shows; once for each "
              + "policy.")
  private List<String> configs = new ArrayList<>();

  @Option(
      names = "--period",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Longest time between two scheduling passes; rules over the watchdog of configurations; "
              + "default 30s, for the memory workloads 5s. Durations are like 30s, 1500ms, 10m, 1h30m, 2d, PT30S.")
  private @Nullable Duration period;

  @Option(
      names = "--margin",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Safety margin of all service classes; default: the period.")
  private @Nullable Duration margin;

  @Option(
      names = "--overheads",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      converter = Repeated.Reader.class,
      description =
          "What may pass between placing an instance and its being ready, each as likely; 2sx625 "
              + "stands for 625 of 2s. Default: what was published for a built-in workload, "
              + "2s,2s,3s for a file. Their mean is the expectedOverhead of configurations that do "
              + "not set it.")
  private List<Repeated> overheads = new ArrayList<>();

  @Option(
      names = "--hot-overheads",
      paramLabel = DURATIONS,
      hideParamSyntax = true,
      split = ",",
      converter = Repeated.Reader.class,
      description = "The same on a host where the instance ran before; default: no different.")
  private List<Repeated> hotOverheads = new ArrayList<>();

  @Option(
      names = "--failures",
      paramLabel = "[FORMAT:]FILE",
      description = "Failures and recoveries of hosts. Formats: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.HostEvents.class)
  private @Nullable String failures;

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description =
          "Service classes that a workload in a file names: a JSON list like "
              + "[{\"name\":\"best\",\"slo\":0.99}]; default gold, silver, bronze.")
  private @Nullable String classes;

  @Option(
      names = "--skip-bad",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "How many lines of each file may be wrong; they are left out and told; default "
              + "${DEFAULT-VALUE}.")
  private int skipBad;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything that is left to chance; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Simulated time at which a run ends; default 1h, for the memory workloads 4h.")
  private @Nullable Duration until;

  /**
   * Returns policies with their configurations; reads no other file, so it is a check that costs
   * little.
   *
   * @param registry where they are looked up
   * @param ids of the policies
   * @throws BadInputException if there is no such policy, or its configuration cannot be used
   */
  List<PolicyChoice<?>> policies(PolicyRegistry registry, List<String> ids) {
    return new PolicySelection(registry, period(), delays().mean()).choose(ids, configs);
  }

  /**
   * Reads and checks everything that a run depends on but the policy.
   *
   * @throws BadInputException if anything of it cannot be used
   */
  RunSettings settings() {
    if (skipBad < 0) {
      throw new BadInputException("--skip-bad was %s, must not be negative.".formatted(skipBad));
    }
    Inputs.Reading reading =
        new Inputs.Reading(
            classes, skipBad, note -> spec.commandLine().getErr().println("note: " + note));
    Duration phi = margin == null ? period() : margin;
    Scenario scenario =
        Inputs.scenario(workload, infrastructure, seed, phi, until(), delays(), reading);
    List<HostEvent> events =
        failures == null
            ? List.of()
            : Inputs.hostEvents(failures, scenario.infrastructure(), reading);
    return new RunSettings(scenario, period(), phi, events, seed);
  }

  private boolean isBuiltIn() {
    return BuiltInWorkloads.names().contains(workload);
  }

  private Duration period() {
    if (period == null) {
      return isBuiltIn() ? BuiltInWorkloads.period(workload) : BuiltInWorkloads.PERIOD;
    }
    requirePositive("--period", period);
    return period;
  }

  private Duration until() {
    if (until == null) {
      return isBuiltIn() ? builtIn().until() : Duration.ofHours(1);
    }
    requirePositive("--until", until);
    return until;
  }

  private Scenario builtIn() {
    return BuiltInWorkloads.get(workload, seed, Duration.ZERO);
  }

  private Overheads delays() {
    if (overheads.isEmpty() && hotOverheads.isEmpty() && isBuiltIn()) {
      return builtIn().overheads();
    }
    List<Duration> cold = Repeated.expand(overheads);
    if (cold.isEmpty()) {
      cold = isBuiltIn() ? builtIn().overheads().cold() : OVERHEADS_OF_FILES;
    }
    return new Overheads(cold, hotOverheads.isEmpty() ? cold : Repeated.expand(hotOverheads));
  }

  /** Returns whether others published what they got for these requests on these hosts. */
  boolean isPublishedExperiment() {
    return BuiltInWorkloads.isValidation(workload) && infrastructure == null;
  }

  private static void requirePositive(String option, Duration duration) {
    if (duration.isZero()) {
      throw new BadInputException("%s was 0s, must be positive.".formatted(option));
    }
  }
}
